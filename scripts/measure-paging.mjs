/**
 * Prints the cost of pages by depth, and the memory of open contexts. Starts a service from `dist`.
 *
 *   node scripts/measure-paging.mjs [--docs 120000] [--repeat 600] [--port 9399]
 *
 * The cost is CPU time if the system provides it, because wall times are unreliable on a machine with other load. A
 * page of `search_after` is requested repeatedly. A scroll page cannot be requested repeatedly, so a hundred pages at
 * its start are compared with a hundred pages around page 1,000.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '120000' },
    repeat: { type: 'string', default: '600' },
    port: { type: 'string', default: '9399' },
  },
})
const DOCS = Number(options.docs)
const REPEAT = Number(options.repeat)
const SIZE = 100
const DEEP = 1000
const CONTEXTS = 400
const BATCH = 5000

const data = mkdtempSync(join(tmpdir(), 'measure-paging-'))
const program = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const server = spawn(process.execPath, [program, 'serve', '--port', options.port, '--data', data], { stdio: 'ignore' })
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

try {
  await ready()
  await load()
  await measureDepth()
  await measureContexts()
} finally {
  agent.destroy()
  server.kill()
  server.once('exit', () => rmSync(data, { recursive: true, force: true }))
}

function send(method, path, body, type = 'application/json') {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const headers = text === undefined ? {} : { 'content-type': type, 'content-length': String(Buffer.byteLength(text)) }
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: '127.0.0.1', port: options.port, method, path, headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => {
        const answered = Buffer.concat(chunks).toString()
        if (answer.statusCode < 300) resolve(answered)
        else reject(new Error(`${method} ${path}: ${answer.statusCode} ${answered.slice(0, 300)}`))
      })
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

async function ready() {
  for (let tries = 0; ; tries++) {
    try {
      await send('GET', '/')
      return
    } catch (error) {
      if (tries > 100) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function load() {
  const properties = { n: { type: 'integer' }, at: { type: 'date' }, k: { type: 'keyword' }, t: { type: 'text' } }
  const create = (index, settings) =>
    send('PUT', `/${index}`, {
      settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
      mappings: { properties },
    })
  await create('pages', {})
  await create('pages-sorted', { 'sort.field': ['at'], 'sort.order': ['desc'] })
  for (let from = 0; from < DOCS; from += BATCH) {
    const lines = []
    for (let i = from; i < Math.min(DOCS, from + BATCH); i++) {
      const mixed = (Math.imul(i, 2654435761) >>> 0) % DOCS
      lines.push(
        `{"index":{"_id":"d${i}"}}`,
        `{"n":${mixed},"at":${1.7e12 + mixed * 1000},"k":"key-${mixed % 5000}","t":"common ${'word '.repeat(1 + (mixed % 7))}"}`,
      )
    }
    const body = `${lines.join('\n')}\n`
    for (const index of ['pages', 'pages-sorted']) await send('POST', `/${index}/_bulk`, body, 'application/x-ndjson')
  }
  for (const index of ['pages', 'pages-sorted']) await send('POST', `/${index}/_flush`)
  await send('POST', '/_refresh')
}

/** The time of the service so far in milliseconds: CPU time, or clock time if CPU time is not available. */
function spent() {
  try {
    const [user, system] = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1].split(' ').slice(11, 13)
    return (Number(user) + Number(system)) * 10
  } catch {
    return performance.now()
  }
}

function residentMb() {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  } catch {
    return Number.NaN
  }
}

/** The sort values of the last hit, as text, because numbers may be too large for JavaScript. */
function lastSort(answer) {
  const start = answer.lastIndexOf('"sort":[') + 7
  return answer.slice(start, answer.indexOf(']', start) + 1)
}

function print(name, second, deep) {
  const ratio = second === 0 ? '-' : (deep / second).toFixed(2)
  console.log(`${name.padEnd(42)} ${second.toFixed(3).padStart(8)} ${deep.toFixed(3).padStart(8)} ${ratio.padStart(6)}`)
}

