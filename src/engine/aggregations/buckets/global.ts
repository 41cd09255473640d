/** `global`: all documents of the searched indices, regardless of the query. */
import { illegalArgument } from '../../../base/api-error.ts'
import { END_OBJECT } from '../../../base/json/json-reader.ts'
import { constantScores } from '../../search/query-scores.ts'
import type { UnqueriedAggregator } from '../aggregate-shard.ts'
import type { Bucket, ShardAggregator } from '../aggregation.ts'
import { type AggregationContext, isTopLevel } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'

class GlobalAggregation extends SingleBucketAggregation {
  readonly kind = 'global'

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    if (!isTopLevel(context)) {
      throw illegalArgument(
        `Aggregation [${context.parents.at(-1)!.name}] cannot have a global sub-aggregation [${this.name}]. Global ` +
          'aggregations can only be defined as top level aggregations',
      )
    }
    const shard = { ...context.shard, queryScores: constantScores(1) }
    return new GlobalAggregator({ ...context, shard }, this, (_view, inside) => inside)
  }
}

class GlobalAggregator extends SingleBucketAggregator implements UnqueriedAggregator {
  readonly ignoresQuery = true
}

export const globalKind: AggregationKind = {
  name: 'global',
  hasChildren: true,
  parse(reader, name) {
    reader.next()
    if (!reader.is(END_OBJECT)) {
      reader.next()
      throw reader.parsingError(
        `Expected [FIELD_NAME] under a [START_OBJECT], but got a [${reader.tokenName}] in [${name}]`,
      )
    }
    return (parts) => new GlobalAggregation(parts)
  },
}
