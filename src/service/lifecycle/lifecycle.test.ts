import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { silentLog } from '../../base/log.ts'
import { copyOfLent } from '../../base/memory/lent-bytes.ts'
import { SearchServer } from '../../server/search-server.ts'
import { MovableClock } from '../../testing/movable-clock.ts'

const clock = new MovableClock(() => {})
let server: SearchServer

beforeEach(async () => {
  clock.set('2024-03-01T00:00:00Z')
  server = await SearchServer.open({ threads: 0, maxContentBytes: 1e8, strictMediaTypes: false, log: silentLog, clock })
})
afterEach(() => server.stop())

async function ask(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const answer = await server.dispatcher.dispatch({
    method,
    uri: path,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: Buffer.from(body === undefined ? '' : JSON.stringify(body)),
    signal: () => new AbortController().signal,
  })
  const copy = copyOfLent(answer.body)
  answer.onSent?.()
  return { status: answer.status, body: copy.length === 0 ? undefined : JSON.parse(copy.toString()) }
}

const send = async (method: string, path: string, body?: unknown) => (await ask(method, path, body)).body

/** Hours pass, some at a time; a document is written in each step. */
async function pass(hours: number, step: number, target: string): Promise<void> {
  for (let hour = 0; hour < hours; hour += step) {
    await send('POST', `/${target}/_doc?refresh=true`, { '@timestamp': clock.now().toISOString() })
    clock.advance(`${step}h`)
    await server.node.lifecycle.runDue()
  }
  await send('POST', `/${target}/_refresh`)
}

/** Enough time passes for policies to run. */
async function later(): Promise<void> {
  clock.advance('11m')
  await server.node.lifecycle.runDue()
}

const template = (body: Record<string, unknown>) =>
  send('PUT', '/_index_template/logs', { index_patterns: ['logs*'], ...body })

test('a data stream with a retention of 7 days rolls over daily and keeps 7 days, over 30 days', async () => {
  await template({ data_stream: {}, template: { lifecycle: { data_retention: '7d' } } })
  await pass(30 * 24, 4, 'logs')
  const [stream] = (await send('GET', '/_data_stream/logs')).data_streams
  assert.ok(stream.generation >= 29 && stream.generation <= 62, `generation ${stream.generation}`)
  assert.ok(stream.indices.length >= 8 && stream.indices.length <= 9, `${stream.indices.length} indices`)
  assert.equal(stream.next_generation_managed_by, 'Data stream lifecycle')
  const { count } = await send('GET', '/logs/_count')
  assert.ok(count >= 7 * 6 && count <= 9 * 6, `${count} documents`)
  const [oldest] = (await send('GET', '/logs/_search?size=1&sort=@timestamp:asc')).hits.hits
  const ageDays = (clock.now().getTime() - Date.parse(oldest._source['@timestamp'])) / 86_400_000
  assert.ok(ageDays >= 7 && ageDays <= 9, `the oldest document is ${ageDays} days old`)
  const explained = await send('GET', '/logs/_lifecycle/explain')
  assert.ok(Object.values(explained.indices).every((index: any) => index.managed_by_lifecycle && !index.error))
})

test('a policy rolls over daily, merges and blocks after 2 days, deletes after 5 days, over 30 days', async () => {
  await send('PUT', '/_ilm/policy/p', {
    policy: {
      phases: {
        hot: { actions: { rollover: { max_age: '1d' }, set_priority: { priority: 100 } } },
        warm: { min_age: '2d', actions: { readonly: {}, forcemerge: { max_num_segments: 1 } } },
        delete: { min_age: '5d', actions: { delete: {} } },
      },
    },
  })
  await template({ data_stream: {}, template: { settings: { 'index.lifecycle.name': 'p' } } })
  await pass(30 * 24, 4, 'logs')
  const [stream] = (await send('GET', '/_data_stream/logs')).data_streams
  assert.equal(stream.next_generation_managed_by, 'Index Lifecycle Management')
  assert.equal(stream.ilm_policy, 'p')
  assert.ok(stream.indices.length >= 6 && stream.indices.length <= 7, `${stream.indices.length} indices`)
  const names: string[] = stream.indices.map((index: any) => index.index_name)
  const { indices } = await send('GET', '/logs/_ilm/explain')
  const newest = indices[names.at(-1)!]
  assert.deepEqual([newest.phase, newest.action, newest.step], ['hot', 'rollover', 'check-rollover-ready'])
  const oldest = indices[names[0]!]
  assert.deepEqual([oldest.phase, oldest.action, oldest.step], ['warm', 'complete', 'complete'])
  const settings = await send('GET', `/${names[0]}/_settings?flat_settings=true`)
  assert.equal(settings[names[0]!].settings['index.blocks.write'], 'true')
  assert.equal(settings[names[0]!].settings['index.priority'], '100')
  assert.equal(settings[names[0]!].settings['index.lifecycle.indexing_complete'], 'true')
  const segments = await send('GET', `/${names[0]}/_segments`)
  assert.equal(segments.indices[names[0]!].shards['0'][0].num_search_segments, 1)
})

