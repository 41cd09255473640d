import assert from 'node:assert/strict'
import { test } from 'node:test'
import { behindGateway, pageOf } from '../behind-gateway.ts'
import type { FakeIndex } from '../fake-opensearch.ts'

const INDEX: FakeIndex = {
  name: 'birds',
  shards: 3,
  properties: { x: { type: 'date_nanos' }, d: { type: 'date' } },
  version: 1,
}

test('later pages of a scroll have the format of the sort, at any gateway, and the scroll can be closed', async () => {
  const hits = [{ _index: 'birds', _id: '1', sort: [1_500_000] }]
  const answer = ({ method }: { method: string }) =>
    method === 'DELETE' ? { succeeded: true, num_freed: 3 } : { _scroll_id: 'abc==', ...pageOf(hits) }
  const first = await behindGateway(INDEX, answer)
  const second = await behindGateway(INDEX, answer)
  const sort = [{ x: { order: 'asc', format: 'epoch_millis' } }]
  try {
    const opened = (await first.send('POST', '/birds/_search?scroll=1m', { sort, slice: { id: 0, max: 2 } })).json
    assert.deepEqual(opened.hits.hits[0].sort, ['1.5'])
    const id = opened._scroll_id
    const next = await second.send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })
    assert.deepEqual(next.json.hits.hits[0].sort, ['1.5'])
    assert.equal(next.json._scroll_id, id)
    assert.equal(next.json._shards.total, 3)
    const sent = second.fake.requests.at(-1)!
    assert.deepEqual([sent.uri, sent.body], ['/_search/scroll', { scroll: '1m', scroll_id: 'abc==' }])
    const inPath = await second.send('GET', `/_search/scroll/${id}?scroll=2m`)
    assert.deepEqual(inPath.json.hits.hits[0].sort, ['1.5'])
    assert.equal(second.fake.requests.at(-1)!.uri, '/_search/scroll?scroll=2m')
    const closed = await second.send('DELETE', '/_search/scroll', { scroll_id: [id, 'other'] })
    assert.equal(closed.status, 200)
    assert.deepEqual(second.fake.requests.at(-1)!.body, { scroll_id: ['abc==', 'other'] })
    await second.send('DELETE', `/_search/scroll/${id}`)
    assert.deepEqual(second.fake.requests.at(-1)!.body, { scroll_id: ['abc=='] })
  } finally {
    await first.stop()
    await second.stop()
  }
})

test('a scroll whose pages stay as they are keeps the id of the cluster', async () => {
  const { send, fake, stop } = await behindGateway(INDEX, () => ({ _scroll_id: 'abc==', ...pageOf([]) }))
  try {
    const opened = (await send('POST', '/birds/_search?scroll=1m', { sort: ['d'] })).json
    assert.equal(opened._scroll_id, 'abc==')
    await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: 'abc==' })
    assert.deepEqual(fake.requests.at(-1)!.body, { scroll: '1m', scroll_id: 'abc==' })
  } finally {
    await stop()
  }
})

test('a page of a scroll that lost a shard is an error, however long its id is', async () => {
  const lost = { ...pageOf([]), _shards: { total: 3, successful: 2, skipped: 0, failed: 1 } }
  const { send, stop } = await behindGateway(INDEX, () => ({ _scroll_id: 'a'.repeat(20_000), ...lost }))
  try {
    const { status, json } = await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: 'abc==' })
    assert.deepEqual([status, json.error.type], [503, 'no_shard_available_action_exception'])
  } finally {
    await stop()
  }
})
