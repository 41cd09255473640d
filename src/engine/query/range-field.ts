/** Queries on fields that hold ranges (`integer_range`, `date_range`, `ip_range`, …). */
import type { FieldType, IndexValue } from '../mapping/field-type.ts'
import type { BinaryColumn } from '../segment/segment-reader-api.ts'
import { boundBytes, encodeRange, type RangeKind, type RangeRelation, rangeMatches } from '../values/range-value.ts'
import { BitSetMatcher } from './matcher.ts'
import type { ShardQuery } from './query.ts'

/** Documents with a range that stands in `relation` to [lower, upper]; undefined is open. */
export function rangeFieldQuery(
  field: FieldType,
  lower: IndexValue | undefined,
  upper: IndexValue | undefined,
  relation: RangeRelation,
  score: number,
): ShardQuery {
  const kind = rangeKind(field.type)
  const limits = LIMITS[kind]
  const wanted = encodeRange(kind, { low: lower ?? limits.low, high: upper ?? limits.high })
  const width = boundBytes(kind)
  const name = field.schema?.name ?? field.name
  return {
    matcher({ reader }) {
      const column = reader.binaryColumn(name)
      if (column === undefined) return undefined
      const bits = new Uint32Array((reader.docCount + 31) >> 5)
      let count = 0
      for (let doc = 0; doc < reader.docCount; doc++) {
        if (!column.has(doc) || !anyMatches(column, doc, relation, wanted, width)) continue
        bits[doc >> 5] = bits[doc >> 5]! | (1 << (doc & 31))
        count++
      }
      return count === 0 ? undefined : new BitSetMatcher(bits, count, score)
    },
  }
}

/** The several ranges of one document may be kept in one value, one after the other. */
function anyMatches(
  column: BinaryColumn,
  doc: number,
  relation: RangeRelation,
  wanted: Uint8Array,
  width: number,
): boolean {
  const end = column.end(doc)
  for (let slot = column.start(doc); slot < end; slot++) {
    const bytes = column.bytesAt(slot)
    for (let at = 0; at + 2 * width <= bytes.length; at += 2 * width) {
      if (rangeMatches(relation, bytes, at, wanted, width)) return true
    }
  }
  return false
}

export function rangeKind(type: string): RangeKind {
  if (type === 'ip_range') return 'ip'
  return type === 'long_range' ? 'long' : 'number'
}

const LIMITS: Readonly<Record<RangeKind, { low: IndexValue; high: IndexValue }>> = {
  number: { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY },
  long: { low: -(1n << 63n), high: (1n << 63n) - 1n },
  ip: { low: new Uint8Array(16), high: new Uint8Array(16).fill(0xff) },
}
