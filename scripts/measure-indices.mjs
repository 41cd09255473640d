// Measures what many indices cost: the time of a start, memory and descriptors when nothing happens, and a search over all of them.
//   node scripts/measure-indices.mjs [--indices 5000] [--docs 1] [--data FOLDER]
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    indices: { type: 'string', default: '5000' },
    docs: { type: 'string', default: '1' },
    data: { type: 'string' },
  },
})
const SANDPIPER = fileURLToPath(new URL('../bin/sandpiper.js', import.meta.url))
const count = Number(options.indices)
const folder = mkdtempSync(join(options.data ?? tmpdir(), 'sandpiper-indices-'))
const send = async (url, method, path, body) => {
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const answer = await fetch(url + path, { method, ...(text === undefined ? {} : { headers: { 'content-type': type }, body: text }) })
  return await answer.json()
}

let { server, url } = await start()
await send(url, 'PUT', '/_cluster/settings', { persistent: { 'cluster.max_shards_per_node': count * 2 } })
for (let from = 0; from < count; from += 50) {
  const lines = []
  for (let i = from; i < Math.min(count, from + 50); i++) {
    for (let doc = 0; doc < Number(options.docs); doc++) lines.push(`{"index":{"_index":"logs-${i}"}}`, `{"n":${i},"level":"info","message":"document ${doc} of index ${i}"}`)
  }
  const { errors } = await send(url, 'POST', '/_bulk', `${lines.join('\n')}\n`)
  if (errors) throw new Error('documents were refused')
}
await stop(server)
;({ server, url } = await start(true))
await delay(5000)
show('idle')
await timed('_cat/indices', () => send(url, 'GET', '/_cat/indices?format=json&h=index,docs.count'))
await timed('search of one index', () => send(url, 'GET', '/logs-7/_search'))
await timed('search of all', () => send(url, 'GET', '/logs-*/_search?size=10&q=n:7'))
await timed('search of all again', () => send(url, 'GET', '/logs-*/_search?size=10&q=n:8'))
show('after the searches')
await stop(server)
rmSync(folder, { recursive: true, force: true })

async function timed(what, work) {
  const began = performance.now()
  const answer = await work()
  const found = Array.isArray(answer) ? `${answer.length} rows` : `${answer.hits?.total?.value} hits, ${answer._shards?.failed} failures`
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(2)} s (${found})`)
}

function show(when) {
  const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))[1]) / 1024
  console.log(`${when}: ${rss.toFixed(0)} MB resident, ${readdirSync(`/proc/${server.pid}/fd`).length} descriptors`)
}

async function start(isTimed = false) {
  const began = performance.now()
  const child = spawn(process.execPath, [SANDPIPER, 'serve', '--port', '0', '--data', folder, '--log-level', 'error'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    const found = /http:\/\/[\d.]+:\d+/.exec(output)?.[0]
    if (found === undefined) continue
    if (isTimed) console.log(`start with ${count} indices: ${((performance.now() - began) / 1000).toFixed(2)} s`)
    return { server: child, url: found }
  }
  throw new Error('the service did not start')
}

async function stop(child) {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}
