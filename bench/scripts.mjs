/**
 * Measures scripts by the CPU time of two servers: runtime fields, script queries, scores, sorts and updates.
 *
 *   node bench/scripts.mjs --url http://127.0.0.1:9200 --pid 123 --reference http://127.0.0.1:9230 --reference-pid 456
 *     [--docs 100000] [--rounds 9] [--seconds 35] [--only NAME] [--delete]
 *
 * The documents are made from `events.mjs` and stay on the servers, so that the next run does not load them again; `--delete`
 * deletes them at the end. Every row runs on both servers in turn, after two rounds that are not counted, for up to `--rounds`
 * rounds; from the fifth on it ends early when it has taken `--seconds`. The 20 rows therefore take less than 12 minutes for any
 * number of documents that is reasonable. The table has the medians in milliseconds of CPU:
 * - `new script`: the source of the script is new to the server, so that it is compiled and nothing is cached
 * - `new params`: the script is compiled, but its parameters are new, so that no values are cached
 * - `again`: the same request once more, when values are cached and, if they are numbers, sorted: the mean of ten in a row, because
 *   compiled code and garbage of the two columns before are still worked on in the background
 * - `mapped`: the same request on a mapped field, measured in the same way
 * The process ids are those of the servers; CPU time is read from /proc, for all threads together, until shortly after
 * the response, so that compilation in the background counts. Responses that differ are marked.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { event } from './events.mjs'
import { closeConnections, send } from './http-client.mjs'
import { FIELDS, SCRIPTS, UPDATES } from './script-rows.mjs'

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:9200' },
    pid: { type: 'string' },
    reference: { type: 'string', default: 'http://127.0.0.1:9230' },
    'reference-pid': { type: 'string' },
    docs: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '35' },
    index: { type: 'string', default: 'scripting-bench' },
    only: { type: 'string', default: '' },
    delete: { type: 'boolean', default: false },
  },
})
const DOCS = Number(options.docs)
const ROUNDS = Number(options.rounds)
const ROW_MS = Number(options.seconds) * 1000
const WARM_ROUNDS = 2
/** A row has this many rounds even if it takes longer than planned. */
const ROUNDS_MIN = 5
const PER_BULK = 5_000
const SETTLE_MS = 15
const INDEX = `${options.index}-${DOCS}`
const servers = [
  { base: options.url, pid: options.pid },
  { base: options.reference, pid: options['reference-pid'] },
].filter(({ pid }) => pid !== undefined)
if (servers.length === 0) {
  console.error('usage: node bench/scripts.mjs --url URL --pid PID [--reference URL --reference-pid PID] [--docs N]')
  process.exit(1)
}

const MAPPING = {
  settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: '-1' },
  mappings: {
    properties: {
      '@timestamp': { type: 'date' },
      host: { type: 'keyword' },
      path: { type: 'keyword' },
      status: { type: 'integer' },
      took: { type: 'double' },
      bytes: { type: 'long' },
    },
  },
}

/** The time that each thread of a process has run, in nanoseconds. */
function threadTimes(pid) {
  const times = new Map()
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      times.set(thread, Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]))
    } catch {
      // The thread has ended.
    }
  }
  return times
}

async function cpuMs(pid, work) {
  const before = threadTimes(pid)
  const value = await work()
  await sleep(SETTLE_MS)
  let sum = 0
  for (const [thread, time] of threadTimes(pid)) sum += time - (before.get(thread) ?? 0)
  return { ms: sum / 1e6, value }
}

/** How many documents a server has of an earlier run, and how many of them were changed by its updates. */
async function found({ base }) {
  const { count = 0 } = await send(base, 'GET', `/${INDEX}/_count`)
  const { count: changed = 0 } = await send(base, 'GET', `/${INDEX}/_count?q=_exists_:count`)
  return { count, changed }
}

async function fill(servers) {
  for (const { base } of servers) {
    await send(base, 'DELETE', `/${INDEX}`)
    await send(base, 'PUT', `/${INDEX}`, MAPPING)
  }
  for (let from = 0; from < DOCS; from += PER_BULK) {
    let lines = ''
    for (let i = from; i < Math.min(DOCS, from + PER_BULK); i++) {
      const { host, path, status, took, '@timestamp': time } = event(i)
      const document = { '@timestamp': time, host, path, status, took, bytes: (i * 7919) % 1_000_003 }
      lines += `{"index":{"_id":"${i}"}}\n${JSON.stringify(document)}\n`
    }
    const answers = await Promise.all(
      servers.map(({ base }) => send(base, 'POST', `/${INDEX}/_bulk`, lines, 'application/x-ndjson')),
    )
    if (answers.some(({ errors }) => errors)) throw new Error('a server refused documents')
  }
}

/** Both servers have the same documents in one segment, also after the updates of an earlier run. */
async function prepareIndices() {
  const states = await Promise.all(servers.map(found))
  const incomplete = servers.filter((_, s) => states[s].count !== DOCS)
  const changed = states.map((state) => state.changed)
  // Documents that were changed on one server only are loaded again on all.
  if (incomplete.length > 0) await fill(Math.max(...changed) > 0 ? servers : incomplete)
  else if (Math.min(...changed) !== Math.max(...changed)) await fill(servers)
  for (const { base } of servers) {
    await send(base, 'POST', `/${INDEX}/_refresh`)
    await send(base, 'POST', `/${INDEX}/_forcemerge?max_num_segments=1`)
  }
}

const search = (base, body) => send(base, 'POST', `/${INDEX}/_search?request_cache=false`, body)

