/**
 * `terms` over keywords and addresses: documents have term ordinals, so counting is an addition in an array. Under
 * several parent buckets a table numbers the pairs that occur.
 */
import { COUNTED_ORDINALS_MAX, ORDINALS, ordinalKernel } from '../../kernels/ordinal-kernel.ts'
import { storageName } from '../../mapping/storage-name.ts'
import type { CountedTerms, OrdinalBlock, SegmentView } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { bucketBound } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import type { DeferredChildren } from '../state/deferred-children.ts'
import { giveInts, type PartSharing, tableSharing, takeInts } from '../state/part-sharing.ts'
import { placePairs } from '../state/place-pairs.ts'
import { compareTerms, type GlobalOrdinals, globalOrdinals } from '../values/global-ordinals.ts'
import type { ValueSource } from '../values/value-source.ts'
import { addCounts, countedTerms, deferDocuments } from './counted-terms.ts'
import { type CollectMode, TermsAggregator } from './terms-aggregator.ts'
import type { TermBucket, TermKey, TermsResult, TermsSettings } from './terms-result.ts'
import { visibleTerms } from './visible-terms.ts'

export interface StringTermsOptions {
  readonly source: ValueSource
  readonly settings: TermsSettings
  readonly mode: CollectMode | undefined
  readonly accepts: ((term: Uint8Array) => boolean) | undefined
  /** The value of documents without one. */
  readonly missing: Uint8Array | undefined
  readonly text: (term: Uint8Array) => string
}

export class StringTermsAggregator extends TermsAggregator {
  readonly #context: AggregationContext
  readonly #options: StringTermsOptions
  readonly #field: string
  readonly #ordinals: GlobalOrdinals
  /** Undefined under a single parent, where the ordinal of a term is its bucket. */
  readonly #table: BucketTable | undefined
  /** 1 for ordinals that are counted; undefined if all are. */
  readonly #accepted: Uint8Array | undefined
  /** 1 for ordinals that may be listed without a matching document; undefined if all may. */
  readonly #visible: Uint8Array | undefined
  /** Ordinal of the `missing` value, the next free one if no document has that term; -1 without. */
  readonly #missing: number
  readonly #termCount: number
  readonly #block: OrdinalBlock
  readonly #placed: Int32Array

