// Requests that are wrong, or nearly so. Half of the cases take a valid request
// of another area and break one spot of it; the rest are known ways to go wrong.

import { aggregations } from './aggregations.mjs'
import { composite } from './composite.mjs'
import { pickField, sortable } from './fields.mjs'
import { query } from './queries.mjs'
import { sortList } from './sorts.mjs'

export const area = {
  name: 'errors',
  casesPerWorld: 40,
  wish: { docs: [5, 25], nested: true, indexSort: false, twoIndices: false, shards: 1, holes: false },
  makeCase(rng, world) {
    const step = rng.chance(0.5) ? broken(rng, world) : rng.pick(KNOWN)(rng, world, world.indices[0].name)
    return { steps: [step].flat() }
  },
}

const search = (index, body, rest = {}) => ({
  kind: 'call',
  method: 'POST',
  path: `/${index}/_search`,
  body,
  as: 'search',
  ...rest,
})
const call = (method, path, body) => ({ kind: 'call', method, path, body })

// ---- breaking a valid request ----

function validBody(rng, world) {
  return rng.pick([
    () => ({ query: query(rng, world, null, 2) }),
    () => ({ sort: sortList(rng, world), size: 5, query: query(rng, world, null, 0) }),
    () => ({ size: 0, aggs: aggregations(rng, world, null, 2) }),
    () => ({ size: 0, aggs: { pages: composite(rng, world, null) } }),
    () => ({ from: 2, size: 3, _source: ['uid'], track_total_hits: 5, fields: ['uid'] }),
  ])()
}

/** All places of a JSON value: [holder, key]. */
function places(value, out = []) {
  if (value && typeof value === 'object') {
    for (const key of Object.keys(value)) {
      out.push([value, key])
      places(value[key], out)
    }
  }
  return out
}

const WRONG = [null, true, 'text', -1, 0, 1.5, [], {}, '', ['a', 'b'], { a: 1 }, 99999999999, '10']

const BREAKS = {
  replace(rng, [holder, key]) {
    holder[key] = rng.pick(WRONG)
  },
  rename(rng, [holder, key]) {
    if (Array.isArray(holder)) return holder.push(rng.pick(WRONG))
    holder[rng.pick([`${key}x`, 'unknown', key.toUpperCase(), ''])] = holder[key]
    delete holder[key]
  },
  add(rng, [holder]) {
    if (Array.isArray(holder)) holder.push(rng.pick(WRONG))
    else holder[rng.pick(['unknown', 'boost', 'field', 'size', 'order'])] = rng.pick(WRONG)
  },
  remove(_rng, [holder, key]) {
    if (Array.isArray(holder)) holder.splice(Number(key), 1)
    else delete holder[key]
  },
  wrap(rng, [holder, key]) {
    holder[key] = rng.chance(0.5) ? [holder[key]] : { inner: holder[key] }
  },
  negate(rng, [holder, key]) {
    if (typeof holder[key] === 'number') holder[key] = -holder[key] - 1
    else holder[key] = rng.pick(WRONG)
  },
}

function broken(rng, world) {
  const body = validBody(rng, world)
  BREAKS[rng.pick(Object.keys(BREAKS))](rng, rng.pick(places(body)))
  return search(world.target, body)
}

// ---- known ways to go wrong ----

/** Should a server accept the index after all, it must not stay. */
const withCleanUp = (index, body) => [
  call('PUT', `/${index}`, body),
  { ...call('DELETE', `/${index}?ignore_unavailable=true`), always: true },
]

/** Where a point in time is opened after all, it is closed again. */
const openedPit = (path) => [
  { ...call('POST', path), hides: ['id'], sink: { name: 'pit', path: 'id' } },
  // The runner replaces the name in braces.
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a text that is replaced later
  { ...call('DELETE', '/_pit', { id: '${pit}' }), fills: true, always: true },
]

const rootField = (rng, world) => pickField(rng, world, null, sortable)?.path ?? 'uid'

