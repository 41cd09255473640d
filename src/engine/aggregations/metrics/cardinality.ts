/** `cardinality`: the approximate number of distinct values. */

import { illegalArgument } from '../../../base/api-error.ts'
import { STRING } from '../../../base/json/json-reader.ts'
import { hasFractions, inNanoseconds } from '../../mapping/field-traits.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING } from '../../request/request-reader.ts'
import { newOrdinalBlock, newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { NumericDocValues, SegmentView, SortedSetDocValues } from '../../segment/segment-reader-api.ts'
import { encodeLatitude, encodeLongitude } from '../../values/geo-encoding.ts'
import type { GeoPoint } from '../../values/geo-point.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { DistinctCounter, type GivenCounter, precisionForThreshold } from '../sketches/distinct-counter.ts'
import { hashBytes, hashDouble, hashInteger, hashLong } from '../sketches/hash64.ts'
import { type TermHashes, termHashes } from '../sketches/term-hashes.ts'
import { eachBucket, type PartSharing } from '../state/part-sharing.ts'
import { countedTerms } from '../terms/counted-terms.ts'
import { decoderOf } from '../values/number-values.ts'
import { bindSource, type SourceSettings, type ValueSource } from '../values/value-source.ts'
import { readSource } from './number-metric.ts'
import { ANY_SOURCE, anyDocValues } from './value-count.ts'

const THRESHOLD_DEFAULT = 3000

type Result = DistinctCounter | undefined

const HINTS: readonly string[] = [
  'global_ordinals',
  'segment_ordinals',
  'direct',
  'save_memory_heuristic',
  'save_time_heuristic',
]

class CardinalityAggregation extends Aggregation<Result> {
  readonly kind = 'cardinality'
  readonly #source: SourceSettings
  readonly #precision: number
  readonly #hint: string | undefined

  constructor(parts: AggregationParts, source: SourceSettings, precision: number, hint: string | undefined) {
    super(parts)
    this.#source = source
    this.#precision = precision
    this.#hint = hint
  }

  override plan(context: AggregationContext): ShardAggregator<Result> {
    const source = bindSource(context.shard, this.#source, this.kind, ANY_SOURCE, 'keyword')
    if (this.#hint !== undefined && !HINTS.includes(this.#hint)) {
      throw illegalArgument(
        `Invalid execution mode for cardinality aggregation.  Got [${this.#hint}]expected one of ` +
          '[global_ordinal, segment_ordinal, direct]',
      )
    }
    return new CardinalityAggregator(context, source, this.#precision)
  }

  override reduce(results: readonly Result[]): Result {
    const counters = results.filter((counter) => counter !== undefined)
    if (counters.length <= 1) return counters[0]
    const merged = new DistinctCounter(this.#precision)
    for (const counter of counters) merged.merge(counter)
    return merged
  }

  override empty(): Result {
    return undefined
  }

  override print(counter: Result): Record<string, unknown> {
    return { value: counter?.count() ?? 0 }
  }

  override value(counter: Result, property: string | undefined): number | undefined {
    return property === undefined || property === 'value' ? (counter?.count() ?? 0) : undefined
  }
}

class CardinalityAggregator implements ShardAggregator<Result> {
  readonly needsScores = false
  readonly #context: AggregationContext
  readonly #source: ValueSource
  readonly #precision: number
  readonly #counters: (DistinctCounter | undefined)[] = []

  constructor(context: AggregationContext, source: ValueSource, precision: number) {
    this.#context = context
    this.#source = source
    this.#precision = precision
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const { reader } = view
    const { field } = this.#source
    const name = field === undefined ? undefined : storageName(field)
    const missing = this.#missing()
    const terms = name === undefined ? undefined : reader.sortedSetDocValues(name)
    if (terms !== undefined) {
      const hashes = termHashes(reader, name!, terms)
      if (missing !== undefined || countedTerms(this.#context, view, name!) === undefined)
        return this.#terms(terms, hashes, missing)
      // If all documents are collected, so are all terms.
      if (terms.termCount > 0) this.#of(0).addAll(hashes.all())
      return undefined
    }
    const numbers = name === undefined ? undefined : reader.numericDocValues(name)
    if (numbers !== undefined) return this.#numbers(numbers, field!, missing)
    const other = name === undefined ? undefined : anyDocValues(reader, name)
    if (other === undefined && missing === undefined) return undefined
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i++) {
          const doc = docs[i]!
          if (other?.has(doc)) {
            for (let slot = other.start(doc); slot < other.end(doc); slot++) {
              hashBytes(slotBytes(other, slot))
              this.#of(buckets[i]!).addHash()
            }
          } else if (missing !== undefined) {
            missing()
            this.#of(buckets[i]!).addHash()
          }
        }
      },
    }
  }

  finish(): void {}

  result(bucket: number): Result {
    return this.#counters[bucket]
  }

  value(bucket: number): number {
    return this.#counters[bucket]?.count() ?? 0
  }

  get sharing(): PartSharing {
    return {
      give: () => this.#counters.map((counter) => counter?.give()),
      take: (found, buckets) => {
        const counters = found as (GivenCounter | undefined)[]
        eachBucket(counters.length, buckets, (from, to) => {
          const counter = counters[from]
          if (counter !== undefined) this.#of(to).take(counter)
        })
      },
    }
  }

  /** A term is hashed once per segment, however many documents have it. */
  #terms(docValues: SortedSetDocValues, hashes: TermHashes, missing: (() => void) | undefined): SegmentCollector {
    if (this.#context.singleParent && missing === undefined) return this.#distinctTerms(docValues, hashes)
    const block = newOrdinalBlock()
    const { highs, lows } = hashes
    return {
      collect: (docs, buckets, count) => {
        docValues.readBlock(docs, count, block)
        const { offsets, ordinals } = block
        for (let i = 0; i < count; i++) {
          const end = offsets[i + 1]!
          let slot = offsets[i]!
          if (slot === end) {
            if (missing === undefined) continue
            missing()
            this.#of(buckets[i]!).addHash()
            continue
          }
          const counter = this.#of(buckets[i]!)
          for (; slot < end; slot++) {
            const ordinal = ordinals[slot]!
            hashes.ensure(ordinal)
            counter.add(highs[ordinal]!, lows[ordinal]!)
          }
        }
      },
    }
  }

  /** With one bucket it is enough to mark the terms seen, and to count them at the end. */
  #distinctTerms(docValues: SortedSetDocValues, hashes: TermHashes): SegmentCollector {
    const block = newOrdinalBlock()
    const seen = new Uint8Array(docValues.termCount)
    return {
      collect: (docs, _buckets, count) => {
        docValues.readBlock(docs, count, block)
        const { ordinals } = block
        const end = block.offsets[count]!
        for (let i = 0; i < end; i++) seen[ordinals[i]!] = 1
      },
      end: () => {
        const first = seen.indexOf(1)
        if (first < 0) return
        const counter = this.#of(0)
        for (let ordinal = first; ordinal < seen.length; ordinal++) {
          if (seen[ordinal] === 0) continue
          hashes.ensure(ordinal)
          counter.add(hashes.highs[ordinal]!, hashes.lows[ordinal]!)
        }
      },
    }
  }

  #numbers(docValues: NumericDocValues, field: FieldType, missing: (() => void) | undefined): SegmentCollector {
    const hash = numberHash(docValues, field)
    const block = newValueBlock()
    return {
      collect: (docs, buckets, count) => {
        if (typeof hash === 'function') docValues.readBlock(docs, count, block)
        for (let i = 0; i < count; i++) {
          const doc = docs[i]!
          const [start, end] =
            typeof hash === 'function' ? [block.offsets[i]!, block.offsets[i + 1]!] : range(docValues, doc)
          if (start === end) {
            if (missing === undefined) continue
            missing()
            this.#of(buckets[i]!).addHash()
            continue
          }
          const counter = this.#of(buckets[i]!)
          for (let slot = start; slot < end; slot++) {
            if (typeof hash === 'function') hash(block.values[slot]!)
            else hash.slot(slot)
            counter.addHash()
          }
        }
      },
    }
  }

  /** Leaves the hash of the `missing` value. */
  #missing(): (() => void) | undefined {
    const { field, missing } = this.#source
    if (missing === undefined) return undefined
    if (typeof missing === 'number')
      return isDecimal(field) ? () => hashDouble(missing) : () => hashInteger(Math.trunc(missing))
    const bytes = typeof missing === 'string' ? termBytes(field, missing) : pointBytes(missing)
    return () => hashBytes(bytes)
  }

  #of(bucket: number): DistinctCounter {
    let counter = this.#counters[bucket]
    if (counter !== undefined) return counter
    counter = new DistinctCounter(this.#precision)
    this.#counters[bucket] = counter
    this.#context.memory.add(counter.byteSize)
    return counter
  }
}

