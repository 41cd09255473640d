/** `filter`: the documents that match a query. */
import { parseQuery } from '../../query/parse-query.ts'
import type { Query } from '../../scoring/query.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import { planPart } from '../../search/plan-query.ts'
import type { AggregationParts, Bucket, SegmentCollector, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'
import { WindowFilter } from './window-filter.ts'

class FilterAggregation extends SingleBucketAggregation {
  readonly kind = 'filter'
  readonly query: Query

  constructor(parts: AggregationParts, query: Query) {
    super(parts)
    this.query = query
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    const query = planPart(context.shard, this.query, false)
    return new SingleBucketAggregator(context, this, (view, inside) => {
      const scorer = query.scorer(view)
      if (scorer === undefined) return undefined
      const filter = new WindowFilter(scorer, view.reader.docCount)
      return keepDocuments((doc) => filter.matches(doc), inside)
    })
  }

  /** The query of the filter, so that its `terms` lookups are resolved before the search. */
  override queries(): readonly Query[] {
    return [this.query]
  }
}

/** Passes on the matching documents. */
export function keepDocuments(wanted: (doc: number) => boolean, inside: SegmentCollector): SegmentCollector {
  const kept = new Int32Array(WINDOW_SIZE)
  const keptBuckets = new Int32Array(WINDOW_SIZE)
  return {
    collect(docs, buckets, count) {
      let found = 0
      for (let i = 0; i < count; i++) {
        if (!wanted(docs[i]!)) continue
        kept[found] = docs[i]!
        keptBuckets[found++] = buckets[i]!
      }
      if (found > 0) inside.collect(kept, keptBuckets, found)
    },
    end: () => inside.end?.(),
  }
}

export const filterKind: AggregationKind = {
  name: 'filter',
  hasChildren: true,
  parse(reader) {
    const query = parseQuery(reader)
    return (parts) => new FilterAggregation(parts, query)
  },
}
