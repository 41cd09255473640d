/** Functions that `column-program.ts` applies to each value of a block. */
import type { VectorCall } from '../../../../kernels/vector-kernel.ts'
import { part_epochSecond, part_hour, part_minute, part_second } from '../date-parts.ts'

/** Replaces `values[0, count)` by the results of a function. */
type CallLoop = (values: Float64Array, count: number, apply: (value: number) => number) => void

export const applyEach: CallLoop = (values, count, apply) => {
  for (let i = 0; i < count; i++) values[i] = apply(values[i]!)
}

/** The sum or difference of two ints as an int. */
export const toInt = (sum: number): number => sum | 0

/** Functions that the vector kernel has. */
export const VECTOR_CALLS = new Map<unknown, VectorCall>([
  [Math.sqrt, 'sqrt'],
  [Math.abs, 'abs'],
  [part_hour, 'hour'],
  [part_minute, 'minute'],
  [part_second, 'second'],
  [part_epochSecond, 'epochSecond'],
])

/** Other common functions, which are part of their loops: a loop that calls its function is compiled for all of them together. */
export const CALLS = new Map<unknown, CallLoop>([
  [
    toInt,
    (values, count) => {
      for (let i = 0; i < count; i++) values[i] = values[i]! | 0
    },
  ],
  [
    Math.log,
    (values, count) => {
      for (let i = 0; i < count; i++) values[i] = Math.log(values[i]!)
    },
  ],
])
