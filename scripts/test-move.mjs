// Moves documents from a node to another service while they are written and deleted, kills the command again and again,
// and checks the report. Then it alters a document at the target by hand, which the next comparison must find.
//
//   npm run test:move -- [--docs 20000] [--kills 20] [--writes 500] [--refuse 10] [--target sandpiper|opensearch|URL] [--data FOLDER]
//
// --writes is the number of writes and deletes a second, --refuse the percentage of bulk items that a proxy before the
// target answers with 429. --target opensearch starts a cluster of three nodes (test/differential/servers).
import { execFile, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, createServer, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '20000' },
    kills: { type: 'string', default: '20' },
    writes: { type: 'string', default: '500' },
    refuse: { type: 'string', default: '10' },
    target: { type: 'string', default: 'sandpiper' },
    data: { type: 'string' },
  },
})
const [docs, kills, writesPerSecond, refused] = [options.docs, options.kills, options.writes, options.refuse].map(
  Number,
)
const SANDPIPER = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const CLUSTER = fileURLToPath(new URL('../test/differential/servers/start-opensearch-cluster.sh', import.meta.url))
const INDEX = 'sandpiper-test-move'
const TURN_MS = 100
const WRITES_PER_TURN_MAX = 2000
const folder = mkdtempSync(join(options.data ?? tmpdir(), 'sandpiper-move-'))
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const services = []
const started = performance.now()
const seconds = () => ((performance.now() - started) / 1000).toFixed(1)
const say = (text) => console.log(`${seconds().padStart(7)} s  ${text}`)

const routingOf = (n) => (n % 7 === 0 ? `,"routing":"r${n % 5}"` : '')
const indexLine = (n) => `{"index":{"_index":"${INDEX}","_id":"${n}"${routingOf(n)}}}`
const sourceOf = (n, turn) =>
  `{"n":${n},"turn":${turn},"big":9007199254740993,"tag":"t${n % 100}","text":"document ${n} of a move, written in turn ${turn}"}`
const readState = () => JSON.parse(readFileSync(join(folder, 'move.checkpoint'), 'utf8'))
/** Changes with every page of documents or changes, and with every phase. */
const progressOf = () => {
  if (!existsSync(join(folder, 'move.checkpoint'))) return ''
  const { phase, indices } = readState()
  return JSON.stringify([phase, ...indices.map(({ copied: count, next }) => [count, next])])
}
const copied = () => readState().indices.reduce((sum, { copied: count }) => sum + count, 0)
let refusedItems = 0

try {
  await main()
} finally {
  for (const stop of services.toReversed()) await stop()
  agent.destroy()
  rmSync(folder, { recursive: true, force: true })
}

async function main() {
  const source = await startNode('source')
  const target = await startTarget()
  const proxy = await startProxy(target)
  await fill(source)
  say(`${docs} documents at the source`)
  const load = startLoad(source)
  let killed = 0
  while (killed < kills) {
    // A quarter of the runs is killed soon after its start, the others at some moment after they have got further.
    const waitMs = killed % 4 === 3 ? -Math.random() * 1000 : Math.random() * Math.max(700, docs / 40)
    const code = await runMove(source, proxy, [], waitMs)
    if (code === 'killed') killed++
    else if (code !== 0) throw new Error(`sandpiper move ended with ${code}`)
  }
  say(
    `killed ${killed} times, ${copied()} documents copied, ${load.count()} writes and deletes so far (${load.rate()} a second), ${load.refused()} refused by a block`,
  )
  for (let kill = 0; kill < 3; kill++) {
    const code = await runMove(source, proxy, ['--cut-over'], Math.random() * 1500)
    if (code === 0) break
    if (code !== 'killed') throw new Error(`the cut-over ended with ${code}`)
    killed++
    say(`killed in the cut-over, ${copied()} documents copied`)
  }
  let code = await runMove(source, proxy, ['--cut-over'])
  // A kill may have come after the last step.
  if (code === 1 && readState().phase === 'done') code = 0
  await load.stop()
  const report = readReport()
  say(
    `cut over, exit status ${code}: ${report.documents} documents, equal: ${report.equal}, ${refusedItems} items were refused on the way`,
  )
  if (code !== 0 || !report.equal)
    throw new Error(`the report lists differences: ${JSON.stringify(report.indices).slice(0, 2000)}`)
  const expected = load.expected()
  if (report.documents !== expected) throw new Error(`the target has ${report.documents} documents, not ${expected}`)
  await alter(target)
  const altered = await runMove(source, proxy, ['--verify'])
  const { differences } = readReport().indices[0]
  say(`after one document was altered by hand, exit status ${altered}: ${JSON.stringify(differences)}`)
  if (altered !== 1 || differences.length !== 1) throw new Error('the altered document was not found')
  say(`passed: ${docs} documents, ${killed} kills, ${load.count()} writes and deletes, ${load.rate()} a second`)
}

