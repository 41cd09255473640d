/**
 * Global ordinals: one numbering of a field's terms for a whole view. Inside a segment a document has ordinals of the
 * segment's own terms; counting in one array over all segments needs numbers that denote the same term everywhere, in
 * the same order.
 *
 * They are built on first use and kept with the view: only a refresh creates a new view. With a single segment (the
 * usual case after a merge) its own ordinals are used.
 */
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { compareBytes } from '../../segment/buffer/term-table.ts'
import type { SegmentView, ShardView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import { TermMerge } from './term-merge.ts'

export interface GlobalOrdinals {
  readonly termCount: number
  /** Memory of the mapping in addition to the segments' own. */
  readonly bytes: number
  /** Global ordinal by segment ordinal; undefined if they are the same. */
  ofSegment(view: SegmentView): Int32Array | undefined
  term(ordinal: number): Uint8Array
  /** The ordinal of a term, or -(insertion point) - 1. */
  find(term: Uint8Array): number
}

const known = new WeakMap<ShardView, Map<string, GlobalOrdinals>>()

/**
 * Numbering this many terms costs as much as reading some windows of documents. It is done once and not for every
 * search.
 */
const TERMS_PER_STEP = 1024

/** `guard` is charged if the ordinals have to be built. */
export function globalOrdinals(view: ShardView, field: string, guard?: SearchGuard): GlobalOrdinals {
  let fields = known.get(view)
  if (fields === undefined) known.set(view, (fields = new Map()))
  let ordinals = fields.get(field)
  if (ordinals === undefined) fields.set(field, (ordinals = build(view, field, guard)))
  return ordinals
}

const counted = new WeakSet<ShardView>()

/** From now on the view's global ordinals count as fielddata memory, because a request used them without opting out. */
export function countOrdinals(view: ShardView): void {
  counted.add(view)
}

/** Memory by field of the global ordinals that this thread has built for a view. */
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
  /** The segment that has the term, and its ordinal there. */
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
