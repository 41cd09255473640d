import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeGeohash, encodeGeohash, geohashBox } from './geohash.ts'
import { formatTile, parseTile, tileBox, tileKey, tileOf, tileOfKey } from './geotile.ts'
import { haversineMeters, sloppyAsin, sloppyCos } from './sloppy-math.ts'

const latitudes = fc.double({ min: -85, max: 85, noNaN: true })
const longitudes = fc.double({ min: -180, max: 179.999, noNaN: true })

test('geohashes equal those of Elasticsearch', () => {
  assert.equal(encodeGeohash(4.2, 52.1, 12), 'u16brsd27pfv')
  assert.deepEqual(decodeGeohash('u173z'), { lat: 52.3388671875, lon: 4.8779296875 })
  assert.deepEqual(geohashBox('u173z'), {
    minLon: 4.8779296875,
    minLat: 52.3388671875,
    maxLon: 4.921875,
    maxLat: 52.3828125,
  })
  assert.throws(() => decodeGeohash('u173a'), { message: 'unsupported symbol [a] in geohash [u173a]' })
  assert.throws(() => decodeGeohash(''), { message: 'empty geohash' })
})

test('a point lies in the box of its geohash and of its tile', () => {
  // Points are quantized before hashing, so they may be below the box by less than a cell.
  const slack = 1e-7
  fc.assert(
    fc.property(latitudes, longitudes, fc.integer({ min: 1, max: 12 }), (lat, lon, length) => {
      const box = geohashBox(encodeGeohash(lon, lat, length))
      assert.ok(box.minLat <= lat + slack && lat <= box.maxLat + slack)
      assert.ok(box.minLon <= lon + slack && lon <= box.maxLon + slack)
      const tile = tileOf(lon, lat, length)
      const square = tileBox(tile)
      assert.ok(square.minLat <= lat + slack && lat <= square.maxLat + slack)
      assert.ok(square.minLon <= lon + slack && lon <= square.maxLon + slack)
      assert.deepEqual(parseTile(formatTile(tile)), tile)
      assert.deepEqual(tileOfKey(tileKey(tile)), tile)
    }),
  )
})

test('map tiles equal those of Elasticsearch', () => {
  assert.equal(formatTile(tileOf(4.2, 52.1, 10)), '10/523/337')
  const { minLon, minLat, maxLon, maxLat } = tileBox(parseTile('10/524/340'))
  assert.deepEqual([minLon, maxLon], [4.21875, 4.5703125])
  assert.ok(Math.abs(minLat - 51.399205653553786) < 1e-12 && Math.abs(maxLat - 51.6180165487737) < 1e-12)
  assert.throws(() => parseTile('30/1/1'), {
    message: 'Invalid geotile_grid precision of 30. Must be between 0 and 29.',
  })
})

test('distances equal those of Lucene to the last digit', () => {
  assert.equal(haversineMeters(52.1, 4.2, 48.85, 2.35), 384333.24954835174)
  assert.equal(haversineMeters(0, 0, 0, 180), 2.0015114352186374e7)
  assert.equal(haversineMeters(10, 20, 10, 20), 0)
})

test('the tables are close to the functions they approximate', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -10, max: 10, noNaN: true }),
      fc.double({ min: -1, max: 1, noNaN: true }),
      (angle, value) => {
        assert.ok(Math.abs(sloppyCos(angle) - Math.cos(angle)) < 1e-14)
        assert.ok(Math.abs(sloppyAsin(value) - Math.asin(value)) < 1e-9)
      },
    ),
  )
})
