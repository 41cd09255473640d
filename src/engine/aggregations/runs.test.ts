import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestShard, type TestDocument } from '../search/search-fixture.ts'
import { aggregate } from './aggregation-fixture.ts'

const DOCS = 1500
const avg = { v: { avg: { field: 'd' } } }

/** A pseudo-random number below 1. */
const some = (i: number, salt: number) => (Math.imul(i + salt, 0x9e3779b1) >>> 0) / 2 ** 32

const documents = Array.from({ length: DOCS }, (_, i) => ({
  k: `k${Math.floor(some(i, 1) * 30)}`,
  d: some(i, 2) * 1000,
  n: Math.floor(some(i, 3) * 500),
  t: 1_700_000_000_000 + i * 600_000,
  p: { lat: some(i, 4) * 160 - 80, lon: some(i, 5) * 360 - 180 },
  ...(some(i, 6) < 0.5 ? { s: some(i, 7) } : {}),
}))
const MAPPING = {
  k: { type: 'keyword' },
  d: { type: 'double' },
  n: { type: 'integer' },
  s: { type: 'double' },
  t: { type: 'date' },
  p: { type: 'geo_point' },
}

/** Two segments with the same documents; with deleted ones between them no two documents follow each other. */
function shardOf(between: boolean) {
  const batches: TestDocument[][] = [[], []]
  for (const [i, source] of documents.entries()) {
    const batch = batches[i < DOCS / 3 ? 0 : 1]!
    batch.push({ id: `${i}`, source })
    if (between) batch.push({ id: `x${i}`, source, deleted: true })
  }
  return openTestShard(MAPPING, batches)
}

const METRICS = ['avg', 'sum', 'min', 'max', 'stats', 'extended_stats', 'value_count', 'cardinality', 'percentiles']
const AGGREGATIONS: Record<string, unknown> = {
  terms: {
    terms: { field: 'k', size: 50 },
    aggs: { ...avg, n: { stats: { field: 'n' } }, s: { sum: { field: 's' } } },
  },
  pairs: { terms: { field: 'k' }, aggs: { n: { terms: { field: 'n', size: 3 }, aggs: avg } } },
  numbers: { terms: { field: 'n' }, aggs: avg },
  days: { date_histogram: { field: 't', calendar_interval: 'day' }, aggs: { k: { terms: { field: 'k' }, aggs: avg } } },
  day: { date_histogram: { field: 't', fixed_interval: '1d' }, aggs: avg },
  bounded: { histogram: { field: 'd', interval: 90, hard_bounds: { min: 100, max: 600 } }, aggs: avg },
  ranges: { range: { field: 'd', ranges: [{ to: 10 }, { from: 5, to: 500 }, { from: 400 }] }, aggs: avg },
  apart: { range: { field: 'd', ranges: [{ to: 10 }, { from: 10, to: 400 }, { from: 500 }] }, aggs: avg },
  bands: {
    terms: { field: 'k' },
    aggs: { n: { range: { field: 'n', ranges: [{ to: 100 }, { from: 100 }] }, aggs: avg } },
  },
  tiles: { geotile_grid: { field: 'p', precision: 3 }, aggs: avg },
  hashes: { geohash_grid: { field: 'p', precision: 2 } },
  composite: {
    composite: {
      size: 40,
      sources: [{ k: { terms: { field: 'k' } } }, { t: { date_histogram: { field: 't', calendar_interval: 'day' } } }],
    },
    aggs: avg,
  },
  filtered: { filter: { range: { n: { lt: 300 } } }, aggs: avg },
  global: { global: {}, aggs: avg },
  keys: { cardinality: { field: 'k' } },
  ...Object.fromEntries(
    METRICS.flatMap((kind) => ['d', 'n', 's'].map((field) => [`${kind} ${field}`, { [kind]: { field } }])),
  ),
}

// Goal: what is read from consecutive places equals what is read document by document, to the last bit. Method: the same documents with
// and without deleted ones between them, and enough of them for the kernels.
test('documents that follow each other are aggregated like listed ones', () => {
  const [runs, lists] = [shardOf(false), shardOf(true)]
  for (let round = 0; round < 2; round++) {
    for (const [name, aggregation] of Object.entries(AGGREGATIONS)) {
      const answers = [runs, lists].map((shard) => aggregate([shard], { a: aggregation }))
      assert.deepEqual(answers[0], answers[1], name)
    }
  }
})
