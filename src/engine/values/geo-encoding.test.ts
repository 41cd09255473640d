import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import * as geo from './geo-encoding.ts'

const latitudes = fc.double({ min: -90, max: 90, noNaN: true })
const longitudes = fc.double({ min: -180, max: 180, noNaN: true })

test('a decoded point is the lower edge of its cell', () => {
  assert.equal(geo.decodeLatitude(geo.encodeLatitude(52.1)), 52.09999996237457)
  assert.equal(geo.decodeLongitude(geo.encodeLongitude(4.2)), 4.199999934062362)
  assert.equal(geo.decodeLatitude(geo.encodeLatitude(90)), 89.99999995809048)
  assert.equal(geo.decodeLongitude(geo.encodeLongitude(180)), 179.99999991618097)
})

test('encoding preserves order, fits 32 bits and is stable', () => {
  fc.assert(
    fc.property(latitudes, latitudes, longitudes, (a, b, lon) => {
      const [encodedA, encodedB] = [geo.encodeLatitude(a), geo.encodeLatitude(b)]
      if (a < b) assert.ok(encodedA <= encodedB)
      for (const encoded of [encodedA, geo.encodeLongitude(lon)]) assert.equal(encoded | 0, encoded)
      assert.equal(geo.encodeLatitude(geo.decodeLatitude(encodedA)), encodedA)
      const lonCell = geo.encodeLongitude(lon)
      assert.equal(geo.encodeLongitude(geo.decodeLongitude(lonCell)), lonCell)
    }),
  )
})
