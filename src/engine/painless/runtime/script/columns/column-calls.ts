/** Functions that `column-program.ts` applies to each value of a block. */
import { part_hour } from '../date-parts.ts'

/** Replaces `values[0, count)` by the results of a function. */
type CallLoop = (values: Float64Array, count: number, apply: (value: number) => number) => void

export const applyEach: CallLoop = (values, count, apply) => {
  for (let i = 0; i < count; i++) values[i] = apply(values[i]!)
}

/** The sum or difference of two ints as an int. */
export const toInt = (sum: number): number => sum | 0

/** The most common functions, which are part of their loops: a loop that calls its function is compiled for all of them together. */
export const CALLS = new Map<unknown, CallLoop>([
  [
    toInt,
    (values, count) => {
      for (let i = 0; i < count; i++) values[i] = values[i]! | 0
    },
  ],
  [
    part_hour,
    (values, count) => {
      for (let i = 0; i < count; i++) values[i] = part_hour(values[i]!)
    },
  ],
  [
    Math.log,
    (values, count) => {
      for (let i = 0; i < count; i++) values[i] = Math.log(values[i]!)
    },
  ],
])
