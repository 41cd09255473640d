// Random searches through the gateway and to a real Elasticsearch, which must answer the same. Differences in hits, order,
// totals or buckets must stand in known-differences.txt with a reason that the manual gives.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const AREAS = 'paging,composite,nested,search,sort'
const SILENT = new Set(['crash', 'hits', 'order', 'total', 'aggs', 'invariant'])
const EQUAL_MIN = 0.98

/** Returns checks with their problems. `oracle` is the address of Elasticsearch. */
export function diffWithElasticsearch({ shared, oracle, gateway, seed = 1, cases = 1000 }) {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-diff-'))
  try {
    const file = join(folder, 'results.json')
    const options = [
      '--area',
      AREAS,
      '--seed',
      seed,
      '--cases',
      cases,
      '--shrink',
      0,
      '--show',
      0,
      '--jobs',
      2,
      '--json',
      file,
    ]
    const args = [join(shared, 'oracle', 'diff.mjs'), '--oracle', oracle, '--subject', gateway, ...options.map(String)]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 1 << 28 })
    console.log(stdout.trim())
    return judge(JSON.parse(readResults(file, stderr)), seed)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function readResults(file, stderr) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Error(`the comparison did not run: ${stderr.slice(-500)}`)
  }
}

function judge({ passed, failed, failures }, seed) {
  const known = new Map(
    readFileSync(join(here, 'known-differences.txt'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => line.split(' | ')),
  )
  const wrong = failures.filter((failure) => failure.failed)
  for (const { id, class: kind, differences } of wrong)
    console.log(`${kind.padEnd(10)} ${id} ${differences[0].path}: ${known.get(id) ?? 'not documented'}`)
  const silent = wrong.filter(({ id, class: kind }) => SILENT.has(kind) && !known.has(id))
  const part = passed / (passed + failed)
  const shown = `${passed} of ${passed + failed} random searches of seed ${seed} are equal (${(part * 100).toFixed(1)} %)`
  return [
    { name: shown, problem: part >= EQUAL_MIN ? undefined : `at least ${EQUAL_MIN * 100} % must be` },
    {
      name: 'no undocumented difference in hits, order, totals or buckets',
      problem: silent.length === 0 ? undefined : silent.map(({ id }) => id).join(', '),
    },
  ]
}
