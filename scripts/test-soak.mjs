// An hour of typical load: documents are written to a data stream that rolls over and drops its oldest indices, an
// index is updated in place, searches and aggregations run concurrently, and scrolls and points in time are opened,
// read and closed or left to expire. Memory, descriptors, disk and latency must be flat at the end: the last third of
// the time is compared with the second one.
//
//   npm run test:soak -- [--minutes 60] [--rate 400] [--data FOLDER] [--out docs]
//
// Writes soak.svg and the figures (soak.md) to the folder of --out. --rate is documents per second.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { drawChart } from './soak-chart.mjs'

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '400' },
    data: { type: 'string' },
    out: { type: 'string', default: fileURLToPath(new URL('../docs', import.meta.url)) },
  },
})
const SANDPIPER = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const minutes = Number(options.minutes)
const rate = Number(options.rate)
/** The number of backing indices to keep, and the interval of rollovers. */
const KEPT_INDICES = 6
const ROLLOVER_MS = Math.max(5_000, (minutes * 60_000) / 40)
const UPDATED_DOCS = 20_000
const SAMPLES = 240
const median = (values) => percentile(values, 50)

/** The maximum growth of the median from the second third to the last third. */
const BOUNDS = {
  rss: { title: 'resident memory', unit: 'MB', factor: 1.15, slack: 30 },
  heap: { title: 'V8 heap of the main thread', unit: 'MB', factor: 1.3, slack: 20 },
  descriptors: { title: 'open files and sockets', unit: '', factor: 1.15, slack: 20 },
  disk: { title: 'disk', unit: 'MB', factor: 1.25, slack: 50 },
  contexts: { title: 'open contexts (shards)', unit: '', factor: 1.3, slack: 10 },
  search99: { title: 'search, 99th percentile', unit: 'ms', factor: 2, slack: 50 },
  bulk99: { title: 'bulk, 99th percentile', unit: 'ms', factor: 2, slack: 100 },
}

// A folder that cannot be written is reported now and not after an hour.
mkdirSync(options.out, { recursive: true })
const folder = mkdtempSync(join(options.data ?? tmpdir(), 'sandpiper-soak-'))
const server = spawn(process.execPath, [SANDPIPER, 'serve', '--port', '0', '--data', folder, '--log-level', 'warn'], {
  stdio: ['ignore', 'pipe', 'pipe'],
})
let log = ''
server.stderr.on('data', (text) => (log = (log + text).slice(-10_000)))
let isOver = false
server.on('exit', (code, signal) => {
  if (!isOver) end(`the service ended with ${signal ?? code}\n${log}`)
})
const { hostname, port } = await started()
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const startedAtMs = Date.now()
const endAtMs = startedAtMs + minutes * 60_000
const counts = {
  documents: 0,
  updates: 0,
  searches: 0,
  aggregations: 0,
  pages: 0,
  contexts: 0,
  rollovers: 0,
  deleted: 0,
  rejected: 0,
}
const failures = new Map()
/** Latencies since the last sample, by kind of request. */
let latencies = { bulk: [], search: [], aggregation: [], page: [] }
const samples = []

await need('PUT', '/_index_template/soak', {
  index_patterns: ['soak-*'],
  data_stream: {},
  template: {
    settings: { number_of_shards: 1, number_of_replicas: 0 },
    mappings: {
      properties: {
        '@timestamp': { type: 'date' },
        level: { type: 'keyword' },
        service: { type: 'keyword' },
        took: { type: 'integer' },
        message: { type: 'text' },
      },
    },
  },
})
await need('PUT', '/_data_stream/soak-logs')
await need('PUT', '/inventory', {
  settings: { number_of_shards: 2, number_of_replicas: 0 },
  mappings: { properties: { name: { type: 'text' }, stock: { type: 'integer' }, warehouse: { type: 'keyword' } } },
})

const sampling = setInterval(sample, Math.max(1000, (minutes * 60_000) / SAMPLES))
const progress = setInterval(report, 60_000)
await Promise.all([writeLogs(), updateInventory(), rollOver(), search(), aggregate(), scroll(), pointsInTime()])
clearInterval(sampling)
clearInterval(progress)
await sample()
end(finish())

