/** `missing`: the documents without a value in a field. */
import { storageName } from '../../mapping/storage-name.ts'
import type { AggregationParts, Bucket, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { anyDocValues } from '../metrics/value-count.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  type SourceType,
  sourceMembers,
} from '../values/value-source.ts'
import { keepDocuments } from './filter.ts'
import { SingleBucketAggregation, SingleBucketAggregator } from './single-bucket.ts'

const ANY_SOURCE: readonly SourceType[] = ['number', 'date', 'boolean', 'keyword', 'ip', 'geo', 'range']

class MissingAggregation extends SingleBucketAggregation {
  readonly kind = 'missing'
  readonly source: SourceSettings

  constructor(parts: AggregationParts, source: SourceSettings) {
    super(parts)
    this.source = source
  }

  override plan(context: AggregationContext): ShardAggregator<Bucket> {
    const { field, missing, ofDocument } = bindSource(context.shard, this.source, this.kind, ANY_SOURCE, 'keyword')
    const name = storageName(field)
    return new SingleBucketAggregator(context, this, ({ reader }, inside) => {
      // With a `missing` value no document lacks a value.
      if (missing !== undefined || ofDocument !== undefined) return undefined
      const docValues = name === undefined ? undefined : anyDocValues(reader, name)
      return docValues === undefined ? inside : keepDocuments((doc) => !docValues.has(doc), inside)
    })
  }
}

export const missingKind: AggregationKind = {
  name: 'missing',
  hasChildren: true,
  parse(reader) {
    const source = newSourceSettings()
    reader.parseObject('missing', sourceMembers(reader, source))
    requireField(source)
    return (parts) => new MissingAggregation(parts, source)
  },
}
