import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { tileOf } from '../../values/geotile.ts'
import { GeoTileBounds } from './geo-tile-bounds.ts'
import { tileRows } from './tile-rows.ts'

const stored = fc.integer({ min: -0x80000000, max: 0x7fffffff })
const zooms = fc.integer({ min: 0, max: 9 })

function tileNumber(latitude: number, longitude: number, zoom: number, bounds?: GeoTileBounds): number {
  const into = new Float64Array(1)
  tileRows(zoom)!.tilesOf(Int32Array.of(latitude), Int32Array.of(longitude), 1, zoom, bounds, into)
  return into[0]!
}

test('tile rows and columns equal those of the formula', () => {
  fc.assert(
    fc.property(stored, stored, zooms, (latitude, longitude, zoom) => {
      const expected = tileOf(decodeLongitude(longitude), decodeLatitude(latitude), zoom)
      assert.equal(tileNumber(latitude, longitude, zoom), expected.x * 2 ** zoom + expected.y)
    }),
    { numRuns: 2000 },
  )
})

test('blocks of points are in the tiles of the single points', () => {
  for (let zoom = 0; zoom <= 9; zoom++) {
    for (const length of [1, 1000, 4096, 4096, 4096]) {
      const latitudes = Int32Array.from({ length }, (_, i) => Math.imul(i + zoom, 0x9e3779b1))
      const longitudes = Int32Array.from({ length }, (_, i) => Math.imul(i + zoom, 0x85ebca6b))
      const tiles = new Float64Array(length)
      tileRows(zoom)!.tilesOf(latitudes, longitudes, length, zoom, undefined, tiles)
      const places = new Int32Array(length)
      tileRows(zoom)!.placesOf(latitudes, longitudes, length, zoom, places)
      assert.deepEqual(places, Int32Array.from(tiles))
    }
  }
})

test('points outside the bounds have no tile', () => {
  const degrees = fc.tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -180, max: 180 }))
  fc.assert(
    fc.property(stored, stored, zooms, degrees, degrees, (latitude, longitude, zoom, [a, left], [b, right]) => {
      const bounds = new GeoTileBounds({ top: Math.max(a, b) + 1, left, bottom: Math.min(a, b), right }, zoom)
      const { x, y } = tileOf(decodeLongitude(longitude), decodeLatitude(latitude), zoom)
      const expected = bounds.has(x, y) ? x * 2 ** zoom + y : -1
      assert.equal(tileNumber(latitude, longitude, zoom, bounds), expected)
    }),
    { numRuns: 2000 },
  )
})

test('deep zooms have no table of rows', () => {
  assert.equal(tileRows(10), undefined)
})
