// Measures a node that has many of something, and fails when a request does not get its answer:
// - many indices: the time of a start, memory and descriptors when nothing happens, a search over all of them, and what is left of it;
// - many points in time that are opened and read while documents change;
// - many connections that all send requests.
//
//   npm run test:many -- [--indices 5000] [--contexts 10000] [--connections 1000] [--data FOLDER]
//
// 0 leaves a part out.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    indices: { type: 'string', default: '5000' },
    contexts: { type: 'string', default: '10000' },
    connections: { type: 'string', default: '1000' },
    data: { type: 'string' },
  },
})
const SANDPIPER = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const DOCUMENTS = 2000
/** The sum of the rounds of all documents, which identifies the state of a view. */
const ROUNDS = { aggs: { sum: { sum: { field: 'round' } } } }
const REQUESTS_PER_CONNECTION = 20
const IDLE_MS = 5000
const folder = mkdtempSync(join(options.data ?? tmpdir(), 'sandpiper-many-'))
const few = new Agent({ keepAlive: true, maxSockets: 32 })
let server
let url
const problems = []

try {
  if (Number(options.indices) > 0) await manyIndices(Number(options.indices))
  if (Number(options.contexts) > 0) await manyContexts(Number(options.contexts))
  if (Number(options.connections) > 0) await manyConnections(Number(options.connections))
} finally {
  server?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
}
for (const problem of problems) console.log(`FAILED: ${problem}`)
console.log(problems.length === 0 ? 'Every request got its answer.' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1

async function manyIndices(count) {
  await start('indices')
  await send('PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': count * 2 + 100 } })
  await timed(`${count} indices made`, async () => {
    for (let from = 0; from < count; from += 50) {
      const lines = []
      for (let i = from; i < Math.min(count, from + 50); i++) {
        lines.push({ index: { _index: `logs-${i}` } }, { n: i, level: 'info', message: `document of index ${i}` })
      }
      const { errors } = await send('POST', '/_bulk', lines)
      if (errors) problems.push(`documents of index ${from} and later were refused`)
    }
  })
  show('after that')
  await stop()
  await start('indices')
  await delay(IDLE_MS)
  show('idle')
  await timed('_cat/indices', () => send('GET', '/_cat/indices?format=json&h=index,docs.count'))
  await timed('search of one index', () => search('/logs-7/_search', 1, 1))
  for (let time = 1; time <= 3; time++) {
    await timed(`search of all, time ${time}`, () => search(`/logs-*/_search?q=level:info&size=${time}`, count, count))
  }
  show('after the searches')
  await delay(6 * IDLE_MS)
  show('half a minute later')
  await stop()
}

async function search(path, shards, hits) {
  const { _shards, hits: found } = await send('GET', `${path}${path.includes('?') ? '&' : '?'}track_total_hits=true`)
  if (_shards?.successful !== shards) problems.push(`${path}: ${JSON.stringify(_shards)} instead of ${shards} shards`)
  if (found?.total.value !== hits) problems.push(`${path}: ${found?.total.value} instead of ${hits} hits`)
}

async function manyContexts(count) {
  await start('contexts')
  const settings = { number_of_shards: 1, refresh_interval: '-1' }
  await send('PUT', '/changing', { settings, mappings: { properties: { round: { type: 'integer' } } } })
  const change = (round) => {
    const lines = []
    for (let i = round % 5; i < DOCUMENTS; i += 5) lines.push({ index: { _id: `d${i}` } }, { round })
    return send('POST', '/changing/_bulk?refresh=true', lines)
  }
  for (let round = 0; round < 5; round++) await change(round)
  const views = 100
  const contexts = []
  await timed(`${count} points in time opened between ${views} changes`, async () => {
    for (let view = 0; view < views; view++) {
      const expected = (await send('POST', '/changing/_search?size=0', ROUNDS)).aggregations.sum.value
      const opening = Array.from({ length: Math.ceil(count / views) }, async () => {
        const { id } = await send('POST', '/changing/_pit?keep_alive=30m')
        contexts.push({ id, expected })
      })
      await Promise.all(opening)
      await change(view + 5)
    }
  })
  show('with all of them open')
  await timed('every 20th of them read', async () => {
    for (let i = 0; i < contexts.length; i += 20) await readContext(contexts[i])
  })
  show('after reading')
  await stop()
  await start('contexts')
  await delay(IDLE_MS)
  show('after a restart with all of them open')
  await timed('every 50th of them read', async () => {
    for (let i = 0; i < contexts.length; i += 50) await readContext(contexts[i])
  })
  await timed('all of them closed', async () => {
    for (let from = 0; from < contexts.length; from += 100) {
      await Promise.all(contexts.slice(from, from + 100).map(({ id }) => send('DELETE', '/_pit', { id })))
    }
  })
  await send('POST', '/changing/_forcemerge?max_num_segments=1')
  const left = readdirSync(join(folder, 'contexts'), { recursive: true, encoding: 'utf8' })
  const files = left.filter((name) => /view-\d+$|context-|progress-|seg-\d+$/.test(name))
  console.log(`  files of views, contexts and segments that are left: ${files.length}`)
  if (files.length > 1) problems.push(`${files.length} files are left after all points in time were closed`)
  await stop()
}

