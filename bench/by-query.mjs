/**
 * Reindex, update by query, delete by query, and bulk through a grok pipeline: the CPU time that each costs a running Sandpiper and a running
 * Elasticsearch with the modules reindex, ingest-common and lang-painless. CPU time is that of the whole process as `_nodes/stats/process`
 * reports it, so nothing else may use the servers meanwhile. An operation begins and ends when no merge is running, so that the merges it
 * causes count as its own.
 *
 * Start both servers immediately before a run, with data folders on the same kind of disk: both compile their code while they work, and what
 * the first operations of a server cost depends on what it did before. `--rounds` repeats everything, in turns, on the same two servers; the
 * first round is the one of the freshly started servers, later ones show them warm.
 *
 *   node bench/by-query.mjs --subject http://127.0.0.1:9200 --oracle http://127.0.0.1:9230 [--rounds 1] [--docs 100000] [--prefix bench]
 */
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    subject: { type: 'string', default: 'http://127.0.0.1:9200' },
    oracle: { type: 'string', default: 'http://127.0.0.1:9230' },
    docs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '1' },
    prefix: { type: 'string', default: 'bench-by-query' },
  },
})
const DOCS = Number(values.docs)
const BATCH = 2000
const PAGES = ['index.html', 'images/logo.png', 'articles/search', 'api/v1/items']
const AGENTS = ['Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/115.0', 'curl/8.5.0']

async function send(url, method, path, body) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const headers = text === undefined ? {} : { 'content-type': 'application/x-ndjson' }
  if (text !== undefined && !path.includes('_bulk')) headers['content-type'] = 'application/json'
  const answer = await fetch(url + path, { method, headers, body: text })
  const json = await answer.json()
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(json).slice(0, 500)}`)
  return json
}

/** A line of an access log. */
function logLine(i) {
  const second = String(i % 60).padStart(2, '0')
  const minute = String(Math.floor(i / 60) % 60).padStart(2, '0')
  return (
    `10.${i % 7}.${i % 256}.${(i * 7) % 256} - - [17/May/2024:10:${minute}:${second} +0000] ` +
    `"GET /${PAGES[i % PAGES.length]}?id=${i} HTTP/1.1" ${i % 11 === 0 ? 404 : 200} ${1000 + (i % 5000)} ` +
    `"http://example.org/" "${AGENTS[i % AGENTS.length]}"`
  )
}

const MAPPINGS = {
  properties: {
    n: { type: 'integer' },
    level: { type: 'keyword' },
    message: { type: 'text' },
    '@timestamp': { type: 'date' },
  },
}

async function cpuMs(url) {
  const { nodes } = await send(url, 'GET', '/_nodes/stats/process')
  return Object.values(nodes)[0].process.cpu.total_in_millis
}

/** Waits until no merge has been running for two looks. */
async function settle(url) {
  for (let idle = 0; idle < 2; ) {
    const { _all } = await send(url, 'GET', '/_stats/merge')
    idle = _all.total.merges.current === 0 ? idle + 1 : 0
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

/** The CPU time of the work and its merges, and the time that the work itself took. */
async function measured(url, work) {
  await settle(url)
  const before = await cpuMs(url)
  const start = performance.now()
  await work()
  const ms = performance.now() - start
  await settle(url)
  return { cpuMs: (await cpuMs(url)) - before, ms }
}

async function bulk(url, index, source, parameters = '') {
  for (let from = 0; from < DOCS; from += BATCH) {
    const lines = []
    for (let i = from; i < Math.min(DOCS, from + BATCH); i++) {
      lines.push(`{"index":{"_id":"${i}"}}`, JSON.stringify(source(i)))
    }
    const answer = await send(url, 'POST', `/${index}/_bulk${parameters}`, `${lines.join('\n')}\n`)
    if (answer.errors) throw new Error('a document of a bulk failed')
  }
}

async function run(url) {
  const name = (part) => `${values.prefix}-${part}`
  const results = {}
  const settings = { number_of_shards: 1, number_of_replicas: 0 }
  try {
    for (const part of ['source', 'copy', 'grok']) {
      await send(url, 'PUT', `/${name(part)}`, { settings, ...(part === 'grok' ? {} : { mappings: MAPPINGS }) })
    }
    await send(url, 'PUT', `/_ingest/pipeline/${name('grok')}`, {
      processors: [{ grok: { field: 'message', patterns: ['%{COMBINEDAPACHELOG}'] } }],
    })
    const level = (i) => ['info', 'warn', 'error'][i % 3]
    const source = (i) => ({ n: i, level: level(i), message: logLine(i), '@timestamp': 1_715_000_000_000 + i * 1000 })
    await bulk(url, name('source'), source)
    await send(url, 'POST', `/${name('source')}/_refresh`)
    results.reindex = await measured(url, () =>
      send(url, 'POST', '/_reindex?refresh=true', { source: { index: name('source') }, dest: { index: name('copy') } }),
    )
    results.update_by_query = await measured(url, () =>
      send(url, 'POST', `/${name('copy')}/_update_by_query?refresh=true`, {
        query: { term: { level: 'warn' } },
        script: { source: 'ctx._source.n += params.by', params: { by: 1 } },
      }),
    )
    results.delete_by_query = await measured(url, () =>
      send(url, 'POST', `/${name('copy')}/_delete_by_query?refresh=true`, { query: { term: { level: 'error' } } }),
    )
    results.bulk_grok = await measured(url, () =>
      bulk(url, name('grok'), (i) => ({ message: logLine(i) }), `?pipeline=${name('grok')}`),
    )
  } finally {
    for (const part of ['source', 'copy', 'grok']) await send(url, 'DELETE', `/${name(part)}`).catch(() => {})
    await send(url, 'DELETE', `/_ingest/pipeline/${name('grok')}`).catch(() => {})
  }
  return results
}

console.log(`${DOCS} documents; CPU ms (elapsed ms)`)
for (let round = 1; round <= Number(values.rounds); round++) {
  const subject = await run(values.subject)
  const oracle = await run(values.oracle)
  console.log(`round ${round}`)
  for (const [part, mine] of Object.entries(subject)) {
    const theirs = oracle[part]
    const shown = ({ cpuMs, ms }) => `${Math.round(cpuMs)} (${Math.round(ms)})`
    console.log(
      `${part.padEnd(16)} Sandpiper ${shown(mine).padEnd(16)} Elasticsearch ${shown(theirs).padEnd(16)} ` +
        `${(theirs.cpuMs / mine.cpuMs).toFixed(2)} times`,
    )
  }
}