const KNOWN = [
  // windows and paging
  (rng, _w, i) => search(i, { from: rng.pick([9999, 10000, 5]), size: rng.pick([10, 10000, 1]) }),
  (rng, _w, i) => search(i, { size: rng.pick([-1, 10001, '5', 'five', 1.5, 2147483648]) }),
  (rng, _w, i) => search(i, { from: rng.pick([-1, -2, 'x', 10001]) }),
  (rng, _w, i) => search(i, { sort: ['uid'], search_after: ['d1'], from: rng.pick([-1, 0, 1, 5]) }),
  (rng, _w, i) =>
    search(i, { sort: ['uid'], search_after: rng.pick([[], ['a', 'b'], 'd1', [null], [1], [{ a: 1 }], null]) }),
  (_rng, _w, i) => search(i, { search_after: ['d1'] }),
  (rng, w, i) =>
    search(i, {
      sort: [{ [rootField(rng, w)]: 'asc' }],
      search_after: [rng.pick(['text', true, 12, '2024-05-05', null])],
    }),
  (_rng, _w, i) => search(i, { sort: ['_doc'], search_after: [1], slice: { id: 0, max: 2 } }),
  (rng, _w, i) =>
    search(i, {
      slice: rng.pick([
        { id: 0, max: 2 },
        { id: 2, max: 2 },
        { id: 0, max: 1 },
        { id: -1, max: 2 },
        { max: 2 },
        { id: 0 },
        { id: 0, max: 2000 },
      ]),
    }),
  (rng, _w, i) => ({
    ...search(i, {
      slice: rng.pick([
        { id: 3, max: 2 },
        { id: 0, max: 1025 },
        { id: 0, max: 2, field: 'uid' },
        { id: 0, max: 2, field: 'nowhere' },
      ]),
    }),
    path: `/${i}/_search?scroll=1m`,
  }),
  (rng, _w, i) => ({
    ...search(
      i,
      rng.pick([
        { size: 0 },
        { from: 3 },
        { search_after: [1], sort: ['uid'] },
        { track_total_hits: false },
        { size: 10001 },
      ]),
    ),
    path: `/${i}/_search?scroll=1m`,
  }),
  (rng, _w, i) => ({
    ...search(i, {}),
    path: `/${i}/_search?scroll=${rng.pick(['1x', '1.5h', '0', '-1', '2d', '', '10', '1m1s'])}`,
  }),
  (rng) =>
    call(
      'POST',
      '/_search/scroll',
      rng.pick([
        {},
        { scroll_id: 'nonsense' },
        { scroll: '1m' },
        { scroll_id: 'abc', scroll: '1q' },
        { scroll_id: ['a'] },
        { scroll_id: 'x', extra: 1 },
      ]),
    ),
  (rng) =>
    call(
      'DELETE',
      '/_search/scroll',
      rng.pick([{}, { scroll_id: 'nonsense' }, { scroll_id: [] }, { scroll_id: ['x', 'y'] }]),
    ),
  (rng, _w, i) =>
    openedPit(
      `/${i}/_pit` +
        rng.pick([
          '',
          '?keep_alive=1x',
          '?keep_alive=',
          '?keep_alive=1.5h',
          '?keep_alive=-1',
          '?keep_alive=2d',
          '?keep_alive=1m',
        ]),
    ),
  (_rng, _w, i) => call('POST', `/${i}-none/_pit?keep_alive=1m`),
  (rng) => call('DELETE', '/_pit', rng.pick([{}, { id: 'nonsense' }, { id: 1 }, { ids: ['x'] }, { id: '' }])),
  (rng) =>
    search('_all', { pit: rng.pick([{ id: 'nonsense' }, {}, { keep_alive: '1m' }, { id: 'x', keep_alive: '1x' }]) }),
  (_rng, _w, i) => search(i, { pit: { id: 'nonsense', keep_alive: '1m' } }),
  (rng) => ({ ...search('', { pit: { id: rng.pick(['nonsense', '', 'AAAA']), keep_alive: '1m' } }), path: '/_search' }),
  (rng, _w, i) => search(i, { sort: [rng.pick(['_shard_doc', { _shard_doc: 'desc' }])] }),
  // sort
  (rng, _w, i) =>
    search(i, {
      sort: rng.pick([
        ['nowhere'],
        [{ uid: 'up' }],
        [{ uid: { order: 'sideways' } }],
        [{ uid: { missing: {} } }],
        [{ uid: { mode: 'avg' } }],
        [{ uid: { nested: { path: 'nowhere' } } }],
        [{}],
        [[]],
        5,
        [{ uid: { unmapped_type: 'nothing' } }],
        [{ uid: { numeric_type: 'long' } }],
        [{ uid: { format: 'yyyy' } }],
      ]),
    }),
  (rng, w, i) =>
    search(i, {
      sort: [
        {
          [rootField(rng, w)]: rng.pick([
            { numeric_type: 'banana' },
            { format: 'yyyy-qq-!!' },
            { mode: 'best' },
            { unknown: 1 },
            { missing: 'text' },
          ]),
        },
      ],
    }),
  // aggregations
  (rng, _w, i) =>
    search(i, {
      aggs: {
        a: rng.pick([
          {},
          { terms: {} },
          { terms: { field: 'nowhere' } },
          { termz: { field: 'uid' } },
          { terms: { field: 'uid', size: 0 } },
          { terms: { field: 'uid', size: -1 } },
          { avg: { field: 'uid' } },
          { terms: { field: 'uid' }, avg: { field: 'x' } },
          { terms: { field: 'uid', order: { nothing: 'asc' } } },
          { histogram: { field: 'meta.level' } },
          { histogram: { field: 'meta.level', interval: 0 } },
          { date_histogram: { field: 'uid', calendar_interval: 'day' } },
          { date_histogram: { field: 'meta.level', calendar_interval: '2d' } },
          { date_histogram: { field: 'meta.level', fixed_interval: '1M' } },
          { filters: {} },
          { range: { field: 'meta.level' } },
          { cardinality: { field: 'uid', precision_threshold: -1 } },
          { percentiles: { field: 'meta.level', percents: [101] } },
        ]),
      },
    }),
  (_rng, _w, i) => search(i, { aggs: { 'bad[name]': { max: { field: 'meta.level' } } } }),
  (_rng, _w, i) => search(i, { aggs: { r: { reverse_nested: {} } } }),
  (rng, _w, i) =>
    search(i, {
      aggs: {
        n: {
          nested: { path: rng.pick(['items', 'nowhere', 'meta', 'uid']) },
          aggs: {
            r: {
              reverse_nested: rng.pick([
                { path: 'log' },
                { path: 'nowhere' },
                { path: 'items' },
                { path: 5 },
                { unknown: 1 },
              ]),
            },
          },
        },
      },
    }),
  (rng, _w, i) => search(i, { size: 0, aggs: { c: { composite: brokenComposite(rng) } } }),
  (_rng, _w, i) =>
    search(i, {
      size: 0,
      aggs: {
        c: {
          composite: { sources: [{ a: { terms: { field: 'uid' } } }] },
          aggs: { p: { cumulative_sum: { buckets_path: '_count' } } },
        },
      },
    }),
  (rng, _w, i) =>
    search(i, {
      size: 0,
      aggs: {
        c: {
          composite: { sources: [{ a: { terms: { field: 'uid' } } }] },
          aggs: { m: { max: { field: 'meta.level' } } },
        },
        s: { sum_bucket: { buckets_path: rng.pick(['c>m', 'c>none', 'x', 'c', '']) } },
      },
    }),
  (_rng, _w, i) =>
    search(i, {
      size: 0,
      aggs: {
        t: { terms: { field: 'uid' }, aggs: { c: { composite: { sources: [{ a: { terms: { field: 'uid' } } }] } } } },
      },
    }),
  // queries
  (rng, _w, i) =>
    search(i, {
      query: rng.pick([
        {},
        { match: {} },
        { match: 'x' },
        { mach: { a: 'b' } },
        { term: { a: 1, b: 2 } },
        { term: { uid: {} } },
        { bool: { mustt: [] } },
        { bool: { must: 'x' } },
        { range: { uid: { gt: 1, banana: 2 } } },
        { terms: { uid: 'x' } },
        { terms: { uid: { index: 'a' } } },
        { nested: { path: 'nowhere', query: { match_all: {} } } },
        { nested: { path: 'items' } },
        { match_all: { x: 1 } },
        { exists: {} },
        { ids: {} },
        { regexp: { uid: '[' } },
        { query_string: { query: 'a AND (' } },
        { query_string: {} },
        { fuzzy: { uid: { value: 'x', fuzziness: 9 } } },
        { match: { uid: { query: 'x', operator: 'xor' } } },
        { function_score: { functions: [{}] } },
        { geo_distance: { uid: '1,1' } },
        { wildcard: { uid: 5 } },
        { prefix: { 'meta.level': '1' } },
        { dis_max: {} },
        { constant_score: {} },
        [],
        'text',
        null,
      ]),
    }),
  (rng, _w, i) =>
    search(i, {
      query: {
        range: {
          [rng.pick(['items.at', 'meta.level', 'date_1'])]: {
            gte: rng.pick(['nonsense', '2024-13-01', '2024-02-30', '2024||+1x', '', true]),
          },
        },
      },
    }),
  (rng, _w, i) =>
    search(
      i,
      rng.pick([
        { unknown: 1 },
        { size: 1, Size: 2 },
        { highlight: { fields: 5 } },
        { _source: 5 },
        { fields: 'uid' },
        { docvalue_fields: ['nowhere', 'text_1'] },
        { track_total_hits: -2 },
        { track_total_hits: 'x' },
        { timeout: '5q' },
        { min_score: 'x' },
        { terminate_after: -1 },
        { collapse: { field: 'text_1' } },
        { collapse: { field: 'uid' }, search_after: [1], sort: ['meta.level'] },
        { rescore: {} },
        { stored_fields: '_none_', _source: true },
        { runtime_mappings: { x: { type: 'banana' } } },
        { indices_boost: [{ nowhere: 2 }] },
        { post_filter: {} },
      ]),
    ),
  // bodies, addresses, methods
  (rng, _w, i) => ({
    ...search(
      i,
      rng.pick([
        '{',
        '{"query":',
        '[]',
        'text',
        '{"size":1}{"size":2}',
        '{"size":1,"size":2}',
        '{"query":{"match_all":{}},}',
        '',
      ]),
    ),
  }),
  (rng, _w, i) =>
    call(
      'POST',
      `/${rng.pick(
        [`${i}-none`, `${i}-none*`, `${i},${i}-none`, '_nothing', 'UPPER', '-x', 'a b'].map(encodeURIComponent),
      )}/_search${rng.pick(['', '?ignore_unavailable=true', '?allow_no_indices=false', '?expand_wildcards=banana'])}`,
      {},
    ),
  (rng, _w, i) => call(rng.pick(['PUT', 'DELETE', 'PATCH']), `/${i}/_search`, {}),
  (rng, _w, i) =>
    call(
      'GET',
      `/${i}/_search?${rng.pick([
        'size=x',
        'size=-1',
        'from=-1',
        'unknown=1',
        'q=(',
        'sort=uid:up',
        'scroll=x',
        'timeout=5',
        'track_total_hits=x',
        'search_type=best',
        'request_cache=maybe',
        'preference=_nope',
        'terminate_after=-1',
        'typed_keys=2',
      ])}`,
    ),
  (rng, _w, i) => ({
    kind: 'call',
    method: 'POST',
    path: `/${i}/_search`,
    body: '{}',
    headers: { 'content-type': rng.pick(['text/plain', 'application/xml', 'nonsense']) },
  }),
  // documents and indices
  (rng, _w, _i) =>
    call(
      'PUT',
      `/${rng.pick([
        'UPPER',
        '_under',
        '-dash',
        '+plus',
        'a%20b',
        'a%2Cb',
        'a%22b',
        'x%23y',
        'a%3Ab',
        '.',
        '..',
        'a%2Fb',
        'a%7Cb',
        'x'.repeat(256),
      ])}`,
      {},
    ),
  (_rng, _w, i) => call('PUT', `/${i}`, {}),
  (rng, _w, i) =>
    withCleanUp(
      `${i}-bad`,
      rng.pick([
        { settings: { number_of_shards: 0 } },
        { settings: { number_of_shards: 'x' } },
        { settings: { nonsense: 1 } },
        { mapping: {} },
        { mappings: { properties: { a: {} } } },
        { mappings: { properties: { a: { type: 'nothing' } } } },
        { mappings: { properties: [] } },
        { settings: { 'index.sort.field': ['nowhere'] } },
        {
          settings: { 'index.sort.field': ['a'], 'index.sort.order': ['up'] },
          mappings: { properties: { a: { type: 'keyword' } } },
        },
        { settings: { 'index.sort.field': ['a'] }, mappings: { properties: { a: { type: 'text' } } } },
        {
          settings: { 'index.sort.field': ['a', 'b'], 'index.sort.order': ['asc'] },
          mappings: { properties: { a: { type: 'keyword' }, b: { type: 'long' } } },
        },
        { settings: { max_result_window: 0 } },
        { aliases: { 'UP PER': {} } },
        { settings: { number_of_replicas: -1 } },
      ]),
    ),
  (rng, _w, i) =>
    call(
      'PUT',
      `/${i}/_doc/${rng.pick(['x', 'y'.repeat(513)])}${rng.pick([
        '',
        '?version=1',
        '?if_seq_no=-1',
        '?op_type=banana',
        '?refresh=maybe',
        '?version_type=internal&version=3',
        '?routing=',
        '?timeout=x',
        '?wait_for_active_shards=9&timeout=10ms',
        '?pipeline=none',
      ])}`,
      rng.pick([
        { uid: {} },
        { meta: 5 },
        '[1]',
        '',
        'x',
        '{"a":1',
        { items: 'x' },
        { 'meta.level': 'x' },
        { date_1: 'x', 'meta.level': 99999999999 },
        { '': 1 },
        { 'a..b': 1 },
        { _id: 'x' },
      ]),
    ),
  (rng, _w, i) =>
    call(
      'POST',
      `/${i}/_update/${rng.pick(['d0', 'missing'])}`,
      rng.pick([
        {},
        { doc: 5 },
        { docs: {} },
        { doc: {}, script: 'x' },
        { doc_as_upsert: true },
        { doc: { uid: 'z' }, upsert: 5 },
      ]),
    ),
  (rng, _w, i) => ({
    kind: 'call',
    method: 'POST',
    path: `/${i}/_bulk`,
    ndjson: rng.pick([
      [{ index: { _id: 'q' } }],
      [{ banana: {} }, {}],
      [{ index: { _id: 'q', unknown: 1 } }, { uid: 'q' }],
      [{ delete: {} }],
      [{ index: [] }, {}],
      [{ update: { _id: 'none' } }, { doc: {} }],
      [{ create: { _id: 'd0' } }, { uid: 'd0' }],
      [{ index: { _index: 'UPPER' } }, {}],
      [{ index: { _id: '' } }, {}],
      [[]],
    ]),
  }),
  (rng, _w, i) =>
    call(
      'POST',
      `/${i}/_mget`,
      rng.pick([
        {},
        { ids: [] },
        { docs: [] },
        { docs: [{}] },
        { ids: 'x' },
        { ids: [1] },
        { docs: [{ _id: 'd0', unknown: 1 }] },
      ]),
    ),
  (rng, _w, i) => ({
    kind: 'call',
    method: 'POST',
    path: '/_msearch',
    as: 'msearch',
    ndjson: rng.pick([
      [{ index: i }, { query: { mach: {} } }, { index: i }, { size: 0 }],
      [{ index: `${i}-none` }, {}],
      [{ index: i }],
      [{ unknown: 1 }, {}],
      [{ index: i }, { size: -1 }],
    ]),
  }),
  (rng, _w, i) =>
    call('GET', `/${i}/_doc/${rng.pick(['none', ''])}${rng.pick(['', '?version=9', '?realtime=maybe', '?unknown=1'])}`),
  (rng, _w, i) => call('POST', `/${i}/_count`, rng.pick([{ size: 1 }, { query: {} }, { query: { mach: {} } }, 'x'])),
  (rng, _w, i) =>
    call(
      'POST',
      `/${i}/_analyze`,
      rng.pick([
        {},
        { text: 'x', analyzer: 'none' },
        { analyzer: 'standard' },
        { text: 'x', field: 'nowhere' },
        { text: 5 },
        { text: 'x', tokenizer: 'none' },
      ]),
    ),
  (rng, _w, i) =>
    call(
      'PUT',
      `/${i}/_mapping`,
      rng.pick([
        {},
        { properties: { uid: { type: 'text' } } },
        { properties: { 'meta.level': { type: 'keyword' } } },
        { properties: { new1: { type: 'nothing' } } },
        { properties: { items: { type: 'object' } } },
        { unknown: 1 },
        { properties: { uid: { type: 'keyword', ignore_above: 'x' } } },
        { properties: { '': { type: 'keyword' } } },
      ]),
    ),
]

