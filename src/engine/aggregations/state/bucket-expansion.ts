/**
 * Passes the documents of a multi-bucket aggregation to its children, under its own bucket ordinals. A document with
 * several values occurs once per bucket, so the entries are buffered and passed on in blocks. Nested inside each other,
 * such aggregations multiply: a window of documents may become any number of blocks, so the search's guard is called
 * too.
 */
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import type { SegmentCollector } from '../aggregation.ts'

const NONE: Int32Array = new Int32Array(0)
/** Fraction of the time of a window. */
const STEPS_PER_BLOCK = 0.25

export class BucketExpansion {
  readonly #children: SegmentCollector
  readonly #guard: SearchGuard | undefined
  /** Allocated for the first entry: nothing is buffered if every document has one value. */
  #docs: Int32Array
  #buckets: Int32Array
  #count: number

  constructor(children: SegmentCollector, guard?: SearchGuard) {
    this.#children = children
    this.#guard = guard
    this.#docs = NONE
    this.#buckets = NONE
    this.#count = 0
  }

  add(doc: number, bucket: number): void {
    if (this.#count === this.#docs.length) this.#makeRoom()
    this.#docs[this.#count] = doc
    this.#buckets[this.#count++] = bucket
  }

  #makeRoom(): void {
    this.flush()
    if (this.#docs.length > 0) {
      this.#guard?.isOver(STEPS_PER_BLOCK)
      return
    }
    this.#docs = new Int32Array(WINDOW_SIZE)
    this.#buckets = new Int32Array(WINDOW_SIZE)
  }

  /** Must be called at the end of every block, because scores are those of the block's window. */
  flush(): void {
    if (this.#count === 0) return
    this.#children.collect(this.#docs, this.#buckets, this.#count)
    this.#count = 0
  }

  end(): void {
    this.flush()
    this.#children.end?.()
  }
}
