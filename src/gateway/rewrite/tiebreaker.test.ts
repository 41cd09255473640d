import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { floorMod, murmur3OfUtf16 } from '../../base/murmur3.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { ShardPlaces } from './shard-places.ts'
import { planTiebreak, tiebrokenHits } from './tiebreaker.ts'

interface Doc {
  readonly id: string
  readonly value: number
  readonly seqNo: number
  readonly shard: number
}

/** The shard of a document is its index here, so that it need not be hashed. */
const placesOf = (shards: number) =>
  new ShardPlaces(
    Array.from({ length: shards }, (_, i) => ({ name: `i${i}`, shards: 1, routingShards: 1024, partition: 1 })),
  )
const WINDOW = 10_000

/** A cluster that sorts by a value and `_seq_no`, and breaks ties in any order. */
function clusterPage(
  docs: readonly Doc[],
  sort: readonly unknown[],
  after: readonly unknown[] | undefined,
  from: number,
  size: number,
): JsonObject[] {
  const [order] = Object.values(sort[1] as Record<string, { order: string }>)
  const sign = order!.order === 'desc' ? -1 : 1
  const sorted = [...docs].sort((a, b) => a.value - b.value || sign * (a.seqNo - b.seqNo) || tie(a, b, from + size))
  const isBehind = ({ value, seqNo }: Doc) => {
    if (after === undefined) return true
    const [lastValue, lastSeqNo] = after as [number, bigint]
    return value > lastValue || (value === lastValue && sign * Number(BigInt(seqNo) - lastSeqNo) > 0)
  }
  return sorted
    .filter(isBehind)
    .slice(from, from + size)
    .map(({ id, value, seqNo, shard }) => ({ _index: `i${shard}`, _id: id, sort: [value, seqNo] }))
}

/** Another order in each request. */
const tie = (a: Doc, b: Doc, salt: number) => ((a.shard * 7 + salt) % 5) - ((b.shard * 7 + salt) % 5)

function readAll(
  docs: readonly Doc[],
  shards: number,
  size: number,
  isDescending: boolean,
): { ids: unknown[]; values: bigint[] } {
  const ids: unknown[] = []
  const values: bigint[] = []
  let searchAfter: unknown[] | undefined
  for (;;) {
    const places = placesOf(shards)
    const plan = planTiebreak({
      sort: ['value'],
      position: 1,
      isDescending,
      searchAfter,
      from: 0,
      size,
      places,
      window: WINDOW,
    })
    const hits = tiebrokenHits(clusterPage(docs, plan.sort, plan.searchAfter, plan.from, plan.size), plan)
    if (hits.length === 0) return { ids, values }
    assert.ok(hits.length <= size)
    ids.push(...hits.map((hit) => hit['_id']))
    values.push(...hits.map((hit) => (hit['sort'] as [number, bigint])[1]))
    searchAfter = hits.at(-1)!['sort'] as unknown[]
    if (hits.length < size) return { ids, values }
  }
}

const world = fc
  .record({
    shards: fc.integer({ min: 1, max: 5 }),
    size: fc.integer({ min: 1, max: 7 }),
    isDescending: fc.boolean(),
    values: fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.nat(4)), { maxLength: 60 }),
  })
  .map(({ shards, size, isDescending, values }) => {
    const next = new Array<number>(shards).fill(0)
    const docs = values.map(([value, at], i) => {
      const shard = at % shards
      return { id: String(i), value, shard, seqNo: next[shard]!++ }
    })
    return { shards, size, isDescending, docs }
  })

test('pages with the tiebreaker hold every document once, for any shards, ties, page sizes and directions', () => {
  fc.assert(
    fc.property(world, ({ shards, size, isDescending, docs }) => {
      const { ids } = readAll(docs, shards, size, isDescending)
      assert.deepEqual([...ids].sort(), docs.map(({ id }) => id).sort())
    }),
    { numRuns: 500 },
  )
})

test('tiebreakers are unique in the whole point in time', () => {
  fc.assert(
    fc.property(world, ({ shards, size, isDescending, docs }) => {
      const { values } = readAll(docs, shards, size, isDescending)
      assert.equal(new Set(values).size, values.length)
    }),
    { numRuns: 200 },
  )
})

test('a page with from gives its documents the same tiebreakers as the pages before it', () => {
  const docs: Doc[] = [0, 1, 2].flatMap((seqNo) =>
    [0, 1, 2].map((shard) => ({ id: `${seqNo}${shard}`, value: 1, seqNo, shard })),
  )
  const page = (from: number, size: number) => {
    const plan = planTiebreak({
      sort: ['value'],
      position: 1,
      isDescending: false,
      searchAfter: undefined,
      from,
      size,
      places: placesOf(3),
      window: WINDOW,
    })
    return tiebrokenHits(clusterPage(docs, plan.sort, plan.searchAfter, plan.from, plan.size), plan)
  }
  assert.deepEqual(page(4, 3), page(0, 9).slice(4, 7))
})

/** The shard of a routing value in an index with two shards. */
const shardOf = (routing: string) => Math.floor(floorMod(murmur3OfUtf16(routing), 1024) / 512)

test('the place of a document is computed from its routing, its id and the partition', () => {
  const places = new ShardPlaces([
    { name: 'a', shards: 2, routingShards: 1024, partition: 1 },
    { name: 'b', shards: 5, routingShards: 640, partition: 2 },
  ])
  assert.equal(places.total, 7)
  for (let i = 0; i < 200; i++) {
    const plain = places.placeOf({ _index: 'a', _id: `d${i}` })!
    assert.deepEqual(places.shardAt(plain), { index: 'a', shard: shardOf(`d${i}`), shards: 2, isOnly: false })
    const routed = places.placeOf({ _index: 'a', _id: `d${i}`, _routing: 'r' })!
    assert.equal(places.shardAt(routed).shard, shardOf('r'))
    const partitioned = places.placeOf({ _index: 'b', _id: `d${i}`, _routing: 'r' })!
    assert.equal(places.shardAt(partitioned).index, 'b')
  }
  assert.equal(places.placeOf({ _index: 'c', _id: 'x' }), undefined)
  assert.equal(places.placeOf({ _index: 'a' }), undefined)
})

test('on one shard the tiebreaker is the sequence number', () => {
  const docs = [3, 5, 8].map((seqNo) => ({ id: String(seqNo), value: 0, seqNo, shard: 0 }))
  assert.deepEqual(readAll(docs, 1, 2, false).values, [3n, 5n, 8n])
})

test('a page of a slice after values that are less exact than those of the last hit begins with that hit', () => {
  const docs = [
    { id: 'a', value: 7.25, seqNo: 3, shard: 0 },
    { id: 'b', value: 9, seqNo: 3, shard: 1 },
  ]
  const ids = (after: unknown[]) => {
    const places = placesOf(2)
    const given = { sort: ['value'], position: 1, isDescending: false, searchAfter: after, from: 0, size: 5 }
    const plan = planTiebreak({ ...given, places, window: WINDOW })
    return tiebrokenHits(clusterPage(docs, plan.sort, plan.searchAfter, plan.from, plan.size), plan).map(
      (hit) => hit['_id'],
    )
  }
  assert.deepEqual(ids([7, 6]), ['a', 'b'])
  assert.deepEqual(ids([7.25, 6]), ['b'])
})
