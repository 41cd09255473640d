import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field } from '../../documents/fields.ts'
import { type Plan, rangesOf, readMetric, readSource, requestBody, writeSource } from './plan.ts'

const FIELDS = new Map<string, Field>(
  (
    [
      ['host', 'keyword'],
      ['@timestamp', 'date'],
      ['took', 'double'],
      ['place', 'geo_point'],
    ] as const
  ).map(([name, type]) => [name, { name, type, isSearchable: true, isAggregatable: true }]),
)

const PLAN: Plan = { index: 'logs', kind: 'composite', by: [], metrics: [], size: 200, text: '', path: '' }
const ALL = { match_all: {} }

test('sources and metrics read back from an address are equal to the written ones', () => {
  for (const text of ['host', '-host', '@timestamp/1d', 'took/100', 'a.b/..100,100..'])
    assert.equal(writeSource(readSource(text)), text)
  assert.deepEqual(readMetric('avg:took'), { op: 'avg', field: 'took' })
  assert.equal(readMetric('median:took'), undefined)
})

test('composite sources are grouped by the type of their field, and later pages continue after a key', () => {
  const plan = { ...PLAN, by: [readSource('host'), readSource('-@timestamp/1d'), readSource('place/6')] }
  const first = requestBody(plan, ALL, FIELDS) as {
    profile?: boolean
    aggs: { buckets: { composite: { sources: unknown[]; after?: unknown } } }
  }
  assert.deepEqual(first.aggs.buckets.composite.sources, [
    { host: { terms: { field: 'host', order: 'asc' } } },
    { '@timestamp': { date_histogram: { field: '@timestamp', calendar_interval: 'day', order: 'desc' } } },
    { place: { geotile_grid: { field: 'place', precision: 6 } } },
  ])
  assert.equal(first.profile, true)
  const second = requestBody(plan, ALL, FIELDS, { host: 'a' }) as typeof first
  assert.deepEqual(second.aggs.buckets.composite.after, { host: 'a' })
  assert.equal(second.profile, undefined)
})

test('ranges may be open at both ends', () => {
  assert.deepEqual(rangesOf('..100,100..500,500..'), [{ to: 100 }, { from: 100, to: 500 }, { from: 500 }])
})

test('a plan of levels groups nested objects and counts the documents of each group', () => {
  const body = requestBody(
    { ...PLAN, kind: 'levels', path: 'comments', by: [readSource('comments.author')] },
    ALL,
    FIELDS,
  )
  assert.deepEqual(body['aggs'], {
    down: {
      nested: { path: 'comments' },
      aggs: {
        buckets: { terms: { field: 'comments.author', size: 200 }, aggs: { back: { reverse_nested: {} } } },
        back: { reverse_nested: {} },
      },
    },
  })
})
