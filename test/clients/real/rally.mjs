// Runs Rally with a track of our own; each task of the race is a step, which passes if its error rate is 0.
//   node rally.mjs FOLDER URL REPOSITORIES        FOLDER has Rally in its Python environment, REPOSITORIES is the service's folder of snapshot repositories
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const [folder, url, repositories] = process.argv.slice(2)
const INDEX = 'clients-rally'
const DOCUMENTS = 5_000
const home = mkdtempSync(join(tmpdir(), 'sandpiper-rally-'))
const track = join(home, 'track')
const report = join(home, 'report.csv')
mkdirSync(track)

const lines = Array.from({ length: DOCUMENTS }, (_, n) =>
  JSON.stringify({
    '@timestamp': new Date(Date.UTC(2025, 0, 1) + n * 60_000).toISOString(),
    host: `host-${n % 20}`,
    status: [200, 301, 404, 500][n % 4],
    bytes: (n * 7919) % 10_000,
    message: `request ${n} of the ${n % 2 === 0 ? 'even' : 'odd'} kind`,
  }),
)
writeFileSync(join(track, 'documents.json'), `${lines.join('\n')}\n`)
writeFileSync(
  join(track, 'index.json'),
  JSON.stringify({
    settings: { 'index.number_of_shards': 1, 'index.number_of_replicas': 0 },
    mappings: {
      dynamic: 'strict',
      properties: {
        '@timestamp': { type: 'date' },
        host: { type: 'keyword' },
        status: { type: 'short' },
        bytes: { type: 'integer' },
        message: { type: 'text' },
        copied: { type: 'keyword' },
      },
    },
  }),
)

const ROUNDS = { 'warmup-iterations': 2, iterations: 8 }
const once = (name, type, parameters = {}) => ({ operation: { name, 'operation-type': type, ...parameters } })
const often = (name, type, parameters) => ({ ...once(name, type, parameters), ...ROUNDS })
const search = (name, body, parameters = {}) => often(name, 'search', { index: INDEX, body, ...parameters })
const histogram = {
  date_histogram: { field: '@timestamp', fixed_interval: '1h' },
  aggs: { mean: { avg: { field: 'bytes' } } },
}
const composite = {
  composite: { size: 15, sources: [{ h: { terms: { field: 'host' } } }, { s: { terms: { field: 'status' } } }] },
}
const newest = [{ '@timestamp': 'desc' }, { bytes: 'asc' }]

