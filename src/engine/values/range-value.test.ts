import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundBytes, decodeRange, encodeRange, type RangeBounds, type RangeKind, rangeMatches } from './range-value.ts'

const numbers = fc.double({ noNaN: true }).map((value) => value + 0)
const longs = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

test('range bounds survive encoding and decoding', () => {
  fc.assert(
    fc.property(numbers, numbers, longs, longs, (a, b, c, d) => {
      assert.deepEqual(decodeRange('number', encodeRange('number', { low: a, high: b })), { low: a, high: b })
      assert.deepEqual(decodeRange('long', encodeRange('long', { low: c, high: d })), { low: c, high: d })
    }),
  )
})

// Goal: comparing bytes equals comparing values. Method: random ranges, compared with the definition of each relation.
test('relations of encoded ranges equal relations of their values', () => {
  const check = <T extends number | bigint>(kind: RangeKind, values: fc.Arbitrary<T>) => {
    const ranges = fc
      .tuple(values, values)
      .map(([a, b]): RangeBounds => (a < b ? { low: a, high: b } : { low: b, high: a }))
    fc.assert(
      fc.property(ranges, ranges, (stored, query) => {
        const matches = (relation: 'intersects' | 'within' | 'contains') =>
          rangeMatches(relation, encodeRange(kind, stored), 0, encodeRange(kind, query), boundBytes(kind))
        assert.equal(matches('intersects'), stored.low <= query.high && stored.high >= query.low)
        assert.equal(matches('within'), stored.low >= query.low && stored.high <= query.high)
        assert.equal(matches('contains'), stored.low <= query.low && stored.high >= query.high)
      }),
    )
  }
  check('number', numbers)
  check('number', fc.integer({ min: -3, max: 3 }))
  check('long', longs)
})
