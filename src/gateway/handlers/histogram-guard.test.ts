import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SearchScope } from '../rewrite/search-rewrite.ts'
import { histogramProbe } from './histogram-guard.ts'

const scope: SearchScope = {
  field: (name) => (name === 'd' ? { type: 'date' } : undefined),
  fieldsOfType: () => [],
  ignoreAbove: new Map(),
  hasScripts: true,
  runtime: {},
  spread: [],
  shards: 1,
  parameter: () => undefined,
  maxBuckets: 65_536,
  maxResultWindow: 10_000,
}
const probe = (aggs: Record<string, unknown>) => histogramProbe({ size: 0, aggs }, scope)
const SECONDS = { field: 'd', fixed_interval: '1s' }

test('histograms without empty buckets and histograms with long intervals need no probe', () => {
  assert.equal(probe({ h: { date_histogram: { ...SECONDS, min_doc_count: 1 } } }), undefined)
  assert.equal(probe({ h: { date_histogram: { field: 'd', calendar_interval: 'month' } } })?.aggs, undefined)
  assert.equal(probe({ t: { terms: { field: 'k' } } }), undefined)
})

test('a histogram below other aggregations is probed there and counted for each bucket around it', () => {
  const asked = probe({
    t: {
      terms: { field: 'k', order: { m: 'desc' } },
      aggs: { m: { max: { field: 'n' } }, h: { date_histogram: SECONDS } },
    },
    other: { avg: { field: 'n' } },
  })
  assert.deepEqual(asked?.aggs, {
    t: {
      terms: { field: 'k', order: { m: 'desc' } },
      aggs: { m: { max: { field: 'n' } }, 'h min': { min: { field: 'd' } }, 'h max': { max: { field: 'd' } } },
    },
  })
  const bucket = (min: number | null, max: number | null) => ({ 'h min': { value: min }, 'h max': { value: max } })
  assert.equal(asked?.count({ t: { buckets: [bucket(0, 10_000), bucket(5_000, 5_999), bucket(null, null)] } }), 12)
})

test('a histogram below a histogram is probed in buckets with documents only', () => {
  const asked = probe({
    outer: { date_histogram: SECONDS, aggs: { inner: { histogram: { field: 'n', interval: 0.5 } } } },
  })
  assert.deepEqual(asked?.aggs?.['outer'], {
    date_histogram: { ...SECONDS, min_doc_count: 1 },
    aggs: { 'inner min': { min: { field: 'n' } }, 'inner max': { max: { field: 'n' } } },
  })
})

test('extended bounds are counted without a probe, and hard bounds limit the range', () => {
  const extended = { min: '2020-01-01', max: '2021-01-01' }
  assert.equal(probe({ h: { date_histogram: { ...SECONDS, extended_bounds: extended } } })?.certain, 366 * 86_400 + 1)
  const day = { min: '2020-01-01', max: '2020-01-01T10:00:00' }
  assert.equal(probe({ h: { date_histogram: { ...SECONDS, hard_bounds: day } } })?.aggs, undefined)
  const wide = probe({ h: { histogram: { field: 'n', interval: 1, hard_bounds: { min: 0, max: 1_000_000 } } } })
  assert.equal(wide?.count({ 'h min': { value: -500 }, 'h max': { value: 99 } }), 100)
})

test('values for documents without the field belong to the range', () => {
  const asked = probe({ h: { histogram: { field: 'n', interval: 1, missing: 1_000_000 } } })
  assert.deepEqual(asked?.aggs?.['h max'], { max: { field: 'n', missing: 1_000_000 } })
})
