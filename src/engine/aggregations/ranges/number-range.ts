/** `range` and `date_range`: ranges of numbers and instants, from inclusive, to exclusive. */

import { illegalArgument } from '../../../base/api-error.ts'
import { DECIMAL, INTEGER, type JsonToken, NULL, STRING } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { newMembers } from '../../../base/json/members.ts'
import { asStored } from '../../mapping/field-types/number.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type MemberParser,
  type RequestReader,
} from '../../request/request-reader.ts'
import type { AggregationParts } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { NUMERIC_SOURCES } from '../metrics/number-metric.ts'
import { numberValues } from '../values/number-values.ts'
import { besideNumber, type ValueFormat } from '../values/value-format.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  sourceMembers,
} from '../values/value-source.ts'
import { type BoundRanges, type RangeLabel, RangesAggregation } from './range-buckets.ts'

/** A range as in the request: numbers, or texts in the field's format. */
export interface AskedRange {
  key: string | undefined
  from: number | string | undefined
  to: number | string | undefined
}

interface Range {
  readonly key: string | undefined
  readonly from: number
  readonly to: number
}

export interface RangeOptions {
  readonly source: SourceSettings
  keyed: boolean
  ranges: AskedRange[]
}

class NumberRanges extends RangesAggregation {
  readonly kind: string
  protected readonly keyed: boolean
  readonly #options: RangeOptions

  constructor(parts: AggregationParts, kind: string, options: RangeOptions) {
    super(parts)
    this.kind = kind
    this.keyed = options.keyed
    this.#options = options
  }

  protected override bind({ shard }: AggregationContext): BoundRanges {
    const { source: settings, ranges } = this.#options
    const fallback = this.kind === 'date_range' ? 'date' : 'number'
    const source = bindSource(shard, settings, this.kind, NUMERIC_SOURCES, fallback)
    requireRanges(ranges, this.name)
    const bound = sortRanges(
      ranges.map((range) => parseRange(range, source.format, shard.nowMs, this.kind === 'date_range')),
    )
    // Stored values lost precision, and a bound equal to one of them must be rounded in the same way.
    const stored = (limit: number) => (source.field === undefined ? limit : asStored(source.field.type, limit))
    const from = Float64Array.from(bound, (range) => stored(range.from))
    const to = Float64Array.from(bound, (range) => stored(range.to))
    return {
      labels: bound.map((range) => rangeLabel(range, source.format)),
      segment: (view) => {
        const values = numberValues(source, view)
        if (values === undefined) return undefined
        return {
          readBlock: (docs, count, into) => values.readBlock(docs, count, into),
          readDense: (first, count, scratch) => values.denseNumbers?.(first, count, scratch),
          isSingle: !values.multiValued,
          from,
          to,
        }
      },
    }
  }
}

export function requireRanges(ranges: readonly unknown[], name: string): void {
  if (ranges.length === 0) throw illegalArgument(`No [ranges] specified for the [${name}] aggregation`)
}

function parseRange({ key, from, to }: AskedRange, format: ValueFormat, nowMs: number, dates: boolean): Range {
  const bound = (asked: number | string | undefined, open: number) => {
    if (typeof asked === 'string') return format.parse(asked, nowMs)
    // A number for a date field is in the field's format, which may count seconds.
    return asked !== undefined && dates ? format.parse(String(Math.trunc(asked)), nowMs) : (asked ?? open)
  }
  return { key, from: bound(from, Number.NEGATIVE_INFINITY), to: bound(to, Number.POSITIVE_INFINITY) }
}

/** Sorts by from, then by to; equal ranges keep their order. */
export function sortRanges<R extends Omit<Range, 'key'>>(ranges: R[]): R[] {
  return ranges.sort((a, b) => compare(a.from, b.from) || compare(a.to, b.to))
}

const compare = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0)

function rangeLabel({ key, from, to }: Range, format: ValueFormat): RangeLabel {
  const text = (bound: number) => (Number.isFinite(bound) ? format.text(bound) : '*')
  const members: Record<string, unknown> = newMembers()
  for (const [name, bound] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (!Number.isFinite(bound)) continue
    members[name] = new Double(bound)
    if (!format.isRaw) members[`${name}_as_string`] = besideNumber(format, bound)
  }
  return { key: key ?? `${text(from)}-${text(to)}`, members }
}

const ACCEPTS_BOUND: readonly JsonToken[] = [STRING, INTEGER, DECIMAL, NULL]

/** `keyed` and `ranges`, for any kind of bound. */
export function rangeMembers(
  reader: RequestReader,
  kind: string,
  options: { keyed: boolean; ranges: AskedRange[] },
): Record<string, MemberParser> {
  return {
    keyed: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        options.keyed = reader.boolean()
      },
    },
    ranges: {
      accepts: ACCEPTS_OBJECT_ARRAY,
      parse: () => reader.items(() => options.ranges.push(readRange(reader, kind))),
    },
  }
}

function readRange(reader: RequestReader, kind: string): AskedRange {
  const range: AskedRange = { key: undefined, from: undefined, to: undefined }
  const bound = (name: 'from' | 'to') => ({
    accepts: ACCEPTS_BOUND,
    parse: () => {
      if (reader.token === NULL) return
      range[name] = reader.token === STRING ? reader.text() : reader.json.number()
    },
  })
  reader.parseObject(kind === 'date_range' ? 'range' : kind, {
    key: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        range.key = reader.text()
      },
    },
    from: bound('from'),
    to: bound('to'),
  })
  return range
}

function rangeKindOf(kind: 'range' | 'date_range'): AggregationKind {
  return {
    name: kind,
    hasChildren: true,
    parse(reader) {
      const options: RangeOptions = { source: newSourceSettings(), keyed: false, ranges: [] }
      reader.parseObject(kind, [
        sourceMembers(reader, options.source, { timeZone: kind === 'date_range' }),
        rangeMembers(reader, kind, options),
      ])
      requireField(options.source)
      return (parts) => new NumberRanges(parts, kind, options)
    },
  }
}

export const rangeKind = rangeKindOf('range')
export const dateRangeKind = rangeKindOf('date_range')
