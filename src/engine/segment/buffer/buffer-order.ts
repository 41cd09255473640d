/** The document order that an index sort gives to a buffer. */
import { hasBit, setBit } from '../../../base/bit-set.ts'
import { combineKey, type IndexSortField, sortRoots } from '../index-sort.ts'
import { groupEnd } from '../postings/term-field-writer.ts'
import { TermFieldBuffer } from './term-field-buffer.ts'
import { NumberFieldBuffer } from './value-field-buffers.ts'
import type { WriteBuffer } from './write-buffer.ts'

export function orderRoots(buffer: WriteBuffer): Int32Array | undefined {
  const rootOf = new Int32Array(buffer.docCount).fill(-1)
  for (let root = 0; root < buffer.rootCount; root++) rootOf[buffer.roots.array[root]!] = root
  const keys = buffer.indexSort.map((sort) => sortKeys(buffer, sort, rootOf))
  return sortRoots(buffer.rootCount, buffer.indexSort, keys)
}

function sortKeys(buffer: WriteBuffer, sort: IndexSortField, rootOf: Int32Array): Float64Array {
  const keys = new Float64Array(buffer.rootCount).fill(Number.NaN)
  const field = buffer.fields.get(sort.field)
  const put = (doc: number, value: number) => {
    const root = rootOf[doc]!
    if (root >= 0) keys[root] = combineKey(keys[root]!, value, sort.mode)
  }
  if (field instanceof NumberFieldBuffer) {
    const ranks = field.bigValues === undefined ? undefined : rankBigValues(field.bigValues, field.docs.length)
    for (let i = 0; i < field.docs.length; i++) put(field.docs.array[i]!, ranks?.[i] ?? field.values.array[i]!)
  } else if (field instanceof TermFieldBuffer) {
    field.analyzeTexts()
    const sorted = field.table.sorted()
    const ordinalOf = new Int32Array(sorted.length)
    for (let ordinal = 0; ordinal < sorted.length; ordinal++) ordinalOf[sorted[ordinal]!] = ordinal
    for (let group = 0; group < field.groupDocs.length; group++) {
      const end = groupEnd(field, group)
      for (let token = field.groupStarts.array[group]!; token < end; token++) {
        put(field.groupDocs.array[group]!, ordinalOf[field.tokens.array[token]!]!)
      }
    }
  }
  return keys
}

/** Ranks of exact integers: small numbers in the same order. */
export function rankBigValues(values: BigInt64Array, count: number): Float64Array {
  const distinct = [...new Set(values.subarray(0, count))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))
  const rankOf = new Map(distinct.map((value, rank) => [value, rank]))
  return Float64Array.from({ length: count }, (_, i) => rankOf.get(values[i]!)!)
}

/** Nested documents move with their root. */
export function mapDocuments(buffer: WriteBuffer, rootOrder: Int32Array): Int32Array {
  const docMap = new Int32Array(buffer.docCount)
  let next = 0
  for (const root of rootOrder) {
    const first = root === 0 ? 0 : buffer.roots.array[root - 1]! + 1
    for (let doc = first; doc <= buffer.roots.array[root]!; doc++) docMap[doc] = next++
  }
  return docMap
}

export function invert(map: Int32Array): Int32Array {
  const inverse = new Int32Array(map.length)
  for (let i = 0; i < map.length; i++) inverse[map[i]!] = i
  return inverse
}

export function mapLive(buffer: WriteBuffer, docMap: Int32Array | undefined): Uint32Array | undefined {
  const live = buffer.liveBits()
  if (live === undefined || docMap === undefined) return live
  const mapped = new Uint32Array(live.length)
  for (let doc = 0; doc < buffer.docCount; doc++) {
    if (hasBit(live, doc)) setBit(mapped, docMap[doc]!)
  }
  return mapped
}