async function alter(target) {
  const { body } = await send(target, 'POST', `/${INDEX}/_search`, { size: 1, version: true })
  const [{ _id, _source, _version, _routing }] = JSON.parse(body).hits.hits
  const routing = _routing === undefined ? '' : `&routing=${encodeURIComponent(_routing)}`
  const kept = `version=${_version}&version_type=external_gte`
  await need(target, 'PUT', `/${INDEX}/_doc/${_id}?${kept}${routing}`, { ..._source, altered: true })
}

/** Documents 0 to docs - 1; every seventh has a routing value. */
async function fill(source) {
  await need(source, 'PUT', `/${INDEX}`, {
    settings: { number_of_shards: 2 },
    mappings: { properties: { text: { type: 'text' }, n: { type: 'long' }, tag: { type: 'keyword' } } },
  })
  for (let start = 0; start < docs; start += 2000) {
    const lines = []
    for (let n = start; n < Math.min(docs, start + 2000); n++) lines.push(indexLine(n), sourceOf(n, 0))
    await need(source, 'POST', '/_bulk', `${lines.join('\n')}\n`)
  }
}

/**
 * Writes new documents, replaces old ones and deletes some, at a steady rate, until the source refuses. A turn that took long is
 * followed by a larger one, so that the rate holds on a busy machine.
 */
function startLoad(source) {
  const live = new Set(Array.from({ length: docs }, (_, n) => n))
  let next = docs
  let count = 0
  let blocked = 0
  let sent = 0
  let isOver = false
  const startedMs = performance.now()
  let endedMs
  const write = async (writes, turn) => {
    const lines = []
    const applied = []
    for (let i = 0; i < writes; i++) {
      const kind = Math.random()
      const n = kind < 0.3 ? next++ : Math.floor(Math.random() * next)
      const isWrite = kind < 0.7
      if (isWrite) lines.push(indexLine(n), sourceOf(n, turn))
      else lines.push(`{"delete":{"_index":"${INDEX}","_id":"${n}"${routingOf(n)}}}`)
      applied.push([n, isWrite])
    }
    const answer = JSON.parse(await need(source, 'POST', '/_bulk', `${lines.join('\n')}\n`))
    answer.items.forEach((item, i) => {
      const { status } = Object.values(item)[0]
      const [n, isLive] = applied[i]
      if (status === 403) {
        blocked++
        endedMs ??= performance.now()
      } else if (status >= 300 && status !== 404) throw new Error(JSON.stringify(item))
      else {
        count++
        if (isLive) live.add(n)
        else live.delete(n)
      }
    })
  }
  const running = (async () => {
    for (let turn = 1; !isOver; turn++) {
      const dueMs = startedMs + turn * TURN_MS
      const due = Math.floor(((performance.now() - startedMs) / 1000) * writesPerSecond) - sent
      if (due > 0) {
        const writes = Math.min(due, WRITES_PER_TURN_MAX)
        sent += writes
        await write(writes, turn)
      }
      const waitMs = dueMs - performance.now()
      if (waitMs > 0) await delay(waitMs)
    }
  })()
  running.catch((error) => say(`the load failed: ${error.message}`))
  return {
    count: () => count,
    refused: () => blocked,
    expected: () => live.size,
    /** Writes a second until the first one was refused. */
    rate: () => Math.round(count / (((endedMs ?? performance.now()) - startedMs) / 1000)),
    stop: async () => {
      isOver = true
      await running
    },
  }
}

function readReport() {
  return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8'))
}

/**
 * Resolves with the exit status, or with 'killed'. The command is killed `killAfterMs` after it has written documents, or
 * after its start if the number is negative.
 */
