/**
 * One numbering of a field's terms for a whole view. Inside a segment a document has ordinals of the segment's own term list;
 * counting them in one array over all segments needs numbers that mean the same term everywhere, in the same order.
 *
 * Made on first use and kept for as long as the view: a refresh brings a new view, and only then is the work done again. With a
 * single segment (the usual case after a merge) its own numbers serve.
 */
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { compareBytes } from '../../segment/buffer/term-table.ts'
import type { SegmentView, ShardView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import { TermMerge } from './term-merge.ts'

export interface GlobalOrdinals {
  readonly termCount: number
  /** What the numbering takes beside the segments' own. */
  readonly bytes: number
  /** Global ordinal by the segment's own; undefined where they are the same. */
  ofSegment(view: SegmentView): Int32Array | undefined
  term(ordinal: number): Uint8Array
  /** The ordinal of a term, or -(insertion point) - 1. */
  find(term: Uint8Array): number
}

const known = new WeakMap<ShardView, Map<string, GlobalOrdinals>>()

/** Terms that cost as much to number as some windows of documents to look at: it is done once, not for every search. */
const TERMS_PER_STEP = 1024

/** `guard` hears of the work where the numbering is to be made. */
export function globalOrdinals(view: ShardView, field: string, guard?: SearchGuard): GlobalOrdinals {
  let fields = known.get(view)
  if (fields === undefined) known.set(view, (fields = new Map()))
  let ordinals = fields.get(field)
  if (ordinals === undefined) fields.set(field, (ordinals = build(view, field, guard)))
  return ordinals
}

const counted = new WeakSet<ShardView>()

/** From now on the numberings of the view count as memory of fields: a request that did not ask to do without has used them. */
export function countOrdinals(view: ShardView): void {
  counted.add(view)
}

/** The memory of the numberings of a view that this thread has made, by field. */
export function* ordinalBytes(view: ShardView): Iterable<[field: string, bytes: number]> {
  if (!counted.has(view)) return
  for (const [field, { bytes }] of known.get(view) ?? []) if (bytes > 0) yield [field, bytes]
}

function build(view: ShardView, field: string, guard: SearchGuard | undefined): GlobalOrdinals {
  const segments: SegmentView[] = []
  const allDocValues: SortedSetDocValues[] = []
  for (const segment of view.segments) {
    const docValues = segment.reader.sortedSetDocValues(field)
    if (docValues === undefined) continue
    segments.push(segment)
    allDocValues.push(docValues)
  }
  if (allDocValues.length <= 1) return new OneDocValues(allDocValues[0])
  guard?.isOver(allDocValues.reduce((sum, { termCount }) => sum + termCount, 0) / TERMS_PER_STEP)
  return new MergedDocValues(segments, allDocValues)
}

class OneDocValues implements GlobalOrdinals {
  readonly bytes = 0
  readonly termCount: number
  readonly #docValues: SortedSetDocValues | undefined

  constructor(docValues: SortedSetDocValues | undefined) {
    this.#docValues = docValues
    this.termCount = docValues?.termCount ?? 0
  }

  ofSegment(): Int32Array | undefined {
    return undefined
  }

  term(ordinal: number): Uint8Array {
    return this.#docValues!.term(ordinal)
  }

  find(term: Uint8Array): number {
    return this.#docValues === undefined ? -1 : this.#docValues.find(term)
  }
}

class MergedDocValues implements GlobalOrdinals {
  readonly bytes: number
  readonly termCount: number
  readonly #allDocValues: readonly SortedSetDocValues[]
  readonly #maps = new Map<SegmentView, Int32Array>()
  /** Doc values that has the term, and its ordinal there. */
  readonly #owner: Uint16Array
  readonly #ownOrdinal: Int32Array

  constructor(segments: readonly SegmentView[], allDocValues: readonly SortedSetDocValues[]) {
    this.#allDocValues = allDocValues
    const total = allDocValues.reduce((sum, { termCount }) => sum + termCount, 0)
    const owner = new Uint16Array(total)
    const ownOrdinal = new Int32Array(total)
    const maps = allDocValues.map(({ termCount }) => new Int32Array(termCount))
    const merge = new TermMerge(allDocValues)
    let global = -1
    while (merge.next()) {
      if (merge.isNew) {
        global++
        owner[global] = merge.docValues
        ownOrdinal[global] = merge.ordinal
      }
      maps[merge.docValues]![merge.ordinal] = global
    }
    this.termCount = global + 1
    this.#owner = owner.slice(0, this.termCount)
    this.#ownOrdinal = ownOrdinal.slice(0, this.termCount)
    for (const [i, segment] of segments.entries()) this.#maps.set(segment, maps[i]!)
    this.bytes = total * Int32Array.BYTES_PER_ELEMENT + this.#owner.byteLength + this.#ownOrdinal.byteLength
  }

  ofSegment(view: SegmentView): Int32Array | undefined {
    return this.#maps.get(view)
  }

  term(ordinal: number): Uint8Array {
    return this.#allDocValues[this.#owner[ordinal]!]!.term(this.#ownOrdinal[ordinal]!)
  }

  find(term: Uint8Array): number {
    let low = 0
    let high = this.termCount - 1
    while (low <= high) {
      const middle = (low + high) >>> 1
      const order = compareTerms(this.term(middle), term)
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle - 1
    }
    return -low - 1
  }
}

export function compareTerms(a: Uint8Array, b: Uint8Array): number {
  return compareBytes(a, 0, a.length, b, 0, b.length)
}