const schedule = [
  once('delete-index', 'delete-index'),
  once('put-pipeline', 'put-pipeline', {
    id: 'clients-rally',
    body: { processors: [{ set: { field: 'copied', copy_from: 'host' } }] },
  }),
  once('create-index', 'create-index'),
  once('cluster-health', 'cluster-health', { 'request-params': { wait_for_status: 'green' } }),
  {
    operation: { name: 'bulk', 'operation-type': 'bulk', 'bulk-size': 250, pipeline: 'clients-rally', detailed: true },
    clients: 2,
  },
  once('refresh', 'refresh'),
  once('force-merge', 'force-merge', { 'max-num-segments': 1 }),
  often('index-stats', 'index-stats', {
    index: INDEX,
    condition: { path: '_all.total.docs.count', 'expected-value': DOCUMENTS },
  }),
  often('node-stats', 'node-stats', {}),
  often('field-caps', 'field-caps', { index: INDEX, fields: '*' }),
  search(
    'match',
    { query: { match: { message: 'odd' } } },
    { 'detailed-results': true, assertions: [{ property: 'hits', condition: '==', value: DOCUMENTS / 2 }] },
  ),
  search('filter', { query: { bool: { filter: [{ term: { status: 404 } }, { term: { copied: 'host-2' } }] } } }),
  search('newest', { query: { match_all: {} }, sort: newest }),
  search('histogram', { size: 0, aggs: { h: histogram } }, { cache: false }),
  search(
    'terms',
    { size: 0, aggs: { h: { terms: { field: 'host' } } } },
    { cache: true, 'response-compression-enabled': true },
  ),
  often('scroll', 'scroll-search', {
    index: INDEX,
    pages: 'all',
    'results-per-page': 1000,
    body: { query: { match_all: {} } },
  }),
  often('composite', 'composite-agg', { index: INDEX, pages: 'all', body: { size: 0, aggs: { c: composite } } }),
  often('point-in-time', 'composite', {
    requests: [
      {
        stream: [
          { name: 'open', 'operation-type': 'open-point-in-time', index: INDEX },
          {
            name: 'pages',
            'operation-type': 'paginated-search',
            index: INDEX,
            'with-point-in-time-from': 'open',
            pages: 'all',
            'results-per-page': 1000,
            body: { query: { match_all: {} }, sort: newest },
          },
          { name: 'close', 'operation-type': 'close-point-in-time', 'with-point-in-time-from': 'open' },
        ],
      },
    ],
  }),
  often('async-search', 'composite', {
    requests: [
      {
        name: 'submit',
        'operation-type': 'submit-async-search',
        index: INDEX,
        body: { size: 0, aggs: { h: histogram } },
      },
      { name: 'read', 'operation-type': 'get-async-search', 'retrieve-results-for': ['submit'] },
      { name: 'remove', 'operation-type': 'delete-async-search', 'delete-results-for': ['submit'] },
    ],
  }),
  often('raw-request', 'raw-request', { path: '/_cat/indices?format=json' }),
  once('create-repository', 'create-snapshot-repository', {
    repository: 'rally',
    body: { type: 'fs', settings: { location: join(repositories, 'rally') } },
  }),
  once('create-snapshot', 'create-snapshot', {
    repository: 'rally',
    snapshot: 'one',
    'wait-for-completion': true,
    body: { indices: INDEX },
  }),
  once('delete-for-restore', 'delete-index', { index: INDEX }),
  once('restore-snapshot', 'restore-snapshot', { repository: 'rally', snapshot: 'one', 'wait-for-completion': true }),
  once('wait-for-recovery', 'wait-for-recovery', { index: INDEX }),
  once('update-settings', 'put-settings', { body: { transient: { 'action.auto_create_index': 'true' } } }),
  once('create-data-stream-template', 'create-composable-template', {
    template: 'clients-rally',
    body: { index_patterns: ['clients-rally-stream*'], data_stream: {} },
  }),
  once('create-data-stream', 'create-data-stream', { 'data-stream': 'clients-rally-stream' }),
  once('delete-data-stream', 'delete-data-stream', { 'data-stream': 'clients-rally-stream' }),
]
writeFileSync(
  join(track, 'track.json'),
  JSON.stringify({
    version: 2,
    description: 'Operations over generated log lines',
    indices: [{ name: INDEX, body: 'index.json' }],
    corpora: [
      {
        name: 'lines',
        documents: [{ 'target-index': INDEX, 'source-file': 'documents.json', 'document-count': DOCUMENTS }],
      },
    ],
    schedule,
  }),
)

const args = ['race', '--offline', '--pipeline=benchmark-only', `--track-path=${track}`, '--on-error=continue']
args.push(`--target-hosts=${new URL(url).host}`, '--report-format=csv', `--report-file=${report}`, '--quiet')
args.push('--telemetry=node-stats,disk-usage-stats', `--telemetry-params=disk-usage-stats-indices:${INDEX}`)
const { stdout, stderr } = spawnSync(
  join(folder, 'venv', 'bin', 'python'),
  [join(folder, 'venv', 'bin', 'esrally'), ...args],
  {
    env: { ...process.env, RALLY_HOME: home },
    encoding: 'utf8',
    timeout: 15 * 60_000,
  },
)
const rates = new Map()
for (const line of readReport()) {
  const [metric, task, value] = line.split(',')
  if (metric === 'error rate') rates.set(task, Number(value))
}
if (rates.size === 0)
  console.log(JSON.stringify({ step: 'the race', ok: false, error: `${stdout}${stderr}`.slice(-600) }))
else
  for (const { operation } of schedule) {
    const rate = rates.get(operation.name)
    const ok = rate === 0
    console.log(
      JSON.stringify({ step: operation.name, ok, ...(ok ? {} : { error: `error rate ${rate ?? 'unknown'}` }) }),
    )
  }
if (process.env.RALLY_KEEP === undefined) rmSync(home, { recursive: true, force: true })
else console.log(home)

function readReport() {
  try {
    return readFileSync(report, 'utf8').split('\n')
  } catch {
    return []
  }
}
