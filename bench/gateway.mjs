// What a gateway adds: CPU of the gateway process for each request, before a stub that answers at once.
//   npm run build && node bench/gateway.mjs [--seconds 1] [--parts 20] [--connections 32] [--only TEXT]
// Each row is measured in short parts, and the part with the least CPU counts, because other work on the machine only adds, and virtual
// machines lose half of their speed for seconds. The CPU of
// the stub for the same requests stands beside it as a measure of the machine. CPU times are those of /proc: Linux only.
// Memory is counted without the shadow, which is a node without documents: the resident memory of the gateway after all rows,
// less that of an idle `sandpiper serve --threads 0` with an empty data folder.
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = fileURLToPath(import.meta.url)
const root = join(dirname(here), '..')
const option = (name, standard) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? standard : process.argv[at + 1]
}
const seconds = Number(option('--seconds', 1))
const parts = Number(option('--parts', 20))
const connections = Number(option('--connections', 32))
const only = option('--only', '')
const TICKS_PER_SECOND = 100
const MEMORY_MAX = 150
const IDLE_MS = 2000
const source = { title: 'x'.repeat(700), n: 1 }

if (process.argv.includes('--stub')) await stub()
else await measure()

/** Answers like an OpenSearch cluster with one index, in a process of its own. */
async function stub() {
  const hit = (id) => ({ _index: 'bench', _id: id, _score: 1, _source: source })
  const hits = Array.from({ length: 10 }, (_, i) => ({ ...hit(String(i)), sort: [1_700_000_000_000 + i * 1000] }))
  const _shards = { total: 1, successful: 1, skipped: 0, failed: 0 }
  const page = {
    took: 1,
    timed_out: false,
    _shards,
    hits: { total: { value: 10, relation: 'eq' }, max_score: 1, hits },
  }
  const result = {
    _index: 'bench',
    _version: 1,
    result: 'created',
    _shards: { total: 1, successful: 1, failed: 0 },
    _primary_term: 1,
    status: 201,
  }
  const items = Array.from({ length: 1000 }, (_, i) => ({ index: { ...result, _id: String(i), _seq_no: i } }))
  const settings = {
    index: {
      uuid: 'b'.repeat(22),
      number_of_shards: '1',
      number_of_replicas: '0',
      creation_date: '1700000000000',
      provided_name: 'bench',
      version: { created: '1' },
    },
  }
  const properties = { d: { type: 'date' }, n: { type: 'integer' }, title: { type: 'text' } }
  const index = {
    mapping_version: 1,
    settings_version: 1,
    aliases_version: 1,
    state: 'open',
    settings,
    mappings: { _doc: { properties } },
    aliases: [],
  }
  const answers = [
    [/^\/$/, { cluster_name: 'stub', cluster_uuid: 'u', version: { number: '2.19.6', distribution: 'opensearch' } }],
    [/^\/_cluster\/state\/version/, { version: 1, state_uuid: 's' }],
    [/^\/_cluster\/state\/metadata/, { metadata: { indices: { bench: index } } }],
    [/^\/_alias/, { bench: { aliases: {} } }],
    [/^\/_cluster\/settings/, { persistent: {}, transient: {} }],
    [/_bulk/, { took: 5, errors: false, items }],
    [/_search/, page],
    [/_doc/, { _index: 'bench', _id: '1', _version: 1, found: true, _source: source }],
  ].map(([path, body]) => [path, Buffer.from(JSON.stringify(body))])
  const server = http.createServer((request, response) => {
    request.resume().on('end', () => {
      const body = answers.find(([path]) => path.test(request.url))[1]
      response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'content-length': body.length })
      response.end(body)
    })
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', done))
  console.log(`address http://127.0.0.1:${server.address().port}`)
}

