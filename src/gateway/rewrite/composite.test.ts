import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { compositeSources } from './composite-buckets.ts'
import { compositeDates } from './composite-dates.ts'
import { compositeFirstSource } from './composite-first-source.ts'
import type { SearchScope } from './search-rewrite.ts'
import { tileBounds } from './tile-bounds.ts'

const TYPES: Readonly<Record<string, string>> = { n: 'long', d: 'date', k: 'keyword', g: 'geo_point', x: 'date_nanos' }
const scope = { field: (name: string) => ({ type: TYPES[name] }), hasScripts: true } as unknown as SearchScope
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

test('the range of a bucket of nanoseconds stays within the dates that such a field can hold', () => {
  const months = source({ date_histogram: { field: 'x', calendar_interval: 'month', offset: '-1d' } })!
  const format = 'strict_date_time'
  assert.deepEqual(months.query(-86_400_000), {
    range: { x: { gte: '1970-01-01T00:00:00.000Z', lt: '1970-01-31T00:00:00.000Z', format } },
  })
  assert.deepEqual(months.query(Date.UTC(2262, 2, 31)), { range: { x: { gte: '2262-03-31T00:00:00.000Z', format } } })
})

test('the range of a bucket at the end of a type has no bound beyond it', () => {
  const types = { field: () => ({ type: 'short' }) } as unknown as SearchScope
  const [shorts] = compositeSources({ sources: [{ s: { histogram: { field: 'n', interval: 10 } } }] }, types)!
  assert.deepEqual(shorts!.query(32_760), { range: { n: { gte: 32_760 } } })
  assert.deepEqual(shorts!.query(-32_770), { range: { n: { lt: -32_760 } } })
})

test('the key of a date with nanoseconds stands for a millisecond', () => {
  assert.deepEqual(source({ terms: { field: 'x' } })!.query(5), {
    range: { x: { gte: '1970-01-01T00:00:00.005Z', lt: '1970-01-01T00:00:00.006Z', format: 'strict_date_time' } },
  })
})

test('the points of a tile are found by a script', () => {
  const { script } = source({ geotile_grid: { field: 'g' } })!.query('6/33/21') as { script: { script: JsonObject } }
  assert.deepEqual(script.script['params'], { field: 'g', zoom: 6, column: 33, row: 21 })
  assert.equal(source({ geotile_grid: { field: 'g' } })!.query('6/33'), undefined)
})

test('values of keywords are distinct, those of numbers and histograms are not', () => {
  const repeats = (definition: JsonObject) => source(definition)?.repeats
  assert.equal(repeats({ terms: { field: 'k' } }), false)
  assert.equal(repeats({ terms: { field: 'n' } }), true)
  assert.equal(repeats({ histogram: { field: 'n', interval: 5 } }), true)
  assert.equal(repeats({ geotile_grid: { field: 'g' } }), true)
  assert.equal(repeats({ terms: { field: 'x' } }), true)
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

const FIRST = { _sandpiper_first: { terms: { field: '_sandpiper.constant', missing_bucket: true } } }

test('a composite aggregation below another one gets a first source without a field, and keys do not show it', () => {
  const sources = [{ k: { terms: { field: 'k' } } }]
  const below = (composite: JsonObject) => ({ aggs: { f: { filter: { match_all: {} }, aggs: { c: { composite } } } } })
  const { request, amend } = compositeFirstSource(below({ sources, after: { k: 'a' } }), scope)!
  assert.deepEqual(request, below({ sources: [FIRST, ...sources], after: { _sandpiper_first: null, k: 'a' } }))
  const page = (key: JsonObject) => ({ after_key: { ...key }, buckets: [{ key, doc_count: 1 }] })
  const answer = { aggregations: { 'filter#f': { 'composite#c': page({ _sandpiper_first: null, k: 'b' }) } } }
  assert.deepEqual(amend!(answer), { aggregations: { 'filter#f': { 'composite#c': page({ k: 'b' }) } } })
})

test('later pages of booleans and of a single date histogram, and its first page in descending order, get a first source without a field', () => {
  const types = { ...scope, field: (name: string) => ({ type: name === 'b' ? 'boolean' : 'long' }) }
  const sent = (sources: readonly JsonObject[], after?: JsonObject) => {
    const composite = { sources, ...(after === undefined ? {} : { after }) }
    const aggs = compositeFirstSource({ aggs: { p: { composite } } }, types)?.request['aggs']
    return (aggs as { p: { composite: JsonObject } } | undefined)?.p.composite
  }
  const flags = [{ n: { terms: { field: 'n' } } }, { b: { terms: { field: 'b' } } }]
  const days = { d: { date_histogram: { field: 'd', calendar_interval: 'day' } } }
  const downwards = { d: { date_histogram: { field: 'd', calendar_interval: 'day', order: 'desc' } } }
  const after = { n: 1, b: true }
  assert.deepEqual(sent(flags, after), { sources: [FIRST, ...flags], after: { _sandpiper_first: null, ...after } })
  assert.deepEqual(sent([days], { d: 5 }), { sources: [FIRST, days], after: { _sandpiper_first: null, d: 5 } })
  assert.deepEqual(sent([downwards]), { sources: [FIRST, downwards] })
  assert.equal(sent(flags), undefined)
  assert.equal(sent([days]), undefined)
  assert.equal(sent([days, flags[0]!], { d: 5, n: 1 }), undefined)
})

test('bounds of tiles become the box of the tiles that overlap them', () => {
  const bounds = { top_left: 'POINT (-20 70)', bottom_right: 'POINT (60 -10)' }
  const { request } = tileBounds({ aggs: { g: { geotile_grid: { field: 'g', precision: 1, bounds } } } }, scope)!
  const sent = (request['aggs'] as { g: { geotile_grid: { bounds: JsonObject } } }).g.geotile_grid.bounds
  assert.deepEqual(sent, { top: 90, left: -180, bottom: -90, right: 180 })
  const inComposite = (extra: JsonObject) => ({
    aggs: { p: { composite: { sources: [{ s: { geotile_grid: { field: 'g', precision: 2, bounds, ...extra } } }] } } },
  })
  const { request: changed } = tileBounds(inComposite({}), scope)!
  const [source] = (changed['aggs'] as { p: { composite: { sources: [{ s: { geotile_grid: JsonObject } }] } } }).p
    .composite.sources
  const box = source.s.geotile_grid['bounds'] as { top: number; left: number; bottom: number; right: number }
  // Tiles 1 to 2 from west to east, 0 to 2 from north to south. Points on the outer edges belong to other tiles.
  assert.ok(box.top === 90 && Math.abs(box.left + 90) < 1e-7 && box.right < 90 && box.right > 90 - 1e-7)
  assert.ok(Math.abs(box.bottom + 66.51326044311186) < 1e-7)
  assert.throws(() => tileBounds(inComposite({ missing_bucket: true }), scope), { status: 400 })
})
