/** Queries on range fields (`integer_range`, `date_range`, `ip_range`, …). */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldType, RangeBound, RangeOptions } from '../../mapping/field-type.ts'
import { parseDateBound } from '../../mapping/field-types/date.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { KEPT_SOON } from '../../scoring/filter-cache.ts'
import { constantTexts, matchNothing, type Weight } from '../../scoring/query.ts'
import { BitSetScorer } from '../../scoring/scorers/bit-set-scorer.ts'
import { termKey } from '../../scoring/scorers/value-scorers.ts'
import type { BinaryDocValues } from '../../segment/segment-reader-api.ts'
import { formatIp, nextIp, previousIp } from '../../values/ip.ts'
import {
  boundBytes,
  decodeRange,
  encodeRange,
  type RangeBounds,
  type RangeKind,
  type RangeRelation,
  rangeMatches,
} from '../../values/range-value.ts'
import { withDocValues } from './term-text.ts'

type Bound = RangeBounds['low']

/** Documents with a range that has `relation` to the one between the bounds; undefined is open. */
export function rangeFieldQuery(
  field: FieldType,
  lower: RangeBound | undefined,
  upper: RangeBound | undefined,
  relation: RangeRelation,
  score: number,
  options: RangeOptions = {},
): Weight {
  const { kind, limits = LIMITS[kind] } = field.traits.range!
  const low = lower === undefined ? limits.low : pointOf(field, kind, lower, 1, options)
  const high = upper === undefined ? limits.high : pointOf(field, kind, upper, -1, options)
  const wanted = encodeRange(kind, { low, high })
  if (!isReversed(kind, wanted)) return matchRanges(field, kind, wanted, relation, score)
  // Bounds that only exclude each other match nothing; bounds in the wrong order are an error.
  const from = lower === undefined ? low : pointOf(field, kind, lower, 1, options, true)
  const to = upper === undefined ? high : pointOf(field, kind, upper, -1, options, true)
  if (isReversed(kind, encodeRange(kind, { low: from, high: to }))) {
    throw illegalArgument(`Range query \`from\` value (${from}) is greater than \`to\` value (${to})`)
  }
  return matchNothing('the bounds exclude each other')
}

function isReversed(kind: RangeKind, range: Uint8Array): boolean {
  const width = boundBytes(kind)
  return Buffer.compare(range.subarray(0, width), range.subarray(width)) > 0
}

/** Documents with a range that contains a value. */
export function rangeFieldHolds(field: FieldType, value: unknown, score: number): Weight {
  return matchRanges(field, field.traits.range!.kind, field.termValue(value) as Uint8Array, 'intersects', score)
}

function matchRanges(
  field: FieldType,
  kind: RangeKind,
  wanted: Uint8Array,
  relation: RangeRelation,
  score: number,
): Weight {
  const width = boundBytes(kind)
  const name = storageName(field)
  const { low, high } = decodeRange(kind, wanted)
  const bound = (value: Bound) => (value instanceof Uint8Array ? `/${formatIp(value)}` : String(value))
  const shown = withDocValues(
    `${name}:<ranges:[${bound(low)} : ${bound(high)}]>`,
    `BinaryDocValuesRangeQuery(fieldName=,from=${bound(low)},to=${bound(high)})`,
  )
  return {
    scorer({ reader }) {
      const docValues = reader.binaryDocValues(name)
      if (docValues === undefined) return undefined
      const bits = new Uint32Array((reader.docCount + 31) >> 5)
      let count = 0
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (!docValues.has(doc) || !anyMatches(docValues, doc, relation, wanted, width)) continue
        bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
        count++
      }
      return count === 0 ? undefined : new BitSetScorer(bits, count, score)
    },
    asFilter: { key: () => `ranges(${name};${relation};${termKey(wanted)})`, keptAtUse: KEPT_SOON },
    ...constantTexts(
      score,
      () => shown.text,
      () => shown.docValues,
    ),
  }
}

function anyMatches(
  docValues: BinaryDocValues,
  doc: number,
  relation: RangeRelation,
  wanted: Uint8Array,
  width: number,
): boolean {
  const end = docValues.end(doc)
  for (let slot = docValues.start(doc); slot < end; slot++) {
    if (rangeMatches(relation, docValues.bytesAt(slot), 0, wanted, width)) return true
  }
  return false
}

/** The field determines the stored form; an exclusive bound becomes the next value inside. */
function pointOf(
  field: FieldType,
  kind: RangeKind,
  bound: RangeBound,
  inward: 1 | -1,
  options: RangeOptions,
  asWritten = false,
): Bound {
  if (field.dateFormat !== undefined) {
    // A day that is excluded, or is the last one, counts with all of its time.
    const ms = parseDateBound(bound.value, field.dateFormat, bound.inclusive === inward < 0, options).ms
    return bound.inclusive || asWritten ? ms : ms + inward
  }
  const { low } = decodeRange(kind, field.termValue(bound.value) as Uint8Array)
  if (bound.inclusive || asWritten) return low
  if (low instanceof Uint8Array) return (inward > 0 ? nextIp(low) : previousIp(low)) ?? low
  if (typeof low === 'bigint') return low + BigInt(inward)
  const { step } = field.traits.range!
  if (step === 'double') return nextDouble(low, inward)
  if (step === 'float') return nextFloat(low, inward)
  return low + inward
}

/** Adjacent floats have adjacent bit patterns, as long as the sign stays. */
function nextFloat(value: number, step: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(4))
  view.setFloat32(0, value)
  if (value === 0) view.setInt32(0, step > 0 ? 1 : 0x80000001 | 0)
  else view.setInt32(0, view.getInt32(0) + (value > 0 === step > 0 ? 1 : -1))
  return view.getFloat32(0)
}

function nextDouble(value: number, step: 1 | -1): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  if (value === 0) view.setBigUint64(0, step > 0 ? 1n : 0x8000000000000001n)
  else view.setBigInt64(0, view.getBigInt64(0) + (value > 0 === step > 0 ? 1n : -1n))
  return view.getFloat64(0)
}

const LIMITS: Readonly<Record<RangeKind, RangeBounds>> = {
  number: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY },
  long: { low: -(1n << 63n), high: (1n << 63n) - 1n },
  ip: { low: new Uint8Array(16), high: new Uint8Array(16).fill(0xff) },
}