// --- load ---

async function writeLogs() {
  const batch = 200
  await every((batch / rate) * 1000, async () => {
    const lines = []
    for (let i = 0; i < batch; i++) {
      lines.push('{"create":{}}', JSON.stringify(logLine(counts.documents + i)))
    }
    const { status, body } = await timed('bulk', 'POST', '/soak-logs/_bulk', `${lines.join('\n')}\n`)
    if (status === 200 && body.errors === false) counts.documents += batch
  })
}

async function updateInventory() {
  let at = 0
  await every(1000, async () => {
    const lines = []
    for (let i = 0; i < rate / 4; i++) {
      const id = (at++ * 7919) % UPDATED_DOCS
      if (i % 20 === 19) lines.push(`{"delete":{"_id":"${id}"}}`)
      else
        lines.push(
          `{"index":{"_id":"${id}"}}`,
          JSON.stringify({ name: words(id, 6), stock: at % 500, warehouse: `w${id % 12}` }),
        )
    }
    const { status } = await timed('bulk', 'POST', '/inventory/_bulk', `${lines.join('\n')}\n`)
    if (status === 200) counts.updates += Math.floor(rate / 4)
  })
}

/** Retention: a rollover deletes the oldest indices. */
async function rollOver() {
  await every(ROLLOVER_MS, async () => {
    await send('POST', '/soak-logs/_rollover')
    counts.rollovers++
    const { body } = await send('GET', '/_data_stream/soak-logs')
    const indices = body.data_streams[0].indices.map(({ index_name: name }) => name)
    for (const name of indices.slice(0, Math.max(0, indices.length - KEPT_INDICES))) {
      await send('DELETE', `/${name}`)
      counts.deleted++
    }
  })
}

async function search() {
  let n = 0
  await every(200, async () => {
    n++
    const query =
      n % 3 === 0
        ? { match: { message: words(n, 2) } }
        : { bool: { must: [{ match: { message: words(n, 1) } }], filter: [{ term: { service: `s${n % 8}` } }] } }
    const target = n % 5 === 0 ? 'inventory' : 'soak-logs'
    const body =
      target === 'inventory'
        ? { query: { match: { name: words(n, 1) } } }
        : { query, sort: [{ '@timestamp': 'desc' }], size: 20 }
    await timed('search', 'POST', `/${target}/_search`, body)
    counts.searches++
  })
}

async function aggregate() {
  let n = 0
  await every(1500, async () => {
    const aggs = [
      { levels: { terms: { field: 'level' }, aggs: { took: { percentiles: { field: 'took' } } } } },
      {
        time: {
          date_histogram: { field: '@timestamp', fixed_interval: '10s' },
          aggs: { services: { cardinality: { field: 'service' } } },
        },
      },
      {
        pages: {
          composite: {
            size: 100,
            sources: [{ service: { terms: { field: 'service' } } }, { level: { terms: { field: 'level' } } }],
          },
        },
      },
    ][n++ % 3]
    await timed('aggregation', 'POST', '/soak-logs/_search', { size: 0, aggs })
    counts.aggregations++
  })
}

/** One in three scrolls is left to expire. */
async function scroll() {
  let n = 0
  await every(5000, async () => {
    const first = await timed('page', 'POST', '/soak-logs/_search?scroll=20s', { size: 500, sort: ['_doc'] })
    counts.contexts++
    let id = first.body._scroll_id
    for (let page = 0; page < 4 && id !== undefined; page++) {
      const next = await timed('page', 'POST', '/_search/scroll', { scroll: '20s', scroll_id: id })
      id = next.body._scroll_id
      counts.pages++
    }
    if (n++ % 3 !== 0 && id !== undefined) await send('DELETE', '/_search/scroll', { scroll_id: id })
  })
}

