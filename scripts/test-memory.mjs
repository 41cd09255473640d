// Writes to a service with little memory faster than it can index, and checks that it stays alive and within its
// memory, and that its responses are true: every response is a success or a 429, and every acknowledged document is
// present at the end.
//
//   npm run test:memory -- [--minutes 10] [--limit 512mb] [--memory 256mb] [--clients 8] [--body 5mb] [--data FOLDER]
//
// With --limit (the default) the service runs in a control group of that size, in which the kernel kills processes that
// exceed it. That needs root and Linux. If no group can be created, or with --memory, the memory is set as an option
// and the resident set is measured.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    limit: { type: 'string', default: '512mb' },
    memory: { type: 'string' },
    clients: { type: 'string', default: '8' },
    body: { type: 'string', default: '5mb' },
    data: { type: 'string' },
  },
})
const SANDPIPER = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const BULKS_PER_CLIENT = 16
const RETRY_MS = 50
const endAtMs = Date.now() + Number(options.minutes) * 60_000
const bodyBytes = bytesOf(options.body)
const folder = mkdtempSync(join(options.data ?? tmpdir(), 'sandpiper-memory-'))
const group = options.memory === undefined ? makeGroup(bytesOf(options.limit)) : undefined
const memory = options.memory ?? (group === undefined ? '256mb' : undefined)

const command = [process.execPath, SANDPIPER, 'serve', '--port', '0', '--data', folder]
if (memory !== undefined) command.push('--memory', memory)
// The shell joins the group before it becomes the service, so that all memory of the service counts there.
const joining = `echo $$ > '${group}/cgroup.procs' && exec "$@"`
const [program, ...args] = group === undefined ? command : ['/bin/sh', '-c', joining, 'sh', ...command]
const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
let log = ''
server.stderr.on('data', (text) => (log = (log + text).slice(-20_000)))
let isOver = false
server.on('exit', (code, signal) => {
  if (!isOver) finish(`the service ended with ${signal ?? code}\n${log}`)
})
const { hostname, port } = await started()
const agent = new Agent({ keepAlive: true, maxSockets: 64 })
const statuses = new Map()
const peak = { rss: 0, group: 0 }
/** By client: for each document, the newest number whose write was acknowledged. */
const acknowledged = []
let documents = 0
const watch = setInterval(sample, 200)

await send('PUT', '/load', {
  settings: { number_of_shards: 2, 'index.max_result_window': 100_000 },
  mappings: { properties: { n: { type: 'integer' }, client: { type: 'integer' } } },
})
const clients = Array.from({ length: Number(options.clients) }, (_, client) => run(client))
await Promise.all([...clients, search()])
const { count, wrong } = await verify()
isOver = true
const rejected = statuses.get(429) ?? 0
const bad = [...statuses].filter(([status]) => status !== 429 && (status < 200 || status > 299))
console.log(
  `answers      ${[...statuses]
    .sort()
    .map(([status, times]) => `${status}: ${times}`)
    .join(', ')}`,
)
console.log(
  `documents    ${documents} written (acknowledged), ${count} different ones verified, ${wrong} wrong or lost`,
)
console.log(
  `peak         ${mb(peak.rss)} resident${group === undefined ? '' : `, ${mb(peak.group)} of the group of ${options.limit}`}`,
)
console.log(`rejections   ${rejected}`)
const limit = memory === undefined ? undefined : bytesOf(memory)
const problem =
  bad.length > 0
    ? `answers other than 2xx and 429: ${JSON.stringify(bad)}`
    : wrong > 0
      ? 'documents are lost'
      : limit !== undefined && peak.rss > limit
        ? `${mb(peak.rss)} were resident, more than ${memory}`
        : undefined
finish(problem)

/** Sends the same documents repeatedly with increasing numbers, so that the disk does not fill up. */
async function run(client) {
  const text = wordsOf(client)
  const perBulk = Math.floor(bodyBytes / 1024)
  const newest = new Int32Array(perBulk * BULKS_PER_CLIENT)
  acknowledged[client] = newest
  for (let n = 1; Date.now() < endAtMs; n++) {
    const first = (n % BULKS_PER_CLIENT) * perBulk
    const lines = []
    for (let i = 0; i < perBulk; i++) {
      const id = first + i
      lines.push(`{"index":{"_id":"${client}-${id}"}}\n{"n":${n},"client":${client},"text":"${text(id + n)}"}\n`)
    }
    const body = lines.join('')
    for (;;) {
      const answer = await send('POST', '/load/_bulk?filter_path=errors,items.*.status,items.*.error.type', body)
      if (answer.status === 429) {
        if (Date.now() > endAtMs) return
        await delay(RETRY_MS * (1 + Math.random()))
        continue
      }
      if (answer.status !== 200) break
      let again = false
      answer.body.items.forEach(({ index: { status } }, i) => {
        if (status === 200 || status === 201) {
          newest[first + i] = n
          documents++
        } else {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          again = status === 429
        }
      })
      if (!again || Date.now() > endAtMs) break
      await delay(RETRY_MS)
    }
  }
}

