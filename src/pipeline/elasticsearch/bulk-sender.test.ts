import assert from 'node:assert/strict'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { BulkItem } from './bulk-item.ts'
import { BulkSender } from './bulk-sender.ts'
import { ElasticsearchConnection } from './connection.ts'
import { CONNECTION_OPTIONS, connectionSettings } from './connection-options.ts'

/** A server whose responses the test provides, one request at a time. */
async function serve(t: TestContext) {
  const requests: { ids: string[]; answer: (statuses: number[]) => void }[] = []
  let wake = () => {}
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (piece: string) => (text += piece))
    request.on('end', () => {
      requests.push({ ids: text.trim().split('\n'), answer: (statuses) => answerWith(response, statuses) })
      wake()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const options = withDefaults(CONNECTION_OPTIONS, { hosts: [`127.0.0.1:${(server.address() as AddressInfo).port}`] })
  const connection = new ElasticsearchConnection(connectionSettings(options), silentLog)
  const closing = new AbortController()
  t.after(() => {
    closing.abort()
    connection.close()
    server.closeAllConnections()
    server.close()
  })
  const sender = new BulkSender(
    connection,
    {
      path: '/_bulk',
      requestsMax: 1,
      compressionLevel: 0,
      retryInitialMs: 1,
      retryMaxMs: 1,
      deadLetterCodes: new Set(),
      droppedErrors: new Set(),
      silencedErrors: new Set(),
    },
    silentLog,
    async () => {},
    closing.signal,
  )
  const next = async () => {
    while (requests.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    return requests.shift()!
  }
  return { sender, next }
}

function answerWith(response: ServerResponse, statuses: readonly number[]): void {
  const items = statuses.map((status) => ({ index: { status } }))
  response.end(JSON.stringify({ errors: statuses.some((status) => status > 299), items }))
}

const item = (id: string): BulkItem => ({ event: Event.ofMessage(id, new Timestamp(0)), text: `${id}\n` })

// Goal: lists that wait for a request are sent together with the next one, and each is resolved by its own items only.
test('waiting lists are joined into one request, and no list waits for the items of another', async (t) => {
  const { sender, next } = await serve(t)
  const done: string[] = []
  const send = (name: string, ...ids: string[]) => sender.send(ids.map(item)).then(() => done.push(name))
  const first = send('first', 'a')
  const one = await next()
  assert.deepEqual(one.ids, ['a'])
  const others = [send('second', 'b', 'c'), send('third', 'd')]
  one.answer([201])
  await first
  const joined = await next()
  assert.deepEqual(joined.ids, ['b', 'c', 'd'])
  joined.answer([201, 503, 201])
  await others[1]
  assert.deepEqual(done, ['first', 'third'])
  const again = await next()
  assert.deepEqual(again.ids, ['c'])
  again.answer([200])
  await others[0]
  assert.deepEqual(sender.counters, {
    documents: { successes: 4, non_retryable_failures: 0, retryable_failures: 1, dlq_routed: 0 },
    bulk_requests: { successes: 2, with_errors: 1, failures: 0, responses: { 200: 3 } },
  })
})

test('a request contains at most a thousand items, but the list of one batch is never split', async (t) => {
  const { sender, next } = await serve(t)
  const list = (count: number) => Array.from({ length: count }, (_, i) => item(String(i)))
  const all = [1, 600, 600, 2000].map((count) => sender.send(list(count)))
  for (const count of [1, 600, 600, 2000]) {
    const { ids, answer } = await next()
    assert.equal(ids.length, count)
    answer(ids.map(() => 200))
  }
  await Promise.all(all)
})
