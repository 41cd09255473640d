/**
 * Goal: the whole service, killed at any moment under concurrent bulk load, loses no acknowledged write, applies none
 * twice, and every index opens again. Method: clients send bulk requests with new documents, updates and deletes to a
 * service in a separate process, which is killed after a random time. It is restarted on the same data, and every
 * document is read. This is repeated.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { AcknowledgedState } from './acknowledged.ts'

const KILLS = process.env['SANDPIPER_SLOW_TESTS'] === '1' ? 110 : 2
const SANDPIPER = fileURLToPath(new URL('../../bin/sandpiper.js', import.meta.url))
const CLIENTS = 6
const IDS_PER_CLIENT = 25
/** The last index is created by the first write to it. */
const INDICES = ['one-shard', 'three-shards', 'made-by-a-write'] as const

interface Service {
  readonly process: ChildProcess
  readonly url: string
}

test(`the service keeps every acknowledged write through ${KILLS} kills`, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-service-crash-'))
  const states = new Map(INDICES.map((index) => [index, new AcknowledgedState()]))
  let service = await start(folder)
  try {
    await createIndices(service)
    for (let round = 1; round <= KILLS; round++) {
      await writeAndKill(service, states, round)
      service = await start(folder)
      for (const [index, state] of states) await verify(service, index, state)
    }
    service.process.kill('SIGTERM')
    await once(service.process, 'exit')
  } finally {
    service.process.kill('SIGKILL')
  }
  const acknowledged = acknowledgedIn(states)
  assert.ok(acknowledged > KILLS, `only ${acknowledged} writes were acknowledged`)
  rmSync(folder, { recursive: true })
})

function acknowledgedIn(states: Map<string, AcknowledgedState>): number {
  return [...states.values()].reduce((sum, state) => sum + state.acknowledgedCount, 0)
}

async function start(folder: string): Promise<Service> {
  const child = spawn(process.execPath, [SANDPIPER, 'serve', '--port', '0', '--data', folder, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    const url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
    if (url !== undefined) return { process: child, url }
  }
  throw new Error(`the service did not start: ${output}`)
}

async function createIndices({ url }: Service): Promise<void> {
  // Small tiers and frequent flushes, so that merges and flushes are in progress at a kill.
  const settings = {
    refresh_interval: '5ms',
    number_of_replicas: 0,
    'translog.flush_threshold_size': '50kb',
    'merge.policy.segments_per_tier': 3,
    'merge.policy.max_merge_at_once': 3,
  }
  for (const [index, shards] of [
    ['one-shard', 1],
    ['three-shards', 3],
  ]) {
    await request(`${url}/${index}`, 'PUT', JSON.stringify({ settings: { ...settings, number_of_shards: shards } }))
  }
}

async function writeAndKill(service: Service, states: Map<string, AcknowledgedState>, round: number): Promise<void> {
  let stopped = false
  let answered = () => {}
  const enough = new Promise<void>((resolve) => {
    answered = resolve
  })
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let i = 0; !stopped; i++) {
      const index = INDICES[(client + i) % INDICES.length]!
      try {
        await sendBulk(service, index, states.get(index)!, client, (round * CLIENTS + client) * 100_000 + i * 100)
        // The first round continues until some writes are acknowledged.
        if (round > 1 || acknowledgedIn(states) > KILLS) answered()
      } catch (error) {
        // The service was killed, so the outcome of this request is unknown.
        if (!stopped && service.process.exitCode === null && service.process.signalCode === null) throw error
      }
    }
  })
  // Sometimes the kill comes before anything was acknowledged.
  if (round % 5 !== 0) await Promise.race([enough, ...clients])
  await delay(Math.random() ** 2 * 600)
  stopped = true
  service.process.kill('SIGKILL')
  await Promise.all([...clients, once(service.process, 'exit')])
}

/** Each client has its own documents, so operations on one document have an order. */
async function sendBulk(
  { url }: Service,
  index: string,
  state: AcknowledgedState,
  client: number,
  firstNumber: number,
): Promise<void> {
  const lines: string[] = []
  const operations: { id: string; number: number; isDelete: boolean }[] = []
  const count = 1 + Math.floor(Math.random() * 30)
  for (let i = 0; i < count; i++) {
    const id = `client-${client}-document-${Math.floor(Math.random() * IDS_PER_CLIENT)}`
    const number = firstNumber + i
    const kind = Math.random()
    // The last item is never a delete, because deletes alone do not create an index.
    const isDelete = kind < 0.2 && i < count - 1
    if (isDelete) lines.push(JSON.stringify({ delete: { _id: id } }))
    else if (kind < 0.5) {
      lines.push(JSON.stringify({ update: { _id: id } }), JSON.stringify({ doc: { n: number }, doc_as_upsert: true }))
    } else {
      // A new field from time to time, so that kills coincide with mapping updates.
      const document = { n: number, text: `document ${id}`, [`field-${Math.floor(firstNumber / 1_000_000)}`]: i }
      lines.push(JSON.stringify({ index: { _id: id } }), JSON.stringify(document))
    }
    operations.push({ id, number, isDelete })
    state.issue(id, { number, isDelete })
  }
  const answer = await request(`${url}/${index}/_bulk`, 'POST', `${lines.join('\n')}\n`)
  operations.forEach(({ id, number }, i) => {
    const item = Object.values(answer.items[i])[0] as { _version: number; _seq_no: number; error?: unknown }
    assert.equal(item.error, undefined, JSON.stringify(item))
    state.acknowledge(id, number, item._version, item._seq_no)
  })
}

async function verify({ url }: Service, index: string, state: AcknowledgedState): Promise<void> {
  const ids = state.ids()
  if (ids.length === 0) return
  const { docs } = await request(`${url}/${index}/_mget`, 'POST', JSON.stringify({ ids }))
  for (const { _id, found, _source, _version, _seq_no } of docs) {
    state.check(_id, found ? { number: _source.n, version: _version, seqNo: _seq_no } : undefined)
  }
  // If the service was killed before the first write was done, the index may not exist. Then nothing was acknowledged
  // either.
  if ((await fetch(`${url}/${index}`, { method: 'HEAD' })).status === 404) return
  await request(`${url}/${index}/_refresh`, 'POST')
  const { hits, _shards } = await request(`${url}/${index}/_search?size=10000`, 'GET')
  assert.equal(_shards.failed, 0)
  const found = hits.hits.map((hit: { _id: string }) => hit._id)
  assert.equal(new Set(found).size, found.length, `${index} shows a document twice`)
  assert.equal(found.length, state.livingCount())
}

// biome-ignore lint/suspicious/noExplicitAny: answers are checked member by member
async function request(url: string, method: string, body?: string): Promise<any> {
  const headers = { 'content-type': url.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json' }
  const response = await fetch(url, { method, ...(body === undefined ? {} : { body, headers }) })
  const answer = await response.json()
  assert.ok(response.ok, `${method} ${url}: ${JSON.stringify(answer)}`)
  return answer
}
