import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { DistinctCounter, precisionForThreshold } from './distinct-counter.ts'
import { hashBytes, hashDouble, hashInteger, hashLong, lastHashHigh, lastHashLow } from './hash64.ts'
import { LogLinearHistogram } from './log-linear-histogram.ts'
import { QuantileDigest } from './quantile-digest.ts'

const hash = () =>
  `${(lastHashHigh() >>> 0).toString(16).padStart(8, '0')}${(lastHashLow() >>> 0).toString(16).padStart(8, '0')}`

const MASK = (1n << 64n) - 1n
const rotl = (x: bigint, by: bigint) => ((x << by) | (x >> (64n - by))) & MASK

/** The definition of MurmurHash3 in whole 64-bit words. */
function murmurByDefinition(bytes: Uint8Array): bigint {
  const c1 = 0x87c37b91114253d5n
  const c2 = 0x4cf5ad432745937fn
  const wordAt = (from: number, to: number) => {
    let value = 0n
    for (let i = Math.min(to, bytes.length) - 1; i >= from; i--) value = (value << 8n) | BigInt(bytes[i]!)
    return value
  }
  const fmix = (start: bigint) => {
    let k = start
    k = ((k ^ (k >> 33n)) * 0xff51afd7ed558ccdn) & MASK
    k = ((k ^ (k >> 33n)) * 0xc4ceb9fe1a85ec53n) & MASK
    return k ^ (k >> 33n)
  }
  let h1 = 0n
  let h2 = 0n
  const end = bytes.length & ~15
  for (let i = 0; i < end; i += 16) {
    h1 ^= (rotl((wordAt(i, i + 8) * c1) & MASK, 31n) * c2) & MASK
    h1 = ((rotl(h1, 27n) + h2) * 5n + 0x52dce729n) & MASK
    h2 ^= (rotl((wordAt(i + 8, i + 16) * c2) & MASK, 33n) * c1) & MASK
    h2 = ((rotl(h2, 31n) + h1) * 5n + 0x38495ab5n) & MASK
  }
  if (bytes.length - end > 8) h2 ^= (rotl((wordAt(end + 8, end + 16) * c2) & MASK, 33n) * c1) & MASK
  if (bytes.length - end > 0) h1 ^= (rotl((wordAt(end, end + 8) * c1) & MASK, 31n) * c2) & MASK
  h1 ^= BigInt(bytes.length)
  h2 ^= BigInt(bytes.length)
  h1 = (h1 + h2) & MASK
  h2 = (h2 + h1) & MASK
  return (fmix(h1) + fmix(h2)) & MASK
}

test('hashBytes equals the definition of MurmurHash3', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), (bytes) => {
      hashBytes(bytes)
      assert.equal(hash(), murmurByDefinition(bytes).toString(16).padStart(16, '0'))
    }),
  )
})

test('an integer has the same hash as a number and as 64 bits', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (value) => {
      hashInteger(value)
      const asNumber = hash()
      hashLong(BigInt(value))
      assert.equal(asNumber, hash())
    }),
  )
})

test('the HyperLogLog precision follows the threshold', () => {
  assert.equal(precisionForThreshold(3000), 14)
  assert.equal(precisionForThreshold(0), 4)
  assert.equal(precisionForThreshold(40_000), 18)
})

test('few distinct values are counted exactly, many within a few percent, and merging adds no error', () => {
  for (const size of [0, 1, 100, 2500, 50_000, 300_000]) {
    const counter = new DistinctCounter(14)
    const other = new DistinctCounter(14)
    for (let i = 0; i < size; i++) {
      hashDouble(i * 1.5)
      counter.addHash()
      if (i % 2 === 0) other.addHash()
    }
    const count = counter.count()
    const error = size <= 2500 ? 1 : size * 0.02
    assert.ok(Math.abs(count - size) <= error, `${size} counted as ${count}`)
    other.merge(counter)
    assert.equal(other.count(), count)
  }
})

// Goal: the estimate equals Elasticsearch's. Method: recorded results for the integers below `size`.
test('cardinality estimates equal those of a real Elasticsearch', () => {
  for (const [threshold, size, expected] of [
    [0, 10, 12],
    [0, 100, 116],
    [0, 400, 237],
    [3, 400, 273],
    [30, 300, 299],
    [100, 400, 397],
    [0, 20_000, 12_948],
    [25, 5_000, 5_795],
    [300, 1_000, 1_003],
    [300, 20_000, 19_801],
    [3_000, 5_000, 4_973],
    [3_000, 20_000, 19_798],
    [3_000, 82_000, 81_993],
  ] as const) {
    const counter = new DistinctCounter(precisionForThreshold(threshold))
    for (let i = 0; i < size; i++) {
      hashInteger(i)
      counter.addHash()
    }
    assert.equal(counter.count(), expected, `${size} values, threshold ${threshold}`)
  }
})

