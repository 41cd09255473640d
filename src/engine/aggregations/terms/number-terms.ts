/** `terms` over numbers, dates and booleans: a table numbers the values in the order of occurrence. */
import { inNanoseconds } from '../../mapping/field-traits.ts'
import { narrow } from '../../mapping/field-types/number.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { NumericDocValues, SegmentView } from '../../segment/segment-reader-api.ts'
import type { Aggregation, SegmentCollector } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { BucketTable } from '../state/bucket-table.ts'
import { type PartSharing, tableSharing } from '../state/part-sharing.ts'
import { decoderOf, type NumberValues, numberValues } from '../values/number-values.ts'
import type { ValueSource } from '../values/value-source.ts'
import type { NumberFilter } from './include-exclude.ts'
import { type CollectMode, TermsAggregator } from './terms-aggregator.ts'
import { type TermBucket, type TermKey, type TermsResult, type TermsSettings, utf8Text } from './terms-result.ts'

export interface NumberTermsOptions {
  readonly source: ValueSource
  readonly settings: TermsSettings
  readonly mode: CollectMode | undefined
  readonly accepts: NumberFilter | undefined
  readonly type: 'long' | 'double'
}

export class NumberTermsAggregator extends TermsAggregator {
  readonly #context: AggregationContext
  readonly #options: NumberTermsOptions
  readonly #table: BucketTable
  readonly #block = newValueBlock()
  /** Integers beyond 2^53 are numbered, because no double can represent them. */
  readonly #exact: ExactKeys | undefined
  /** The filter for values as read, which are numbers of exact keys if there are any. */
  readonly #accepts: ((value: number) => boolean) | undefined
  #everyValue: Float64Array | undefined

  constructor(context: AggregationContext, aggregation: Aggregation, options: NumberTermsOptions) {
    super(context, aggregation, options.settings, options.mode, Number.POSITIVE_INFINITY)
    this.#context = context
    this.#options = options
    this.#table = new BucketTable(context.memory)
    const exact = ExactKeys.needed(context, options.source) ? new ExactKeys() : undefined
    const { accepts } = options
    this.#exact = exact
    this.#accepts = accepts === undefined || exact === undefined ? accepts : (number) => accepts(exact.key(number))
  }

