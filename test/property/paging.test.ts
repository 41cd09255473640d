// Goal: pages never miss, repeat or reorder a document while documents are written. Method: random documents, sorts,
// shards and page sizes. The complete sorted result of the view is read first. Then every way of paging walks the same
// view while documents change, and the joined pages are compared with the complete result. A failure prints its seed.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startSearch, type TestSearch } from '../../src/testing/index.ts'

let search: TestSearch
let lastIndex = 0

before(async () => {
  search = await startSearch({ listen: false })
})
after(() => search.stop())

interface Hit {
  readonly _id: string
}

interface Page {
  readonly _scroll_id: string
  readonly hits: { readonly total: { readonly value: number }; readonly hits: readonly Hit[] }
}

const SORTS = [
  ['n'],
  [{ n: 'desc' }],
  ['k', { n: 'desc' }],
  [{ k: { order: 'desc', missing: '_first' } }],
  // Missing values that are equal to a term, between two terms, and beyond all terms.
  [{ k: { missing: 'b' } }],
  [{ k: { missing: 'bb', order: 'desc' } }],
  [{ k: { missing: 'zz', mode: 'max' } }, { b: 'desc' }],
  [{ n: { missing: 1, mode: 'sum' } }],
  [{ x: { missing: '_first' } }],
  [{ x: { order: 'desc', mode: 'avg', missing: 0.5 } }],
  [{ nanos: 'desc' }, 'ip'],
  [{ d: { numeric_type: 'date_nanos', missing: '_first' } }],
  [{ _geo_distance: { point: [0, 0], order: 'desc' } }],
  ['b', { ip: { order: 'desc', missing: '10.0.0.1' } }],
  [{ big: { order: 'asc', missing: '_first' } }],
  ['d', 'k'],
  ['_doc'],
  [{ _shard_doc: 'desc' }],
  ['_score', 'n'],
] as const

/** One value or several. */
const some = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { maxLength: 3 }))

const document = fc.record(
  {
    n: some(fc.integer({ min: -3, max: 3 })),
    k: some(fc.constantFrom('a', 'b', 'c', 'ä', '\u{1f600}')),
    x: some(fc.constantFrom(0.5, -0.25, 1e300, 3)),
    b: fc.boolean(),
    ip: fc.constantFrom('10.0.0.1', '10.0.0.2', '::1'),
    nanos: fc.constantFrom('2024-01-01T00:00:00.000000001Z', '2024-01-01T00:00:00.000000002Z', '2024-01-01'),
    point: fc.tuple(fc.integer({ min: -2, max: 2 }), fc.integer({ min: -2, max: 2 })),
    big: fc.constantFrom(1, 2, 9007199254740991, -4),
    d: fc.integer({ min: 0, max: 5 }).map((day) => `2024-01-0${day + 1}`),
    t: fc.constantFrom('red fox', 'red', 'fox fox red'),
  },
  { requiredKeys: [] },
)

/** More hits than any paging loop needs. */
const HITS_MAX = 200

const scenario = fc.record({
  documents: fc.array(document, { minLength: 1, maxLength: 60 }),
  shards: fc.integer({ min: 1, max: 3 }),
  batches: fc.integer({ min: 1, max: 4 }),
  sort: fc.constantFrom(...SORTS),
  size: fc.integer({ min: 1, max: 25 }),
  indexSort: fc.constantFrom<object>({}, {}, { 'sort.field': ['k', 'n'], 'sort.order': ['desc', 'asc'] }),
  slices: fc.integer({ min: 2, max: 7 }),
  query: fc.constantFrom<object>(
    { match_all: {} },
    { match: { t: 'fox' } },
    { range: { n: { gte: 0 } } },
    { bool: { must: [{ terms: { n: [0, 1, 2, 3] } }, { range: { x: { gte: 0 } } }] } },
    { bool: { should: [{ terms: { n: [-1, 0, 1] } }, { terms: { k: ['a', 'b'] } }] } },
  ),
})

async function send<T = Page>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await search.request(method, path, body)
  assert.ok(answer.status < 300, `${method} ${path} ${JSON.stringify(body)}: ${answer.text}`)
  return answer.body as T
}

async function fill(
  documents: readonly object[],
  shards: number,
  batches: number,
  indexSort: object = {},
): Promise<string> {
  const index = `paging-${++lastIndex}`
  const properties = {
    n: { type: 'integer' },
    k: { type: 'keyword' },
    big: { type: 'long' },
    d: { type: 'date' },
    t: { type: 'text' },
    x: { type: 'double' },
    b: { type: 'boolean' },
    ip: { type: 'ip' },
    nanos: { type: 'date_nanos' },
    point: { type: 'geo_point' },
  }
  await send('PUT', `/${index}`, {
    settings: { number_of_shards: shards, refresh_interval: '-1', ...indexSort },
    mappings: { properties },
  })
  for (let batch = 0; batch < batches; batch++) {
    const lines = documents.flatMap((source, i) => (i % batches === batch ? [{ index: { _id: `d${i}` } }, source] : []))
    if (lines.length > 0) await send('POST', `/${index}/_bulk?refresh=true`, lines)
  }
  return index
}

