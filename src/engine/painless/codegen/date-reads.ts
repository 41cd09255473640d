/**
 * Parts of dates in block code: `doc['d'].value.getHour()`, `.millis`, `.toInstant().toEpochMilli()`. They are computed
 * from the epoch milliseconds of the column.
 */
import type { Ir } from '../analysis/ir.ts'
import type { ExactLong } from './exact-longs.ts'

export interface DatePart extends ExactLong {
  readonly name: string
  readonly type: 'int' | 'long' | 'def'
}

interface Part {
  readonly name: string
  readonly type: DatePart['type']
  readonly low: number
  readonly high: number
}

const whole = (name: string, low: number, high: number): Part => ({ name, type: 'int', low, high })
const object = (name: string): Part => ({ name, type: 'def', low: 0, high: 0 })

/** The years that dates can have, with room to spare. */
const YEAR_MAX = 1e9
const MS_MAX = 2 ** 52
const EPOCH_MILLI: Part = { name: 'epochMilli', type: 'long', low: -MS_MAX, high: MS_MAX }

/** Elasticsearch refuses the names of Joda time, such as `getHourOfDay`, when they are called. */
const PARTS: Readonly<Record<string, Part>> = {
  getHour: whole('hour', 0, 23),
  getMinute: whole('minute', 0, 59),
  getSecond: whole('second', 0, 59),
  getNano: whole('nano', 0, 999_999_999),
  getYear: whole('year', -YEAR_MAX, YEAR_MAX),
  getMonthValue: whole('month', 1, 12),
  getDayOfMonth: whole('day', 1, 31),
  getDayOfYear: whole('dayOfYear', 1, 366),
  getDayOfWeek: object('dayOfWeekEnum'),
  getDayOfWeekEnum: object('dayOfWeekEnum'),
  getMonth: object('monthEnum'),
  toEpochSecond: { name: 'epochSecond', type: 'long', low: -MS_MAX, high: MS_MAX },
  getMillis: EPOCH_MILLI,
  toEpochMilli: EPOCH_MILLI,
}

/** The name of the method that an expression calls without arguments: `x.hour` calls `getHour`. */
function calledMethod(node: Ir): string | undefined {
  if (node.op === 'defCall') return node.args.length === 0 ? node.name : undefined
  if (node.op !== 'defField') return undefined
  return `get${node.name[0]!.toUpperCase()}${node.name.slice(1)}`
}

/** The part that an expression reads from a date; `millis` has the code of a date's epoch milliseconds. */
export function datePart(node: Ir, millis: (date: Ir) => string | undefined): DatePart | undefined {
  if (node.op !== 'defCall' && node.op !== 'defField') return undefined
  const method = calledMethod(node)
  const part = method === undefined || !Object.hasOwn(PARTS, method) ? undefined : PARTS[method]!
  if (part === undefined) return undefined
  const { target } = node
  const isInstant = target.op === 'defCall' && target.name === 'toInstant' && target.args.length === 0
  if (isInstant && method !== 'toEpochMilli') return undefined
  const ms = millis(isInstant ? target.target : target)
  if (ms === undefined) return undefined
  return {
    name: part.name,
    code: `R.part_${part.name}(${ms},p=${node.at})`,
    type: part.type,
    low: part.low,
    high: part.high,
  }
}
