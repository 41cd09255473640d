// What the user sees.

import { CLASSES, worst } from './compare.mjs'
import { stringify } from './json.mjs'
import { describeStep } from './steps/index.mjs'

const clip = (text, width) => (text.length > width ? `${text.slice(0, width)}…` : text)

export function show(value, width = 220) {
  return value === undefined ? '(absent)' : clip(stringify(value) ?? String(value), width)
}

export function printFailure(result, { verbose, replayHint }) {
  const { testCase, differences } = result
  console.log(`\n${worst(differences).toUpperCase()}  ${testCase.id}   ${replayHint}`)
  printDifferences(differences, verbose ? 50 : 4)
  const shown = result.shrunk ?? testCase
  const at = (result.shrunk?.differences ?? differences)[0]?.step
  if (result.shrunk) {
    console.log('  shrunk to:')
    printDifferences(result.shrunk.differences, 2)
    printWorld(shown.world, verbose ? 1e6 : 900)
  }
  const steps = at === undefined ? [] : shown.steps.slice(result.shrunk || verbose ? 0 : at, at + 1)
  for (const step of steps) console.log(indent(clip(describeStep(step), verbose ? 1e6 : 1500)))
}

function printDifferences(differences, limit) {
  for (const d of differences.slice(0, limit)) {
    console.log(`  [${d.class}] ${d.path || '(answer)'}`)
    console.log(`      oracle  ${show(d.oracle)}`)
    console.log(`      subject ${show(d.subject)}`)
  }
  if (differences.length > limit) console.log(`  … and ${differences.length - limit} more`)
}

function printWorld(world, width) {
  for (const index of world.indices) {
    const ops = index.batches.flat()
    const used = new Set(ops.flatMap((op) => Object.keys(op.doc ?? {})))
    const properties = Object.fromEntries(
      Object.entries(index.body.mappings?.properties ?? {}).filter(([name]) => ops.length > 8 || used.has(name)),
    )
    console.log(
      `    PUT /${index.name} ${clip(
        stringify({ settings: index.body.settings, mappings: { ...index.body.mappings, properties } }),
        width,
      )}`,
    )
    for (const op of ops.slice(0, 8)) console.log(`    ${op.op} ${op.id} ${clip(stringify(op.doc ?? ''), 300)}`)
    if (ops.length > 8) console.log(`    … ${ops.length - 8} more writes`)
  }
}

const indent = (text) =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')

export class Tally {
  constructor() {
    this.areas = new Map()
    this.troubled = 0 // cases left out because the oracle could not build their world
  }

  add(area, result) {
    const row = this.areas.get(area) ?? { passed: 0, failed: 0, refused: 0, classes: {} }
    this.areas.set(area, row)
    if (result.trouble) return void this.troubled++
    row[result.failed ? 'failed' : 'passed']++
    if (result.refused) row.refused++
    const kind = worst(result.differences)
    if (kind) row.classes[kind] = (row.classes[kind] ?? 0) + 1
  }

  get passed() {
    return [...this.areas.values()].reduce((sum, row) => sum + row.passed, 0)
  }

  get failed() {
    return [...this.areas.values()].reduce((sum, row) => sum + row.failed, 0)
  }

  /** Cases per area and worst class. */
  print() {
    const used = CLASSES.filter((c) => [...this.areas.values()].some((row) => row.classes[c]))
    const line = (cells) =>
      console.log(cells.map((c, i) => (i === 0 ? String(c).padEnd(12) : String(c).padStart(10))).join(''))
    console.log('')
    line(['area', 'passed', 'failed', 'refused', ...used])
    for (const [name, row] of this.areas)
      line([name, row.passed, row.failed, row.refused, ...used.map((c) => row.classes[c] ?? '.')])
    console.log('(refused: the oracle answered at least one step of the case with an error)')
    if (this.troubled > 0) console.log(`(${this.troubled} cases not run: the oracle was too busy to build their world)`)
    if (used.includes('reason'))
      console.log('(cases under "reason" differ only in an error text; they count as passed unless --strict)')
    console.log(`${this.passed} passed, ${this.failed} failed`)
  }

  toJSON() {
    return Object.fromEntries(this.areas)
  }
}
