import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BulkOutcome, CREATED, DELETED, NOOP, NOT_FOUND, UPDATED } from './bulk-answer.ts'
import { encodeCounts, readHits } from './bulk-hits.ts'
import { type BulkItems, DELETE, INDEX } from './bulk-items.ts'

const hit = (index: string, id: string, more: object) => ({
  _index: index,
  _id: id,
  _seq_no: 7,
  _primary_term: 2,
  ...more,
})

async function items(hits: object[], action: 'index' | 'delete' = 'index', limit = Infinity) {
  const body = Buffer.from(`{"hits":{"hits": ${JSON.stringify(hits)}}}`)
  const request = { body, requireAlias: false, requireDataStream: false }
  const read = await readHits(request, { action, at: body.indexOf('['), limit })
  const text = (starts: Int32Array, ends: Int32Array, item: number) =>
    starts[item]! < 0 ? undefined : body.toString('utf8', starts[item], ends[item])
  return Array.from({ length: read.count }, (_, i) => ({
    action: read.action[i],
    index: read.targets[read.target[i]!]!.name,
    id: text(read.idStart, read.idEnd, i),
    routing: text(read.routingStart, read.routingEnd, i),
    source: text(read.sourceStart, read.sourceEnd, i),
    condition: [read.extras[read.extra[i]!]!.ifSeqNo, read.extras[read.extra[i]!]!.ifPrimaryTerm],
  }))
}

test('hits become items with id, routing, source and the condition that the document did not change', async () => {
  const source = { a: 'x "y" \\ é\n', list: [{ '}': ']' }] }
  const hits = [
    hit('one', 'i"d é', { _routing: 'r\\1', _source: source, sort: [1] }),
    hit('one', '2', { _source: {} }),
    hit('two', '3', { _source: { n: 1 } }),
  ]
  const condition = [7, 2]
  assert.deepEqual(await items(hits), [
    { action: INDEX, index: 'one', id: 'i"d é', routing: 'r\\1', source: JSON.stringify(source), condition },
    { action: INDEX, index: 'one', id: '2', routing: undefined, source: '{}', condition },
    { action: INDEX, index: 'two', id: '3', routing: undefined, source: '{"n":1}', condition },
  ])
  assert.deepEqual(
    (await items(hits, 'index', 2)).map(({ id }) => id),
    ['i"d é', '2'],
  )
})

test('a hit without a stored source can be deleted, but not written again', async () => {
  const [only] = await items([hit('one', '1', {})], 'delete')
  assert.equal(only!.action, DELETE)
  await assert.rejects(items([hit('one', '1', {})]), /\[one\]\[1\] didn't store _source/)
})

test('the answer to a page of hits counts documents by what happened to them', () => {
  const outcome = new BulkOutcome(7)
  outcome.result.set([CREATED, UPDATED, DELETED, NOT_FOUND, NOOP, 0, 0])
  outcome.dropped.add(5)
  outcome.skipped.add(6)
  const items = { count: 7, targets: [{ name: 'a' }, { name: 'b' }, { name: 'a' }] } as unknown as BulkItems
  const answer = Buffer.from(encodeCounts(items, outcome)).toString()
  assert.deepEqual(JSON.parse(answer), { errors: false, counts: [1, 3, 2, 1], indices: ['a', 'b'] })
})
