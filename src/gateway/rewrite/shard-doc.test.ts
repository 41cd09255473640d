import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { planShardDoc } from './shard-doc.ts'
import { ShardPlaces } from './shard-places.ts'

interface Doc {
  readonly id: string
  readonly value: number
  readonly place: number
  readonly doc: number
}

/** Each shard is an index of its own here, so that ids need not be hashed. */
const placesOf = (shards: number) =>
  new ShardPlaces(
    Array.from({ length: shards }, (_, i) => ({ name: `i${i}`, shards: 1, routingShards: 1024, partition: 1 })),
  )

/** A cluster that sorts by the given sort and breaks ties of equal `_doc` by shard. */
function answer(docs: readonly Doc[], request: JsonObject): JsonObject[] {
  const sort = request['sort'] as (string | { _doc: { order: string } })[]
  const after = request['search_after'] as number[] | undefined
  const index = JSON.stringify(request['query'] ?? '').match(/"_index":"i(\d+)"/)?.[1]
  const values = (doc: Doc) => sort.map((item) => (typeof item === 'string' ? doc.value : doc.doc))
  const signs = sort.map((item) => (typeof item !== 'string' && item._doc.order === 'desc' ? -1 : 1))
  const compare = (a: readonly number[], b: readonly number[]) =>
    a.reduce((order, value, i) => order || signs[i]! * (value - b[i]!), 0)
  return docs
    .filter((doc) => index === undefined || doc.place === Number(index))
    .filter((doc) => after === undefined || compare(values(doc), after) > 0)
    .sort((a, b) => compare(values(a), values(b)) || a.place - b.place)
    .slice(0, request['size'] as number)
    .map((doc) => ({ _index: `i${doc.place}`, _id: doc.id, sort: values(doc) }))
}

interface Reading {
  readonly shards: number
  readonly size: number
  readonly isDescending: boolean
  readonly isBare: boolean
  readonly docs: readonly Doc[]
}

async function page({ shards, size, isDescending, isBare, docs }: Reading, after?: unknown[], from = 0) {
  const plan = planShardDoc({
    request: { query: { match_all: {} }, aggs: { a: {} } },
    sort: isBare ? [] : ['value'],
    position: isBare ? 0 : 1,
    isDescending,
    searchAfter: after,
    from,
    size,
    places: placesOf(shards),
    window: 100,
  })
  let searches = 1
  const hits = await plan.complete(answer(docs, plan.request), async (request) => {
    searches++
    assert.equal(request['aggs'], undefined)
    return answer(docs, request)
  })
  return { hits, searches }
}

async function readAll(reading: Reading): Promise<{ ids: unknown[]; ties: number[] }> {
  const ids: unknown[] = []
  const ties: number[] = []
  let after: unknown[] | undefined
  for (;;) {
    const { hits } = await page(reading, after)
    ids.push(...hits.map((hit) => hit['_id']))
    ties.push(...hits.map((hit) => (hit['sort'] as number[]).at(-1)!))
    if (hits.length < reading.size) return { ids, ties }
    after = hits.at(-1)!['sort'] as unknown[]
  }
}

const reading = fc
  .record({
    shards: fc.integer({ min: 1, max: 5 }),
    size: fc.integer({ min: 1, max: 30 }),
    isDescending: fc.boolean(),
    isBare: fc.boolean(),
    values: fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.nat(4), fc.nat(2)), { maxLength: 120 }),
  })
  .map(({ values, ...rest }) => {
    const next = new Array<number>(rest.shards).fill(0)
    const docs = values.map(([value, at, gap], i) => {
      const place = at % rest.shards
      next[place]! += gap
      return { id: String(i), value, place, doc: next[place]!++ }
    })
    return { ...rest, docs }
  })

test('pages have every document once, by value, shard and number, for any shards, ties, sizes and directions', async () => {
  await fc.assert(
    fc.asyncProperty(reading, async (given) => {
      const sign = given.isDescending ? -1 : 1
      const expected = [...given.docs].sort(
        (a, b) => (given.isBare ? 0 : a.value - b.value) || sign * (a.place - b.place || a.doc - b.doc),
      )
      const { ids, ties } = await readAll(given)
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
      )
      assert.deepEqual(
        ties,
        expected.map(({ place, doc }) => place * 2 ** 32 + doc),
      )
    }),
    { numRuns: 300 },
  )
})

test('a page of different values needs one search', async () => {
  const docs = Array.from({ length: 60 }, (_, i) => ({ id: String(i), value: i, place: i % 3, doc: i }))
  const given = { shards: 3, size: 10, isDescending: false, isBare: false, docs }
  const first = await page(given)
  const second = await page(given, first.hits.at(-1)!['sort'] as unknown[])
  assert.deepEqual([first.searches, second.searches], [1, 1])
  assert.equal(second.hits[0]!['_id'], '10')
})

test('a page with from continues in a group of equal values', async () => {
  const docs = Array.from({ length: 60 }, (_, i) => ({ id: String(i), value: 1, place: i % 3, doc: i }))
  const given = { shards: 3, size: 4, isDescending: false, isBare: false, docs }
  const { hits } = await page(given, undefined, 18)
  assert.deepEqual(
    hits.map((hit) => hit['_id']),
    ['54', '57', '1', '4'],
  )
})

test('values of search_after in another form are recognized as those of a group of equal hits', async () => {
  const docs = Array.from({ length: 6 }, (_, i) => ({ id: String(i), value: 1, place: i % 2, doc: i }))
  const given = { shards: 2, size: 2, isDescending: false, isBare: false, docs }
  const { hits } = await page(given, ['1', String(2 ** 32 + 1)])
  assert.deepEqual(
    hits.map((hit) => hit['_id']),
    ['3', '5'],
  )
})

test('places are ordered by the number of the shard, then by the name of the index', () => {
  const spread = [
    { name: 'b', shards: 2, routingShards: 1024, partition: 1 },
    { name: 'a', shards: 3, routingShards: 768, partition: 1 },
  ]
  const places = new ShardPlaces(spread)
  const shards = Array.from({ length: places.total }, (_, i) => places.shardAt(i))
  assert.deepEqual(
    shards.map(({ index, shard }) => `${index}${shard}`),
    ['a0', 'b0', 'a1', 'b1', 'a2'],
  )
})

test('a page after values that are less exact than those of the last hit begins with that hit', async () => {
  const docs = [
    { id: 'a', value: 7.25, place: 0, doc: 3 },
    { id: 'b', value: 9, place: 1, doc: 3 },
  ]
  const reading = { shards: 2, size: 5, isDescending: false, isBare: false, docs }
  const ids = async (after: unknown[]) => (await page(reading, after)).hits.map((hit) => hit['_id'])
  assert.deepEqual(await ids([7, 3]), ['a', 'b'])
  assert.deepEqual(await ids([7.25, 3]), ['b'])
})