/** Makes changes that must not be visible in a held view. */
async function disturb(index: string, round: number): Promise<void> {
  await send('POST', `/${index}/_bulk?refresh=true`, [
    { index: { _id: `d${round}` } },
    { n: 100 },
    { index: { _id: `new-${round}` } },
    { n: -100 },
    { delete: { _id: `d${round + 1}` } },
  ])
  if (round % 3 === 2) await send('POST', `/${index}/_forcemerge?max_num_segments=1`)
}

/** Writes before the next page is requested and, every other time, while it is being read. */
class Changes {
  readonly #index: string
  #underWay: Promise<void> = Promise.resolve()

  constructor(index: string) {
    this.#index = index
  }

  async between(round: number): Promise<void> {
    await this.#underWay
    if (round >= 4) return
    this.#underWay = disturb(this.#index, round)
    if (round % 2 === 0) await this.#underWay
  }

  done(): Promise<void> {
    return this.#underWay
  }
}

async function openPit(index: string): Promise<string> {
  const { id } = await send<{ id: string }>('POST', `/${index}/_pit?keep_alive=1m`)
  return id
}

async function walkPit(index: string, pit: string, body: object, size: number): Promise<string[]> {
  const ids: string[] = []
  const request = JSON.stringify({ ...body, size, pit: { id: pit }, _source: false })
  let searchAfter: string | undefined
  const changes = new Changes(index)
  for (let round = 0; ; round++) {
    const more = searchAfter === undefined ? '' : `,"search_after":${searchAfter}`
    const answer = await search.request('POST', '/_search', `${request.slice(0, -1)}${more}}`)
    assert.equal(answer.status, 200, answer.text)
    const page = answer.body as Page
    if (page.hits.hits.length === 0) {
      await changes.done()
      return ids
    }
    ids.push(...page.hits.hits.map(({ _id }) => _id))
    assert.ok(ids.length <= HITS_MAX, 'pages without end')
    // As text, because the sort value of a missing long exceeds the range of a JavaScript number.
    searchAfter = answer.text.slice(
      answer.text.lastIndexOf('"sort":') + 7,
      answer.text.lastIndexOf(']', answer.text.lastIndexOf(']') - 1) + 1,
    )
    await changes.between(round)
  }
}

async function walkScroll(index: string, body: object, size: number, useFirstId: boolean): Promise<string[]> {
  let page = await send('POST', `/${index}/_search?scroll=1m`, { ...body, size, _source: false })
  const total = page.hits.total.value
  const firstId = page._scroll_id
  const ids: string[] = []
  const changes = new Changes(index)
  for (let round = 0; page.hits.hits.length > 0; round++) {
    assert.equal(page.hits.total.value, total)
    ids.push(...page.hits.hits.map(({ _id }) => _id))
    assert.ok(ids.length <= HITS_MAX, 'pages without end')
    await changes.between(round)
    const id = useFirstId ? firstId : page._scroll_id
    page = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })
  }
  assert.equal(ids.length, total)
  await changes.done()
  return ids
}

test('the joined pages of a point in time are the complete result while documents change', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async ({ documents, shards, batches, sort, size, query, indexSort }) => {
      const index = await fill(documents, shards, batches, indexSort)
      const pit = await openPit(index)
      const whole = await send('POST', '/_search', { query, sort, size: 1000, pit: { id: pit }, _source: false })
      const ids = whole.hits.hits.map(({ _id }) => _id)
      assert.equal(new Set(ids).size, ids.length)
      assert.deepEqual(await walkPit(index, pit, { query, sort }, size), ids)
      await send('DELETE', `/${index}`)
    }),
    { numRuns: 60 },
  )
})

test('the joined pages of a scroll are the complete result with any of its ids', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenario,
      fc.boolean(),
      async ({ documents, shards, batches, sort, size, query, indexSort }, useFirstId) => {
        const index = await fill(documents, shards, batches, indexSort)
        const whole = await send('POST', `/${index}/_search?size=1000`, { query, sort, _source: false })
        const ids = whole.hits.hits.map(({ _id }) => _id)
        assert.deepEqual(await walkScroll(index, { query, sort }, size, useFirstId), ids)
        await send('DELETE', `/${index}`)
      },
    ),
    { numRuns: 60 },
  )
})

