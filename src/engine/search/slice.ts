/**
 * Slices: independent parts of one search. The parts contain every document once, and are the same for every request on
 * the same view.
 *
 * Shards are distributed first. A shard with several slices divides its documents: in a point in time by ranges of
 * document numbers, which costs nothing; otherwise by a hash of the `_id` or of a number, which is computed once per
 * segment and cached as bits.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { countBits, setAll, setBit, wordsFor } from '../../base/bit-set.ts'
import { slicePartOfLong } from '../../base/mix64.ts'
import { floorMod, murmur3 } from '../../base/murmur3.ts'
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { SearchExecutionContext } from '../scoring/query.ts'
import { BitSetScorer } from '../scoring/scorers/bit-set-scorer.ts'
import type { Scorer } from '../scoring/scorers/scorer.ts'
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'
import { sortableBits } from '../values/sortable-bits.ts'
import { storedIdBytes } from '../values/stored-id.ts'

export interface Slice {
  readonly id: number
  readonly max: number
  /** A numeric field to divide by; undefined divides by `_id`. */
  readonly field: string | undefined
  /** Whether to divide by document numbers: only if every request reads the same view. */
  readonly byRange: boolean
}

/**
 * The documents of a segment in the slice: numbers from `from` to `to`, and of these the ones that `simScorer` matches.
 */
export interface SlicedSegment {
  readonly from: number
  readonly to: number
  readonly scorer: Scorer | undefined
  /** The bits of `simScorer`. */
  readonly bits?: Uint32Array
}

const NONE: SlicedSegment = { from: 0, to: 0, scorer: undefined }

/** The segment with documents outside the slice marked as deleted, so that they are not scored. */
export function slicedView(view: SegmentView, { from, to, bits }: SlicedSegment): SegmentView {
  const { docCount, nested } = view.reader
  const live = view.live?.slice() ?? new Uint32Array(wordsFor(docCount))
  if (view.live === undefined) setAll(live, docCount)
  for (let i = 0; i < live.length; i++) {
    const first = i << 5
    let inside = bits === undefined ? -1 : bits[i]!
    if (first < from) inside &= first + 32 <= from ? 0 : -1 << (from - first)
    if (first + 32 > to) inside &= first >= to ? 0 : -1 >>> (32 - (to - first))
    live[i] = live[i]! & (nested === undefined ? inside : inside | ~nested.roots[i]!)
  }
  return { ...view, live }
}

/** A slice of one shard. */
export class ShardSlice {
  readonly #slice: Slice
  readonly #part: { readonly id: number; readonly max: number } | 'all' | 'none'
  readonly #docCount: number
  readonly #field: FieldType | undefined

  constructor(context: SearchExecutionContext, slice: Slice, shardIndex: number, shardCount: number) {
    if (slice.field === '_id' && slice.byRange) {
      throw illegalArgument('cannot slice on [_id] when using [point-in-time]')
    }
    this.#slice = slice
    this.#part = partOf(slice, shardIndex, shardCount)
    // A shard that is searched as a whole, or not at all, does not read the field.
    const reads = typeof this.#part !== 'string' && slice.field !== undefined && slice.field !== '_id'
    this.#field = reads ? numericField(context, slice.field) : undefined
    const last = context.view.segments.at(-1)
    this.#docCount = last === undefined ? 0 : last.docBase + last.reader.docCount
  }

  of(segment: SegmentView): SlicedSegment {
    const part = this.#part
    const { docCount } = segment.reader
    if (part === 'none') return NONE
    if (part === 'all') return { from: 0, to: docCount, scorer: undefined }
    if (this.#slice.byRange && this.#slice.field === undefined) return this.#range(segment, part)
    const bits = sliceBits(segment.reader, this.#field, part)
    return { from: 0, to: docCount, scorer: new BitSetScorer(bits, countBits(bits), 1), bits }
  }

  /** As even as possible, with longer first parts. */
  #range({ docBase, reader }: SegmentView, { id, max }: { id: number; max: number }): SlicedSegment {
    const size = Math.floor(this.#docCount / max)
    const longer = this.#docCount % max
    const start = id * size + Math.min(id, longer)
    const end = start + size + (id < longer ? 1 : 0)
    const from = Math.max(0, start - docBase)
    const to = Math.min(reader.docCount, end - docBase)
    return from < to ? { from, to, scorer: undefined } : NONE
  }
}

function partOf(
  { id, max }: Slice,
  shardIndex: number,
  shardCount: number,
): { id: number; max: number } | 'all' | 'none' {
  if (max < shardCount) return shardIndex % max === id ? 'all' : 'none'
  if (id % shardCount !== shardIndex) return 'none'
  const parts = Math.floor(max / shardCount) + (max % shardCount > shardIndex ? 1 : 0)
  return parts === 1 ? 'all' : { id: Math.floor(id / shardCount), max: parts }
}

function numericField(context: SearchExecutionContext, name: string): FieldType {
  const field = context.mapping.field(name)
  if (field === undefined) throw illegalArgument(`field ${name} not found`)
  if (!field.hasDocValues || (field.shape !== 'number' && field.shape !== 'long')) {
    throw illegalArgument(`cannot load numeric doc values on ${name}`)
  }
  return field
}

/** Cached as long as the segment is open. */
const known = new WeakMap<SegmentReader, Map<string, Uint32Array>>()

function sliceBits(
  reader: SegmentReader,
  field: FieldType | undefined,
  part: { readonly id: number; readonly max: number },
): Uint32Array {
  let bySlice = known.get(reader)
  if (bySlice === undefined) known.set(reader, (bySlice = new Map()))
  const name = `${part.id}/${part.max}/${field?.name ?? '_id'}`
  let bits = bySlice.get(name)
  if (bits === undefined) {
    bits = new Uint32Array(wordsFor(reader.docCount))
    const sliceOf = field === undefined ? idSlicer(reader, part.max) : valueSlicer(reader, field, part.max)
    for (let doc = 0; doc < reader.docCount; doc++) if (sliceOf(doc) === part.id) setBit(bits, doc)
    bySlice.set(name, bits)
  }
  return bits
}

const ID_SEED = 7919

/** Nested documents have no id of their own; only roots are needed in the end. */
function idSlicer(reader: SegmentReader, max: number): (doc: number) => number {
  const { nested } = reader
  return (doc) => {
    if (nested !== undefined && nested.pathOf[doc] !== 0) return -1
    const bytes = storedIdBytes(reader.id(doc))
    return floorMod(murmur3(bytes, 0, bytes.length, ID_SEED), max)
  }
}

function valueSlicer(reader: SegmentReader, field: FieldType, max: number): (doc: number) => number {
  const docValues = reader.numericDocValues(storageName(field))
  const divisor = BigInt(max)
  return (doc) => {
    if (docValues?.has(doc) !== true) return slicePartOfLong(0n, divisor)
    const slot = docValues.start(doc)
    return slicePartOfLong(sortableBits(field.traits.number, docValues.valueAt(slot)) ?? docValues.bigAt(slot), divisor)
  }
}
