/**
 * Measures aggregations and searches of the engine in process, without HTTP: CPU nanoseconds a document (aggregations)
 * and CPU milliseconds (searches). `npm run build` first.
 *
 *   node bench/engine.mjs [--docs 1000000] [--segments 1] [--only TEXT] [--data FOLDER] [--keep]
 *     [--dist dist] [--against OTHER/dist]
 *
 * The documents are written into FOLDER as segments (a folder of the system's temporary ones by default) and removed at the end
 * unless `--keep`. Each build runs three times in a process of its own, in turn with the other one; the table has the median of
 * the runs. Within a run, a row is the least of the rounds: noise of other programs only adds. Answers that differ are marked.
 * The rows `plain: …` are the same work as a loop over plain arrays.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { openCorpus, writeCorpus } from './engine/corpus.mjs'
import { PLAIN_LOOPS } from './engine/plain-loops.mjs'
import { AGGREGATIONS, SEARCHES } from './engine/rows.mjs'

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '1000000' },
    segments: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    data: { type: 'string' },
    keep: { type: 'boolean', default: false },
    dist: { type: 'string', default: 'dist' },
    against: { type: 'string' },
    runs: { type: 'string', default: '3' },
    /** Set by the process that starts the runs. */
    run: { type: 'boolean', default: false },
  },
})
/** A row of a run takes about this long. */
const ROW_NS = 400_000_000
const ROUNDS_MIN = 4
const WARM_ROUNDS = 2

if (options.run) await measure()
else await compare()

async function compare() {
  const folder = resolve(options.data ?? mkdtempSync(join(tmpdir(), 'sandpiper-bench-')))
  const builds = [options.dist, ...(options.against === undefined ? [] : [options.against])].map((dist) =>
    resolve(dist),
  )
  await writeCorpus(builds[0], folder, Number(options.docs), Number(options.segments))
  try {
    const runs = builds.map(() => [])
    for (let run = 0; run < Number(options.runs); run++) {
      for (const [i, dist] of builds.entries()) runs[i].push(runOf(dist, folder))
    }
    print(runs)
  } finally {
    if (!options.keep) rmSync(folder, { recursive: true })
  }
}

function runOf(dist, folder) {
  const words = ['--run', '--dist', dist, '--data', folder, '--only', options.only]
  const script = fileURLToPath(import.meta.url)
  const { stdout, status } = spawnSync(process.execPath, [script, ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  if (status !== 0) process.exit(1)
  return new Map(JSON.parse(stdout.toString()))
}

function print(runs) {
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1]
  console.log(['row', 'unit', ...runs.map((_, i) => (i === 0 ? 'this build' : 'other build'))].join(' | '))
  for (const [name, { unit }] of runs[0][0]) {
    const cells = runs.map((own) => median(own.map((run) => run.get(name).cost)).toFixed(2))
    const answers = new Set(runs.flat().map((run) => run.get(name).answer))
    console.log([name, unit, ...cells, ...(answers.size > 1 ? ['ANSWERS DIFFER'] : [])].join(' | '))
  }
}

async function measure() {
  const load = (path) => import(pathToFileURL(join(options.dist, 'engine', path)).href)
  const { aggregate } = await load('aggregations/aggregation-fixture.js')
  const { runSearch } = await load('search/search-fixture.js')
  const shard = await openCorpus(options.dist, options.data)
  const rows = []
  const docs = shard.view.liveRoots
  const row = (name, unit, per, work) => {
    if (name.includes(options.only)) rows.push({ name, unit, per, work, cost: Number.POSITIVE_INFINITY })
  }
  for (const [name, { query, ...aggs }] of Object.entries(AGGREGATIONS)) {
    row(name, 'ns a document', docs, () => aggregate([shard], aggs, { query, onlyShard: true }))
  }
  for (const [name, query] of Object.entries(SEARCHES)) {
    row(`search: ${name}`, 'ms', 1e6, () => {
      const { hits, total } = runSearch(shard, { query, size: 10 }, { trackTotalUpTo: 10_000 })
      return { hits, total }
    })
  }
  for (const [name, loop] of Object.entries(PLAIN_LOOPS)) {
    const work = loop(docs)
    row(`plain: ${name}`, 'ns a document', docs, work)
  }
  // The rounds of all rows come in turn, so that every loop has seen the shapes that it sees in a service.
  for (let round = 0; round < WARM_ROUNDS; round++) for (const { work } of rows) work()
  for (const measured of rows) {
    const { per, work } = measured
    const begun = cpuNs()
    let answer
    for (let round = 0; round < ROUNDS_MIN || cpuNs() - begun < ROW_NS; round++) {
      const start = cpuNs()
      answer = work()
      measured.cost = Math.min(measured.cost, (cpuNs() - start) / per)
    }
    measured.answer = createHash('sha256')
      .update(JSON.stringify(answer ?? null))
      .digest('hex')
  }
  console.log(JSON.stringify(rows.map(({ name, unit, cost, answer }) => [name, { unit, cost, answer }])))
}

function cpuNs() {
  const { user, system } = process.cpuUsage()
  return (user + system) * 1000
}