test('slices of a point in time or scroll are disjoint and together complete', async () => {
  await fc.assert(
    fc.asyncProperty(
      scenario,
      fc.constantFrom(undefined, 'n'),
      async ({ documents, shards, batches, sort, size, slices, query }, field) => {
        const index = await fill(documents, shards, batches)
        const whole = await send('POST', `/${index}/_search?size=1000`, { query, _source: false })
        const expected = whole.hits.hits.map(({ _id }) => _id).sort()
        const pit = await openPit(index)
        const parts = { pit: [] as string[], scroll: [] as string[] }
        const scrolls: Page[] = []
        for (let id = 0; id < slices; id++) {
          const slice = { id, max: slices, ...(field === undefined ? {} : { field }) }
          scrolls.push(await send('POST', `/${index}/_search?scroll=1m`, { query, sort, slice, size, _source: false }))
        }
        await disturb(index, 0)
        for (let id = 0; id < slices; id++) {
          const slice = { id, max: slices, ...(field === undefined ? {} : { field }) }
          const found = await walkPit(index, pit, { query, sort, slice }, size)
          parts.pit.push(...found)
          // Without a sort the hits have the order of their scores.
          const counted = await send('POST', '/_search', { query, slice, size: 0, pit: { id: pit } })
          const scored = await send('POST', '/_search', { query, slice, size: 1000, pit: { id: pit }, _source: false })
          assert.equal(counted.hits.total.value, found.length)
          assert.equal(scored.hits.total.value, found.length)
          assert.deepEqual(scored.hits.hits.map(({ _id }) => _id).sort(), found.sort())
          for (let page = scrolls[id]!; page.hits.hits.length > 0; ) {
            parts.scroll.push(...page.hits.hits.map(({ _id }) => _id))
            page = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: page._scroll_id })
          }
        }
        assert.deepEqual(parts.pit.sort(), expected)
        assert.deepEqual(parts.scroll.sort(), expected)
        await send('DELETE', `/${index}`)
      },
    ),
    { numRuns: 30 },
  )
})

test('a page that is requested again with the same id is the same page', async () => {
  const documents = Array.from({ length: 20 }, (_, n) => ({ n: n % 5 }))
  const index = await fill(documents, 1, 2)
  const first = await send('POST', `/${index}/_search?scroll=1m`, { sort: ['n'], size: 4, _source: false })
  const second = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: first._scroll_id })
  const third = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: second._scroll_id })
  const again = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: second._scroll_id })
  assert.deepEqual(again.hits, third.hits)
  const fourth = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: again._scroll_id })
  const seen = [first, second, third, fourth].flatMap(({ hits }) => hits.hits.map(({ _id }) => _id))
  assert.equal(new Set(seen).size, 16)
})

// Goal: large pages, which are written as bytes, are equal to small ones, which are built from objects.
test('a hit has the same members in a large page and in a small one', async () => {
  const index = `paging-${++lastIndex}`
  await send('PUT', `/${index}`, {
    mappings: { properties: { k: { type: 'keyword', ignore_above: 3 }, x: { type: 'double' } } },
  })
  const lines = Array.from({ length: 400 }, (_, n) => [
    { index: { _id: n % 7 === 0 ? `"${n}\\é\n` : `${n}`, ...(n % 5 === 0 ? { routing: `r"${n % 3}` } : {}) } },
    { k: n % 11 === 0 ? 'too long' : `k${n % 4}`, x: n % 13 === 0 ? -n / 3 : n, t: 'wörd '.repeat(n % 9) },
  ]).flat()
  await send('POST', `/${index}/_bulk?refresh=true`, lines)
  for (const order of [{ sort: [{ x: 'desc' }, 'k'] }, { query: { match: { t: 'wörd' } } }, { sort: ['_doc'] }]) {
    const whole = await send('POST', `/${index}/_search`, { ...order, size: 400 })
    const parts: unknown[] = []
    for (let from = 0; from < 400; from += 50) {
      parts.push(...(await send('POST', `/${index}/_search`, { ...order, from, size: 50 })).hits.hits)
    }
    assert.ok(whole.hits.hits.length > 300)
    assert.deepEqual(whole.hits.hits, parts)
  }
})

test('aggregations of a slice cover exactly the documents of the slice', async () => {
  const index = await fill(
    Array.from({ length: 50 }, (_, n) => ({ n: n % 5 })),
    2,
    3,
  )
  const pit = await openPit(index)
  let counted = 0
  for (let id = 0; id < 5; id++) {
    const body = { slice: { id, max: 5 }, size: 100, pit: { id: pit }, aggs: { n: { value_count: { field: 'n' } } } }
    const page = await send<Page & { aggregations: { n: { value: number } } }>('POST', '/_search', body)
    assert.equal(page.aggregations.n.value, page.hits.hits.length)
    counted += page.aggregations.n.value
  }
  assert.equal(counted, 50)
})
