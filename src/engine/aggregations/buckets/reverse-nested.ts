/**
 * `reverse_nested`: from nested objects back to their documents, or to the objects of an outer path. A document counts
 * once per bucket, however many of its objects are in it.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import type { NestedDocs } from '../../segment/segment-reader-api.ts'
import type { AggregationParts, Bucket, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { NestedAggregation, readPath } from './nested.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'

class ReverseNestedAggregation extends SingleBucketAggregation {
  readonly kind = 'reverse_nested'
  readonly path: string | undefined

  constructor(parts: AggregationParts, path: string | undefined) {
    super(parts)
    this.path = path
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    if (!context.parents.some((parent) => parent instanceof NestedAggregation)) {
      throw illegalArgument(`Reverse nested aggregation [${this.name}] can only be used inside a [nested] aggregation`)
    }
    const isMapped = this.#isMapped(context)
    return new SingleBucketAggregator(
      context,
      this,
      ({ reader }, inside) => {
        if (reader.nested === undefined || !isMapped) return undefined
        const level = this.path === undefined ? 0 : reader.nested.paths.indexOf(this.path) + 1
        return documentsAround(reader.nested, level, context, inside)
      },
      { nestedScope: this.path },
    )
  }

  /** Whether the index has the objects to go back from. Throws if those to go back to are not around them. */
  #isMapped({ shard }: AggregationContext): boolean {
    const { path } = this
    const { mapping, nestedScope: scope } = shard
    if (path === undefined || path === scope) return true
    const isNested = (object: string) => mapping.objectKind(object) === 'nested'
    // Without objects of the enclosing path there is nothing to go back from.
    if (scope !== undefined && !isNested(scope)) return false
    if (scope?.startsWith(`${path}.`) === true && isNested(path)) return true
    throw illegalArgument(
      `Reverse nested path [${path}] is not a parent of the current nested scope [${scope ?? null}]`,
    )
  }
}

function documentsAround(
  nested: NestedDocs,
  level: number,
  { memory, scratch }: AggregationContext,
  inside: SegmentCollector,
): SegmentCollector {
  const { pathOf } = nested
  const found = scratch.integers()
  const foundBuckets = scratch.integers()
  /** The document last counted in each bucket: the objects of a document are adjacent. */
  const last = new BucketInts(memory, -1)
  /** The objects [first, around] all belong to `around`. */
  let first = 0
  let around = -1
  return {
    collect(docs, buckets, entries) {
      const lastDocs = last.reserve(bucketBound(buckets, entries))
      let count = 0
      for (let i = 0; i < entries; i++) {
        if (docs[i]! < first || docs[i]! > around) {
          first = docs[i]!
          around = first
          // The parent of an object is stored after it, and after other objects of its level.
          while (pathOf[around] !== level && pathOf[around] !== 0) around++
        }
        const doc = around
        const bucket = buckets[i]!
        if (lastDocs[bucket] === doc) continue
        lastDocs[bucket] = doc
        found[count] = doc
        foundBuckets[count++] = bucket
      }
      if (count > 0) inside.collect(found, foundBuckets, count)
    },
    end: () => inside.end?.(),
  }
}

export const reverseNestedKind: AggregationKind = {
  name: 'reverse_nested',
  hasChildren: true,
  parse(reader, name) {
    const path = readPath(reader, name)
    return (parts) => new ReverseNestedAggregation(parts, path)
  },
}