async function measureDepth() {
  console.log(`${DOCS} documents, ${SIZE} hits a page; milliseconds a page`)
  console.log(`${''.padEnd(42)} ${'page 2'.padStart(8)} ${'1,000'.padStart(8)} ${'ratio'.padStart(6)}`)
  const match = { match: { t: 'common' } }
  await pages('search_after: _shard_doc', 'pages', { sort: [{ _shard_doc: 'asc' }] })
  await pages('search_after: number', 'pages', { sort: ['n'] })
  await pages('search_after: date, newest first', 'pages', { sort: [{ at: 'desc' }] })
  await pages('search_after: date of the index sort', 'pages-sorted', { sort: [{ at: 'desc' }] })
  await pages('search_after: keyword', 'pages', { sort: ['k'] })
  await pages('search_after: _score', 'pages', { query: match, sort: ['_score'] })
  await scroll('scroll: _doc', { sort: ['_doc'] })
  await scroll('scroll: number', { sort: ['n'] })
  await scroll('scroll: keyword', { sort: ['k'] })
  await scroll('scroll: _score', { query: match })
}

async function pages(name, index, body) {
  const { id } = JSON.parse(await send('POST', `/${index}/_pit?keep_alive=10m`))
  const text = JSON.stringify({ ...body, size: SIZE, track_total_hits: false, pit: { id } }).slice(0, -1)
  const at = {}
  let after
  for (let page = 1; page < DEEP; page++) {
    after = lastSort(
      await send('POST', '/_search', after === undefined ? `${text}}` : `${text},"search_after":${after}}`),
    )
    if (page === 1 || page === DEEP - 1) at[page + 1] = `${text},"search_after":${after}}`
  }
  const cost = { 2: 0, [DEEP]: 0 }
  // In alternation, so that other load on the machine affects both in the same way.
  for (let turn = 0; turn < 10; turn++) {
    for (const page of [2, DEEP]) {
      const before = spent()
      for (let i = 0; i < REPEAT / 10; i++) await send('POST', '/_search', at[page])
      cost[page] += spent() - before
    }
  }
  await send('DELETE', '/_pit', { id })
  print(name, cost[2] / REPEAT, cost[DEEP] / REPEAT)
}

async function scroll(name, body) {
  const costs = { first: 0, last: 0 }
  const WALKS = 3
  for (let walk = 0; walk < WALKS; walk++) {
    const { _scroll_id: id } = JSON.parse(await send('POST', '/pages/_search?scroll=10m', { ...body, size: SIZE }))
    let before = 0
    for (let page = 2; page < DEEP + 50; page++) {
      if (page === 2 || page === DEEP - 50) before = spent()
      await send('POST', '/_search/scroll', { scroll: '10m', scroll_id: id })
      if (page === 101) costs.first += spent() - before
      if (page === DEEP + 49) costs.last += spent() - before
    }
    await send('DELETE', '/_search/scroll', { scroll_id: id })
  }
  print(name, costs.first / (100 * WALKS), costs.last / (100 * WALKS))
}

async function measureContexts() {
  // The limit counts every shard.
  await send('PUT', '/_cluster/settings', { transient: { 'search.max_open_scroll_context': 5000 } })
  const small = ['small-1', 'small-2', 'small-3', 'small-4', 'small-5']
  for (const index of small) {
    await send('PUT', `/${index}`, { settings: { number_of_shards: 1, number_of_replicas: 0 } })
    await send('POST', `/${index}/_doc?refresh=true`, { n: 1 })
  }
  for (const target of ['pages', small.join(',')]) {
    const before = residentMb()
    const ids = []
    for (let i = 0; i < CONTEXTS; i++) ids.push(JSON.parse(await send('POST', `/${target}/_pit?keep_alive=10m`)).id)
    const during = residentMb()
    console.log(`${CONTEXTS} points in time on ${target}: ${(during - before).toFixed(1)} MB`)
    for (const id of ids) await send('DELETE', '/_pit', { id })
    const scrolls = []
    const between = residentMb()
    for (let i = 0; i < CONTEXTS; i++) {
      scrolls.push(JSON.parse(await send('POST', `/${target}/_search?scroll=10m`, { size: 1, sort: ['n'] }))._scroll_id)
    }
    console.log(`${CONTEXTS} scrolls on ${target}: ${(residentMb() - between).toFixed(1)} MB`)
    for (const id of scrolls) await send('DELETE', '/_search/scroll', { scroll_id: id })
  }
}
