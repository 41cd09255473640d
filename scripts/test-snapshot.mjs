// Snapshots the data of the search benchmark, wipes the node, restores, and compares every answer.
//   node scripts/test-snapshot.mjs [--bench FOLDER] [--cache FOLDER] [--size 100k] [--report FILE]
// --bench is the folder of the search benchmark: its generator, mappings and requests are used. --cache is the folder of its bulk bodies, which are made if
// they are missing. --report writes the differences to a file.
// All data sets are loaded into a fresh service, which then runs every search and every scan of the benchmark. After a snapshot the service is stopped and its
// data folder deleted. A new service with an empty data folder registers the repository read-only, restores, and runs the same requests again. Two answers are
// equal if they are the same bytes apart from `took` and the ids of scrolls and points in time, so order, scores, sort values and sources count as well.
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startService } from '../test/clients/runner/service.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values: options } = parseArgs({
  options: {
    bench: { type: 'string', default: join(root, '..', 'shared', 'bench', 'search') },
    cache: { type: 'string' },
    size: { type: 'string', default: '100k' },
    report: { type: 'string' },
  },
})
const part = (file) => import(pathToFileURL(join(resolve(options.bench), file)).href)
const [{ workloads, indexBody, INDEX }, { Conn }, { bulkFiles, cacheRoot, parseSize }, { dialectOf }, { ensureSet }] =
  await Promise.all(['workloads.mjs', 'lib/http.mjs', 'lib/cache.mjs', 'lib/dialect.mjs', 'data/make.mjs'].map(part))
const SNAPSHOT = '/_snapshot/benchmark/all'
const EXCERPT = 1_000

/** A connection of the benchmark that keeps what each request was answered with. */
class RecordingConnection extends Conn {
  answers = []
  workload = ''

  async request(request) {
    const answer = await super.request(request)
    const text = withoutTimesAndIds(answer.body.toString('utf8'))
    this.answers.push({
      workload: this.workload,
      request: `${request.method ?? 'GET'} ${request.path} ${withoutTimesAndIds(JSON.stringify(request.body ?? null))}`,
      status: answer.status,
      digest: createHash('sha256').update(text).digest('hex'),
      excerpt: text.slice(0, EXCERPT),
    })
    return answer
  }
}

/** Only the beginning of a text is changed, because a document may hold the same words. */
function withoutTimesAndIds(text) {
  const head = text
    .slice(0, EXCERPT)
    .replace(/"took":\d+/, '"took":0')
    .replace(/"(_scroll_id|scroll_id|pit_id)":"[^"]*"/g, '"$1":""')
    .replace(/^\{"id":"[^"]*"/, '{"id":""')
    .replace(/"pit":\{"id":"[^"]*"/, '"pit":{"id":""')
  return head + text.slice(EXCERPT)
}

async function must(service, method, path, body, type) {
  const connection = new Conn(service.url)
  try {
    const { status, value } = await connection.json({ method, path, body, type })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(value).slice(0, 500)}`)
    return value
  } finally {
    connection.close()
  }
}

async function load(service, meta) {
  for (const set of Object.keys(INDEX)) {
    const data = meta[set === 'logs_sorted' ? 'logs' : set]
    await must(service, 'PUT', `/${INDEX[set]}`, indexBody(set, data))
    for (const file of bulkFiles(data.dir)) {
      const path = `/${INDEX[set]}/_bulk`
      const { errors } = await must(service, 'POST', path, readFileSync(file), 'application/x-ndjson')
      if (errors) throw new Error(`${path}: documents were rejected`)
    }
    await must(service, 'POST', `/${INDEX[set]}/_refresh`)
    const { count } = await must(service, 'GET', `/${INDEX[set]}/_count`)
    console.log(`${INDEX[set]}: ${count} documents`)
    if (count !== data.docs) throw new Error(`${data.docs} documents were sent`)
  }
}

/** The answers to every search and scan of the benchmark, in the order of the requests of each connection. */
async function runSearches(service, list) {
  const dialect = dialectOf('sandpiper')
  const [first, second] = [new RecordingConnection(service.url), new RecordingConnection(service.url)]
  for (const workload of list) {
    first.workload = second.workload = workload.id
    if (workload.shape === 'latency') for (const request of workload.requests()) await first.request(request)
    else await workload.run(first, dialect, { check: true, second })
  }
  for (const index of Object.values(INDEX)) await first.request({ path: `/${index}/_mapping` })
  first.close()
  second.close()
  return [...first.answers, ...second.answers]
}

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const repositories = mkdtempSync(join(tmpdir(), 'sandpiper-snapshot-'))
let service
try {
  const meta = {}
  for (const set of ['logs', 'packages', 'cities', 'issues'])
    meta[set] = await ensureSet(cacheRoot(options.cache), set, parseSize(options.size))
  const list = workloads({ meta }).filter(({ shape }) => shape === 'latency' || shape === 'scan')

  service = await startService({ repositories })
  await load(service, meta)
  const before = await runSearches(service, list)
  const refused = before.filter(({ status }) => status !== 200)
  console.log(`${before.length} requests of ${list.length} workloads, ${refused.length} of them refused`)

  const location = { location: 'benchmark' }
  await must(service, 'PUT', '/_snapshot/benchmark', { type: 'fs', settings: location })
  let since = performance.now()
  const { snapshot } = await must(service, 'PUT', `${SNAPSHOT}?wait_for_completion=true`, {})
  console.log(`snapshot ${snapshot.state}, ${snapshot.shards.successful} shards, ${seconds(since)}`)
  await service.stop()

  service = await startService({ repositories })
  const { indices } = await must(service, 'GET', '/_cluster/stats')
  if (indices.count !== 0) throw new Error('the wiped node has indices')
  await must(service, 'PUT', '/_snapshot/benchmark', { type: 'fs', settings: { ...location, readonly: true } })
  since = performance.now()
  const restored = await must(service, 'POST', `${SNAPSHOT}/_restore?wait_for_completion=true`, {})
  console.log(`restored ${restored.snapshot.indices.length} indices, ${seconds(since)}`)
  const after = await runSearches(service, list)

  const different = before.flatMap((answer, n) =>
    answer.request === after[n]?.request && answer.status === after[n].status && answer.digest === after[n].digest
      ? []
      : [{ before: answer, after: after[n] }],
  )
  for (const {
    before: { workload, request },
  } of different.slice(0, 20))
    console.log(`different: ${workload}: ${request.slice(0, 300)}`)
  if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(different, null, 1))
  const equal = before.length - different.length
  console.log(`${equal} of ${before.length} answers equal, ${after.length} after the restore`)
  process.exitCode = different.length === 0 && after.length === before.length && refused.length === 0 ? 0 : 1
} finally {
  await service?.stop()
  rmSync(repositories, { recursive: true, force: true })
}