async function search() {
  while (Date.now() < endAtMs) {
    await send('POST', '/load/_search', {
      size: 5,
      query: { match: { text: 'harbour lantern' } },
      aggs: { clients: { terms: { field: 'client' }, aggs: { n: { max: { field: 'n' } } } } },
    })
    await delay(1000)
  }
}

/** A document whose newest write was rejected may be newer than the last acknowledged one, but never older. */
async function verify() {
  await sendUntilTaken('POST', '/load/_refresh')
  const seen = acknowledged.map((newest) => new Int32Array(newest.length))
  let count = 0
  let page = await sendUntilTaken('POST', '/load/_search?scroll=5m', { size: 5000, sort: ['_doc'], _source: ['n'] })
  while (page.hits.hits.length > 0) {
    for (const { _id, _source } of page.hits.hits) {
      const [client, id] = _id.split('-').map(Number)
      seen[client][id] = _source.n
      count++
    }
    page = await sendUntilTaken('POST', '/_search/scroll', { scroll: '5m', scroll_id: page._scroll_id })
  }
  let wrong = 0
  acknowledged.forEach((newest, client) => {
    for (let id = 0; id < newest.length; id++) if (seen[client][id] < newest[id]) wrong++
  })
  return { count, wrong }
}

async function sendUntilTaken(...args) {
  for (;;) {
    const { status, body } = await send(...args)
    if (status === 200) return body
    if (status !== 429) throw new Error(`${args[1]}: ${status} ${JSON.stringify(body).slice(0, 500)}`)
    await delay(200)
  }
}

function send(method, path, body) {
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  return new Promise((resolve, reject) => {
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    let settled = false
    const request = httpRequest({ hostname, port, method, path, agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        settled = true
        statuses.set(response.statusCode, (statuses.get(response.statusCode) ?? 0) + 1)
        resolve({ status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString() || 'null') })
      })
    })
    // A rejected body gets its response before it is sent completely, and then the connection ends. An error after that
    // is expected.
    request.on('socket', (socket) => {
      if (socket.listenerCount('error', ignore) === 0) socket.on('error', ignore)
    })
    request.on('error', (error) => setTimeout(() => settled || isOver || reject(error), 100))
    request.end(text)
  })
}

function ignore() {}

function wordsOf(client) {
  const words = 'harbour lantern sandpiper marsh tide gravel signal drift copper winter meadow arrow'.split(' ')
  return (seed) => {
    let x = (seed * 2654435761 + client * 40503) >>> 0
    let text = ''
    while (text.length < 930) {
      x = (Math.imul(x, 1664525) + 1013904223) >>> 0
      text += `${words[x % words.length]}${x % 1000 < 400 ? (x >>> 8) % 50_000 : ''} `
    }
    return text
  }
}

function sample() {
  try {
    const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
    peak.rss = Math.max(peak.rss, rss)
    if (group === undefined) return
    const usage = ['memory.peak', 'memory.max_usage_in_bytes'].map((name) => join(group, name)).find(existsSync)
    if (usage !== undefined) peak.group = Number(readFileSync(usage, 'utf8'))
  } catch {
    // The process has ended, or the system has no such files.
  }
}

/** Creates a control group of this size; undefined if that is not possible. */
function makeGroup(bytes) {
  for (const [parent, limitFile] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max'],
  ]) {
    const path = join(parent, `sandpiper-memory-${process.pid}`)
    try {
      if (!existsSync(parent)) continue
      mkdirSync(path)
      writeFileSync(join(path, limitFile), String(bytes))
      return path
    } catch {
      if (existsSync(path)) rmdirSync(path)
    }
  }
  console.log('no control group can be made here: the service is told its memory instead')
  return undefined
}

async function started() {
  let output = ''
  for await (const text of server.stdout.setEncoding('utf8')) {
    output += text
    const url = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
    if (url !== undefined) return new URL(url)
  }
  throw new Error(`the service did not start: ${output}${log}`)
}

function bytesOf(text) {
  const [, number, unit] = /^(\d+)(kb|mb|gb)$/i.exec(text)
  return Number(number) * { kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }[unit.toLowerCase()]
}

function mb(bytes) {
  return `${Math.round(bytes / 1024 ** 2)} MB`
}

function finish(failure) {
  isOver = true
  if (failure !== undefined) console.log(`resident at most ${mb(peak.rss)}, answers ${JSON.stringify([...statuses])}`)
  clearInterval(watch)
  console.log(failure === undefined ? 'passed' : `FAILED: ${failure}`)
  const leave = () => {
    rmSync(folder, { recursive: true, force: true })
    try {
      if (group !== undefined) rmdirSync(group)
    } catch {
      // The kernel has not removed the process yet. An empty group costs nothing.
    }
    process.exit(failure === undefined ? 0 : 1)
  }
  if (server.exitCode !== null || server.signalCode !== null) leave()
  else server.once('exit', () => setTimeout(leave, 200))
  server.kill('SIGKILL')
}
