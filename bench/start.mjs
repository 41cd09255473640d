// The start of a service that has data: time to the first answer and to the first search, CPU, and resident memory five seconds later.
//   npm run build && node bench/start.mjs [--rounds 5] [FOLDER …]
// A folder is a checkout with a build; without one it is this checkout. Each gets data of its own. The first start of a build compiles its
// code and is not counted. Figures are those of /proc: Linux only.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  options: { rounds: { type: 'string', default: '5' } },
  allowPositionals: true,
})
const folders = positionals.length > 0 ? positionals : [join(dirname(fileURLToPath(import.meta.url)), '..')]
const IDLE_MS = 5000
const MS_PER_TICK = 10
const QUERY = '{"query":{"match":{"message":"error"}}}'

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function start(folder, data) {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const begun = performance.now()
  const args = ['serve', '--port', String(port), '--data', data, '--log-level', 'error']
  const child = spawn(process.execPath, [join(folder, 'bin', 'sandpiper.js'), ...args], { stdio: 'ignore' })
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  )
    await sleep(3)
  const rootMs = performance.now() - begun
  const stop = async () => {
    child.kill()
    await once(child, 'exit')
  }
  return { url, pid: child.pid, begun, rootMs, stop }
}

const post = async (url, body, type = 'application/json') =>
  (await fetch(url, { method: 'POST', body, headers: { 'content-type': type } })).text()

async function fill(folder, data) {
  const { url, stop } = await start(folder, data)
  for (let part = 0; part < 20; part++) {
    const lines = Array.from(
      { length: 1000 },
      (_, i) => `{"index":{}}\n{"message":"error ${i} of part ${part}","n":${i},"host":"h${i % 50}"}\n`,
    )
    await post(`${url}/logs/_bulk`, lines.join(''), 'application/x-ndjson')
  }
  await post(`${url}/logs/_flush`, '{}')
  // The compiled code is stored three seconds after a start.
  await sleep(IDLE_MS)
  await stop()
}

async function measure(folder, data) {
  const { url, pid, begun, rootMs, stop } = await start(folder, data)
  await post(`${url}/logs/_search`, QUERY)
  const searchMs = performance.now() - begun
  await sleep(IDLE_MS)
  const memory = (Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024) / 1e6
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')
  const cpuMs = (Number(ticks[13]) + Number(ticks[14])) * MS_PER_TICK
  await stop()
  return { rootMs, searchMs, cpuMs, memory }
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1]

const sides = folders.map((folder) => ({ folder, data: mkdtempSync(join(tmpdir(), 'sandpiper-start-')), rows: [] }))
try {
  for (const { folder, data } of sides) await fill(folder, data)
  for (const { folder, data } of sides) await measure(folder, data)
  // In turn, so that other work on the machine concerns all of them.
  for (let round = 0; round < Number(values.rounds); round++)
    for (const { folder, data, rows } of sides) rows.push(await measure(folder, data))
  for (const { folder, rows } of sides) {
    const of = (name) => median(rows.map((row) => row[name])).toFixed(0)
    console.log(
      `${folder}: first answer ${of('rootMs')} ms, first search ${of('searchMs')} ms, CPU ${of('cpuMs')} ms, idle ${of('memory')} MB`,
    )
  }
} finally {
  for (const { data } of sides) rmSync(data, { recursive: true, force: true })
}
