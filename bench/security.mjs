/**
 * The cost of security: CPU time of the service per request, for gets and small searches, without security, with an API
 * key over plain HTTP, and with an API key over TLS with keep-alive.
 *
 * The three services run in one process, so that they share compiled code; the client is another process. A round sends
 * the same number of requests to each service, in random order, and compares their CPU times (user and system, of all
 * threads). The result is the median over the rounds of these ratios: other load on the machine changes the times of a
 * round together, and single disturbed rounds do not move the median.
 *
 *   npm run build && node bench/security.mjs [--requests 1500] [--rounds 40]
 */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const PASSWORD = 'bench-password'
const CONNECTIONS = 4
/** Rounds before the first that is measured, for the compiler. */
const WARMUP_ROUNDS = 12

/** The process of the services. It answers every message with the CPU time that the process has used, in microseconds. */
async function serve() {
  const { SearchServer } = await import('../dist/server/search-server.js')
  const { silentLog } = await import('../dist/base/log.js')
  const folder = process.argv[2]
  const common = {
    threads: 0,
    maxContentBytes: 1e8,
    strictMediaTypes: false,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  }
  const security = { bootstrapPassword: PASSWORD }
  const servers = {
    open: await SearchServer.open({ ...common, dataFolder: join(folder, 'open') }),
    key: await SearchServer.open({ ...common, dataFolder: join(folder, 'key'), security }),
    tls: await SearchServer.open({ ...common, dataFolder: join(folder, 'tls'), security, tls: 'auto' }),
  }
  process.on('message', async (message) => {
    if (message === 'stop') {
      for (const server of Object.values(servers)) await server.stop()
      process.exit(0)
    }
    // Garbage of the previous measurement is not counted in the next.
    if (message === 'start') globalThis.gc()
    const { user, system } = process.cpuUsage()
    process.send(user + system)
  })
  process.send(Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, url])))
}

async function measure() {
  const { values } = parseArgs({
    options: { requests: { type: 'string', default: '1500' }, rounds: { type: 'string', default: '40' } },
  })
  const requests = Number(values.requests)
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))
  const child = fork(fileURLToPath(import.meta.url), [folder], { execArgv: ['--expose-gc'] })
  const next = () => new Promise((resolve) => child.once('message', resolve))
  const cpu = (message) => {
    const answer = next()
    child.send(message)
    return answer
  }
  const urls = await next()
  const services = Object.entries(urls).map(([name, url]) => serviceOf(name, url, folder))
  try {
    for (const service of services) await prepare(service)
    for (const [name, work] of Object.entries(WORK)) {
      const rounds = []
      for (let round = -WARMUP_ROUNDS; round < Number(values.rounds); round++) {
        const costs = {}
        for (const service of shuffled(services)) {
          const before = await cpu('start')
          await run(service, work, requests)
          costs[service.name] = ((await cpu('end')) - before) / requests
        }
        if (round >= 0) rounds.push(costs)
      }
      for (const { name: service } of services) {
        const cost = median(rounds.map((costs) => costs[service]))
        const ratios = rounds.map((costs) => costs[service] / costs.open)
        const more =
          service === 'open'
            ? ''
            : `${percent(median(ratios))}  (quarters ${percent(quantile(ratios, 0.25))} to ${percent(quantile(ratios, 0.75))})`
        console.log(`${name.padEnd(7)} ${service.padEnd(5)} ${cost.toFixed(1).padStart(7)} µs CPU per request  ${more}`)
      }
    }
  } finally {
    for (const { agent } of services) agent.destroy()
    child.send('stop')
    await new Promise((resolve) => child.once('exit', resolve))
    rmSync(folder, { recursive: true, force: true })
  }
}

function serviceOf(name, url, folder) {
  const isSecure = url.startsWith('https')
  const client = isSecure ? https : http
  const ca = isSecure ? { ca: readFileSync(join(folder, name, 'certs', 'http_ca.crt')) } : {}
  return {
    name,
    url,
    client,
    agent: new client.Agent({ keepAlive: true, maxSockets: CONNECTIONS, ...ca }),
    headers: {},
  }
}

async function prepare(service) {
  if (service.name !== 'open') {
    const basic = { authorization: `Basic ${Buffer.from(`elastic:${PASSWORD}`).toString('base64')}` }
    const role = { indices: [{ names: ['books*'], privileges: ['read', 'write', 'create_index'] }] }
    const key = await send(service, 'POST', '/_security/api_key', { name: 'bench', role_descriptors: { role } }, basic)
    service.headers = { authorization: `ApiKey ${key.encoded}` }
  }
  const lines = []
  for (let i = 0; i < 1000; i++)
    lines.push(`{"index":{"_id":"${i}"}}`, JSON.stringify({ title: `book number ${i}`, pages: i }))
  await send(service, 'POST', '/books/_bulk?refresh=true', `${lines.join('\n')}\n`)
}

function send({ url, agent, client, headers }, method, path, body, own = headers) {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const request = client.request(new URL(path, url), { method, agent, headers: { ...type, ...own } }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode >= 300) reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
        else resolve(JSON.parse(text))
      })
    })
    request.on('error', reject)
    request.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body))
  })
}

const WORK = {
  get: (service, i) => send(service, 'GET', `/books/_doc/${i % 1000}`),
  search: (service, i) =>
    send(service, 'POST', '/books/_search', { query: { match: { title: `number ${i % 1000}` } }, size: 3 }),
}

async function run(service, work, count) {
  let sent = 0
  const one = async () => {
    while (sent < count) await work(service, sent++)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, one))
}

const quantile = (numbers, part) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * part)]
const median = (numbers) => quantile(numbers, 0.5)
const percent = (ratio) => `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`

function shuffled(items) {
  const left = [...items]
  return items.map(() => left.splice(Math.floor(Math.random() * left.length), 1)[0])
}

if (process.send === undefined) await measure()
else await serve()