/** The part of a response on which servers must agree. */
function fingerprint({ hits, aggregations, items, updated }) {
  if (items !== undefined) return `${items.length} ${items.filter((item) => item.update.result === 'updated').length}`
  if (updated !== undefined) return String(updated)
  const sorts = hits.hits.map(({ _score, sort }) => JSON.stringify(sort ?? Number(_score).toPrecision(5)))
  const counts = JSON.stringify(aggregations ?? {}).match(/"doc_count":\d+/g) ?? []
  return `${hits.total.value} ${sorts} ${counts.length} ${counts.slice(0, 10)}`
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

/** Runs the columns of a row on all servers in turn and returns the medians by column and server. */
async function measured(columns) {
  const times = columns.map(() => servers.map(() => []))
  const startedMs = performance.now()
  let differs = false
  let rounds = 0
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++, rounds = Math.max(0, round)) {
    if (round >= ROUNDS_MIN && performance.now() - startedMs > ROW_MS) break
    for (const [c, { prepare, before, work, unmeasured = 0, repeats = 1 }] of columns.entries()) {
      const seen = []
      const request = prepare?.(round)
      // Each server is the first one in every other round.
      const turns = [...servers.entries()]
      if (round % 2 !== 0) turns.reverse()
      for (const [s, { base, pid }] of turns) {
        await before?.(base)
        for (let i = 0; i < unmeasured; i++) await work(base, round, request)
        const { ms, value } = await cpuMs(pid, async () => {
          for (let i = 1; i < repeats; i++) await work(base, round, request)
          return work(base, round, request)
        })
        if (round >= 0) times[c][s].push(ms / repeats)
        seen.push(fingerprint(value))
      }
      differs ||= seen.some((answer) => answer !== seen[0])
    }
  }
  return { medians: times.map((byServer) => byServer.map(median)), differs, rounds }
}

let unique = process.pid % 1000
/** A number that makes a parameter new. */
const fresh = () => ++unique
/** A statement that makes a script new, also to a server that ignores comments and names. */
const newStatement = () => `int unused = ${fresh()}; `

const REPEATED_WORK = { unmeasured: 3, repeats: 10 }

function fieldColumns({ type, source, params, mapped, body, mappedBody = body }) {
  const definition = (number) => ({ type, script: { source: source(''), params: params(number) } })
  const request = (runtime) => ({ runtime_mappings: { r: runtime }, ...body('r') })
  let last
  return {
    'new script': {
      prepare: () => request({ type, script: { source: source(newStatement()), params: params(1) } }),
      work: (base, _, body) => search(base, body),
    },
    'new params': {
      prepare: () => (last = request(definition(fresh()))),
      work: (base, _, body) => search(base, body),
    },
    again: { ...REPEATED_WORK, work: (base) => search(base, last) },
    mapped: { ...REPEATED_WORK, work: (base) => search(base, mappedBody(mapped)) },
  }
}

function scriptColumns({ body }) {
  return {
    'new script': {
      prepare: () => body(newStatement(), fresh()),
      work: (base, _, body) => search(base, body),
    },
    'new params': { prepare: () => body('', fresh()), work: (base, _, body) => search(base, body) },
  }
}

const QUIET_MS = 300

/** Makes the last changes visible and lets merges end, so that they are neither measured nor in conflict with an update. */
async function settle(base) {
  await send(base, 'POST', `/${INDEX}/_refresh`)
  await sleep(QUIET_MS)
}

function* rows() {
  for (const [name, row] of Object.entries(FIELDS)) yield [name, fieldColumns(row)]
  for (const [name, row] of Object.entries(SCRIPTS)) yield [name, scriptColumns(row)]
  for (const [name, { path, body, type }] of Object.entries(UPDATES)) {
    const work = (base, round) => send(base, 'POST', `/${INDEX}${path}`, body(Math.abs(round), DOCS), type)
    yield [name, { 'new params': { before: settle, work } }]
  }
}

const COLUMNS = ['new script', 'new params', 'again', 'mapped']
/** How much a repeated search on a computed field costs beside one on a mapped field. */
const REPEATED = 'again / mapped'
const show = (cells) => console.log(`| ${cells.join(' | ')} |`)

await prepareIndices()
console.log(`${DOCS} documents, medians of at most ${ROUNDS} rounds, milliseconds of CPU: ours / reference = ratio`)
show(['', ...COLUMNS, REPEATED, 'rounds'])
show(['---', ...COLUMNS.map(() => '---:'), '---:', '---:'])
for (const [name, columns] of rows()) {
  if (!name.includes(options.only)) continue
  const { medians, differs, rounds } = await measured(Object.values(columns))
  const names = Object.keys(columns)
  const medianOf = (column) => medians[names.indexOf(column)]
  const cells = COLUMNS.map((column) => {
    if (medianOf(column) === undefined) return ''
    const [ours, other] = medianOf(column)
    return other === undefined
      ? ours.toFixed(1)
      : `${ours.toFixed(1)} / ${other.toFixed(1)} = ${(other / ours).toFixed(1)}×`
  })
  const repeated = medianOf('mapped') === undefined ? '' : (medianOf('again')[0] / medianOf('mapped')[0]).toFixed(2)
  show([differs ? `${name} (ANSWERS DIFFER)` : name, ...cells, repeated, rounds])
}
if (options.delete) for (const { base } of servers) await send(base, 'DELETE', `/${INDEX}`)
closeConnections()
console.log(`${Math.round(performance.now() / 1000)} seconds`)
