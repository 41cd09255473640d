/** `adjacency_matrix`: a bucket per filter and per pair of filters that have documents in common. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT, START_OBJECT } from '../../../base/json/json-reader.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { ACCEPTS_STRING } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import { planQuery } from '../../search/plan-query.ts'
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
/** As many clauses as a query may have. */
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

/** A filter, or two of them. */
interface Pair {
  readonly key: string
  readonly first: number
  readonly second: number
}

class AdjacencyMatrix extends BucketsAggregation<MatrixResult> {
  readonly kind = KIND
  readonly #options: Options
  readonly #pairs: readonly Pair[]

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
    options.filters.sort((a, b) => (a.key < b.key ? -1 : 1))
    this.#pairs = pairsOf(options)
  }

  override queries(): readonly Query[] {
    return this.#options.filters.map(({ query }) => query)
  }

  override plan(context: AggregationContext): ShardAggregator<MatrixResult> {
    const queries = this.#options.filters.map(({ query }) => planQuery(context.shard, query, false, 1))
    const children = new ShardTree(this.children, within(context, this, { manyBuckets: true }))
    const counts = new BucketInts(context.memory)
    const pairs = this.#pairs
    const width = pairs.length
    return {
      needsScores: children.needsScores,
      segment: (view: SegmentView) => {
        const filters = queries.map((query) => new WindowFilter(query.scorer(view), view.reader.docCount))
        const child = weighed(view, counts, children.segment(view))
        const expansion = child === undefined ? undefined : new BucketExpansion(child)
        const matched = new Uint8Array(filters.length)
        return {
          collect(docs, buckets, count) {
            const counted = counts.reserve(bucketBound(buckets, count) * width)
            for (let i = 0; i < count; i++) {
              for (let f = 0; f < filters.length; f++) matched[f] = filters[f]!.matches(docs[i]!) ? 1 : 0
              for (let p = 0; p < width; p++) {
                if (matched[pairs[p]!.first] === 0 || matched[pairs[p]!.second] === 0) continue
                const bucket = buckets[i]! * width + p
                counted[bucket] = counted[bucket]! + 1
                expansion?.add(docs[i]!, bucket)
              }
            }
            expansion?.flush()
          },
          end: () => expansion?.end(),
        }
      },
      finish: () => children.finish(),
      result: (bucket) => ({
        buckets: pairs.map(({ key }, p) => ({
          key,
          docCount: counts.get(bucket * width + p),
          results: children.results(bucket * width + p),
        })),
      }),
    }
  }

  /** Pairs without documents are left out. */
  override reduce(results: readonly MatrixResult[], reduction: Reduction): MatrixResult {
    const buckets: PairBucket[] = []
    for (const { key } of this.#pairs) {
      const parts = results.flatMap((result) => result.buckets.filter((bucket) => bucket.key === key))
      const docCount = parts.reduce((sum, part) => sum + part.docCount, 0)
      if (docCount === 0) continue
      const merged = reduceResults(this.children, parts, reduction)
      buckets.push({ key, docCount, results: merged })
    }
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

/** In the order of their keys. */
function pairsOf({ filters, separator }: Options): Pair[] {
  const pairs: Pair[] = []
  for (const [first, { key }] of filters.entries()) {
    pairs.push({ key, first, second: first })
    for (let second = first + 1; second < filters.length; second++) {
      pairs.push({ key: `${key}${separator}${filters[second]!.key}`, first, second })
    }
  }
  return pairs.sort((a, b) => (a.key < b.key ? -1 : 1))
}

export const adjacencyMatrixKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options: Options = { filters: [], separator: '&' }
    reader.parseObject(KIND, {
      filters: {
        accepts: [START_OBJECT],
        parse: () => {
          while (reader.next() !== END_OBJECT) {
            const key = reader.name
            reader.next()
            options.filters.push({ key, query: parseQuery(reader) })
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
      throw new ApiError(500, 'illegal_state_exception', `[${name}] is missing : filters parameter`)
    }
    if (options.filters.length > FILTERS_MAX) {
      throw illegalArgument(
        `Number of filters is too large, must be less than or equal to: [${FILTERS_MAX}] but was [${options.filters.length}].`,
      )
    }
    return (parts) => new AdjacencyMatrix(parts, options)
  },
}
