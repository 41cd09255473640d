/**
 * What security costs: CPU time of the service per request, for gets and small searches, without security, with an API key over plain HTTP, and
 * with an API key over TLS with keep-alive. The service runs in a process of its own whose CPU time is read from the kernel; rounds of the
 * three alternate, so that a busy machine hits all of them alike.
 *
 *   node bench/security.mjs [--requests 20000] [--rounds 5]
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '20000' }, rounds: { type: 'string', default: '5' } },
})
const REQUESTS = Number(values.requests)
const ROUNDS = Number(values.rounds)
const PASSWORD = 'bench-password'
const TICKS_PER_SECOND = 100
const program = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sandpiper-bench-'))

async function start(name, flags) {
  const data = join(folder, name)
  const child = spawn(process.execPath, [program, 'serve', '--port', '0', '--data', data, '--threads', '2', ...flags], {
    env: { ...process.env, ELASTIC_PASSWORD: PASSWORD },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  const url = await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${text}`)))
    child.stdout.on('data', (chunk) => {
      text += chunk
      const found = /address +(\S+)/.exec(text)
      if (found !== null) resolve(found[1])
    })
  })
  const isSecure = url.startsWith('https')
  const client = isSecure ? https : http
  const ca = isSecure ? readFileSync(join(data, 'certs', 'http_ca.crt')) : undefined
  const agent = new client.Agent({ keepAlive: true, maxSockets: 8, ...(isSecure ? { ca } : {}) })
  const service = { name, url, child, agent, client, headers: {} }
  if (flags.includes('--security')) {
    const basic = { authorization: `Basic ${Buffer.from(`elastic:${PASSWORD}`).toString('base64')}` }
    const role = { indices: [{ names: ['books*'], privileges: ['read', 'write', 'create_index'] }] }
    const key = await send(service, 'POST', '/_security/api_key', { name: 'bench', role_descriptors: { role } }, basic)
    service.headers = { authorization: `ApiKey ${key.encoded}` }
  }
  const lines = []
  for (let i = 0; i < 1000; i++) lines.push(`{"index":{"_id":"${i}"}}`, JSON.stringify({ title: `book number ${i}`, pages: i }))
  await send(service, 'POST', '/books/_bulk?refresh=true', `${lines.join('\n')}\n`)
  return service
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

/** CPU seconds of a process, all threads. */
function cpuSeconds({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

const WORK = {
  get: (service, i) => send(service, 'GET', `/books/_doc/${i % 1000}`),
  search: (service, i) => send(service, 'POST', '/books/_search', { query: { match: { title: `number ${i % 1000}` } }, size: 3 }),
}

async function run(service, work, count) {
  let next = 0
  const before = cpuSeconds(service)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < count) await work(service, next++)
    }),
  )
  return ((cpuSeconds(service) - before) / count) * 1e6
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1]

const services = [
  await start('open', []),
  await start('key', ['--security', 'true']),
  await start('tls', ['--security', 'true', '--tls', 'auto']),
]
try {
  for (const [name, work] of Object.entries(WORK)) {
    for (const service of services) await run(service, work, REQUESTS / 2)
    const costs = new Map(services.map((service) => [service.name, []]))
    for (let round = 0; round < ROUNDS; round++) {
      for (const service of services) costs.get(service.name).push(await run(service, work, REQUESTS))
    }
    const open = median(costs.get('open'))
    for (const [service, list] of costs) {
      const cost = median(list)
      const more = `${cost >= open ? '+' : ''}${((cost / open - 1) * 100).toFixed(1)} %`
      console.log(`${name.padEnd(7)} ${service.padEnd(5)} ${cost.toFixed(1).padStart(7)} µs CPU per request  ${service === 'open' ? '' : more}`)
    }
  }
} finally {
  for (const { child, agent } of services) {
    agent.destroy()
    child.kill('SIGTERM')
  }
  await Promise.all(services.map(({ child }) => new Promise((resolve) => child.once('exit', resolve))))
  rmSync(folder, { recursive: true, force: true })
}
