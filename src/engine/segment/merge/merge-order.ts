/**
 * The documents of a merged segment and their order: the kept documents of the inputs, one input after another or, with
 * an index sort, interleaved by their sort keys.
 */
import { hasBit } from '../../../base/bit-set.ts'
import { rankBigValues } from '../buffer/buffer-order.ts'
import { compareBytes } from '../buffer/term-table.ts'
import { combineKey, type IndexSortField, sortRoots } from '../index-sort.ts'
import type { StoredSegment } from '../segment-reader.ts'

export interface MergeInput {
  readonly reader: StoredSegment
  /** Bits of the documents to keep; undefined if all are kept. */
  readonly kept: Uint32Array | undefined
}

export interface MergeOrder {
  readonly docCount: number
  /** Per input: old document to new, -1 for dropped ones. */
  readonly docMaps: readonly Int32Array[]
  /** Per new document: its input, and its number there. */
  readonly fromInput: Uint16Array
  readonly fromDoc: Int32Array
  /** Whether the new documents of one input keep their order and follow those of the previous input. */
  readonly sequential: boolean
}

interface Root {
  readonly input: number
  /** The first document of its block, and the root itself. */
  readonly first: number
  readonly doc: number
}

export function planMerge(inputs: readonly MergeInput[], sort: readonly IndexSortField[]): MergeOrder {
  const roots = keptRoots(inputs)
  const order =
    sort.length === 0
      ? undefined
      : sortRoots(
          roots.length,
          sort,
          sort.map((by) => sortKeys(inputs, roots, by)),
        )
  let docCount = 0
  for (const root of roots) docCount += root.doc - root.first + 1
  const docMaps = inputs.map(({ reader }) => new Int32Array(reader.docCount).fill(-1))
  const fromInput = new Uint16Array(docCount)
  const fromDoc = new Int32Array(docCount)
  let next = 0
  for (let i = 0; i < roots.length; i++) {
    const root = roots[order === undefined ? i : order[i]!]!
    for (let doc = root.first; doc <= root.doc; doc++) {
      docMaps[root.input]![doc] = next
      fromInput[next] = root.input
      fromDoc[next++] = doc
    }
  }
  return { docCount, docMaps, fromInput, fromDoc, sequential: order === undefined }
}

function keptRoots(inputs: readonly MergeInput[]): Root[] {
  const roots: Root[] = []
  inputs.forEach(({ reader, kept }, input) => {
    const pathOf = reader.nested?.pathOf
    let first = 0
    for (let doc = 0; doc < reader.docCount; doc++) {
      if (pathOf !== undefined && pathOf[doc] !== 0) continue
      if (kept === undefined || hasBit(kept, doc)) roots.push({ input, first, doc })
      first = doc + 1
    }
  })
  return roots
}

/** One key per root, comparable across inputs. */
function sortKeys(inputs: readonly MergeInput[], roots: readonly Root[], sort: IndexSortField): Float64Array {
  const keyOf = inputs.map(({ reader }) => reader).map(inputKeys(inputs, sort))
  return Float64Array.from(roots, (root) => keyOf[root.input]!(root.doc))
}

function inputKeys(inputs: readonly MergeInput[], sort: IndexSortField) {
  const ordinals = globalOrdinals(inputs, sort.field)
  const exact = exactRanks(inputs, sort.field)
  return (reader: StoredSegment, input: number): ((doc: number) => number) => {
    const terms = reader.sortedSetDocValues(sort.field)
    const numbers = reader.numericDocValues(sort.field)
    return (doc) => {
      let key = Number.NaN
      if (terms !== undefined) {
        for (let slot = terms.start(doc); slot < terms.end(doc); slot++) {
          key = combineKey(key, ordinals[input]![terms.ordinalAt(slot)]!, sort.mode)
        }
      } else if (numbers !== undefined) {
        for (let slot = numbers.start(doc); slot < numbers.end(doc); slot++) {
          key = combineKey(key, exact === undefined ? numbers.valueAt(slot) : exact[input]![slot]!, sort.mode)
        }
      }
      return key
    }
  }
}

/** Ranks of all values over all inputs, if one of them has integers beyond 2^53. */
function exactRanks(inputs: readonly MergeInput[], field: string): Float64Array[] | undefined {
  const allDocValues = inputs.map(({ reader }) => reader.numericDocValues(field))
  if (allDocValues.every((docValues) => docValues === undefined || docValues.exact)) return undefined
  const all = new BigInt64Array(allDocValues.reduce((sum, docValues) => sum + (docValues?.valueCount ?? 0), 0))
  let at = 0
  for (const docValues of allDocValues) {
    for (let slot = 0; slot < (docValues?.valueCount ?? 0); slot++) all[at++] = docValues!.bigAt(slot)
  }
  const ranks = rankBigValues(all, all.length)
  at = 0
  return allDocValues.map((docValues) => ranks.subarray(at, (at += docValues?.valueCount ?? 0)))
}

/** For each input: maps its ordinals to numbers in the order of all inputs' terms. */
function globalOrdinals(inputs: readonly MergeInput[], field: string): Int32Array[] {
  const allDocValues = inputs.map(({ reader }) => reader.sortedSetDocValues(field))
  const maps = allDocValues.map((docValues) => new Int32Array(docValues?.termCount ?? 0))
  const next = new Int32Array(inputs.length)
  for (let global = 0; ; global++) {
    let smallest: Uint8Array | undefined
    const terms = allDocValues.map((docValues, input) =>
      docValues !== undefined && next[input]! < docValues.termCount ? docValues.term(next[input]!) : undefined,
    )
    for (const term of terms) {
      if (term === undefined) continue
      if (smallest === undefined || compareBytes(term, 0, term.length, smallest, 0, smallest.length) < 0)
        smallest = term
    }
    if (smallest === undefined) return maps
    terms.forEach((term, input) => {
      if (term === undefined || compareBytes(term, 0, term.length, smallest, 0, smallest.length) !== 0) return
      maps[input]![next[input]!] = global
      next[input] = next[input]! + 1
    })
  }
}
