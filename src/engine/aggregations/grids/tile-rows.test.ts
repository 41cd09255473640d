import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeLatitude, decodeLongitude } from '../../values/geo-encoding.ts'
import { tileOf } from '../../values/geotile.ts'
import { tileColumn, tileRows } from './tile-rows.ts'

test('rows and columns are those of the formula', () => {
  const stored = fc.integer({ min: -0x80000000, max: 0x7fffffff })
  fc.assert(
    fc.property(stored, stored, fc.integer({ min: 0, max: 9 }), (latitude, longitude, zoom) => {
      const expected = tileOf(decodeLongitude(longitude), decodeLatitude(latitude), zoom)
      assert.deepEqual([tileColumn(longitude, zoom), tileRows(zoom)!.row(latitude)], [expected.x, expected.y])
    }),
    { numRuns: 2000 },
  )
})

test('deep zooms have no list of rows', () => {
  assert.equal(tileRows(10), undefined)
})