async function pointsInTime() {
  let n = 0
  await every(4000, async () => {
    const { body } = await send('POST', '/soak-logs,inventory/_pit?keep_alive=30s')
    counts.contexts++
    let after
    for (let page = 0; page < 3; page++) {
      const search = { size: 200, sort: [{ _shard_doc: 'asc' }], pit: { id: body.id, keep_alive: '30s' } }
      const next = await timed(
        'page',
        'POST',
        '/_search',
        after === undefined ? search : { ...search, search_after: after },
      )
      after = next.body.hits?.hits.at(-1)?.sort
      counts.pages++
      if (after === undefined) break
    }
    if (n++ % 4 !== 0) await send('DELETE', '/_pit', { id: body.id })
  })
}

/** Runs `work` at a fixed rate until the time is over. Turns are skipped while a slow run is in progress. */
async function every(ms, work) {
  for (let next = Date.now() + ms; Date.now() < endAtMs; next += ms) {
    await delay(Math.max(0, Math.min(next, endAtMs) - Date.now()))
    if (Date.now() >= endAtMs) return
    if (Date.now() > next + ms) next = Date.now()
    await work()
  }
}

// --- measurement ---

async function sample() {
  const taken = latencies
  latencies = { bulk: [], search: [], aggregation: [], page: [] }
  const { body } = await send(
    'GET',
    '/_nodes/stats/jvm,breaker,indices?filter_path=nodes.*.jvm.mem,nodes.*.breakers.parent,nodes.*.indices.docs,nodes.*.indices.search.open_contexts',
  )
  const node = Object.values(body?.nodes ?? {})[0]
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8')
  samples.push({
    minute: (Date.now() - startedAtMs) / 60_000,
    rss: Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024,
    heap: (node?.jvm?.mem.heap_used_in_bytes ?? 0) / 2 ** 20,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    disk: sizeOf(folder) / 2 ** 20,
    documents: node?.indices?.docs.count ?? 0,
    contexts: node?.indices?.search?.open_contexts ?? 0,
    search50: percentile(taken.search, 50),
    search99: percentile(taken.search, 99),
    bulk50: percentile(taken.bulk, 50),
    bulk99: percentile(taken.bulk, 99),
    aggregation99: percentile(taken.aggregation, 99),
    page99: percentile(taken.page, 99),
  })
}

function report() {
  // Writes the figures so far, so that an aborted run leaves them too.
  finish()
  const { minute, rss, descriptors, disk, search99 } = samples.at(-1) ?? {}
  if (minute === undefined) return
  console.log(
    `minute ${minute.toFixed(0)}: ${rss.toFixed(0)} MB resident, ${descriptors} descriptors, ${disk.toFixed(0)} MB on disk, 99 % of searches within ${search99.toFixed(0)} ms, ${counts.documents} documents`,
  )
}

function percentile(values, percent) {
  if (values.length === 0) return 0
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))]
}

function sizeOf(path) {
  let bytes = 0
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    // Files may be deleted while they are counted.
    bytes += statSync(join(entry.parentPath ?? entry.path, entry.name), { throwIfNoEntry: false })?.size ?? 0
  }
  return bytes
}

// --- the end ---

function finish() {
  const thirds = (name) => {
    const size = Math.floor(samples.length / 3)
    return [0, 1, 2].map((third) =>
      median(samples.slice(third * size, third === 2 ? undefined : (third + 1) * size).map((s) => s[name])),
    )
  }
  const problems = []
  const rows = Object.entries(BOUNDS).map(([name, { title, unit, factor, slack }]) => {
    const [first, second, last] = thirds(name)
    const isFlat = last <= second * factor + slack
    if (!isFlat) problems.push(`${title} grew from ${second.toFixed(0)} to ${last.toFixed(0)} ${unit}`)
    const shown = (value) => `${value.toFixed(value < 10 ? 1 : 0)}${unit === '' ? '' : ` ${unit}`}`
    return `| ${title} | ${shown(first)} | ${shown(second)} | ${shown(last)} | ${isFlat ? 'flat' : 'grew'} |`
  })
  for (const [what, times] of failures) problems.push(`${times} × ${what}`)
  writeFileSync(
    join(options.out, 'soak.svg'),
    drawChart(samples, `Soak test, ${Math.round(samples.at(-1).minute)} minutes`),
  )
  writeFileSync(join(options.out, 'soak.md'), page(rows, problems))
  return problems.length === 0 ? undefined : problems.join('\n')
}

