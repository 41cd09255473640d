import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EmitBlock } from '../../../contract.ts'
import { part_hour } from '../date-parts.ts'
import { toInt } from './column-calls.ts'
import { type Bound, ColumnProgram, type ColumnTerm } from './column-program.ts'

const BLOCK = 4
const DOCS = 10

/** A column with the bounds of every four documents, as doc values have them. */
function columnOf(numbers: readonly number[]) {
  const bounds: number[] = []
  for (let from = 0; from < numbers.length; from += BLOCK) {
    const block = numbers.slice(from, from + BLOCK)
    bounds.push(Math.min(...block), Math.max(...block))
  }
  return {
    op: 'column' as const,
    column: { numbers: Float64Array.from(numbers), rangesOf: () => Float64Array.from(bounds) },
  }
}

/** What a program emits for all documents. */
function emitted(root: Exclude<Bound, number>) {
  const values = new Float64Array(DOCS)
  const seen: { ranges?: number[] | undefined } = {}
  const into = {
    kept: 0,
    valueArray: values,
    room: () => {},
    keepRange: (_from: number, _count: number, ranges: Float64Array | undefined) => {
      seen.ranges = ranges && Array.from(ranges)
    },
  } as unknown as EmitBlock
  assert.equal(new ColumnProgram(root).emitRange(0, DOCS, into), true)
  return { values: Array.from(values), ranges: seen.ranges }
}

const NUMBERS = [3, -1, 7.5, 2, 0, 1e-9, -40, 12, 5, 6]

test('a program that never falls or never rises with its column emits the bounds of its results by block', () => {
  const column = columnOf(NUMBERS)
  const programs: Exclude<Bound, number>[] = [
    column,
    { op: '*', left: column, right: 1.1 },
    { op: '*', left: -0.3, right: column },
    { op: '-', left: 100, right: column },
    { op: '/', left: { op: '+', left: column, right: 3 }, right: -7 },
    { op: 'call', apply: Math.sqrt, child: { op: '+', left: column, right: 50 } },
  ]
  for (const program of programs) {
    const { values, ranges } = emitted(program)
    assert.deepEqual(ranges, Array.from(columnOf(values).column.rangesOf()))
  }
})

test('a program of another kind, or with a result that is not finite, emits no bounds', () => {
  const column = columnOf(NUMBERS)
  const programs: Exclude<Bound, number>[] = [
    { op: '*', left: column, right: column },
    { op: '/', left: 1, right: column },
    { op: '/', left: column, right: 0 },
    { op: '*', left: column, right: Number.NaN },
    { op: 'call', apply: Math.abs, child: column },
    { op: 'call', apply: Math.sqrt, child: column },
    { op: '?', condition: column, left: column, right: 1 },
  ]
  for (const program of programs) assert.equal(emitted(program).ranges, undefined)
})

test('a choice by a comparison with a number has the value of the branch, also for values that are not numbers', () => {
  const numbers = [...NUMBERS.slice(0, 8), Number.NaN, 2]
  const column = columnOf(numbers)
  const compared: Readonly<Record<string, (value: number) => boolean>> = {
    '<': (value) => value < 2,
    '<=': (value) => value <= 2,
    '>': (value) => value > 2,
    '>=': (value) => value >= 2,
    '==': (value) => value === 2,
    '!=': (value) => value !== 2,
  }
  for (const [op, holds] of Object.entries(compared)) {
    const condition = { op, left: column, right: 2 } as Exclude<Bound, number>
    const program = { op: '?', condition, left: { op: '*', left: column, right: 10 }, right: -1 } as const
    const expected = numbers.map((value) => (holds(value) ? value * 10 : -1))
    assert.deepEqual(emitted(program).values, expected)
  }
})

test('the sum of a part of a date and a number is an int, also where it overflows', () => {
  const times = Array.from({ length: DOCS }, (_, i) => i * 5 * 3_600_000)
  const columns = new Map([[0, columnOf(times).column]])
  const hour: ColumnTerm = { op: 'call', apply: part_hour, child: { op: 'column', column: 0 } }
  const sum: ColumnTerm = { op: 'call', apply: toInt, child: { op: '+', left: hour, right: { op: 'param', param: 0 } } }
  for (const param of [7, -30, 2 ** 31 - 5]) {
    const into = new Float64Array(DOCS)
    ColumnProgram.bind(sum, columns, [param])!.run(new Int32Array(DOCS), DOCS, into, undefined)
    assert.deepEqual(
      Array.from(into),
      times.map((ms) => (part_hour(ms) + param) | 0),
    )
  }
})
