/** The loops of `column-program.ts`: each writes the results of one operation on `count` values to `out[at, at + count)`. */
import { part_hour } from '../date-parts.ts'

export type Operator = '+' | '-' | '*' | '/'
/** Results are 1 and 0. */
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!='

type ValuesKernel = (a: Float64Array, b: Float64Array, count: number, out: Float64Array, at: number) => void
type NumberKernel = (a: Float64Array, b: number, count: number, out: Float64Array, at: number) => void

// One loop each: a loop that called its operation would be compiled for all operations together.
export const WITH_VALUES: Readonly<Record<Operator | Comparison, ValuesKernel>> = {
  '<': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! < b[i]! ? 1 : 0
  },
  '<=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! <= b[i]! ? 1 : 0
  },
  '>': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! > b[i]! ? 1 : 0
  },
  '>=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! >= b[i]! ? 1 : 0
  },
  '==': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! === b[i]! ? 1 : 0
  },
  '!=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! !== b[i]! ? 1 : 0
  },
  '+': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! + b[i]!
  },
  '-': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! - b[i]!
  },
  '*': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! * b[i]!
  },
  '/': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! / b[i]!
  },
}

export const WITH_NUMBER: Readonly<Record<Operator | Comparison, NumberKernel>> = {
  '<': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! < b ? 1 : 0
  },
  '<=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! <= b ? 1 : 0
  },
  '>': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! > b ? 1 : 0
  },
  '>=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! >= b ? 1 : 0
  },
  '==': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! === b ? 1 : 0
  },
  '!=': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! !== b ? 1 : 0
  },
  '+': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! + b
  },
  '-': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! - b
  },
  '*': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! * b
  },
  '/': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = a[i]! / b
  },
}

/** The number is the left operand. */
export const NUMBER_WITH: Readonly<Record<Operator | Comparison, NumberKernel>> = {
  ...WITH_NUMBER,
  '<': WITH_NUMBER['>'],
  '<=': WITH_NUMBER['>='],
  '>': WITH_NUMBER['<'],
  '>=': WITH_NUMBER['<='],
  '-': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = b - a[i]!
  },
  '/': (a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = b / a[i]!
  },
}

export function select(
  condition: Float64Array,
  a: Float64Array,
  b: Float64Array,
  count: number,
  out: Float64Array,
  at: number,
): void {
  for (let i = 0; i < count; i++) out[at + i] = condition[i]! !== 0 ? a[i]! : b[i]!
}

type SelectKernel = (
  c: Float64Array,
  n: number,
  a: Float64Array,
  b: Float64Array,
  count: number,
  out: Float64Array,
  at: number,
) => void

/** As `select`, where the condition is a comparison with a number. */
export const SELECT_BY_NUMBER: Readonly<Record<Comparison, SelectKernel>> = {
  '<': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! < n ? a[i]! : b[i]!
  },
  '<=': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! <= n ? a[i]! : b[i]!
  },
  '>': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! > n ? a[i]! : b[i]!
  },
  '>=': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! >= n ? a[i]! : b[i]!
  },
  '==': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! === n ? a[i]! : b[i]!
  },
  '!=': (c, n, a, b, count, out, at) => {
    for (let i = 0; i < count; i++) out[at + i] = c[i]! !== n ? a[i]! : b[i]!
  },
}

type CallKernel = (
  a: Float64Array,
  count: number,
  out: Float64Array,
  at: number,
  apply: (value: number) => number,
) => void

export const applyEach: CallKernel = (a, count, out, at, apply) => {
  for (let i = 0; i < count; i++) out[at + i] = apply(a[i]!)
}

/** The sum or difference of two ints as an int. */
export const toInt = (sum: number): number => sum | 0

/** The most common functions, which are part of their loops. */
export const CALLS = new Map<unknown, CallKernel>([
  [
    toInt,
    (a, count, out, at) => {
      for (let i = 0; i < count; i++) out[at + i] = a[i]! | 0
    },
  ],
  [
    part_hour,
    (a, count, out, at) => {
      for (let i = 0; i < count; i++) out[at + i] = part_hour(a[i]!)
    },
  ],
  [
    Math.log,
    (a, count, out, at) => {
      for (let i = 0; i < count; i++) out[at + i] = Math.log(a[i]!)
    },
  ],
  [
    Math.sqrt,
    (a, count, out, at) => {
      for (let i = 0; i < count; i++) out[at + i] = Math.sqrt(a[i]!)
    },
  ],
  [
    Math.abs,
    (a, count, out, at) => {
      for (let i = 0; i < count; i++) out[at + i] = Math.abs(a[i]!)
    },
  ],
])

/** `a * factor + summand`, rounded after each operation. */
export function scale(
  a: Float64Array,
  factor: number,
  summand: number,
  count: number,
  out: Float64Array,
  at: number,
): void {
  for (let i = 0; i < count; i++) out[at + i] = a[i]! * factor + summand
}
