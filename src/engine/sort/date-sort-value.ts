/** Dates as sort values: sorted in the resolution of the field or in the other one, printed, and parsed back. */
import { illegalArgument, illegalRequestState, parseFailure } from '../../base/api-error.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { parseDateMath } from '../time/date-math.ts'
import { compileDateFormat } from '../time/format/date-format.ts'

/** `multiply`: milliseconds are sorted as nanoseconds. `divide`: the reverse. */
export type Resolution = 'multiply' | 'divide' | undefined

const NANOS_PER_MS = 1_000_000n

export function convertResolution(value: bigint, resolution: Resolution): bigint {
  if (resolution === 'multiply') {
    if (value < 0n) throw notInNanoseconds(value, 'before the epoch in 1970')
    if (value > LAST_MS) throw notInNanoseconds(value, 'after 2262-04-11T23:47:16.854775807')
    return value * NANOS_PER_MS
  }
  return resolution === 'divide' ? value / NANOS_PER_MS : value
}

/** The last millisecond that 64 bits of nanoseconds can represent. */
const LAST_MS = ((1n << 63n) - 1n) / NANOS_PER_MS

const notInNanoseconds = (ms: bigint, why: string) =>
  illegalArgument(`milliSeconds [${ms}] are ${why} and cannot be converted to nanoseconds`)

/** A sort value in the sort's format. */
export function printDateValue(
  value: number | bigint,
  field: FieldType,
  format: string,
  resolution: Resolution,
): unknown {
  if (resolution === undefined) return field.formatDocValue(value, format)
  const exact = BigInt(value)
  if (resolution === 'divide') return compileDateFormat(format).format(Number(exact))
  const ms = exact / NANOS_PER_MS
  return compileDateFormat(format).format(Number(ms), Number(exact - ms * NANOS_PER_MS))
}

/** A text of `search_after` in the form that the sort compares. */
export function parseDateValue(
  text: string,
  field: FieldType,
  format: string | undefined,
  resolution: Resolution,
): number | bigint {
  if (text.startsWith('now')) {
    const cause = illegalRequestState('now() is not allowed in [search_after] key')
    throw parseFailure('could not read the current timestamp', cause)
  }
  if (resolution === 'multiply' && format !== undefined) {
    const { ms, nanosOfMs } = parseDateMath(text, { format: compileDateFormat(format), nowMs: 0 })
    return BigInt(ms) * NANOS_PER_MS + BigInt(nanosOfMs)
  }
  const { lower } = field.rangeValues({ value: text, inclusive: true }, undefined, { format, nowMs: 0 })
  const value = lower as number | bigint
  return resolution === undefined ? value : convertResolution(BigInt(value), resolution)
}
