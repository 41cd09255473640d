/**
 * The best documents of each bucket. Inside a segment documents are compared by numbers; the best of a segment are
 * merged into the bucket's list by sort values.
 */
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { compareSortValues, type SegmentKeys, type SortKey, type SortValue } from '../../sort/sort-key.ts'

export interface BestHit {
  readonly view: SegmentView
  readonly doc: number
  readonly score: number
  readonly sort: readonly SortValue[]
}

export class BestDocuments {
  readonly #keys: readonly SortKey[]
  readonly #size: number
  readonly #lists = new Map<number, BestHit[]>()

  constructor(keys: readonly SortKey[], size: number) {
    this.#keys = keys
    this.#size = size
  }

  of(bucket: number): readonly BestHit[] {
    return this.#lists.get(bucket) ?? []
  }

  segment(view: SegmentView): SegmentBest {
    const sources = this.#keys.map((key) => key.segment(view))
    return new SegmentBest(sources, this.#size, (bucket, docs, scores) => {
      const hits = docs.map((doc, i) => ({
        view,
        doc,
        score: scores[i]!,
        sort: sources.map((source) => source.value(doc, scores[i]!)),
      }))
      const known = this.#lists.get(bucket)
      // Segments are in document order, and sorting is stable: of equal hits the earlier document stays first.
      const merged = known === undefined ? hits : [...known, ...hits].sort(this.#compare).slice(0, this.#size)
      this.#lists.set(bucket, merged)
    })
  }

  readonly #compare = (a: BestHit, b: BestHit) => compareSortValues(this.#keys, a.sort, b.sort)
}

/** The documents of one bucket in a segment, best first. */
interface Ranked {
  readonly keys: Float64Array
  readonly docs: number[]
  readonly scores: number[]
}

class SegmentBest {
  readonly #sources: readonly SegmentKeys[]
  readonly #stride: number
  readonly #size: number
  readonly #rows: Float64Array
  readonly #buckets = new Map<number, Ranked>()
  readonly #hand: (bucket: number, docs: readonly number[], scores: readonly number[]) => void

  constructor(
    sources: readonly SegmentKeys[],
    size: number,
    hand: (bucket: number, docs: readonly number[], scores: readonly number[]) => void,
  ) {
    this.#sources = sources
    this.#stride = sources.reduce((sum, { width }) => sum + width, 0)
    this.#size = size
    this.#rows = new Float64Array(WINDOW_SIZE * this.#stride)
    this.#hand = hand
  }

  /** `scores` is indexed by document. */
  collect(docs: Int32Array, buckets: Int32Array, count: number, scores: Float32Array): void {
    let offset = 0
    for (const source of this.#sources) {
      source.fill(docs, count, 0, scores, this.#rows, this.#stride, offset)
      offset += source.width
    }
    for (let i = 0; i < count; i++) this.#insert(buckets[i]!, docs[i]!, scores[docs[i]!] ?? 0, i * this.#stride)
  }

  #insert(bucket: number, doc: number, score: number, row: number): void {
    if (this.#size === 0) return
    const stride = this.#stride
    let ranked = this.#buckets.get(bucket)
    if (ranked === undefined) {
      ranked = { keys: new Float64Array(this.#size * stride), docs: [], scores: [] }
      this.#buckets.set(bucket, ranked)
    }
    const { keys, docs } = ranked
    let at = docs.length
    if (at === this.#size && !this.#isBefore(row, keys, (at - 1) * stride)) return
    while (at > 0 && this.#isBefore(row, keys, (at - 1) * stride)) at--
    if (docs.length === this.#size) {
      docs.pop()
      ranked.scores.pop()
    }
    keys.copyWithin((at + 1) * stride, at * stride, docs.length * stride)
    for (let j = 0; j < stride; j++) keys[at * stride + j] = this.#rows[row + j]!
    docs.splice(at, 0, doc)
    ranked.scores.splice(at, 0, score)
  }

  #isBefore(row: number, keys: Float64Array, at: number): boolean {
    for (let j = 0; j < this.#stride; j++) {
      const own = this.#rows[row + j]!
      if (own !== keys[at + j]) return own < keys[at + j]!
    }
    return false
  }

  end(): void {
    for (const [bucket, { docs, scores }] of this.#buckets) this.#hand(bucket, docs, scores)
  }
}