const range = (docValues: NumericDocValues, doc: number): [number, number] =>
  docValues.has(doc) ? [docValues.start(doc), docValues.end(doc)] : [0, 0]

const isDecimal = (field: FieldType | undefined) => field !== undefined && hasFractions(field.traits)

/**
 * Numbers are hashed as doubles or as 64-bit integers, depending on the field type; values that a double cannot
 * represent are hashed by slot.
 */
function numberHash(
  docValues: NumericDocValues,
  field: FieldType,
): ((value: number) => void) | { slot: (slot: number) => void } {
  const decode = decoderOf(field)
  // Aggregations see nanoseconds as milliseconds, so several may be one value.
  if (inNanoseconds(field.traits)) return { slot: (slot) => hashInteger(decode!(docValues, slot)) }
  if (!docValues.exact || field.traits.number?.storedAs === 'shifted')
    return { slot: (slot) => hashLong(docValues.bigAt(slot)) }
  if (!isDecimal(field)) return hashInteger
  return decode === undefined ? hashDouble : { slot: (slot) => hashDouble(decode(docValues, slot)) }
}

function termBytes(field: FieldType | undefined, missing: string): Uint8Array {
  const term = field === undefined ? missing : field.termValue(missing)
  return term instanceof Uint8Array ? term : Buffer.from(missing)
}

