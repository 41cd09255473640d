/**
 * The first documents of a segment by the value of a field, read from its ordered index. If the query is a range of
 * that field, or if all or many documents match, this finds the hits of a sort without reading the others.
 */
import { hasBit } from '../../../base/bit-set.ts'
import type { NumberRange } from '../../scoring/filter-cache.ts'
import type { Weight } from '../../scoring/query.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { OrderedIndex, SegmentView } from '../../segment/segment-reader-api.ts'
import type { OrderedKey } from '../../sort/sort-key.ts'

export interface OrderedWalk {
  /** The number of requested hits. */
  readonly wanted: number
  /** Only documents after this value count, including those that tie with it. */
  readonly after: number | bigint | undefined
  /** The matches are the documents with a value in this range of the index. */
  readonly range: NumberRange | undefined
  /** Decides which documents match; absent if all do, or all of the range. */
  readonly scorer: Scorer | undefined
}

/** The range that the query is, if it is one of the values by which the documents are ordered. */
export function rangeOfOrder(query: Weight, { reader }: SegmentView, { index }: OrderedKey): NumberRange | undefined {
  const range = query.asFilter?.range
  return range !== undefined && reader.orderedIndex(range.field) === index ? range : undefined
}

/**
 * At least `wanted` matching live root documents, if there are as many, and all that tie with the last of them;
 * ascending by document.
 */
export function firstInOrder(
  { reader, live }: SegmentView,
  { index, descending }: OrderedKey,
  { wanted, after, range, scorer }: OrderedWalk,
): Int32Array {
  const roots = reader.nested?.roots
  const step = descending ? -1 : 1
  const [low, high] = positions(index, range)
  const behind = after === undefined ? undefined : index.seek(after, !descending)
  let position = first(index, descending, low, high, after)
  let end = descending ? Math.min(low - 1, position) : Math.max(high, position)
  const firstCounted = behind === undefined ? position : descending ? behind - 1 : behind
  if (live === undefined && roots === undefined && scorer === undefined) {
    const lastCounted =
      (descending ? Math.min(position, firstCounted) : Math.max(position, firstCounted)) + step * (wanted - 1)
    if ((end - lastCounted) * step > 0) end = behindTies(index, descending, lastCounted)
    return docsBetween(index, descending ? end + 1 : position, descending ? position + 1 : end)
  }
  let found = new Int32Array(Math.min(Math.max(wanted, 16), index.length))
  let count = 0
  let counted = 0
  for (; position !== end; position += step) {
    const doc = index.docAt(position)
    if ((live !== undefined && !hasBit(live, doc)) || (roots !== undefined && !hasBit(roots, doc))) continue
    if (scorer !== undefined && !scorer.has!(doc)) continue
    if (count === found.length) found = grown(found)
    found[count++] = doc
    if ((position - firstCounted) * step < 0 || ++counted !== wanted) continue
    end = behindTies(index, descending, position)
  }
  return found.subarray(0, count).sort()
}

/** The positions [low, high) of a range in the index. */
function positions(index: OrderedIndex, range: NumberRange | undefined): [number, number] {
  const low = range?.lower === undefined ? 0 : index.seek(range.lower, false)
  const high = range?.upper === undefined ? index.length : index.seek(range.upper, true)
  return [low, high]
}

/** The first position in reading order that is within [low, high) and not before `after`. */
function first(
  index: OrderedIndex,
  descending: boolean,
  low: number,
  high: number,
  after: number | bigint | undefined,
): number {
  const from = after === undefined ? undefined : index.seek(after, descending)
  if (descending) return (from === undefined ? high : Math.min(high, from)) - 1
  return from === undefined ? low : Math.max(low, from)
}

/** The first position in reading order whose value comes after the one at `position`. */
function behindTies(index: OrderedIndex, descending: boolean, position: number): number {
  const last = index.valueAt(position)
  return descending ? index.seek(last, false) - 1 : index.seek(last, true)
}

function docsBetween(index: OrderedIndex, from: number, to: number): Int32Array {
  const docs = new Int32Array(to - from)
  index.readDocs(from, to, docs)
  return docs.sort()
}

function grown(list: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(list.length * 2)
  larger.set(list)
  return larger
}