test('a policy rolls an alias over', async () => {
  await send('PUT', '/_ilm/policy/p', { policy: { phases: { hot: { actions: { rollover: { max_docs: 2 } } } } } })
  const settings = { 'index.lifecycle.name': 'p', 'index.lifecycle.rollover_alias': 'app' }
  await send('PUT', '/_index_template/app', { index_patterns: ['app-*'], template: { settings } })
  await send('PUT', '/app-000001', { aliases: { app: { is_write_index: true } } })
  await send('POST', '/app/_doc?refresh=true', { n: 1 })
  await later()
  assert.equal((await ask('HEAD', '/app-000002')).status, 404)
  await send('POST', '/app/_doc?refresh=true', { n: 2 })
  await later()
  assert.equal((await send('GET', '/_alias/app'))['app-000002'].aliases.app.is_write_index, true)
})

test('a failed step is shown and tried again', async () => {
  await send('PUT', '/_ilm/policy/p', { policy: { phases: { hot: { actions: { rollover: { max_docs: 1 } } } } } })
  await send('PUT', '/plain-1', { settings: { 'index.lifecycle.name': 'p' } })
  for (let run = 0; run < 2; run++) await later()
  const { 'plain-1': plain } = (await send('GET', '/plain-1/_ilm/explain')).indices
  assert.deepEqual([plain.step, plain.failed_step, plain.failed_step_retry_count], ['ERROR', 'check-rollover-ready', 1])
  assert.equal(
    plain.step_info.reason,
    'setting [index.lifecycle.rollover_alias] for index [plain-1] is empty or not defined',
  )
  await send('PUT', '/plain-1/_alias/writes')
  await send('PUT', '/plain-1/_settings', { 'index.lifecycle.rollover_alias': 'writes' })
  await later()
  assert.equal((await send('GET', '/plain-1/_ilm/explain')).indices['plain-1'].step, 'check-rollover-ready')
})

test('stopped policies do nothing', async () => {
  await send('PUT', '/_ilm/policy/p', { policy: { phases: { delete: { min_age: '1d', actions: { delete: {} } } } } })
  await send('PUT', '/old', { settings: { 'index.lifecycle.name': 'p' } })
  await send('POST', '/_ilm/stop')
  assert.deepEqual(await send('GET', '/_ilm/status'), { operation_mode: 'STOPPED' })
  clock.advance('2d')
  await later()
  assert.equal((await ask('HEAD', '/old')).status, 200)
  await send('POST', '/_ilm/start')
  await later()
  assert.equal((await ask('HEAD', '/old')).status, 404)
})

for (const [policy, reason] of [
  [{ phases: { lukewarm: {} } }, 'Timeseries lifecycle does not support phase [lukewarm]'],
  [
    { phases: { delete: { actions: { rollover: { max_docs: 1 } } } } },
    'invalid action [rollover] defined in phase [delete]',
  ],
  [{ phases: { hot: { actions: { rollover: {} } } } }, 'At least one max_* rollover condition must be set.'],
  [
    { phases: { warm: { actions: { shrink: { number_of_shards: 1 } } } } },
    'action [shrink] in phase [warm] is not supported by Sandpiper',
  ],
  [
    { phases: { hot: { actions: { readonly: {} } } } },
    'the [readonly] action(s) may not be used in the [hot] phase without an accompanying [rollover] action',
  ],
] as const) {
  test(`a policy is refused: ${reason}`, async () => {
    const { status, body } = await ask('PUT', '/_ilm/policy/p', { policy })
    assert.deepEqual([status, body.error.reason], [400, reason])
  })
}