  #values(view: SegmentView): NumberValues | undefined {
    if (this.#exact !== undefined) return this.#exact.values(this.#options.source, view)
    return numberValues(this.#options.source, view)
  }

  override segment(view: SegmentView): SegmentCollector | undefined {
    const values = this.#values(view)
    if (values === undefined) return undefined
    const child = this.childSegment(view)
    if (child === undefined && this.#isNarrow(values)) return this.#tally(values)
    const expansion = child === undefined ? undefined : new BucketExpansion(child, this.#context.shard.guard)
    return {
      collect: (docs, buckets, count) => {
        values.readBlock(docs, count, this.#block)
        this.#collect(docs, buckets, count, expansion)
        expansion?.flush()
      },
      end: () => expansion?.end(),
    }
  }

  /**
   * Whether the segment's integers span a small range (codes, small amounts), so that an array of counts replaces the
   * hash table.
   */
  #isNarrow({ multiValued, min, max }: NumberValues): boolean {
    const { type, source } = this.#options
    if (type !== 'long' || this.#exact !== undefined) return false
    if (source.ofDocument !== undefined || source.missing !== undefined) return false
    return this.#context.singleParent && this.#accepts === undefined && !multiValued && max - min < WINDOW_SIZE
  }

  /** Counts a segment by the distance from its smallest value; only the sums are added to the table. */
  #tally(values: NumberValues): SegmentCollector {
    const { min, max } = values
    const tally = this.#context.scratch.integers().fill(0)
    const block = this.#block
    return {
      collect: (docs, _buckets, count) => {
        values.readBlock(docs, count, block)
        addDistances(tally, block.values, block.offsets[count]!, min)
      },
      end: () => {
        for (let distance = 0; distance <= max - min; distance++) {
          if (tally[distance]! > 0) this.counts.add(this.#table.add(0, min + distance), tally[distance]!)
        }
      },
    }
  }

  #collect(docs: Int32Array, buckets: Int32Array, count: number, expansion: BucketExpansion | undefined): void {
    const { offsets, values } = this.#block
    const accepts = this.#accepts
    const once = this.#options.settings.countsRepeats !== true
    const table = this.#table
    let counts = this.counts.array
    for (let i = 0; i < count; i++) {
      const end = offsets[i + 1]!
      let previous = Number.NaN
      for (let slot = offsets[i]!; slot < end; slot++) {
        const value = values[slot]!
        if (once && value === previous) continue
        previous = value
        if (accepts !== undefined && !accepts(value)) continue
        const bucket = table.add(buckets[i]!, value)
        if (bucket >= counts.length) counts = this.counts.reserve(bucket + 1)
        counts[bucket] = counts[bucket]! + 1
        expansion?.add(docs[i]!, bucket)
      }
    }
  }

  get sharing(): PartSharing | undefined {
    // Keys numbered in the order of occurrence differ between threads.
    return this.#exact === undefined ? tableSharing(this.#table, this.counts, this.childSharing) : undefined
  }

  protected override bucketsOf(parent: number): Int32Array {
    if (this.settings.minDocCount === 0) for (const value of this.#allValues()) this.#table.add(parent, value)
    return this.#table.ofParent(parent)
  }

  /** Values of all live documents, for `min_doc_count: 0`. */
  #allValues(): Float64Array {
    if (this.#everyValue !== undefined) return this.#everyValue
    const found = new Set<number>()
    const doc = new Int32Array(1)
    for (const view of this.#context.shard.view.segments) {
      const values = this.#values(view)
      if (values === undefined) continue
      for (let i = 0; i < view.reader.docCount; i++) {
        if (view.live !== undefined && (view.live[i >> 5]! & (1 << (i & 31))) === 0) continue
        doc[0] = i
        values.readBlock(doc, 1, this.#block)
        for (let slot = 0; slot < this.#block.offsets[1]!; slot++) {
          const value = this.#block.values[slot]!
          if (this.#accepts === undefined || this.#accepts(value)) found.add(value)
        }
      }
    }
    this.#everyValue = Float64Array.from(found)
    return this.#everyValue
  }

  protected override parents(): Iterable<number> {
    return new Set(this.#table.parents.subarray(0, this.#table.size))
  }

  protected override bucketCount(): number {
    return this.#table.size
  }

  protected override compareKeys(a: number, b: number): number {
    const left = this.keyOf(a) as number
    const right = this.keyOf(b) as number
    if (left < right) return -1
    // NaN comes after every number.
    return left > right ? 1 : Number(Number.isNaN(left)) - Number(Number.isNaN(right))
  }

  protected override keyOf(bucket: number): TermKey {
    const key = this.#table.keys[bucket]!
    return this.#exact === undefined ? key : this.#exact.key(key)
  }

  protected override wrap(buckets: TermBucket[], otherDocCount: number): TermsResult {
    const { source, type } = this.#options
    const unmapped = source.field === undefined && source.missing === undefined && source.ofDocument === undefined
    return {
      type: unmapped ? 'unmapped' : type,
      buckets,
      otherDocCount,
      error: 0,
      format: source.format,
      text: utf8Text,
    }
  }
}

function addDistances(tally: Int32Array, values: Float64Array, count: number, min: number): void {
  for (let i = 0; i < count; i++) {
    const distance = values[i]! - min
    tally[distance] = tally[distance]! + 1
  }
}

/** Numbers 64-bit integers in the order of occurrence. */
class ExactKeys {
  readonly #numbers = new Map<bigint, number>()
  readonly #keys: bigint[] = []

  /** Whether some segment has an integer that a double cannot represent. */
  static needed({ shard }: AggregationContext, { field }: ValueSource): boolean {
    if (field === undefined || inNanoseconds(field.traits)) return false
    const name = storageName(field)
    return shard.view.segments.some(({ reader }) => reader.numericDocValues(name)?.exact === false)
  }

  key(number: number): number | bigint {
    return narrow(this.#keys[number]!)
  }

  values({ field, missing }: ValueSource, { reader }: SegmentView): NumberValues | undefined {
    const docValues = reader.numericDocValues(storageName(field!))
    const standIn = missing === undefined ? undefined : this.#number(BigInt(Math.trunc(missing as number)))
    if (docValues === undefined && standIn === undefined) return undefined
    const shown = decoderOf(field!) === undefined ? undefined : field!
    return {
      multiValued: true,
      min: 0,
      max: Number.POSITIVE_INFINITY,
      readBlock: (docs, count, into) => {
        let found = 0
        const push = (value: number) => {
          if (found === into.values.length) {
            const larger = new Float64Array(found * 2)
            larger.set(into.values)
            into.values = larger
          }
          into.values[found++] = value
        }
        for (let i = 0; i < count; i++) {
          into.offsets[i] = found
          if (docValues?.has(docs[i]!)) {
            for (let slot = docValues.start(docs[i]!); slot < docValues.end(docs[i]!); slot++) {
              push(this.#number(this.#valueAt(docValues, slot, shown)))
            }
          } else if (standIn !== undefined) push(standIn)
        }
        into.offsets[count] = found
      },
    }
  }

  #valueAt(docValues: NumericDocValues, slot: number, shown: ValueSource['field']): bigint {
    const value = docValues.bigAt(slot)
    return shown === undefined ? value : BigInt(shown.formatDocValue(value, undefined) as number | bigint)
  }

  #number(value: bigint): number {
    let number = this.#numbers.get(value)
    if (number === undefined) {
      number = this.#keys.push(value) - 1
      this.#numbers.set(value, number)
    }
    return number
  }
}
