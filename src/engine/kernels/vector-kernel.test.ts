import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Arithmetic,
  type Comparison,
  OPERATIONS,
  type Operand,
  VECTOR_VALUES,
  vectorKernel,
} from './vector-kernel.ts'

const kernel = vectorKernel()
const [out, first, second, third] = kernel.vectors as [Out, Out, Out, Out]
type Out = (typeof kernel.vectors)[number]

const OPERATORS = Object.keys(OPERATIONS) as (Arithmetic | Comparison)[]
const COMPARISONS = OPERATORS.slice(4) as Comparison[]

const special = fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, 1)
const number = fc.oneof(fc.double(), special, fc.integer({ min: -3, max: 3 }))
const rows = fc.array(fc.tuple(number, number, number), { minLength: 1, maxLength: 30 })

function filled(vector: Out, values: readonly number[]): Out {
  vector.values.set(values)
  return vector
}

const results = (vector: Out, count: number) => Array.from(vector.values.subarray(0, count))

test('the vector kernel combines vectors and numbers like the operators of the language', () => {
  fc.assert(
    fc.property(fc.constantFrom(...OPERATORS), rows, number, (operator, values, constant) => {
      const a = values.map(([value]) => value)
      const b = values.map(([, value]) => value)
      const check = (left: Operand, right: Operand, expected: number[], into: Out) => {
        kernel.combine(operator, left, right, a.length, into)
        assert.deepEqual(results(into, a.length), expected)
      }
      const plain = OPERATIONS[operator]
      check(
        filled(first, a),
        filled(second, b),
        a.map((value, i) => plain(value, b[i]!)),
        out,
      )
      check(
        filled(first, a),
        constant,
        a.map((value) => plain(value, constant)),
        first,
      )
      check(
        constant,
        filled(second, b),
        b.map((value) => plain(constant, value)),
        second,
      )
    }),
  )
})

test('the vector kernel selects the value of a branch by any comparison', () => {
  fc.assert(
    fc.property(fc.constantFrom(...COMPARISONS), rows, number, (operator, values, limit) => {
      const [condition, a, b] = [0, 1, 2].map((column) => values.map((row) => row[column]!)) as [
        number[],
        number[],
        number[],
      ]
      filled(first, condition)
      kernel.select(operator, first, limit, filled(second, a), filled(third, b), values.length, first)
      const chosen = condition.map((value, i) => (OPERATIONS[operator](value, limit) === 1 ? a[i]! : b[i]!))
      assert.deepEqual(results(first, values.length), chosen)
    }),
  )
})

test('the vector kernel scales, takes roots and drops signs of a whole vector', () => {
  const values = Array.from({ length: VECTOR_VALUES }, (_, i) => (i - 5) / 3)
  kernel.scale(filled(first, values), 1.1, -7, VECTOR_VALUES, out)
  assert.deepEqual(
    results(out, VECTOR_VALUES),
    values.map((value) => value * 1.1 - 7),
  )
  kernel.apply('sqrt', first, VECTOR_VALUES, out)
  assert.deepEqual(results(out, VECTOR_VALUES), values.map(Math.sqrt))
  kernel.apply('abs', first, VECTOR_VALUES, out)
  assert.deepEqual(results(out, VECTOR_VALUES), values.map(Math.abs))
})

test('the vector kernel finds parts of times like plain arithmetic, for all safe integers', () => {
  const units = fc.constantFrom(1, 1000, 60_000, 3_600_000, 86_400_000)
  const near = fc
    .tuple(fc.maxSafeInteger(), units, fc.integer({ min: -1, max: 1 }))
    .map(([ms, unit, step]) => Math.floor(ms / unit) * unit + step)
    .filter(Number.isSafeInteger)
  const mod = (value: bigint, by: bigint) => ((value % by) + by) % by
  const floor = (value: bigint, by: bigint) => (value - mod(value, by)) / by
  fc.assert(
    fc.property(fc.array(near, { minLength: 1, maxLength: 20 }), (times) => {
      const parts = {
        hour: [3_600_000n, 24n],
        minute: [60_000n, 60n],
        second: [1000n, 60n],
        epochSecond: [1000n],
      } as const
      for (const [name, [unit, count]] of Object.entries(parts)) {
        kernel.apply(name as keyof typeof parts, filled(first, times), times.length, out)
        const wholes = times.map((ms) => floor(BigInt(ms), unit))
        const expected = wholes.map((whole) => Number(count === undefined ? whole : mod(whole, count)))
        assert.deepEqual(results(out, times.length), expected)
      }
    }),
  )
})
