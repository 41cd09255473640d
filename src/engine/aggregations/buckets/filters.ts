/** `filters`: a bucket per query, and optionally one for documents that match none of them. */
import { illegalArgument } from '../../../base/api-error.ts'
import {
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import { planPart } from '../../search/plan-query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import {
  type AggregationParts,
  type Bucket,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { emptyResults, reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { BucketExpansion } from '../state/bucket-expansion.ts'
import { weighed } from '../values/document-weights.ts'
import { WindowFilter } from './window-filter.ts'

interface FiltersOptions {
  filters: { key: string; query: Query }[]
  /** Whether the filters have names and are not a list. */
  named: boolean
  keyed: boolean
  /** Undefined if the request does not say; then a name for the other bucket requests it. */
  other: boolean | undefined
  otherKey: string
}

/** A bucket carries its key: pipelines sort buckets and leave some out. */
interface FilterBucket extends Bucket {
  readonly key: string
}

export interface FiltersResult {
  buckets: readonly FilterBucket[]
}

class FiltersAggregation extends BucketsAggregation<FiltersResult> {
  readonly kind = 'filters'
  readonly #options: FiltersOptions

  constructor(parts: AggregationParts, options: FiltersOptions) {
    super(parts)
    this.#options = options
  }

  get #keys(): string[] {
    const { filters, other, otherKey } = this.#options
    const keys = filters.map(({ key }) => key)
    return other ? [...keys, otherKey] : keys
  }

  override queries(): readonly Query[] {
    return this.#options.filters.map(({ query }) => query)
  }

  override plan(context: AggregationContext): ShardAggregator<FiltersResult> {
    const queries = this.#options.filters.map(({ query }) => planPart(context.shard, query, false))
    const children = new ShardTree(this.children, within(context, this, { manyBuckets: true }))
    const { other = false } = this.#options
    const width = queries.length + (other ? 1 : 0)
    const counts = new BucketInts(context.memory)
    return {
      needsScores: children.needsScores,
      segment: (view: SegmentView) => {
        const filters = queries.map((query) => new WindowFilter(query.scorer(view), view.reader.docCount))
        const child = weighed(view, counts, children.segment(view))
        const expansion = child && new BucketExpansion(child, context.shard.guard)
        return sortByFilter(filters, other, counts, expansion)
      },
      finish: () => children.finish(),
      result: (bucket) => ({
        buckets: this.#keys.map((key, i) => ({
          key,
          docCount: counts.get(bucket * width + i),
          results: children.results(bucket * width + i),
        })),
      }),
    }
  }

  override reduce(results: readonly FiltersResult[], reduction: Reduction): FiltersResult {
    const keys = this.#keys
    reduction.addBuckets(keys.length)
    return {
      buckets: keys.map((key, i) => ({
        key,
        docCount: results.reduce((sum, { buckets }) => sum + buckets[i]!.docCount, 0),
        results: reduceResults(
          this.children,
          results.map(({ buckets }) => buckets[i]!),
          reduction,
        ),
      })),
    }
  }

  override empty(reduction: Reduction): FiltersResult {
    const keys = this.#keys
    reduction.addEmptyBuckets(keys.length)
    return { buckets: keys.map((key) => ({ key, docCount: 0, results: emptyResults(this.children, reduction) })) }
  }

  override print({ buckets }: FiltersResult, printer: Printer): Record<string, unknown> {
    const { named, keyed } = this.#options
    const printed = buckets.map(({ key, docCount, results }) => ({
      key: named && !keyed ? key : undefined,
      doc_count: docCount,
      ...printer.results(this.children, results),
    }))
    if (!named || !keyed) return { buckets: printed }
    return { buckets: Object.fromEntries(printed.map((bucket, i) => [buckets[i]!.key, bucket])) }
  }

  override keyText({ buckets }: FiltersResult, index: number): string {
    return buckets[index]!.key
  }
}

/** The bucket of filter i in parent bucket b is b * number of filters + i. */
function sortByFilter(
  filters: readonly WindowFilter[],
  other: boolean,
  counts: BucketInts,
  expansion: BucketExpansion | undefined,
): SegmentCollector {
  const width = filters.length + (other ? 1 : 0)
  return {
    collect(docs, buckets, count) {
      const counted = counts.reserve(bucketBound(buckets, count) * width)
      for (let i = 0; i < count; i++) {
        const doc = docs[i]!
        let none = true
        for (let f = 0; f < filters.length; f++) {
          if (!filters[f]!.matches(doc)) continue
          none = false
          counted[buckets[i]! * width + f]!++
          expansion?.add(doc, buckets[i]! * width + f)
        }
        if (!other || !none) continue
        counted[buckets[i]! * width + filters.length]!++
        expansion?.add(doc, buckets[i]! * width + filters.length)
      }
      expansion?.flush()
    },
    end: () => expansion?.end(),
  }
}

export const filtersKind: AggregationKind = {
  name: 'filters',
  hasChildren: true,
  parse(reader, name) {
    const options: FiltersOptions = { filters: [], named: false, keyed: true, other: undefined, otherKey: '_other_' }
    while (reader.next() !== END_OBJECT) {
      if (!reader.is(FIELD_NAME)) readMember(reader, name, options)
    }
    if (options.filters.length === 0) throw illegalArgument('[filters] cannot be empty.')
    // Named filters are sorted, so that the results of all shards have the same order.
    if (options.named) options.filters.sort((a, b) => (a.key < b.key ? -1 : 1))
    return (parts) => new FiltersAggregation(parts, options)
  },
}

function readMember(reader: RequestReader, name: string, options: FiltersOptions): void {
  const member = reader.name
  if (member === 'filters' && reader.is(START_OBJECT)) {
    options.named = true
    while (reader.next() !== END_OBJECT) {
      const key = reader.name
      reader.next()
      options.filters.push({ key, query: parseQuery(reader) })
    }
  } else if (member === 'filters' && reader.is(START_ARRAY)) {
    reader.each(() => options.filters.push({ key: String(options.filters.length), query: parseQuery(reader) }))
  } else if (member === 'other_bucket' && (reader.is(TRUE) || reader.is(FALSE))) {
    options.other = reader.boolean()
  } else if (member === 'keyed' && (reader.is(TRUE) || reader.is(FALSE))) {
    options.keyed = reader.boolean()
  } else if (member === 'other_bucket_key' && reader.is(STRING)) {
    options.otherKey = reader.text()
    options.other ??= true
  } else {
    throw reader.unknownKeyOf(name, member)
  }
}