  constructor(context: AggregationContext, aggregation: Aggregation, options: StringTermsOptions) {
    const { field } = options.source
    const name = storageName(field) ?? ''
    const ordinals = globalOrdinals(context.shard.view, name, context.shard.guard)
    super(context, aggregation, options.settings, options.mode, ordinals.termCount)
    this.#context = context
    this.#block = context.scratch.ordinalBlock()
    this.#placed = context.scratch.integers()
    this.#options = options
    this.#field = name
    this.#ordinals = ordinals
    const found = options.missing === undefined ? -1 : ordinals.find(options.missing)
    this.#missing = options.missing !== undefined && found < 0 ? ordinals.termCount : found
    if (options.missing === undefined) this.#missing = -1
    this.#termCount = Math.max(ordinals.termCount, this.#missing + 1)
    this.#accepted = options.accepts === undefined ? undefined : this.#acceptedOrdinals(options.accepts)
    const hides = context.shard.hidesDocuments === true && options.settings.minDocCount === 0
    this.#visible = hides ? visibleTerms(context.shard.view, name, ordinals) : undefined
    this.#table = context.singleParent ? undefined : new BucketTable(context.memory, this.#termCount)
    if (this.#table === undefined) this.counts.reserve(this.#termCount)
  }

  #acceptedOrdinals(accepts: (term: Uint8Array) => boolean): Uint8Array {
    const accepted = new Uint8Array(this.#termCount)
    for (let ordinal = 0; ordinal < this.#termCount; ordinal++) accepted[ordinal] = accepts(this.#term(ordinal)) ? 1 : 0
    return accepted
  }

  override segment(view: SegmentView): SegmentCollector | undefined {
    const docValues = view.reader.sortedSetDocValues(this.#field)
    if (docValues === undefined && this.#missing < 0) return undefined
    const counted = this.#counted(view)
    if (counted !== undefined) {
      addCounts(this.counts.array, counted, this.#ordinals.ofSegment(view), this.#accepted)
      return undefined
    }
    const child = this.childSegment(view)
    const expansion = child === undefined ? undefined : new BucketExpansion(child, this.#context.shard.guard)
    const toGlobal = this.#ordinals.ofSegment(view)
    const block = this.#block
    const whole = this.#accepted === undefined && this.#missing < 0
    const plain = whole && docValues?.multiValued === false
    return {
      collect: (docs, buckets, count, isRun) => {
        if (plain && isRun === true && docValues.readDense?.(docs[0]!, count, block.ordinals) === true) {
          this.#collectSingle(docs, buckets, count, toGlobal, child, true)
          return
        }
        if (docValues === undefined) block.offsets.fill(0, 0, count + 1)
        else docValues.readBlock(docs, count, block)
        const found = block.offsets[count]!
        if (plain && child === undefined && this.#table === undefined) {
          countOrdinals(this.counts.array, block.ordinals, found, toGlobal)
        } else if (plain && found === count) {
          this.#collectSingle(docs, buckets, count, toGlobal, child, isRun)
        } else if (whole && child === undefined && this.#table !== undefined) {
          this.#countPairs(this.#table, buckets, count, toGlobal)
        } else {
          this.#collect(docs, buckets, count, toGlobal, expansion)
          expansion?.flush()
        }
      },
      end: () => expansion?.end(),
    }
  }

  /** Terms of a segment with precomputed counts, unless children or a `missing` value need each document. */
  #counted(view: SegmentView): CountedTerms | undefined {
    if (this.#missing >= 0 || this.#table !== undefined || !this.waitsForChoice) return undefined
    return countedTerms(this.#context, view, this.#field)
  }

  protected override deferChosen(deferred: DeferredChildren, chosen: Int32Array): void {
    for (const view of this.#context.shard.view.segments) {
      const counted = this.#counted(view)
      if (counted === undefined) continue
      const docValues = view.reader.sortedSetDocValues(this.#field)!
      deferDocuments(view, counted, docValues, this.#ordinals.ofSegment(view), chosen, deferred)
    }
  }

  /** Collects a block in which every document has exactly one term, so that its documents can be passed on unchanged. */
  #collectSingle(
    docs: Int32Array,
    parents: Int32Array,
    count: number,
    toGlobal: Int32Array | undefined,
    child: SegmentCollector | undefined,
    isRun: boolean | undefined,
  ): void {
    const { ordinals } = this.#block
    const table = this.#table
    if (table !== undefined) {
      const pairs = { parents, ordinals, bound: this.#termCount, table: toGlobal, count }
      placePairs(table, pairs, this.counts, this.#placed)
    } else placeOrdinals(this.counts.array, ordinals, count, toGlobal, this.#placed)
    child?.collect(docs, this.#placed, count, isRun)
  }

  /** Counts a block under several parents if no child needs the documents. */
  #countPairs(table: BucketTable, parents: Int32Array, count: number, toGlobal: Int32Array | undefined): void {
    const { offsets, ordinals } = this.#block
    const places = table.placesOf(bucketBound(parents, count))
    const termCount = this.#termCount
    let counts = this.counts.array
    for (let i = 0; i < count; i++) {
      const parent = parents[i]!
      const end = offsets[i + 1]!
      let previous = -1
      for (let slot = offsets[i]!; slot < end; slot++) {
        const ordinal = toGlobal === undefined ? ordinals[slot]! : toGlobal[ordinals[slot]!]!
        if (ordinal === previous) continue
        previous = ordinal
        let bucket = places === undefined ? -1 : places[parent * termCount + ordinal]! - 1
        if (bucket < 0) {
          bucket = table.add(parent, ordinal)
          if (bucket >= counts.length) counts = this.counts.reserve(bucket + 1)
        }
        counts[bucket] = counts[bucket]! + 1
      }
    }
  }

  #collect(
    docs: Int32Array,
    buckets: Int32Array,
    count: number,
    toGlobal: Int32Array | undefined,
    expansion: BucketExpansion | undefined,
  ): void {
    const { offsets, ordinals } = this.#block
    const accepted = this.#accepted
    const missing = this.#missing
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      if (offsets[i] === end && missing >= 0) {
        if (accepted === undefined || accepted[missing] === 1) this.#add(docs[i]!, buckets[i]!, missing, expansion)
        continue
      }
      let previous = -1
      for (let slot = offsets[i]!; slot < end; slot++) {
        const ordinal = toGlobal === undefined ? ordinals[slot]! : toGlobal[ordinals[slot]!]!
        if (ordinal === previous) continue
        previous = ordinal
        if (accepted === undefined || accepted[ordinal] === 1) this.#add(docs[i]!, buckets[i]!, ordinal, expansion)
      }
    }
  }

  #add(doc: number, parent: number, ordinal: number, expansion: BucketExpansion | undefined): void {
    const bucket = this.#table === undefined ? ordinal : this.#table.add(parent, ordinal)
    const counts = bucket < this.counts.array.length ? this.counts.array : this.counts.reserve(bucket + 1)
    counts[bucket] = counts[bucket]! + 1
    expansion?.add(doc, bucket)
  }

  get sharing(): PartSharing | undefined {
    const children = this.childSharing
    if (this.#table !== undefined) return tableSharing(this.#table, this.counts, children)
    if (children === undefined) return undefined
    // Global ordinals are the same in every thread.
    return {
      give: () => [giveInts(this.counts), children.give()],
      take: (found) => {
        const [counts, below] = found as [Int32Array, unknown]
        takeInts(this.counts, counts, undefined)
        children.take(below, undefined)
      },
    }
  }

  protected override bucketsOf(parent: number): Int32Array {
    const all = this.settings.minDocCount === 0
    if (this.#table !== undefined) return all ? this.#listedBuckets(this.#table, parent) : this.#table.ofParent(parent)
    const counts = this.counts.array
    const found = new Int32Array(this.#termCount)
    let count = 0
    for (let i = 0; i < this.#termCount; i++) if (counts[i]! > 0 || (all && this.#isListed(i))) found[count++] = i
    return found.subarray(0, count)
  }

  /** A bucket for each listed term. */
  #listedBuckets(table: BucketTable, parent: number): Int32Array {
    const found = new Int32Array(this.#termCount)
    let count = 0
    for (let i = 0; i < this.#termCount; i++) if (this.#isListed(i)) found[count++] = table.add(parent, i)
    return found.subarray(0, count)
  }

  /** Terms without documents are listed too, and so is the `missing` value if there is any document. */
  #isListed(ordinal: number): boolean {
    if (this.#accepted !== undefined && this.#accepted[ordinal] === 0) return false
    if (this.#visible !== undefined && this.#visible[ordinal] === 0) return false
    return ordinal < this.#ordinals.termCount || this.#context.shard.view.segments.length > 0
  }

  protected override *parents(): Iterable<number> {
    if (this.#table === undefined) yield 0
    else yield* new Set(this.#table.parents.subarray(0, this.#table.size))
  }

  protected override bucketCount(): number {
    return this.#table === undefined ? this.#termCount : this.#table.size
  }

  #ordinalOf(bucket: number): number {
    return this.#table === undefined ? bucket : this.#table.keys[bucket]!
  }

  protected override compareKeys(a: number, b: number): number {
    const left = this.#ordinalOf(a)
    const right = this.#ordinalOf(b)
    // The `missing` value has an ordinal after all others, whatever its text.
    if (left >= this.#ordinals.termCount || right >= this.#ordinals.termCount) {
      return compareTerms(this.#term(left), this.#term(right))
    }
    return left - right
  }

  #term(ordinal: number): Uint8Array {
    return ordinal < this.#ordinals.termCount ? this.#ordinals.term(ordinal) : this.#options.missing!
  }

  protected override keyOf(bucket: number): TermKey {
    return this.#term(this.#ordinalOf(bucket))
  }

  protected override wrap(buckets: TermBucket[], otherDocCount: number): TermsResult {
    const { source, missing, text } = this.#options
    const type = source.field === undefined && missing === undefined ? 'unmapped' : 'string'
    return { type, buckets, otherDocCount, error: 0, format: source.format, text }
  }
}

/** The inner loop of the simplest and most frequent case: one value per document, no children. */
function countOrdinals(
  counts: Int32Array,
  ordinals: Int32Array,
  count: number,
  toGlobal: Int32Array | undefined,
): void {
  if (toGlobal === undefined) for (let i = 0; i < count; i++) counts[ordinals[i]!]!++
  else for (let i = 0; i < count; i++) counts[toGlobal[ordinals[i]!]!]!++
}

/** Fewer ordinals are not worth copying them into the kernel's memory. */
const KERNEL_ORDINALS = 256

/** As `countOrdinals`, and writes the bucket of each document. */
function placeOrdinals(
  counts: Int32Array,
  ordinals: Int32Array,
  count: number,
  toGlobal: Int32Array | undefined,
  placed: Int32Array,
): void {
  const fits = counts.length <= COUNTED_ORDINALS_MAX && (toGlobal?.length ?? 0) <= COUNTED_ORDINALS_MAX
  const kernel = fits && count >= KERNEL_ORDINALS && count <= ORDINALS ? ordinalKernel(count) : undefined
  if (kernel !== undefined) {
    kernel.count(ordinals, count, toGlobal, counts, placed)
    return
  }
  if (toGlobal === undefined) placed.set(ordinals.subarray(0, count))
  else for (let i = 0; i < count; i++) placed[i] = toGlobal[ordinals[i]!]!
  countOrdinals(counts, placed, count, undefined)
}