async function readContext({ id, expected }) {
  const { aggregations, hits } = await send('POST', '/_search', { ...ROUNDS, size: 0, pit: { id, keep_alive: '30m' } })
  if (hits?.total.value !== DOCUMENTS || aggregations?.sum.value !== expected) {
    problems.push(
      `a point in time shows ${hits?.total.value} documents with ${aggregations?.sum.value}, not ${expected}`,
    )
  }
}

async function manyConnections(count) {
  await start('connections')
  const lines = []
  for (let i = 0; i < DOCUMENTS; i++)
    lines.push({ index: { _id: `d${i}` } }, { n: i, word: i % 2 === 0 ? 'even' : 'odd' })
  await send('POST', '/numbers/_bulk?refresh=true', lines)
  const agents = Array.from({ length: count }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  const took = []
  await timed(`${count} connections with ${REQUESTS_PER_CONNECTION} requests each`, () =>
    Promise.all(
      agents.map(async (agent, i) => {
        for (let time = 0; time < REQUESTS_PER_CONNECTION; time++) {
          const began = performance.now()
          const isWrite = (i + time) % 10 === 0
          const answer = isWrite
            ? await send('PUT', `/numbers/_doc/c${i}`, { n: i, word: 'other' }, agent)
            : await send('GET', '/numbers/_search?q=word:even&size=1', undefined, agent)
          if (isWrite ? answer._id !== `c${i}` : answer.hits?.total.value !== DOCUMENTS / 2) {
            problems.push(`connection ${i}: ${JSON.stringify(answer).slice(0, 200)}`)
          }
          took.push(performance.now() - began)
        }
      }),
    ),
  )
  took.sort((a, b) => a - b)
  console.log(
    `  answered after ${took[took.length >> 1].toFixed(0)} ms (median), ${took.at(-1).toFixed(0)} ms (longest)`,
  )
  show('with all of them connected')
  for (const agent of agents) agent.destroy()
  await delay(500)
  show('after they left')
  await stop()
}

async function timed(what, work) {
  const began = performance.now()
  await work()
  console.log(`  ${what}: ${((performance.now() - began) / 1000).toFixed(2)} s`)
}

function show(when) {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  console.log(`  ${when}: ${rss.toFixed(0)} MB resident, ${readdirSync(`/proc/${server.pid}/fd`).length} descriptors`)
}

/** Sends a request. A response with a status of 300 or more is recorded as a problem. */
function send(method, path, body, agent = few) {
  const isLines = Array.isArray(body)
  const text = isLines ? `${body.map((line) => JSON.stringify(line)).join('\n')}\n` : body && JSON.stringify(body)
  const type = isLines ? 'application/x-ndjson' : 'application/json'
  const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
  return new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, async (answer) => {
      let json = ''
      for await (const piece of answer.setEncoding('utf8')) json += piece
      if (answer.statusCode >= 300) problems.push(`${method} ${path}: ${answer.statusCode} ${json.slice(0, 300)}`)
      resolve(json === '' ? {} : JSON.parse(json))
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

async function start(part) {
  const began = performance.now()
  const args = [SANDPIPER, 'serve', '--port', '0', '--data', join(folder, part), '--log-level', 'warn']
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  for await (const text of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]
    if (url !== undefined) break
  }
  await send('GET', '/')
  console.log(`${part}: started in ${((performance.now() - began) / 1000).toFixed(2)} s`)
}

async function stop() {
  const began = performance.now()
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  console.log(`  stopped in ${((performance.now() - began) / 1000).toFixed(2)} s`)
}