async function measure() {
  const behind = await start([here, '--stub'])
  const gateway = await start([
    join(root, 'bin/sandpiper.js'),
    'serve',
    '--port',
    '0',
    '--cluster',
    behind.url,
    '--sniff',
    'false',
  ])
  const documents = Array.from(
    { length: 1000 },
    (_, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`,
  ).join('')
  let words = 0
  const rewritten = (word) =>
    `{"query":{"match":{"title":"${word}"}},"sort":[{"d":{"order":"asc","format":"yyyy-MM-dd"}}]}`
  const rows = [
    ['get', 'GET', '/bench/_doc/1', () => undefined, 80],
    ['search, 10 hits, passed', 'POST', '/bench/_search', () => '{"query":{"match":{"title":"x"}}}', 120],
    [
      'search, 10 hits, passed, each time another',
      'POST',
      '/bench/_search',
      () => `{"query":{"match":{"title":"x${words++}"}}}`,
      120,
    ],
    ['search, 10 hits, rewritten', 'POST', '/bench/_search', () => rewritten('x'), 220],
    ['search, 10 hits, rewritten, each time another', 'POST', '/bench/_search', () => rewritten(`x${words++}`), 220],
    ['bulk, 1,000 documents', 'POST', '/bench/_bulk', () => documents, 1400],
  ]
  for (const [name, method, path, makeBody, limit] of rows.filter(([name]) => name.includes(only))) {
    const count = path.endsWith('_bulk') ? Math.min(8, connections) : connections
    // Compiled code and warm caches are what a gateway has after its first seconds.
    await load(gateway.url, method, path, makeBody, 4, count)
    let best = { cpu: Infinity }
    for (let part = 0; part < parts; part++) {
      const before = [cpuOf(gateway.pid), cpuOf(behind.pid)]
      const requests = await load(gateway.url, method, path, makeBody, seconds, count)
      const micros = [gateway.pid, behind.pid].map((pid, i) => ((cpuOf(pid) - before[i]) / requests) * 1e6)
      if (micros[0] < best.cpu) best = { cpu: micros[0], stub: micros[1], requests }
    }
    const { cpu, stub: beside, requests } = best
    const verdict = cpu <= limit ? 'ok' : 'ABOVE'
    console.log(
      `${name.padEnd(46)} ${cpu.toFixed(0).padStart(5)} µs CPU a request (at most ${limit}) ${verdict}; the stub ${beside.toFixed(0)} µs; ${requests} requests`,
    )
  }
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-gateway-bench-'))
  const node = await start([join(root, 'bin/sandpiper.js'), 'serve', '--port', '0', '--threads', '0', '--data', folder])
  await new Promise((done) => setTimeout(done, IDLE_MS))
  const [whole, shadow] = [gateway.pid, node.pid].map(memoryOf)
  const verdict = whole - shadow <= MEMORY_MAX ? 'ok' : 'ABOVE'
  console.log(
    `memory ${whole.toFixed(0)} MB, of which the shadow ${shadow.toFixed(0)} MB: ${(whole - shadow).toFixed(0)} MB (at most ${MEMORY_MAX}) ${verdict}`,
  )
  await node.stop()
  rmSync(folder, { recursive: true, force: true })
  gateway.stop()
  behind.stop()
}

/** Starts a Node program that prints its address. */
async function start(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((found) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const address = /address\s+(http:\S+)/.exec(text)
      if (address !== null) found(address[1])
    })
  })
  const ended = new Promise((done) => child.on('exit', done))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { url, pid: child.pid, stop }
}

/** Resident memory in MB. */
function memoryOf(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024
}

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** Sends requests over plain sockets, one at a time on each, and returns their number. A client of its own would take a core. */
async function load(url, method, path, makeBody, forSeconds, count) {
  const { hostname, port, host } = new URL(url)
  const until = performance.now() + forSeconds * 1000
  let requests = 0
  const one = () =>
    new Promise((done, fail) => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true })
      let left = -1
      const ask = () => {
        const body = makeBody()
        const type = path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json'
        const described =
          body === undefined ? '' : `content-type: ${type}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
        socket.write(`${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${described}\r\n${body ?? ''}`)
        left = -1
      }
      socket.on('connect', ask)
      socket.on('error', fail)
      socket.on('close', done)
      let head = ''
      socket.on('data', (chunk) => {
        if (left < 0) {
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          if (!head.startsWith('HTTP/1.1 200')) return fail(new Error(`${path} answers ${head.slice(0, 400)}`))
          left = Number(/content-length: (\d+)/i.exec(head)[1]) - (head.length - end - 4)
          head = ''
        } else left -= chunk.length
        if (left > 0) return
        requests++
        if (performance.now() < until) ask()
        else socket.end()
      })
    })
  await Promise.all(Array.from({ length: count }, one))
  return requests
}
