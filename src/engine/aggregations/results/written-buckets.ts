/**
 * Writes buckets directly to the output without creating response objects, because responses may have thousands of
 * them.
 */
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { WrittenJson } from '../../../base/json/json-writer.ts'
import { CLOSE_ARRAY, CLOSE_OBJECT, COLON, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../../base/json/punctuation.ts'
import type { Bucket } from '../aggregation.ts'
import type { AggregationTree } from '../aggregation-tree.ts'
import type { Printer } from './printer.ts'

/** The form of the buckets of a kind. */
export interface BucketLook<B extends Bucket> {
  /** Writes the members before those of the children, without braces. */
  head(bucket: B, out: JsonOutput): void
  /** The bucket's name, if buckets are members of an object. */
  readonly name?: ((bucket: B) => string) | undefined
}

export class WrittenBuckets<B extends Bucket> extends WrittenJson {
  readonly #buckets: readonly B[]
  readonly #look: BucketLook<B>
  readonly #children: AggregationTree
  readonly #printer: Printer

  constructor(buckets: readonly B[], look: BucketLook<B>, children: AggregationTree, printer: Printer) {
    super()
    this.#buckets = buckets
    this.#look = look
    this.#children = children
    this.#printer = printer
  }

  override write(out: JsonOutput): void {
    const { name } = this.#look
    out.addByte(name === undefined ? OPEN_ARRAY : OPEN_OBJECT)
    for (let i = 0; i < this.#buckets.length; i++) {
      const bucket = this.#buckets[i]!
      if (i > 0) out.addByte(COMMA)
      if (name !== undefined) {
        out.addString(name(bucket))
        out.addByte(COLON)
      }
      out.addByte(OPEN_OBJECT)
      this.#look.head(bucket, out)
      this.#printer.writeResults(this.#children, bucket.results, out)
      out.addByte(CLOSE_OBJECT)
    }
    out.addByte(name === undefined ? CLOSE_ARRAY : CLOSE_OBJECT)
  }
}
