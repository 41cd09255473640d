import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundsOf } from './column-bounds.ts'
import { toInt } from './column-calls.ts'
import type { Bound } from './column-program.ts'

const column = (...numbers: number[]): Bound => ({ op: 'column', column: { numbers: Float64Array.from(numbers) } })
const NO_SCORES = new Float64Array(0)
const calling = (apply: (value: number) => number, child: Bound): Bound => ({ op: 'call', apply, child })

test('bounds of a column are its smallest and largest value, and those of other documents do not count', () => {
  assert.deepEqual(boundsOf(column(3, -1, 7, 2, 9), 4, NO_SCORES), { least: -1, most: 7 })
  assert.deepEqual(boundsOf(column(3, -1, 7, 2, 9), 5, NO_SCORES), { least: -1, most: 9 })
  assert.deepEqual(boundsOf({ op: 'score' }, 2, Float64Array.of(0.5, 0.25)), { least: 0.25, most: 0.5 })
})

test('a value that is not a finite number leaves a program without bounds', () => {
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    for (const numbers of [
      [value, 1, 2],
      [1, value, 2],
      [1, 2, value],
    ]) {
      assert.equal(boundsOf(column(...numbers), 3, NO_SCORES), undefined)
    }
  }
})

test('quotients by values around 0, logarithms of negative values and unknown functions have no bounds', () => {
  assert.equal(boundsOf({ op: '/', left: 1, right: column(-1, 1) }, 2, NO_SCORES), undefined)
  assert.equal(boundsOf(calling(Math.log, column(-1, 1)), 2, NO_SCORES), undefined)
  assert.equal(boundsOf(calling(Math.sin, column(1, 2)), 2, NO_SCORES), undefined)
  assert.equal(boundsOf(calling(toInt, column(1, 2 ** 32 + 5)), 2, NO_SCORES), undefined)
})

test('results of random programs are within their bounds', () => {
  let seed = 11
  const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647
  const operators = ['+', '-', '*', '/', '<', '>='] as const
  const calls = [Math.log, Math.log10, Math.sqrt, Math.abs, toInt]
  const numbers = Float64Array.from({ length: 9 }, () => (random() - 0.3) * 40)
  const term = (depth: number): Bound => {
    const kind = depth === 0 ? random() * 2 : random() * 6
    if (kind < 1) return { op: 'column', column: { numbers } }
    if (kind < 2) return Math.round(random() * 20) - 5
    if (kind < 3) return calling(calls[Math.floor(random() * calls.length)]!, term(depth - 1))
    if (kind < 3.5) {
      const condition = { op: 'column', column: { numbers } } as const
      return { op: '?', condition, left: term(depth - 1), right: term(depth - 1) }
    }
    const op = operators[Math.floor(random() * operators.length)]!
    return { op, left: term(depth - 1), right: term(depth - 1) }
  }
  const resultOf = (t: Bound, i: number): number => {
    if (typeof t === 'number') return t
    if (t.op === 'column') return t.column.numbers[i]!
    if (t.op === 'score') return 0
    if (t.op === 'call') return t.apply(resultOf(t.child, i))
    const [a, b] = [resultOf(t.left, i), resultOf(t.right, i)]
    switch (t.op) {
      case '?':
        return resultOf(t.condition, i) !== 0 ? a : b
      case '+':
        return a + b
      case '-':
        return a - b
      case '*':
        return a * b
      case '/':
        return a / b
      case '<':
        return a < b ? 1 : 0
      default:
        return a >= b ? 1 : 0
    }
  }
  let bounded = 0
  for (let round = 0; round < 3000; round++) {
    const program = term(4)
    const bounds = boundsOf(program, numbers.length, NO_SCORES)
    if (bounds === undefined) continue
    bounded++
    for (let i = 0; i < numbers.length; i++) {
      const value = resultOf(program, i)
      assert.ok(value >= bounds.least && value <= bounds.most, `${JSON.stringify(program)} ${value}`)
    }
  }
  assert.ok(bounded > 1000)
})
