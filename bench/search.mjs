/**
 * Measures the response times of a service and compares servers: the same documents, the same requests, one after the
 * other.
 *
 *   node bench/search.mjs http://127.0.0.1:9200 [http://127.0.0.1:9210 …] [--docs 100000] [--rounds 30] [--keep]
 *
 * Creates the index `bench` on every server, fills it, runs each row of `rows.mjs` on all servers in turn, and prints
 * the median time per row. Totals of hits and buckets must agree, otherwise the row is marked. Ratios are relative to
 * the first server. The index is deleted at the end unless --keep is given. The figures are wall times; CPU time can be
 * read from the process meanwhile.
 */
import { parseArgs } from 'node:util'
import { event, MAPPING } from './events.mjs'
import { closeConnections, send } from './http-client.mjs'
import { COMPOSITES, SEARCHES } from './rows.mjs'

const { values, positionals: servers } = parseArgs({
  allowPositionals: true,
  options: {
    docs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '30' },
    keep: { type: 'boolean', default: false },
  },
})
if (servers.length === 0) {
  console.error('usage: node bench/search.mjs URL [URL …] [--docs N] [--rounds N] [--keep]')
  process.exit(1)
}
const DOCS = Number(values.docs)
const ROUNDS = Number(values.rounds)
const PER_BULK = 2_000
const INDEX = 'bench'

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

async function timed(work) {
  const started = performance.now()
  const value = await work()
  return { ms: performance.now() - started, value }
}

async function fill(server) {
  await send(server, 'DELETE', `/${INDEX}`)
  await send(server, 'PUT', `/${INDEX}`, MAPPING)
  const { ms } = await timed(async () => {
    for (let from = 0; from < DOCS; from += PER_BULK) {
      let lines = ''
      for (let i = from; i < Math.min(DOCS, from + PER_BULK); i++) {
        lines += `{"index":{"_id":"${i}"}}\n${JSON.stringify(event(i))}\n`
      }
      const { errors } = await send(server, 'POST', `/${INDEX}/_bulk`, lines, 'application/x-ndjson')
      if (errors) throw new Error(`${server} refused documents`)
    }
  })
  await send(server, 'POST', `/${INDEX}/_refresh`)
  await send(server, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
  return Math.round((DOCS / ms) * 1000)
}

const search = (server, body) => send(server, 'POST', `/${INDEX}/_search?request_cache=false`, body)

/** The part of a response on which servers must agree. */
function fingerprint({ hits, aggregations }) {
  const counts = JSON.stringify(aggregations ?? {}).match(/"doc_count":\d+/g) ?? []
  return `${hits.total.value} ${counts.length}`
}

async function composite(server, body) {
  let buckets = 0
  for (let after; ; ) {
    const asked = structuredClone(body)
    if (after !== undefined) asked.aggs.pages.composite.after = after
    const { pages } = (await search(server, asked)).aggregations
    buckets += pages.buckets.length
    after = pages.after_key
    if (after === undefined) return String(buckets)
  }
}

async function getById(server, round) {
  return (await send(server, 'GET', `/${INDEX}/_doc/${(round * 7919) % DOCS}`)).found
}

async function putDurable(server, round) {
  return (await send(server, 'PUT', `/${INDEX}/_doc/put-${round}`, event(round))).result
}

function* rows() {
  yield ['get by id', getById, ROUNDS * 10]
  for (const [name, body] of Object.entries(SEARCHES)) {
    yield [name, async (server) => fingerprint(await search(server, body)), ROUNDS]
  }
  for (const [name, body] of Object.entries(COMPOSITES)) {
    yield [name, (server) => composite(server, body), Math.max(3, Math.ceil(ROUNDS / 10))]
  }
  yield ['one durable PUT', putDurable, ROUNDS]
}

const show = (cells) => console.log(`| ${cells.join(' | ')} |`)

show(['', ...servers, ...servers.slice(1).map((server) => `${server} / first`)])
show(['---', ...servers.map(() => '---:'), ...servers.slice(1).map(() => '---:')])
const speeds = []
for (const server of servers) speeds.push(await fill(server))
show(['bulk with ids, documents/s', ...speeds, ...speeds.slice(1).map((speed) => (speeds[0] / speed).toFixed(2))])

for (const [name, work, rounds] of rows()) {
  const times = servers.map(() => [])
  const answers = servers.map(() => new Set())
  // The first rounds warm up caches and compilers.
  for (let round = -3; round < rounds; round++) {
    for (const [i, server] of servers.entries()) {
      const { ms, value } = await timed(() => work(server, Math.abs(round)))
      if (round >= 0) times[i].push(ms)
      answers[i].add(String(value))
    }
  }
  const medians = times.map(median)
  const agree = answers.every((set) => [...set].every((answer) => answers[0].has(answer)))
  const cells = medians.map((ms) => `${ms.toFixed(2)} ms`)
  show([
    agree ? name : `${name} (ANSWERS DIFFER)`,
    ...cells,
    ...medians.slice(1).map((ms) => (ms / medians[0]).toFixed(2)),
  ])
}

if (!values.keep) for (const server of servers) await send(server, 'DELETE', `/${INDEX}`)
closeConnections()