function brokenComposite(rng) {
  const terms = { terms: { field: 'uid' } }
  return rng.pick([
    {},
    { sources: [] },
    { sources: [{ a: terms }, { a: terms }] },
    { sources: [{ a: terms, b: terms }] },
    { sources: [{ a: { banana: { field: 'uid' } } }] },
    { sources: { a: terms } },
    { sources: [{ a: terms }], size: 0 },
    { sources: [{ a: terms }], size: -5 },
    { sources: [{ a: terms }], after: { b: 1 } },
    { sources: [{ a: terms }], after: { a: 5 } },
    { sources: [{ a: terms }], after: {} },
    { sources: [{ a: terms }], after: { a: null } },
    { sources: [{ a: terms }], after: { a: 'x', b: 'y' } },
    { sources: [{ a: { terms: { field: 'nowhere' } } }] },
    { sources: [{ a: { terms: {} } }] },
    { sources: [{ a: { terms: { field: 'uid', order: 'up' } } }] },
    { sources: [{ a: { terms: { field: 'uid', missing_order: 'first' } } }] },
    { sources: [{ a: { terms: { field: 'uid', missing: 'x' } } }] },
    { sources: [{ a: { histogram: { field: 'meta.level' } } }] },
    { sources: [{ a: { histogram: { field: 'meta.level', interval: 0 } } }] },
    { sources: [{ a: { histogram: { field: 'uid', interval: 1 } } }] },
    { sources: [{ a: { date_histogram: { field: 'items.at' } } }] },
    { sources: [{ a: { date_histogram: { field: 'items.at', calendar_interval: '2d' } } }] },
    { sources: [{ a: { date_histogram: { field: 'items.at', calendar_interval: 'day', fixed_interval: '1d' } } }] },
    { sources: [{ a: { date_histogram: { field: 'items.at', calendar_interval: 'day', time_zone: 'Mars/Base' } } }] },
    { sources: [{ a: { geotile_grid: { field: 'geo_point_1', precision: 30 } } }] },
    { sources: [{ a: { geotile_grid: { field: 'uid', precision: 3 } } }] },
    { sources: [{ a: terms }], unknown: 1 },
    { sources: [{ a: terms }], size: 100000 },
    { sources: [{ a: { terms: { field: 'meta.level' } } }], after: { a: 'x' } },
    { sources: 'x' },
  ])
}