function page(rows, problems) {
  const number = (value) => value.toLocaleString('en-US')
  const elapsed = Math.round(samples.at(-1).minute)
  return `# Soak test

\`npm run test:soak\` runs the service for an hour under a moderate, mixed load and looks whether anything grows. This page and the chart are
written by the script.

![Memory, descriptors, disk and latency over the time of the run](soak.svg)

Last run: ${new Date().toISOString().slice(0, 10)}, ${elapsed} minutes, ${availableParallelism()} cores, Node ${process.versions.node}. The machine was shared with other work, so
latencies are noisy: they say that nothing degrades, not how fast the service is.

| medians | first third | second third | last third | |
|---|---|---|---|---|
${rows.join('\n')}

What happened meanwhile: ${number(counts.documents)} documents written to a data stream with ${number(counts.rollovers)} rollovers and ${number(counts.deleted)} deleted backing
indices, ${number(counts.updates)} updates and deletes in place, ${number(counts.searches)} searches, ${number(counts.aggregations)} aggregations, ${number(counts.contexts)} points in time and
scrolls with ${number(counts.pages)} pages, a third of the scrolls and a quarter of the points in time left to expire. Requests that were refused with
429: ${number(counts.rejected)}. ${problems.length === 0 ? 'No request failed, and nothing grew.' : `Problems: ${problems.join('; ')}.`}

A row is flat when the median of the last third is not above that of the second one by more than a small part; the first third is the time in
which caches fill and retention begins.
`
}

function end(failure) {
  if (isOver) return
  isOver = true
  server.kill('SIGTERM')
  setTimeout(() => {
    rmSync(folder, { recursive: true, force: true })
    console.log(failure === undefined ? 'passed' : `FAILED: ${failure}`)
    process.exit(failure === undefined ? 0 : 1)
  }, 3000)
}

// --- requests ---

async function timed(kind, ...request) {
  const beganAtMs = performance.now()
  const answer = await send(...request)
  latencies[kind].push(performance.now() - beganAtMs)
  return answer
}

async function need(...request) {
  const { status, body } = await send(...request)
  if (status >= 300) throw new Error(`${request[1]}: ${status} ${JSON.stringify(body)}`)
}

function send(method, path, body) {
  const text = typeof body === 'string' ? body : body === undefined ? undefined : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  return new Promise((resolve, reject) => {
    const headers = text === undefined ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(text) }
    const request = httpRequest({ hostname, port, method, path, agent, headers }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status } = response
        const answer = JSON.parse(Buffer.concat(chunks).toString() || 'null')
        if (status === 429) counts.rejected++
        else if (status >= 300) {
          const what = `${method} ${path.split('?')[0]} ${status} ${answer?.error?.type ?? ''}`
          failures.set(what, (failures.get(what) ?? 0) + 1)
        }
        resolve({ status, body: answer ?? {} })
      })
    })
    request.on('error', (error) => (isOver ? undefined : reject(error)))
    request.end(text)
  })
}

function logLine(n) {
  return {
    '@timestamp': new Date().toISOString(),
    level: ['info', 'info', 'info', 'warn', 'error'][n % 5],
    service: `s${n % 8}`,
    took: (n * 31) % 1000,
    message: words(n, 14),
  }
}

function words(seed, count) {
  const list =
    'harbour lantern sandpiper marsh tide gravel signal drift copper winter meadow arrow request failed user login cache miss order paid'.split(
      ' ',
    )
  let x = (seed * 2654435761 + 12345) >>> 0
  const chosen = []
  for (let i = 0; i < count; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0
    chosen.push(x % 10 === 0 ? `id${x % 20_000}` : list[(x >>> 8) % list.length])
  }
  return chosen.join(' ')
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
