/** `significant_text`: words that are unusually frequent in the texts of a bucket's documents. */
import { illegalArgument } from '../../../base/api-error.ts'
import { storageName } from '../../mapping/storage-name.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_STRING, ACCEPTS_STRING_ARRAY } from '../../request/request-reader.ts'
import type { AggregationParts, ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { termFilter } from '../terms/include-exclude.ts'
import { requireField } from '../values/value-source.ts'
import { indexBackground, withinFilters } from './background-counts.ts'
import {
  NOTHING_SIGNIFICANT,
  newSignificantOptions,
  SignificantAggregator,
  type SignificantOptions,
  type SignificantResult,
  SignificantTerms,
  significantMembers,
} from './significant-terms.ts'
import { TextWords } from './text-words.ts'

const KIND = 'significant_text'

interface TextOptions extends SignificantOptions {
  /** The paths of the texts in `_source`, if not the field's own. */
  sourceFields: readonly string[] | undefined
  skipsRepeated: boolean
}

class SignificantText extends SignificantTerms {
  override readonly kind: string = KIND
  readonly #options: TextOptions

  constructor(parts: AggregationParts, options: TextOptions) {
    super(parts, options)
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<SignificantResult> {
    const { source, include, exclude, shardMinDocCount, sourceFields, skipsRepeated, background } = this.#options
    const field = context.shard.mapping.field(source.field!)
    if (field === undefined) return UNMAPPED
    if (field.shape !== 'text' && field.traits.hasWords !== true) {
      throw illegalArgument(`Field [${field.name}] has no analyzer, but SignificantText requires an analyzed field`)
    }
    const words = new TextWords(context, {
      field,
      paths: sourceFields ?? [field.sourcePath],
      accepts: termFilter(include, exclude, (text) => Buffer.from(text)),
      shardMinDocCount,
      skipsRepeated,
    })
    const count = () => indexBackground(context.shard, storageName(field), withinFilters(context, background))
    return new SignificantAggregator(context, words, this.#options, count)
  }
}

const UNMAPPED: ShardAggregator<SignificantResult> = {
  needsScores: false,
  segment: () => undefined,
  finish() {},
  result: () => NOTHING_SIGNIFICANT,
}

export const significantTextKind: AggregationKind = {
  name: KIND,
  hasChildren: false,
  parse(reader, name) {
    const options: TextOptions = { ...newSignificantOptions(), sourceFields: undefined, skipsRepeated: false }
    reader.parseObject(
      KIND,
      [
        {
          field: {
            accepts: ACCEPTS_STRING,
            parse: () => {
              options.source.field = reader.text()
            },
          },
        },
        significantMembers(reader, name, options),
        {
          source_fields: {
            accepts: ACCEPTS_STRING_ARRAY,
            parse: () => {
              const paths: string[] = []
              reader.each(() => paths.push(reader.text()))
              options.sourceFields = paths
            },
          },
          filter_duplicate_text: {
            accepts: ACCEPTS_BOOLEAN,
            parse: () => {
              options.skipsRepeated = reader.boolean()
            },
          },
        },
      ],
      true,
    )
    requireField(options.source, false)
    return (parts) => new SignificantText(parts, options)
  },
}
