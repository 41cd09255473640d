import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiReply } from '../../base/api-client.ts'
import { update } from './bulk-lines.ts'
import { type ByQueryPlan, ByQueryRun } from './by-query-run.ts'
import { ByQueryStatus } from './by-query-status.ts'

const IDS = ['a', 'b', 'c', 'd']

const reply = (body: unknown): ApiReply => ({ status: 200, body: Buffer.from(JSON.stringify(body)) })

const pageOf = (ids: readonly string[]) => ({
  _scroll_id: 'scroll',
  timed_out: false,
  _shards: { total: 1, successful: 1, failed: 0 },
  hits: {
    total: { value: ids.length, relation: 'eq' },
    hits: ids.map((id) => ({ _index: 'i', _id: id, _score: null, _seq_no: 1, _primary_term: 1, _source: { id } })),
  },
})

const rejection = { type: 'es_rejected_execution_exception', reason: 'full' }

/** The response to operations on these documents, some of which are rejected. */
function bulkReply(ids: readonly string[], rejected: readonly string[]): ApiReply {
  const items = ids.map((_id) => {
    const outcome = rejected.includes(_id) ? { status: 429, error: rejection } : { result: 'updated', status: 200 }
    return { index: { _index: 'i', _id, ...outcome } }
  })
  return reply({ took: 1, errors: rejected.length > 0, items })
}

const idsOf = (lines: Uint8Array): string[] =>
  Array.from(
    Buffer.from(lines)
      .toString()
      .matchAll(/"_id":"(\w+)"/g),
    ([, id]) => id!,
  )

/** Runs an update of all documents. `rejected` are those that each bulk request rejects; `sent` are those it was sent. */
async function updated(rejected: readonly (readonly string[])[], hitAction: ByQueryPlan['hitAction']) {
  const sent: string[][] = []
  const bulk = async (ids: string[]) => {
    sent.push(ids)
    return bulkReply(ids, rejected[sent.length - 1] ?? [])
  }
  const source = {
    send: async (method: string, path: string) =>
      reply(method === 'DELETE' ? {} : pageOf(path === '/_search/scroll' ? [] : IDS)),
  }
  const target = {
    send: async (_: string, __: string, body?: Uint8Array) => bulk(idsOf(body!)),
    writeHits: async () => bulk([...IDS]),
  }
  const plan: ByQueryPlan = {
    source,
    target,
    searchPath: '/i/_search?scroll=1m',
    scrollKeepAlive: '1m',
    bulkPath: '/_bulk',
    maxDocs: Number.POSITIVE_INFINITY,
    proceedOnConflicts: false,
    notesWritten: false,
    change: update(),
    hitAction,
  }
  const status = new ByQueryStatus(Number.POSITIVE_INFINITY)
  const run = new ByQueryRun(plan, { body: Buffer.from('{}'), maxDocs: Number.POSITIVE_INFINITY }, status)
  const { failures } = await run.run()
  return { sent, failures, status }
}

for (const [way, hitAction] of [
  ['as bulk lines', undefined],
  ['as hits', 'index'],
] as const) {
  test(`operations of a page sent ${way} that are rejected with 429 are sent again until they succeed`, async () => {
    const { sent, failures, status } = await updated([['b', 'd'], ['d']], hitAction)
    assert.deepEqual(sent, [IDS, ['b', 'd'], ['d']])
    assert.deepEqual(failures, [])
    assert.deepEqual([status.updated, status.noops, status.bulkRetries, status.batches], [4, 0, 2, 1])
  })

  test(`a page sent ${way} that is rejected completely is sent again completely`, async () => {
    const { sent, failures, status } = await updated([IDS], hitAction)
    assert.deepEqual(sent, [IDS, IDS])
    assert.deepEqual(failures, [])
    assert.deepEqual([status.updated, status.bulkRetries], [4, 1])
  })
}