function runMove(source, target, args, killAfterMs) {
  const files = ['--state', join(folder, 'move'), '--report', join(folder, 'report.json')]
  const all = ['move', '--from', source, '--to', target, '--index', INDEX, ...files, ...args]
  const command = spawn(process.execPath, [SANDPIPER, ...all], { stdio: ['ignore', 'ignore', 'pipe'] })
  let log = ''
  command.stderr.on('data', (text) => (log = (log + text).slice(-2000)))
  let timer
  const kill = (ms) => {
    timer ??= setTimeout(() => command.kill('SIGKILL'), ms)
  }
  const before = progressOf()
  const watch = setInterval(() => {
    if (killAfterMs !== undefined && progressOf() !== before) kill(killAfterMs)
  }, 50)
  if (killAfterMs < 0) kill(-killAfterMs)
  return new Promise((resolve) => {
    command.on('exit', (code, signal) => {
      clearTimeout(timer)
      clearInterval(watch)
      if (code !== 0 && signal !== 'SIGKILL') say(`sandpiper move: ${log.trim().split('\n').at(-1)}`)
      resolve(signal === 'SIGKILL' ? 'killed' : code)
    })
  })
}

/** Passes requests to the target, and answers a part of the bulk items in its place, as a busy target does. */
async function startProxy(target) {
  const busy = { status: 429, error: { type: 'es_rejected_execution_exception', reason: 'too busy, says the proxy' } }
  const server = createServer((request, response) => {
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('error', () => {})
    request.on('end', async () => {
      try {
        const isBulk = request.url.startsWith('/_bulk') && refused > 0
        const { body, places } = isBulk ? thinned(Buffer.concat(pieces)) : { body: Buffer.concat(pieces) }
        const answer =
          isBulk && body.length === 0
            ? { status: 200, body: '{"errors":false,"items":[]}' }
            : await send(target, request.method, request.url, body, request.headers['content-type'])
        response.writeHead(answer.status, { 'content-type': 'application/json' })
        response.end(
          places === undefined || answer.status >= 300 ? answer.body : withRefused(answer.body, places, busy),
        )
      } catch (error) {
        response.writeHead(502).end(JSON.stringify({ error: { type: 'proxy', reason: error.message } }))
      }
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  services.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${server.address().port}`
}

/** A bulk body without the items that are refused; `places` says which ones are left. */
function thinned(body) {
  const lines = body.toString().split('\n').slice(0, -1)
  const kept = []
  const places = []
  for (let at = 0; at < lines.length; ) {
    const size = lines[at].startsWith('{"delete"') ? 1 : 2
    const isKept = Math.random() * 100 >= refused
    places.push(isKept)
    if (isKept) kept.push(...lines.slice(at, at + size))
    else refusedItems++
    at += size
  }
  return { body: Buffer.from(kept.map((line) => `${line}\n`).join('')), places }
}

function withRefused(text, places, busy) {
  const answer = JSON.parse(text)
  let next = 0
  answer.items = places.map((isKept) => (isKept ? answer.items[next++] : { index: busy }))
  return JSON.stringify({ ...answer, errors: answer.errors || places.includes(false) })
}

async function startTarget() {
  if (options.target === 'sandpiper') return await startNode('target')
  if (options.target !== 'opensearch') return options.target
  const place = join(folder, 'opensearch')
  const port = 21_150
  const run = promisify(execFile)
  await run('bash', [CLUSTER, 'start', place, '3', String(port)], { timeout: 300_000 }).catch((error) => {
    throw new Error(`the cluster did not start: ${error.stderr || error.message}`)
  })
  services.push(() => run('bash', [CLUSTER, 'stop', place]).catch(() => {}))
  return `http://127.0.0.1:${port}`
}

async function startNode(name) {
  const args = [SANDPIPER, 'serve', '--port', '0', '--data', join(folder, name)]
  const service = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  services.push(async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve))
    service.kill('SIGTERM')
    await ended
  })
  let log = ''
  return await new Promise((resolve, reject) => {
    const read = (text) => {
      log += text
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(log)
      if (url !== null) resolve(url[0])
    }
    service.stdout.on('data', read)
    service.stderr.on('data', read)
    service.once('exit', (code) => reject(new Error(`the service ended with ${code}\n${log}`)))
  })
}

async function need(url, method, path, body) {
  const answer = await send(url, method, path, body)
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.body.slice(0, 500)}`)
  return answer.body
}

function send(url, method, path, body, type) {
  const isText = typeof body === 'string' || Buffer.isBuffer(body)
  const bytes = body === undefined ? undefined : isText ? body : JSON.stringify(body)
  const hasBody = bytes !== undefined && bytes.length > 0
  const headers = hasBody
    ? {
        'content-type': type ?? (path.startsWith('/_bulk') ? 'application/x-ndjson' : 'application/json'),
        'content-length': Buffer.byteLength(bytes),
      }
    : {}
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, { method, headers, agent }, (response) => {
      const pieces = []
      response.on('data', (piece) => pieces.push(piece))
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(pieces).toString() }))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(hasBody ? bytes : undefined)
  })
}
