// Draws small defects at random, plants each in a copy of the project, and prints which of them no test notices.
//   npm run test:mutate -- [--seed 1] [--count 30] [--jobs 1] [--rounds 12] [--paths src/engine/sort,src/service/search]
//
// A mutant is caught by the unit tests beside its file and those that import it, or by the laws of test/model, which run for
// --rounds of 25 requests. The same seed and paths give the same mutants as long as the files are the same. A survivor is a line that may be wrong
// without anyone noticing, or one that gives the same answers in another way.
import { readdirSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Random } from '../fuzz/random.ts'
import { LawsProcess } from './laws-process.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { Neighbours } from './neighbours.ts'
import { Scratch } from './scratch.ts'
import { syntaxTrees } from './syntax-trees.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '30' },
    jobs: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '12' },
    paths: {
      type: 'string',
      default: [
        'src/engine/sort',
        'src/engine/search',
        'src/engine/request',
        'src/engine/kernels/slice-kernel.ts',
        'src/engine/query/nested',
        'src/engine/aggregations/composite',
        'src/engine/aggregations/buckets/nested.ts',
        'src/engine/aggregations/buckets/reverse-nested.ts',
        'src/service/search',
      ].join(),
    },
  },
})

/** More is left to the laws. */
const TEST_SECONDS = 5

type Judge = 'unit tests' | 'laws' | 'nobody'

interface Judged {
  readonly mutant: Mutant
  readonly by: Judge
}

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..')
const [seed, rounds] = [Number(values.seed), Number(values.rounds)]
const neighbours = new Neighbours(project)
const drawn = draw(values.paths.split(',').flatMap(sourcesIn), Number(values.count))
const judged: Judged[] = []
/** Seconds of processor time that test files take. */
const costs = new Map<string, number>()
let next = 0
const scratch = await Scratch.make(project, drawn)
try {
  await Promise.all(Array.from({ length: Number(values.jobs) }, work))
} finally {
  scratch.remove()
}
report()

function sourcesIn(path: string): string[] {
  const full = join(project, path)
  const found = statSync(full).isDirectory()
    ? readdirSync(full, { recursive: true, encoding: 'utf8' }).map((name) => join(path, name))
    : [path]
  return found.filter((name) => /(?<!\.test|-fixture|\.generated)\.ts$/.test(name)).sort()
}

function draw(files: readonly string[], count: number): Mutant[] {
  const all = [...syntaxTrees(project, files)].flatMap(([file, tree]) => mutantsOf(file, tree))
  console.log(
    `${all.length} mutants in ${files.length} files; ${Math.min(count, all.length)} are drawn with seed ${seed}`,
  )
  const random = new Random(seed)
  const chosen: Mutant[] = []
  while (chosen.length < count && all.length > 0) {
    const [mutant] = all.splice(random.below(all.length), 1)
    // Two in one place cannot be switched apart.
    const isFree = chosen.every(
      ({ file, start, end }) => file !== mutant!.file || end <= mutant!.start || start >= mutant!.end,
    )
    if (isFree) chosen.push(mutant!)
  }
  return chosen
}

async function work(): Promise<void> {
  const laws = new LawsProcess(scratch.laws, seed, rounds)
  if (await laws.notices(-1)) throw new Error('the laws fail without a mutant')
  while (next < drawn.length) {
    const number = next++
    const mutant = drawn[number]!
    const by = await judge(laws, mutant, number)
    judged.push({ mutant, by })
    console.log(`${String(judged.length).padStart(4)} ${by.padEnd(10)} ${describe(mutant)}`)
  }
  laws.stop()
}

async function judge(laws: LawsProcess, mutant: Mutant, number: number): Promise<Judge> {
  const tests = await testsOf(mutant.file)
  if (tests.length > 0 && (await scratch.unitTests(tests, number)).fails) return 'unit tests'
  return (await laws.notices(number, mutant.isOfModule)) ? 'laws' : 'nobody'
}

/** The nearest tests of a file that are quick. */
async function testsOf(file: string): Promise<string[]> {
  const chosen: string[] = []
  let rest = TEST_SECONDS
  for (const path of neighbours.testsOf(file)) {
    const seconds = costs.get(path) ?? (await costOf(path))
    costs.set(path, seconds)
    if (seconds > rest) continue
    rest -= seconds
    chosen.push(path)
  }
  return chosen
}

/** Tests that fail without a mutant would catch every one. */
async function costOf(path: string): Promise<number> {
  const { fails, seconds, output } = await scratch.unitTests([path], -1)
  if (fails) throw new Error(`${path} fails without a mutant:\n${output.slice(-4000)}`)
  return seconds
}

function describe({ file, line, kind, before, after }: Mutant): string {
  const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 90)
  return `${file}:${line} ${kind}: ${short(before)} → ${short(after)}`
}

function report(): void {
  const areas = new Map<string, Record<Judge, number>>()
  for (const { mutant, by } of judged) {
    const area = dirname(mutant.file)
    const counts = areas.get(area) ?? { 'unit tests': 0, laws: 0, nobody: 0 }
    counts[by]++
    areas.set(area, counts)
  }
  const caught = judged.filter(({ by }) => by !== 'nobody').length
  console.log('\nfolder                                          unit tests  laws  nobody')
  for (const [area, counts] of [...areas].sort())
    console.log(
      `${area.padEnd(48)}${String(counts['unit tests']).padStart(10)}${String(counts.laws).padStart(6)}${String(counts.nobody).padStart(8)}`,
    )
  console.log(`\n${caught} of ${judged.length} caught. Survivors:`)
  for (const { mutant, by } of judged) if (by === 'nobody') console.log(`  ${describe(mutant)}`)
}
