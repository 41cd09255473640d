/**
 * Requests and answers in the shapes of OpenSearch 2.19 and of Elasticsearch 8.19, written by hand after what both servers send. Recorded
 * answers of both are in test/recorded/gateway-pairs.ndjson.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeJson, RawJson } from '../../base/json/json-writer.ts'
import { emptyMeta, withPrimaries } from './answer-members.ts'
import { parseAnswer } from './answer-tree.ts'
import { failedLines, withItemErrors } from './bulk-errors.ts'
import { emptyBounds } from './empty-bounds.ts'
import { translateError } from './errors.ts'
import { fromClusterMapping, toClusterMapping } from './field-types.ts'
import { halfFloats } from './half-floats.ts'
import { ignoredQueries } from './ignored-queries.ts'
import { keyedFilters } from './keyed-filters.ts'
import { missingLast } from './missing-last.ts'
import { mixedTerms } from './mixed-terms.ts'
import { nanosInFields } from './nanos-in-fields.ts'
import { negativeFrom } from './negative-from.ts'
import { nestedTopHits } from './nested-top-hits.ts'
import { orderOfNone } from './order-of-none.ts'
import { decodePitId, encodePitId } from './pit-id.ts'
import { localError } from './remote-errors.ts'
import { runtimeFields } from './runtime-fields.ts'
import type { SearchScope } from './search-rewrite.ts'
import { fromClusterSettings, toClusterSettings } from './settings.ts'
import { sortFormat } from './sort-format.ts'
import { filterOf, selectionOf, sourceExcludes, targetSelection } from './source-excludes.ts'
import { withTargetSort } from './target-sort.ts'
import { unskippedSort } from './unskipped-sort.ts'
import { weekDays } from './week-days.ts'

const scope = (fields: Record<string, string> = {}): SearchScope => ({
  field: (name) => (fields[name] === undefined ? undefined : { type: fields[name] }),
  fieldsOfType: (type) => Object.keys(fields).filter((name) => fields[name] === type),
  ignoreAbove: new Map(),
  hasScripts: true,
  runtime: {},
  spread: [{ name: 'i', shards: 1, routingShards: 1024, partition: 1 }],
  shards: 1,
  parameter: () => undefined,
  maxBuckets: 65_536,
  maxResultWindow: 10_000,
})

test('an answer keeps the bytes of documents and the digits of numbers', () => {
  const text =
    '{"took":1,"hits":{"max_score":1.0,"hits":[{"_source":{"a": 1.10,"b":"\\u00e9\\n"},"sort":[9007199254740993,1.0E10]}]}}'
  assert.equal(encodeJson(parseAnswer(Buffer.from(text))).toString(), text)
})

test('an id of a point in time carries shards, indices and the id of the cluster', () => {
  const spread = [
    { name: 'birds', shards: 2, routingShards: 1024, partition: 1 },
    { name: 'trees', shards: 3, routingShards: 30, partition: 2 },
  ]
  const pit = { shards: 5, indices: ['birds', 'trees'], spread, id: 'o463QQEFYmlyZHM=' }
  assert.deepEqual(decodePitId(encodePitId(pit)), pit)
  assert.equal(decodePitId('46ToAwMDaWR4'), undefined)
})

test('documents without a date in nanoseconds sort as 0 at the lower end', () => {
  const sorted = (sort: unknown) => sortFormat({ sort: [sort] }, scope({ n: 'date_nanos', d: 'date' }))?.request['sort']
  assert.deepEqual(sorted({ n: 'desc' }), [{ n: { order: 'desc', missing: 0 } }])
  assert.deepEqual(sorted({ d: { order: 'desc', numeric_type: 'date_nanos' } }), [
    { d: { order: 'desc', numeric_type: 'date_nanos', missing: 0 } },
  ])
  assert.deepEqual(sorted({ n: { missing: '_first' } }), [{ n: { missing: 0 } }])
  assert.equal(sorted('n'), undefined)
  assert.equal(sorted({ n: { order: 'desc', numeric_type: 'date' } }), undefined)
})

test('geo_bounds in buckets that may have no documents are computed in a histogram', () => {
  const bounds = { geo_bounds: { field: 'g' } }
  const within = (...kinds: object[]) =>
    emptyBounds({ aggs: kinds.reduceRight((inner, kind) => ({ a: { ...kind, aggs: inner } }), { b: bounds }) }, scope())
  const ranges = { range: { field: 'n', ranges: [{ to: 1 }] } }
  const filter = { filter: { term: { k: 'a' } } }
  assert.equal(emptyBounds({ aggs: { b: bounds } }, scope()), undefined)
  assert.equal(within(filter, { nested: { path: 'c' } }), undefined)
  assert.equal(within(ranges, { terms: { field: 'k' } }), undefined)
  assert.ok(within({ terms: { field: 'k', min_doc_count: 0 } }))
  assert.ok(within({ terms: { field: 'k' } }, filter))
  assert.deepEqual(within(ranges)?.request, {
    aggs: {
      a: {
        ...ranges,
        aggs: {
          b: { geo_bounds: { field: '_sandpiper.constant' } },
          _sandpiper_bounds_b: {
            histogram: { field: '_seq_no', interval: 9e18, min_doc_count: 1 },
            aggs: { bounds },
          },
        },
      },
    },
  })
  const read = { buckets_path: { top: 'b.top' }, script: 'params.top' }
  assert.equal(
    emptyBounds({ aggs: { a: { ...ranges, aggs: { b: bounds, s: { bucket_script: read } } } } }, scope()),
    undefined,
  )
})

test('a list of terms beside a regular expression becomes an expression in which nothing is an operator', () => {
  const selected = (kind: string, options: object) => {
    const request = mixedTerms({ aggs: { t: { [kind]: { field: 'k', ...options } } } }, scope())?.request
    return request && (request['aggs'] as Record<string, Record<string, unknown>>)['t']![kind]
  }
  assert.deepEqual(selected('terms', { include: ['a', 'b.c', '#@"x~', 7, ''], exclude: 'b.*' }), {
    field: 'k',
    include: 'a|b\\.c|\\#\\@\\"x\\~|7|()',
    exclude: 'b.*',
  })
  assert.deepEqual(selected('rare_terms', { include: 'a.*', exclude: ['dé f_g'] }), {
    field: 'k',
    include: 'a.*',
    exclude: 'dé f_g',
  })
  assert.deepEqual(selected('terms', { include: [], exclude: 'b.*' }), { field: 'k', include: [] })
  assert.deepEqual(selected('terms', { include: 'b.*', exclude: [] }), { field: 'k', include: 'b.*' })
  for (const options of [{ include: ['a'], exclude: ['b'] }, { include: 'a', exclude: 'b' }, { include: ['a'] }])
    assert.equal(selected('terms', options), undefined)
})

test('buckets in descending order of a metric that may have no value are ordered by whether it has one first', () => {
  const ordered = (order: unknown, aggs: object, hasScripts = true) => {
    const request = { aggs: { t: { terms: { field: 'k', order }, aggs } } }
    return orderOfNone(request, { ...scope(), hasScripts })?.request['aggs']
  }
  const script = { source: '0' }
  assert.deepEqual(
    ordered({ 'f>m': 'desc' }, { f: { filter: {}, aggs: { m: { avg: { field: 'n', missing: 3 } } } } }),
    {
      t: {
        terms: { field: 'k', order: [{ 'f>_sandpiper_none_m': 'desc' }, { 'f>m': 'desc' }] },
        aggs: {
          f: {
            filter: {},
            aggs: {
              m: { avg: { field: 'n', missing: 3 } },
              _sandpiper_none_m: { min: { field: 'n', missing: 3, script } },
            },
          },
        },
      },
    },
  )
  const stats = { m: { stats: { field: 'n' } } }
  assert.deepEqual((ordered([{ 'm[avg]': 'DESC' }, { _key: 'asc' }], stats) as { t: { terms: object } }).t.terms, {
    field: 'k',
    order: [{ _sandpiper_none_m: 'desc' }, { 'm[avg]': 'DESC' }, { _key: 'asc' }],
  })
  for (const order of [{ 'm.avg': 'asc' }, { 'm.max': 'desc' }, { _count: 'desc' }, { none: 'desc' }])
    assert.equal(ordered(order, stats), undefined)
  assert.equal(ordered({ m: 'desc' }, { m: { sum: { field: 'n' } } }), undefined)
  assert.throws(() => ordered({ 'm.avg': 'desc' }, stats, false), { status: 400 })
  const extended = { m: { extended_stats: { field: 'n' } } }
  assert.throws(() => ordered({ 'm.std_deviation_sampling': 'desc' }, extended), { status: 400 })
  const weighted = { m: { weighted_avg: { value: { field: 'n' }, weight: { field: 'w' } } } }
  assert.throws(() => ordered({ m: 'desc' }, weighted), { status: 400 })
})

test('queries on ignored fields are refused if an index has ignore_above, and texts with the word are not', () => {
  const limited = { ...scope(), ignoreAbove: new Map([['i', []]]) }
  const queries = [
    { exists: { field: '_ignored' } },
    { bool: { must_not: [{ term: { _ignored: { value: 'k' } } }] } },
    { query_string: { query: 'a AND (_ignored:k)' } },
    { simple_query_string: { query: 'k', fields: ['_ignored'] } },
  ]
  for (const query of queries) {
    assert.throws(() => ignoredQueries({ query }, limited), { status: 400 })
    assert.equal(ignoredQueries({ query }, scope()), undefined)
  }
  assert.equal(ignoredQueries({ query: { match: { t: '_ignored' } }, fields: ['_ignored'] }, limited), undefined)
})

test('the sort of a later page states that missing values come last, so that documents without a sort value are not lost', () => {
  const sorted = (sort: unknown) => missingLast({ sort, search_after: [null] }, scope())?.request['sort']
  assert.deepEqual(sorted('k'), [{ k: { order: 'asc', missing: '_last' } }])
  assert.deepEqual(sorted([{ k: 'desc' }, '_score', { n: { order: 'asc' } }]), [
    { k: { order: 'desc', missing: '_last' } },
    '_score',
    { n: { order: 'asc', missing: '_last' } },
  ])
  assert.equal(sorted([{ k: { missing: '_first' } }, '_doc']), undefined)
  assert.equal(missingLast({ sort: ['k'] }, scope()), undefined)
  const scroll = { ...scope(), parameter: (name: string) => (name === 'scroll' ? '1m' : undefined) }
  assert.deepEqual(missingLast({ sort: 'k' }, scroll)?.request['sort'], [{ k: { order: 'asc', missing: '_last' } }])
})

test('a negative from beside search_after is left out, and is kept for the cluster to refuse without', () => {
  const page = { search_after: [1], sort: ['k'] }
  assert.deepEqual(negativeFrom({ ...page, from: -1 }, scope())?.request, page)
  assert.equal(negativeFrom({ ...page, from: -2 }, scope()), undefined)
  assert.equal(negativeFrom({ ...page, from: 0 }, scope()), undefined)
  assert.equal(negativeFrom({ from: -1 }, scope()), undefined)
  const inTarget = { ...scope(), parameter: (name: string) => (name === 'from' ? '-1' : undefined) }
  assert.deepEqual(negativeFrom(page, inTarget), { request: page, parameters: { from: '0' } })
})

test('a sort by numbers other than those of the document itself gets a constant first key, so that no document is skipped', () => {
  const types = scope({ n: 'long', p: 'scaled_float', u: 'unsigned_long', a: 'alias', k: 'keyword' })
  const constant = { '_sandpiper.constant': { unmapped_type: 'long', missing: 0 } }
  const sum = { n: { mode: 'sum' } }
  const changed = unskippedSort({ sort: [sum, 'k'], search_after: [7, 'x'] }, types)!
  assert.deepEqual(changed.request, { sort: [constant, sum, 'k'], search_after: [0, 7, 'x'] })
  const answer = { hits: { hits: [{ _id: '1', sort: [0, 8, 'y'] }] } }
  assert.deepEqual(changed.amend!(answer), { hits: { hits: [{ _id: '1', sort: [8, 'y'] }] } })
  const isChanged = (sort: unknown) => unskippedSort({ sort }, types) !== undefined
  for (const sort of [{ n: { mode: 'AVG' } }, { n: { nested: { path: 'x' } } }, 'p', { u: 'desc' }])
    assert.ok(isChanged(sort))
  for (const sort of ['n', { n: { mode: 'max' } }, 'k', '_score', ['k', sum], { missing: 'asc' }])
    assert.ok(!isChanged(sort))
  assert.equal(unskippedSort({ sort: sum, collapse: { field: 'k' } }, types), undefined)
})

test('a sort by nanoseconds or by a date with a format gets a constant first key, so that no shard is skipped', () => {
  const dates = scope({ d: 'date', n: 'date_nanos' })
  const formatted = { type: 'date', format: 'yyyy/MM/dd' }
  const field = (name: string) => (name === 'f' ? formatted : dates.field(name))
  const isChanged = (sort: unknown, shards = 2) => unskippedSort({ sort }, { ...dates, field, shards }) !== undefined
  for (const sort of ['f', { n: 'desc' }, { d: { numeric_type: 'date_nanos' } }]) {
    assert.ok(isChanged(sort))
    assert.ok(!isChanged(sort, 1))
  }
  for (const sort of ['d', { d: { order: 'desc' } }, ['d', 'f']]) assert.ok(!isChanged(sort))
})

test('the sort of the target is appended to the sort of the body', () => {
  assert.deepEqual(withTargetSort({ sort: 'a', size: 1 }, 'b,c:desc,d.e:asc,f:up'), {
    size: 1,
    sort: ['a', 'b', { c: { order: 'desc' } }, { 'd.e': { order: 'asc' } }],
  })
  const request = {}
  assert.equal(withTargetSort(request, undefined), request)
})

test('whole documents are requested, and filtered by the gateway, if excludes name members of objects', () => {
  const excludes = ['a.b']
  const { request, amend } = sourceExcludes({ size: 1, _source: { excludes } }, scope())!
  assert.deepEqual(request, { size: 1, _source: true })
  const hit = (source: string) => ({ _source: new RawJson(source) })
  const answer = { hits: { hits: [hit('{"a": {"b": 1}, "z": 1.0}'), hit('{"a":[{}]}'), { _id: '1' }] } }
  const text = '{"hits":{"hits":[{"_source":{"z":1.0}},{"_source":{"a":[{}]}},{"_id":"1"}]}}'
  assert.equal(encodeJson(amend!(answer)).toString(), text)
  const top = { aggs: { t: { top_hits: { _source: { exclude: 'a.b' } } } } }
  assert.deepEqual(sourceExcludes(top, scope())?.request, { aggs: { t: { top_hits: { _source: true } } } })
  for (const source of [true, ['a.b'], { excludes: ['a.*', 'c.d'] }, { excludes: ['a'] }, { includes: ['a.b'] }])
    assert.equal(filterOf(selectionOf(source)), undefined)
})

test('source filters in the parameters of a target are recognized', () => {
  const chosen = (text: string) => {
    const parameters = new URLSearchParams(text)
    return targetSelection((name) => parameters.get(name) ?? undefined)
  }
  assert.deepEqual(chosen('_source_excludes=a.b,c'), { includes: [], excludes: ['a.b', 'c'] })
  assert.deepEqual(chosen('_source=x&_source_excludes=a'), { includes: ['x'], excludes: ['a'] })
  assert.deepEqual(chosen('_source=x&_source_includes=y&_source_excludes=a'), { includes: ['y'], excludes: ['a'] })
  assert.equal(chosen('_source=false&_source_excludes=a'), undefined)
  assert.equal(chosen('_source_includes=a'), undefined)
})

test('fields of half_float are shown as they are stored, those of nested documents too', () => {
  const types = scope({ h: 'half_float', 'n.h': 'half_float' })
  const { amend } = halfFloats({ fields: ['*'] }, types)!
  const answer = parseAnswer(
    Buffer.from('{"hits":{"hits":[{"fields":{"h":[0.1,13.512,70.0],"n":[{"h":[0.3]}],"x":[0.1]}}]}}'),
  )
  const text = '{"hits":{"hits":[{"fields":{"h":[0.099975586,13.515625,70.0],"n":[{"h":[0.30004883]}],"x":[0.1]}}]}}'
  assert.equal(encodeJson(amend!(answer)).toString(), text)
  assert.equal(halfFloats({ fields: ['*'] }, scope()), undefined)
  assert.equal(halfFloats({}, types), undefined)
})

test('formats with the number of the day in the week are refused for dates', () => {
  const types = scope({ d: 'date', n: 'long' })
  const histogram = (format: string, field = 'd') => ({ aggs: { h: { date_histogram: { field, format } } } })
  for (const format of ['e, dd MMM yyyy', 'yyyy||ee', 'c']) {
    assert.throws(() => weekDays(histogram(format), types), { status: 400 })
    assert.throws(() => weekDays({ fields: ['n', { field: 'd', format }] }, types), { status: 400 })
  }
  for (const format of ['eee', "yyyy 'e'", 'epoch_millis', 'strict_date_time||date', 'EEE', 'week_date'])
    assert.equal(weekDays(histogram(format), types), undefined)
  assert.equal(weekDays(histogram('e', 'n'), types), undefined)
})

test('nested hits of top_hits without a source have no id', () => {
  const top = (_source: unknown) => ({ aggs: { n: { nested: { path: 'p' }, aggs: { t: { top_hits: { _source } } } } } })
  const answer = () => ({ aggregations: { n: { t: { hits: { hits: [{ _id: '1', _nested: {} }] } } } } })
  const changed = nestedTopHits(top(false), scope())
  assert.deepEqual(changed?.amend?.(answer()), { aggregations: { n: { t: { hits: { hits: [{ _nested: {} }] } } } } })
  assert.equal(nestedTopHits(top(true), scope()), undefined)
})

test('dates with nanoseconds are requested with all digits', () => {
  const changed = nanosInFields({ fields: ['n', 'd', { field: 'n', format: 'year' }] }, scope({ n: 'date_nanos' }))
  const format = 'strict_date_optional_time_nanos'
  assert.deepEqual(changed?.request['fields'], [{ field: 'n', format }, 'd', { field: 'n', format: 'year' }])
  assert.equal(nanosInFields({ fields: ['d'] }, scope()), undefined)
  const patterns = nanosInFields({ fields: ['*', 'a.*'] }, scope({ n: 'date_nanos', 'a.n': 'date_nanos', d: 'date' }))
  assert.deepEqual(patterns?.request['fields'], [
    '*',
    { field: 'n', format },
    { field: 'a.n', format },
    'a.*',
    { field: 'a.n', format },
  ])
  const values = nanosInFields({ docvalue_fields: ['n'] }, scope({ n: 'date_nanos' }))
  assert.deepEqual(values?.request['docvalue_fields'], [{ field: 'n', format }])
})

test('an empty meta of results without documents is left out', () => {
  const answer = '{"aggregations":{"a":{"meta":{},"doc_count":0,"b":{"meta":{},"doc_count":0}}}}'
  const { amend, isNeeded } = emptyMeta({ aggs: { a: { nested: { path: 'a' } } } }, scope())!
  assert.equal(isNeeded!(Buffer.from(answer)), true)
  const shown = encodeJson(amend!(parseAnswer(Buffer.from(answer)))).toString()
  assert.equal(shown, '{"aggregations":{"a":{"doc_count":0,"b":{"doc_count":0}}}}')
})

test('an error of a script on another node reads like one on the node that answers', () => {
  const cause = { type: 'index_out_of_bounds_exception', reason: 'index_out_of_bounds_exception: Index 5' }
  const nothing = { type: 'no_viable_alt_exception', reason: 'no_viable_alt_exception: null' }
  const script = { type: 'script_exception', reason: 'runtime error', script: 'a[5]' }
  const shard = { shard: 0, reason: { ...script, caused_by: { ...cause, caused_by: nothing } } }
  const whole = {
    root_cause: [cause],
    type: 'search_phase_execution_exception',
    failed_shards: [shard],
    caused_by: cause,
  }
  const local = localError(whole)
  assert.deepEqual(local['root_cause'], [script])
  assert.equal((local['caused_by'] as Record<string, unknown>)['type'], 'script_exception')
  const [{ reason }] = local['failed_shards'] as [{ reason: { caused_by: Record<string, unknown> } }]
  assert.equal(reason.caused_by['reason'], 'Index 5')
  assert.deepEqual(reason.caused_by['caused_by'], { type: 'no_viable_alt_exception', reason: null })
})

test('the cause of a search that failed without a failed shard is kept', () => {
  const cause = { type: 'too_many_buckets_exception', reason: 'too many', max_buckets: 5 }
  const error = { root_cause: [], type: 'search_phase_execution_exception', failed_shards: [], caused_by: cause }
  assert.deepEqual(localError(error), error)
})

test('a flattened field becomes a flat_object and comes back with its parameters', () => {
  const mapping = { properties: { f: { type: 'flattened', depth_limit: 3 }, k: { type: 'keyword' } } }
  const sent = toClusterMapping(mapping)
  assert.deepEqual((sent['properties'] as Record<string, unknown>)['f'], { type: 'flat_object' })
  assert.deepEqual(fromClusterMapping(sent), mapping)
})

test('a field type that the cluster does not have is refused when the mapping is made', () => {
  assert.throws(() => toClusterMapping({ properties: { v: { type: 'version' } } }), /field type \[version\] of \[v\]/)
  assert.throws(() => toClusterMapping({ dynamic: 'runtime' }), /dynamic: runtime/)
})

test('settings that the cluster does not know are kept in the mapping and shown', () => {
  const { sent, kept } = toClusterSettings({ index: { number_of_shards: 2, lifecycle: { name: 'p' } } })
  assert.deepEqual(sent, { 'index.number_of_shards': '2' })
  const shown = fromClusterSettings(
    { 'index.number_of_shards': '2', 'index.replication.type': 'DOCUMENT' },
    toClusterMapping({}, kept),
  )
  assert.equal(shown['index.lifecycle.name'], 'p')
  assert.equal(shown['index.replication.type'], undefined)
})

test('the format of a date sort is removed from the request and applied to the values', () => {
  const request = { sort: [{ d: { order: 'asc', format: 'yyyy-MM-dd' } }], search_after: ['2024-01-02'] }
  const rewrite = sortFormat(request, scope({ d: 'date' }))!
  assert.deepEqual(rewrite.request, { sort: [{ d: { order: 'asc' } }], search_after: [1_704_153_600_000n] })
  const answer = { hits: { hits: [{ sort: [1_704_240_000_000] }, { sort: [9_223_372_036_854_775_807n] }] } }
  assert.deepEqual(rewrite.amend!(answer), { hits: { hits: [{ sort: ['2024-01-03'] }, { sort: [null] }] } })
})

test('a search_after value of an integer field that sorts as a long stays as it is', () => {
  const sort = [{ n: { order: 'asc', numeric_type: 'long' } }]
  const request = { sort, search_after: [9_223_372_036_854_775_807n] }
  assert.equal(sortFormat(request, scope({ n: 'integer' })), undefined)
})

test('a search_after value beyond an integer field is clamped to its range', () => {
  const rewrite = sortFormat({ sort: ['n'], search_after: [9_223_372_036_854_775_807n] }, scope({ n: 'integer' }))!
  assert.deepEqual(rewrite.request['search_after'], [2_147_483_647])
})

test('filters with keyed false come back as a list, with typed keys too', () => {
  const request = { aggs: { x: { filters: { keyed: false, filters: { A: { match_all: {} } } } } } }
  const rewrite = keyedFilters(request, scope())!
  assert.deepEqual(rewrite.request, { aggs: { x: { filters: { filters: { A: { match_all: {} } } } } } })
  const answer = { aggregations: { 'filters#x': { buckets: { A: { doc_count: 2 } } } } }
  assert.deepEqual(rewrite.amend!(answer), { aggregations: { 'filters#x': { buckets: [{ key: 'A', doc_count: 2 }] } } })
})

test('a runtime field gets a plain name, its queries score 1, and exists becomes a query of its type', () => {
  const request = {
    runtime_mappings: { 'a.b': { type: 'keyword' } },
    query: { bool: { should: [{ term: { 'a.b': 'x' } }, { exists: { field: 'a.b' } }] } },
    aggs: { t: { terms: { field: 'a.b' } } },
  }
  const { request: sent } = runtimeFields(request, scope())!
  assert.deepEqual(sent['query'], {
    bool: {
      should: [
        { constant_score: { filter: { term: { sandpiper_runtime_612e62: 'x' } } } },
        { constant_score: { filter: { wildcard: { sandpiper_runtime_612e62: { value: '*' } } } } },
      ],
    },
  })
  assert.deepEqual(sent['aggs'], { t: { terms: { field: 'sandpiper_runtime_612e62' } } })
  assert.equal(sent['runtime_mappings'], undefined)
  assert.deepEqual(Object.keys(sent['derived'] as object), ['sandpiper_runtime_612e62'])
})

test('a runtime field that no part of the search names is not sent', () => {
  const { request: sent } = runtimeFields({ runtime_mappings: { a: { type: 'long' } }, size: 0 }, scope())!
  assert.deepEqual(sent, { size: 0 })
})

test('too many buckets are a 400 in Elasticsearch, with its limit', () => {
  const cause = {
    type: 'too_many_buckets_exception',
    reason: 'Trying to create too many buckets.',
    max_buckets: 65_535,
  }
  const body = { error: { type: 'search_phase_execution_exception', caused_by: cause }, status: 503 }
  const { status, body: out } = translateError(503, Buffer.from(JSON.stringify(body)))
  assert.equal(status, 400)
  assert.match(JSON.stringify(out), /less than or equal to: \[65536\] but this number of buckets was exceeded/)
})

test('the cause of a failed search that repeats a shard failure is left out', () => {
  const reason = { type: 'search_context_missing_exception', reason: 'No search context found for id [7]' }
  const error = {
    type: 'search_phase_execution_exception',
    failed_shards: [{ shard: 0, index: 'i', reason }],
    caused_by: reason,
  }
  const { body } = translateError(404, Buffer.from(JSON.stringify({ error, status: 404 })))
  assert.equal((body['error'] as Record<string, unknown>)['caused_by'], undefined)
})

test('errors of bulk items are those of the shadow, item by item', () => {
  const body = Buffer.from('{"index":{"_id":"1"}}\n{"n":1}\n{"delete":{"_id":"2"}}\n{"index":{"_id":"3"}}\n{"n":"x"}\n')
  const bad = { type: 'mapper_parsing_exception', reason: 'failed to parse' }
  const items = [
    { index: { status: 201 } },
    { delete: { status: 404 } },
    { index: { _index: 'i', status: 400, error: bad } },
  ]
  const failed = failedLines(body, items)!
  assert.deepEqual(
    failed.map(({ at, lines }) => [at, lines.toString()]),
    [[2, '{"index":{"_id":"3"}}\n{"n":"x"}\n']],
  )
  const error = { type: 'document_parsing_exception', reason: '[1:6] failed to parse' }
  const out = withItemErrors(items, failed, [{ index: { _index: 'i', status: 400, error } }])
  assert.deepEqual(out[2], { index: { _index: 'i', status: 400, error } })
  assert.deepEqual(withItemErrors(items, failed, [])[2], {
    index: { _index: 'i', status: 400, error: { ...bad, type: 'document_parsing_exception' } },
  })
})

test('health counts unassigned primaries and does not name the cluster manager', () => {
  const health = {
    status: 'red',
    discovered_master: true,
    unassigned_shards: 2,
    indices: { i: { unassigned_shards: 1 } },
  }
  const out = withPrimaries(health, (index) => (index === undefined ? 2 : 1))
  assert.deepEqual(out, {
    status: 'red',
    unassigned_shards: 2,
    unassigned_primary_shards: 2,
    indices: { i: { unassigned_shards: 1, unassigned_primary_shards: 1 } },
  })
})
