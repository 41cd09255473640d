import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { compositeSources } from './composite-buckets.ts'
import { compositeDates } from './composite-dates.ts'
import type { SearchScope } from './search-rewrite.ts'

const TYPES: Readonly<Record<string, string>> = { n: 'long', d: 'date', k: 'keyword', g: 'geo_point', x: 'date_nanos' }
const scope = { field: (name: string) => ({ type: TYPES[name] }) } as unknown as SearchScope
const source = (definition: JsonObject) => compositeSources({ sources: [{ s: definition }] }, scope)?.[0]

test('the documents of a composite bucket are found by its key', () => {
  const format = 'strict_date_time'
  assert.deepEqual(source({ terms: { field: 'n' } })!.query(7), { term: { n: 7 } })
  assert.deepEqual(source({ terms: { field: 'n', missing_bucket: true } })!.query(null), {
    bool: { must_not: { exists: { field: 'n' } } },
  })
  assert.deepEqual(source({ histogram: { field: 'n', interval: 2.5 } })!.query(-5), {
    range: { n: { gte: -5, lt: -2.5 } },
  })
  const dates = (options: JsonObject, key: number) => source({ date_histogram: { field: 'd', ...options } })!.query(key)
  const range = (gte: string, lt: string) => ({ range: { d: { gte, lt, format } } })
  assert.deepEqual(
    dates({ fixed_interval: '12h', offset: '+6h' }, -21_600_000),
    range('1969-12-31T18:00:00.000Z', '1970-01-01T06:00:00.000Z'),
  )
  // The day on which the clocks go forward has 23 hours.
  assert.deepEqual(
    dates({ calendar_interval: 'day', time_zone: 'Europe/Berlin' }, 1_711_839_600_000),
    range('2024-03-30T23:00:00.000Z', '2024-03-31T22:00:00.000Z'),
  )
})

test('values of keywords are distinct, those of numbers and histograms are not', () => {
  const repeats = (definition: JsonObject) => source(definition)?.repeats
  assert.equal(repeats({ terms: { field: 'k' } }), false)
  assert.equal(repeats({ terms: { field: 'n' } }), true)
  assert.equal(repeats({ histogram: { field: 'n', interval: 5 } }), true)
  assert.equal(repeats({ geotile_grid: { field: 'g' } }), undefined)
  assert.equal(repeats({ terms: { field: 'x' } }), undefined)
  assert.equal(repeats({ date_histogram: { field: 'd', calendar_interval: 'day', format: 'yyyy' } }), undefined)
})

const composite = (format: string, after?: JsonObject) => ({
  aggs: {
    pages: {
      composite: {
        sources: [{ s: { date_histogram: { field: 'd', calendar_interval: 'day', time_zone: '+01:00', format } } }],
        ...(after === undefined ? {} : { after }),
      },
    },
  },
})

test('formats of composite keys are printed and read by the gateway', () => {
  const { request, amend } = compositeDates(composite('yyyy-MM-dd', { s: '2024-01-02' }), scope)!
  const sent = (request['aggs'] as { pages: { composite: JsonObject } }).pages.composite
  assert.deepEqual(sent['sources'], [
    { s: { date_histogram: { field: 'd', calendar_interval: 'day', time_zone: '+01:00' } } },
  ])
  assert.deepEqual(sent['after'], { s: Date.UTC(2024, 0, 1, 23) })
  const key = () => ({ s: Date.UTC(2024, 0, 2, 23) })
  const answer = { aggregations: { pages: { after_key: key(), buckets: [{ key: key(), doc_count: 1 }] } } }
  assert.deepEqual(amend!(answer), {
    aggregations: { pages: { after_key: { s: '2024-01-03' }, buckets: [{ key: { s: '2024-01-03' }, doc_count: 1 }] } },
  })
})

test('an after_key that its format leads to another bucket is refused', () => {
  const { amend } = compositeDates(composite('yyyy-MM'), scope)!
  const answer = { aggregations: { pages: { after_key: { s: Date.UTC(2024, 0, 2, 23) }, buckets: [] } } }
  assert.throws(() => amend!(answer), { status: 400, type: 'search_phase_execution_exception' })
})
