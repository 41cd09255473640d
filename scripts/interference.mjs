/**
 * Measures how much a heavy request slows down concurrent gets and small searches.
 *
 *   node scripts/interference.mjs --url http://127.0.0.1:9200 [--docs 100000] [--seconds 5]
 *
 * Creates an index, measures gets and small searches alone, then the same beside a loop of each heavy kind, and prints
 * medians, 99th percentiles and the factor by which the latter grew. Loops run in a separate process, so that reading
 * their responses does not slow down the measuring client. On a machine with other load compare only the ratios.
 */
import { fork } from 'node:child_process'
import { Agent, request } from 'node:http'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:9200' },
    docs: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '5' },
    loop: { type: 'string' },
  },
})
const INDEX = 'interference'
const DOCS = Number(options.docs)
const PER_BULK = 5_000
const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta']
const agent = new Agent({ keepAlive: true })

/** The status and body of a response. */
function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
    const headers =
      text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const sent = request(`${options.url}${path}`, { method, agent, headers }, (answer) => {
      const chunks = []
      answer.on('data', (chunk) => chunks.push(chunk))
      answer.on('end', () => resolve({ status: answer.statusCode, body: Buffer.concat(chunks) }))
    })
    sent.on('error', reject)
    sent.end(text)
  })
}

async function load() {
  await send('DELETE', `/${INDEX}`)
  const properties = {
    text: { type: 'text' },
    name: { type: 'keyword' },
    group: { type: 'keyword' },
    n: { type: 'long' },
  }
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  await send('PUT', `/${INDEX}`, { settings, mappings: { properties } })
  for (let from = 0; from < DOCS; from += PER_BULK) {
    let lines = ''
    for (let i = from; i < Math.min(from + PER_BULK, DOCS); i++) {
      const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0
      const text = Array.from(
        { length: 12 },
        (_, at) => `${WORDS[(mixed >>> at) % WORDS.length]}${(mixed >>> at) % 900}`,
      )
      const source = { text: text.join(' '), name: `name-${mixed % 60_000}`, group: `group-${mixed % 50}`, n: mixed }
      lines += `{"index":{"_id":"${i}"}}\n${JSON.stringify(source)}\n`
    }
    await send('POST', `/${INDEX}/_bulk`, lines)
  }
  await send('POST', `/${INDEX}/_refresh`)
}

const HEAVY = {
  'terms and cardinality': async () => {
    const terms = { field: 'name', size: 60_000 }
    const aggs = { names: { terms, aggs: { groups: { cardinality: { field: 'group' } } } } }
    await send('POST', `/${INDEX}/_search?request_cache=false`, { size: 0, aggs })
  },
  'scan by scroll': async () => {
    let { body } = await send('POST', `/${INDEX}/_search?scroll=1m`, { size: 10_000, sort: ['_doc'] })
    for (;;) {
      const text = body.toString('latin1')
      const [, id] = /"_scroll_id":"([^"]+)"/.exec(text) ?? []
      if (id === undefined || !text.includes('"_id"')) {
        if (id !== undefined) await send('DELETE', '/_search/scroll', { scroll_id: id })
        return
      }
      body = (await send('POST', '/_search/scroll', { scroll: '1m', scroll_id: id })).body
    }
  },
  'wildcard and regexp': async () => {
    const should = [{ wildcard: { name: '*7*3*' } }, { regexp: { text: '.*[ae]ta[0-9]*7' } }]
    await send('POST', `/${INDEX}/_search`, { query: { bool: { should } }, track_total_hits: true })
  },
}

/** The duration in milliseconds of gets and of small searches, one after the other. */
async function measure(seconds) {
  const times = { gets: [], searches: [] }
  const end = performance.now() + seconds * 1_000
  for (let i = 0; performance.now() < end; i++) {
    const id = Math.imul(i + 7, 0x85ebca6b) >>> 0
    times.gets.push(await timed('GET', `/${INDEX}/_doc/${id % DOCS}`))
    const term = { group: `group-${id % 50}` }
    times.searches.push(await timed('POST', `/${INDEX}/_search`, { query: { term }, size: 3, track_total_hits: false }))
  }
  return times
}

async function timed(method, path, body) {
  const started = performance.now()
  const { status } = await send(method, path, body)
  if (status !== 200) throw new Error(`${method} ${path} answered ${status}`)
  return performance.now() - started
}

const quantile = (list, part) =>
  [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * part))]

if (options.loop !== undefined) {
  process.on('disconnect', () => process.exit())
  for (;;) await HEAVY[options.loop]()
}

await load()
await measure(2)
const alone = await measure(Number(options.seconds))
const rows = [['alone', alone]]
for (const kind of Object.keys(HEAVY)) {
  const heavy = fork(process.argv[1], ['--url', options.url, '--docs', options.docs, '--loop', kind])
  // Time for threads to start and code to be compiled.
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  rows.push([kind, await measure(Number(options.seconds))])
  heavy.disconnect()
}
await send('DELETE', `/${INDEX}`)
agent.destroy()

for (const what of ['gets', 'searches']) {
  for (const [name, times] of rows) {
    const p99 = quantile(times[what], 0.99)
    const grown = (p99 / quantile(alone[what], 0.99)).toFixed(2)
    const shown = [0.5, 0.99].map((part) => quantile(times[what], part).toFixed(2))
    console.log(
      `${what.padEnd(9)} ${name.padEnd(22)} p50 ${shown[0]} ms, p99 ${shown[1]} ms (${grown}x), ${times[what].length}`,
    )
  }
}
process.exit()
