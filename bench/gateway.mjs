// What a gateway adds: CPU of the gateway process for each request, before a stub that answers at once.
//   npm run build && node bench/gateway.mjs [--seconds 4] [--connections 16]
// Shares of a busy machine change wall-clock times; CPU times of /proc are what to compare. Linux only.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import http from 'node:http'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const option = (name, standard) => {
  const at = process.argv.indexOf(name)
  return at < 0 ? standard : Number(process.argv[at + 1])
}
const seconds = option('--seconds', 4)
const connections = option('--connections', 16)
const TICKS_PER_SECOND = 100

const source = { title: 'x'.repeat(700), n: 1 }
const hit = (id) => ({ _index: 'bench', _id: id, _score: 1, _source: source })
const page = JSON.stringify({ took: 1, timed_out: false, _shards: { total: 1, successful: 1, skipped: 0, failed: 0 }, hits: { total: { value: 10, relation: 'eq' }, max_score: 1, hits: Array.from({ length: 10 }, (_, i) => ({ ...hit(String(i)), sort: [i] })) } })
const items = Array.from({ length: 1000 }, (_, i) => ({ index: { _index: 'bench', _id: String(i), _version: 1, result: 'created', _shards: { total: 1, successful: 1, failed: 0 }, _seq_no: i, _primary_term: 1, status: 201 } }))
const bulkAnswer = JSON.stringify({ took: 5, errors: false, items })
const settings = { index: { uuid: 'b'.repeat(22), number_of_shards: '1', number_of_replicas: '0', creation_date: '1700000000000', provided_name: 'bench', version: { created: '1' } } }
const state = { metadata: { indices: { bench: { mapping_version: 1, settings_version: 1, aliases_version: 1, state: 'open', settings, mappings: { _doc: { properties: { d: { type: 'date' }, n: { type: 'integer' } } } }, aliases: [] } } } }
const ANSWERS = [
  [/^\/$/, JSON.stringify({ cluster_name: 'stub', cluster_uuid: 'u', version: { number: '2.19.6', distribution: 'opensearch' } })],
  [/^\/_cluster\/state\/version/, JSON.stringify({ version: 1, state_uuid: 's' })],
  [/^\/_cluster\/state\/metadata/, JSON.stringify(state)],
  [/^\/_alias/, JSON.stringify({ bench: { aliases: {} } })],
  [/^\/_cluster\/settings/, JSON.stringify({ persistent: {}, transient: {} })],
  [/_bulk/, bulkAnswer],
  [/_search/, page],
  [/_doc/, JSON.stringify({ _index: 'bench', _id: '1', _version: 1, found: true, _source: source })],
]

const stub = http.createServer((request, response) => {
  request.resume().on('end', () => {
    const body = ANSWERS.find(([path]) => path.test(request.url))?.[1] ?? '{}'
    response.writeHead(200, { 'content-type': 'application/json; charset=UTF-8', 'content-length': Buffer.byteLength(body) })
    response.end(body)
  })
})
await new Promise((done) => stub.listen(0, '127.0.0.1', done))
const child = spawn(process.execPath, [join(root, 'bin/sandpiper.js'), 'serve', '--port', '0', '--cluster', `http://127.0.0.1:${stub.address().port}`, '--sniff', 'false'], { stdio: ['ignore', 'pipe', 'inherit'] })
const url = await new Promise((found) => {
  let text = ''
  child.stdout.on('data', (chunk) => {
    text += chunk
    const address = /address\s+(http:\S+)/.exec(text)
    if (address !== null) found(address[1])
  })
})

const documents = Array.from({ length: 1000 }, (_, i) => `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`).join('')
const CASES = [
  ['get', 'GET', '/bench/_doc/1', undefined, 80],
  ['search, 10 hits, passed', 'POST', '/bench/_search', '{"query":{"match":{"title":"x"}}}', 120],
  ['search, 10 hits, rewritten', 'POST', '/bench/_search', '{"query":{"match":{"title":"x"}},"sort":[{"d":{"order":"asc","format":"yyyy-MM-dd"}}]}', 220],
  ['bulk, 1,000 documents', 'POST', '/bench/_bulk', documents, 1400],
]
for (const [name, method, path, body, limit] of CASES) {
  await load(method, path, body, 1)
  const { requests, cpu } = await load(method, path, body, seconds)
  console.log(`${name.padEnd(28)} ${((cpu / requests) * 1e6).toFixed(0).padStart(6)} µs CPU a request (at most ${limit}), ${requests} requests`)
}
const memory = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))[1]) / 1024
console.log(`memory ${memory.toFixed(0)} MB`)
child.kill('SIGTERM')
stub.close()
stub.closeAllConnections()

function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

async function load(method, path, body, forSeconds) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections })
  const before = cpuOf(child.pid)
  const until = Date.now() + forSeconds * 1000
  let requests = 0
  const one = async () => {
    while (Date.now() < until) {
      await new Promise((done, fail) => {
        const headers = body === undefined ? {} : { 'content-type': path.endsWith('_bulk') ? 'application/x-ndjson' : 'application/json' }
        const request = http.request(`${url}${path}`, { method, agent, headers }, (response) => {
          if (response.statusCode !== 200) fail(new Error(`${path} answers ${response.statusCode}`))
          response.resume().on('end', done)
        })
        request.on('error', fail)
        request.end(body)
      })
      requests++
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  agent.destroy()
  return { requests, cpu: cpuOf(child.pid) - before }
}