test('codes converted to registers give the same count as registers from the start', () => {
  const direct = new DistinctCounter(4)
  const coded = new DistinctCounter(18)
  for (let i = 0; i < 40_000; i++) {
    hashInteger(i)
    direct.addHash()
    coded.addHash()
  }
  assert.ok(Math.abs(coded.count() - 40_000) < 400)
  assert.ok(Math.abs(direct.count() - 40_000) < 40_000 * 0.8)
})

test('quantiles of a small population are interpolated between its values', () => {
  const digest = new QuantileDigest(100)
  for (const value of [40, 1, 2, 16, 4, 8, 16]) digest.add(value)
  const at = (percent: number) => Number(digest.quantile(percent / 100).toFixed(6))
  assert.deepEqual([0, 1, 25, 33, 50, 75, 90, 100].map(at), [1, 1.06, 3, 3.96, 8, 16, 25.6, 40])
  const below = (x: number) => Number((digest.cdf(x) * 7).toFixed(6))
  assert.deepEqual(
    [0, 1, 1.5, 2, 3, 10, 16, 20, 40, 50].map(below),
    [0, 0.5, 1, 1.333333, 2, 3.666667, 5, 5.333333, 6.5, 7],
  )
})

test('half of the repeated values at an end lie below it', () => {
  const digest = new QuantileDigest(100)
  for (const value of [1, 8, 1, 9, 9]) digest.add(value)
  assert.deepEqual(
    [1, 9, 10].map((x) => digest.cdf(x)),
    [0.2, 0.8, 1],
  )
})

test('quantiles of many values are accurate in bounded memory', () => {
  const digest = new QuantileDigest(100)
  const other = new QuantileDigest(100)
  for (let i = 0; i < 200_000; i++) {
    const value = (i * 7919) % 200_000
    if (i % 3 === 0) other.add(value)
    else digest.add(value)
  }
  digest.merge(other)
  assert.equal(digest.count, 200_000)
  assert.ok(digest.byteSize < 100_000)
  for (const q of [0.001, 0.01, 0.25, 0.5, 0.75, 0.99, 0.999]) {
    assert.ok(Math.abs(digest.quantile(q) - q * 200_000) < 2500, `${q}: ${digest.quantile(q)}`)
    assert.ok(Math.abs(digest.cdf(q * 200_000) - q) < 0.0125)
  }
  assert.equal(digest.quantile(0), 0)
  assert.equal(digest.quantile(1), 199_999)
})

test('a repeated value is the quantile of its whole share', () => {
  const digest = new QuantileDigest(100)
  for (let i = 0; i < 50_000; i++) digest.add(i % 5 === 0 ? 0 : 1 + ((i * 7919) % 50_000))
  for (const q of [0.01, 0.05, 0.1, 0.19]) assert.equal(digest.quantile(q), 0)
  assert.ok(digest.quantile(0.25) > 1000)
})

test('a log-linear histogram returns the largest equivalent value', () => {
  const histogram = new LogLinearHistogram(3)
  for (const value of [1, 2, 4, 8, 16, 16, 40]) histogram.add(value)
  assert.deepEqual(
    [1, 5, 25, 50, 75, 95, 99].map((percent) => histogram.percentile(percent)),
    [1, 1, 2.0009765625, 8.0068359375, 16.0146484375, 40.0302734375, 40.0302734375],
  )
  assert.equal(histogram.percentageBelow(8), (100 * 4) / 7)
  const twice = new LogLinearHistogram(3)
  twice.merge(histogram)
  twice.merge(histogram)
  assert.equal(twice.total, 14)
  assert.equal(twice.percentile(50), histogram.percentile(50))
})

// Goal: a value is known to three digits, whatever its size.
test('a value is found again in its own bucket', () => {
  const sizes = fc.oneof(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), fc.nat({ max: 100_000 }))
  fc.assert(
    fc.property(sizes, (value) => {
      const histogram = new LogLinearHistogram(3)
      histogram.add(value)
      const lowest = histogram.percentile(0)
      assert.ok(lowest <= value && value - lowest <= value / 1000, `${value} is taken for ${lowest}`)
      assert.equal(histogram.percentageBelow(value), 100)
      if (value > 1e-300) assert.equal(histogram.percentageBelow(value * 0.998), 0)
    }),
    { numRuns: 500 },
  )
})
