/** `adjacency_matrix`: a bucket per filter and per pair of filters with common documents. */
import { illegalArgument, illegalState } from '../../../base/api-error.ts'
import { END_OBJECT, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { ACCEPTS_STRING } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import { planPart } from '../../search/plan-query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type AggregationParts, type Bucket, BucketsAggregation, type ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { weighed } from '../values/document-weights.ts'
import { WindowFilter } from './window-filter.ts'

const KIND = 'adjacency_matrix'
/** The maximum clause count of a query. */
const FILTERS_MAX = 4096

interface Options {
  filters: { readonly key: string; readonly query: Query }[]
  separator: string
}

interface PairBucket extends Bucket {
  readonly key: string
}

interface MatrixResult {
  buckets: readonly PairBucket[]
}

class AdjacencyMatrix extends BucketsAggregation<MatrixResult> {
  readonly kind = KIND
  readonly #options: Options
  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
    options.filters.sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  override queries(): readonly Query[] {
    return this.#options.filters.map(({ query }) => query)
  }

  override plan(context: AggregationContext): ShardAggregator<MatrixResult> {
    const queries = this.#options.filters.map(({ query }) => planPart(context.shard, query, false))
    const children = new ShardTree(this.children, within(context, this, { manyBuckets: true }))
    const counts = new BucketInts(context.memory)
    // A square of buckets, of which only the half with the first filter before the second is used.
    const filterCount = queries.length
    const width = filterCount ** 2
    return {
      needsScores: children.needsScores,
      segment: (view: SegmentView) => {
        const filters = queries.map((query) => new WindowFilter(query.scorer(view), view.reader.docCount))
        const child = weighed(view, counts, children.segment(view))
        const expansion = child === undefined ? undefined : new BucketExpansion(child)
        const matched = new Int32Array(filters.length)
        return {
          collect(docs, buckets, count) {
            const counted = counts.reserve(bucketBound(buckets, count) * width)
            for (let i = 0; i < count; i++) {
              const doc = docs[i]!
              let size = 0
              for (let f = 0; f < filters.length; f++) if (filters[f]!.matches(doc)) matched[size++] = f
              const base = buckets[i]! * width
              for (let a = 0; a < size; a++) {
                const row = base + matched[a]! * filterCount
                for (let b = a; b < size; b++) {
                  const bucket = row + matched[b]!
                  counted[bucket] = counted[bucket]! + 1
                  expansion?.add(doc, bucket)
                }
              }
            }
            expansion?.flush()
          },
          end: () => expansion?.end(),
        }
      },
      finish: () => children.finish(),
      result: (bucket) => {
        const buckets: PairBucket[] = []
        for (let p = 0; p < width; p++) {
          const docCount = counts.get(bucket * width + p)
          if (docCount === 0) continue
          const key = this.#keyOf(Math.floor(p / filterCount), p % filterCount)
          buckets.push({ key, docCount, results: children.results(bucket * width + p) })
        }
        return { buckets }
      },
    }
  }

  /** The key of a filter, or of a pair. */
  #keyOf(first: number, second: number): string {
    const { filters, separator } = this.#options
    const key = filters[first]!.key
    return first === second ? key : `${key}${separator}${filters[second]!.key}`
  }

  /** Pairs without documents are omitted. */
  override reduce(results: readonly MatrixResult[], reduction: Reduction): MatrixResult {
    const byKey = new Map<string, PairBucket[]>()
    for (const result of results) {
      for (const bucket of result.buckets) {
        const parts = byKey.get(bucket.key)
        if (parts === undefined) byKey.set(bucket.key, [bucket])
        else parts.push(bucket)
      }
    }
    const buckets: PairBucket[] = []
    for (const [key, parts] of byKey) {
      const docCount = parts.reduce((sum, part) => sum + part.docCount, 0)
      buckets.push({ key, docCount, results: reduceResults(this.children, parts, reduction) })
    }
    buckets.sort((a, b) => (a.key < b.key ? -1 : 1))
    reduction.addBuckets(buckets.length)
    return { buckets }
  }

  override empty(): MatrixResult {
    return { buckets: [] }
  }

  override print({ buckets }: MatrixResult, printer: Printer): Record<string, unknown> {
    return {
      buckets: buckets.map(({ key, docCount, results }) => ({
        key,
        doc_count: docCount,
        ...printer.results(this.children, results),
      })),
    }
  }

  override keyText({ buckets }: MatrixResult, index: number): string {
    return buckets[index]!.key
  }
}

export const adjacencyMatrixKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = { filters: [], separator: '&' }
    reader.parseObject(KIND, {
      filters: {
        accepts: [START_OBJECT, START_ARRAY],
        parse: () => {
          if (reader.is(START_ARRAY)) {
            throw illegalArgument("[filters] doesn't support arrays. Use a single object with multiple fields.")
          }
          while (reader.next() !== END_OBJECT) {
            const key = reader.name
            reader.next()
            reader.inField('filters', key, () => options.filters.push({ key, query: parseQuery(reader) }))
          }
        },
      },
      separator: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          options.separator = reader.text()
        },
      },
    })
    if (options.filters.length === 0) {
      throw illegalState(`[${name}] is missing : filters parameter`)
    }
    if (options.filters.length > FILTERS_MAX) {
      throw illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${FILTERS_MAX}] but was [${options.filters.length}].`,
      )
    }
    return (parts) => new AdjacencyMatrix(parts, options)
  },
}