/** As `slotBytes` of a document that has the point. */
const pointBytes = ({ lat, lon }: GeoPoint) =>
  new Uint8Array(Int32Array.of(encodeLatitude(lat), encodeLongitude(lon)).buffer)

function slotBytes(docValues: NonNullable<ReturnType<typeof anyDocValues>>, slot: number): Uint8Array {
  if ('bytesAt' in docValues) return docValues.bytesAt(slot)
  if ('latitudeAt' in docValues)
    return new Uint8Array(Int32Array.of(docValues.latitudeAt(slot), docValues.longitudeAt(slot)).buffer)
  throw new Error('numbers and terms have ways of their own')
}

export const cardinalityKind: AggregationKind = {
  name: 'cardinality',
  hasChildren: false,
  parse(reader, name) {
    let threshold = THRESHOLD_DEFAULT
    let hint: string | undefined
    const source = readSource(
      reader,
      'cardinality',
      {
        precision_threshold: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            threshold = reader.long()
            if (threshold >= 0) return
            throw illegalArgument(
              `[precisionThreshold] must be greater than or equal to 0. Found [${threshold}] in [${name}]`,
            )
          },
        },
        // Accepted and validated; counting does not depend on it.
        execution_hint: {
          accepts: ACCEPTS_STRING,
          parse: () => {
            hint = reader.text()
          },
        },
        rehash: { accepts: [STRING], parse: () => reader.text() },
      },
      { format: false },
    )
    return (parts) => new CardinalityAggregation(parts, source, precisionForThreshold(threshold), hint)
  },
}
