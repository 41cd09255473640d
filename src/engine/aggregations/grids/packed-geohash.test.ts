import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { encodeGeohash } from '../../values/geohash.ts'
import { geohashText, PACKED_LENGTH_MAX, packGeohashes } from './packed-geohash.ts'

const stored = fc.integer({ min: -0x80000000, max: 0x7fffffff })
const points = fc.array(fc.tuple(stored, stored), { minLength: 2, maxLength: 20 })
const lengths = fc.integer({ min: 1, max: PACKED_LENGTH_MAX })

// Goal: a number represents the geohash of a point, and numbers have the order of the texts.
test('packed geohashes equal the text geohashes and keep their order', () => {
  fc.assert(
    fc.property(points, lengths, (list, length) => {
      const [latitudes, longitudes] = [0, 1].map((axis) => Int32Array.from(list, (point) => point[axis]!))
      const packed = new Float64Array(list.length)
      packGeohashes(latitudes!, longitudes!, list.length, length, packed)
      const texts = list.map(([lat, lon]) => encodeGeohash(decodeLongitude(lon), decodeLatitude(lat), length))
      assert.deepEqual(
        Array.from(packed, (number) => geohashText(number, length)),
        texts,
      )
      assert.deepEqual(
        Array.from(packed.sort(), (number) => geohashText(number, length)),
        texts.sort(),
      )
    }),
    { numRuns: 500 },
  )
})
