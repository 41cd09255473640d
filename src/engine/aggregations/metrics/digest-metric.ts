/** The base of metrics over digests: one digest per bucket, filled from a numeric field. */
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationMemory } from '../state/aggregation-memory.ts'
import type { ValueFormat } from '../values/value-format.ts'
import type { ValueSource } from '../values/value-source.ts'
import { NumberAggregator } from './number-metric.ts'

/** A summary of numbers from which quantiles can be computed. */
export interface Digest<Self = unknown> {
  readonly byteSize: number
  /** Adds `values[from, to)`. */
  addAll(values: Float64Array, from: number, to: number): void
  merge(other: Self): void
}

/** The digests of the shards, merged in the reduction. */
export interface DigestResult<D> {
  readonly digest: D | undefined
  readonly format: ValueFormat
}

export function mergeDigests<D extends Digest<D>>(results: readonly DigestResult<D>[], make: () => D): D | undefined {
  const digests = results.flatMap(({ digest }) => (digest === undefined ? [] : [digest]))
  if (digests.length <= 1) return digests[0]
  const merged = make()
  for (const digest of digests) merged.merge(digest)
  return merged
}

export class DigestAggregator<D extends Digest<D>> extends NumberAggregator<DigestResult<D>> {
  readonly #make: () => D
  readonly #read: (digest: D, property: string | undefined) => number
  readonly #digests: (D | undefined)[] = []
  readonly #memory: AggregationMemory
  readonly #singleParent: boolean
  #counted = 0

  constructor(
    context: AggregationContext,
    source: ValueSource,
    make: () => D,
    read: (digest: D, property: string | undefined) => number,
  ) {
    super(context, source)
    this.#make = make
    this.#read = read
    this.#memory = context.memory
    this.#singleParent = context.singleParent
  }

  protected override add(values: Float64Array, offsets: Int32Array, buckets: Int32Array, count: number): void {
    if (this.#singleParent) {
      this.#of(0).addAll(values, 0, offsets[count]!)
      return
    }
    for (let i = 0; i < count; ) {
      const bucket = buckets[i]!
      const first = offsets[i]!
      // Neighbours are mostly in the same bucket.
      for (i++; i < count && buckets[i] === bucket; ) i++
      if (first < offsets[i]!) this.#of(bucket).addAll(values, first, offsets[i]!)
    }
  }

  override result(bucket: number): DigestResult<D> {
    return { digest: this.#digests[bucket], format: this.format }
  }

  override value(bucket: number, property: string | undefined): number {
    const digest = this.#digests[bucket]
    return digest === undefined ? Number.NaN : this.#read(digest, property)
  }

  override finish(): void {
    let bytes = 0
    for (const digest of this.#digests) bytes += digest?.byteSize ?? 0
    this.#memory.add(Math.max(0, bytes - this.#counted))
  }

  #of(bucket: number): D {
    let digest = this.#digests[bucket]
    if (digest !== undefined) return digest
    digest = this.#make()
    this.#digests[bucket] = digest
    // Memory is accounted when a digest is created: a request with too many buckets must fail before all of them exist.
    this.#counted += digest.byteSize
    this.#memory.add(digest.byteSize)
    return digest
  }
}
