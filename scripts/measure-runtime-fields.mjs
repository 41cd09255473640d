#!/usr/bin/env node
/**
 * Measures the cost of scripted runtime fields here and in an Elasticsearch with Painless, by CPU time of the servers.
 *
 *   node scripts/measure-runtime-fields.mjs --url http://127.0.0.1:9200 --pid 123 --reference http://127.0.0.1:9230
 *     --reference-pid 456 [--docs 100000] [--repeats 5]
 *
 * Every search is first sent with a script that is new to the server (its parameter differs), and then repeated. The
 * table shows milliseconds of CPU for the first execution, the mean of the repetitions, and the same search on a mapped
 * field.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:9200' },
    pid: { type: 'string' },
    reference: { type: 'string', default: 'http://127.0.0.1:9230' },
    'reference-pid': { type: 'string' },
    docs: { type: 'string', default: '100000' },
    repeats: { type: 'string', default: '5' },
  },
})
const INDEX = 'runtime-measured'
const TICK_MS = 10

/** CPU time of a process in milliseconds, all threads together. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}

async function ask(base, method, path, body) {
  const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body)
  const type = typeof body === 'string' ? 'application/x-ndjson' : 'application/json'
  const answer = await fetch(base + path, { method, body: text, headers: text === undefined ? {} : { 'content-type': type } })
  const value = await answer.json()
  if (answer.status >= 400) throw new Error(`${base}${path}: ${JSON.stringify(value).slice(0, 500)}`)
  return value
}

async function fill(base) {
  await fetch(`${base}/${INDEX}`, { method: 'DELETE' })
  const properties = { k: { type: 'keyword' }, n: { type: 'integer' }, g: { type: 'double' } }
  await ask(base, 'PUT', `/${INDEX}`, { settings: { number_of_shards: 1, number_of_replicas: 0 }, mappings: { properties } })
  const count = Number(options.docs)
  for (let from = 0; from < count; from += 5000) {
    let lines = ''
    for (let i = from; i < Math.min(from + 5000, count); i++) {
      lines += `{"index":{}}\n{"k":"key-${(i * 7919) % 1000}","n":${(i * 31) % 10007},"g":${((i * 17) % 9973) / 8}}\n`
    }
    await ask(base, 'POST', `/${INDEX}/_bulk`, lines)
  }
  await ask(base, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
  await ask(base, 'POST', `/${INDEX}/_refresh`)
}

const text = (p) => ({ type: 'keyword', script: { source: "emit(doc['k'].value.substring(4) + params.p)", params: { p } } })
const number = (p) => ({ type: 'double', script: { source: "emit(doc['g'].value * params.p)", params: { p } } })

const SEARCHES = {
  terms: { field: text, mapped: 'k', body: (f) => ({ size: 0, aggs: { x: { terms: { field: f } } } }) },
  histogram: { field: number, mapped: 'g', body: (f) => ({ size: 0, aggs: { x: { histogram: { field: f, interval: 100 } } } }) },
  'range query': { field: number, mapped: 'g', body: (f) => ({ size: 0, query: { range: { [f]: { gte: 100, lt: 400 } } } }) },
  sort: { field: number, mapped: 'g', body: (f) => ({ size: 10, sort: [{ [f]: 'desc' }], _source: false }) },
  composite: {
    field: text,
    mapped: 'k',
    body: (f) => ({ size: 0, aggs: { x: { composite: { size: 1000, sources: [{ a: { terms: { field: f } } }] } } } }),
  },
}

async function measured(base, pid, body) {
  const before = cpuMs(pid)
  await ask(base, 'POST', `/${INDEX}/_search?request_cache=false`, body)
  return cpuMs(pid) - before
}

async function main() {
  const servers = [
    ['ours', options.url, options.pid],
    ['reference', options.reference, options['reference-pid']],
  ].filter(([, , pid]) => pid !== undefined)
  for (const [, base] of servers) await fill(base)
  const repeats = Number(options.repeats)
  for (const [name, { field, mapped, body }] of Object.entries(SEARCHES)) {
    for (const [server, base, pid] of servers) {
      let first = 0
      let again = 0
      let plain = 0
      for (let i = 0; i < repeats; i++) {
        const search = { runtime_mappings: { r: field(i + 1 + Math.random()) }, ...body('r') }
        if (field === text) search.runtime_mappings.r = text(`-${i}-${Date.now()}`)
        first += await measured(base, pid, search)
        again += await measured(base, pid, search)
        plain += await measured(base, pid, body(mapped))
      }
      const row = [first, again, plain].map((sum) => (sum / repeats).toFixed(0).padStart(7))
      console.log(`${name.padEnd(12)} ${server.padEnd(10)} first ${row[0]}  again ${row[1]}  mapped ${row[2]}`)
    }
  }
  for (const [, base] of servers) await ask(base, 'DELETE', `/${INDEX}`)
}

await main()
