/** `rare_terms`: the values with the fewest documents, rarest first. */
import { illegalArgument } from '../../../base/api-error.ts'
import { typesDiffer } from '../../../base/errors/aggregation-errors.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import { type AggregationParts, BucketsAggregation, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { WrittenBuckets } from '../results/written-buckets.ts'
import { newSourceSettings, requireField, sourceMembers } from '../values/value-source.ts'
import { bindTerms, bindTermsSource, isFractional, type TermChoices } from './bind-terms.ts'
import { mergeTerms } from './merge-terms.ts'
import { choiceMembers, positive } from './terms-grammar.ts'
import { compareKeys, NO_TERMS, type TermsResult, type TermsSettings, termLook, termText } from './terms-result.ts'

const MAX_DOC_COUNT_LIMIT = 100
const PRECISION_MIN = 0.00001

/** A shard returns all of its terms: a term that is rare on one shard may be frequent on others. */
const ALL_TERMS: TermsSettings = {
  size: Number.MAX_SAFE_INTEGER,
  shardSize: Number.MAX_SAFE_INTEGER,
  minDocCount: 1,
  shardMinDocCount: 0,
  orders: [{ by: 'key', descending: false }],
  showErrors: false,
  countsRepeats: true,
}

interface Options extends TermChoices {
  maxDocCount: number
}

class RareTerms extends BucketsAggregation<TermsResult> {
  readonly kind = 'rare_terms'
  readonly #options: Options

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<TermsResult> {
    if (isFractional(bindTermsSource(context, this, this.#options))) {
      throw illegalArgument('RareTerms aggregation does not support floating point fields.')
    }
    return bindTerms(context, this, this.#options, ALL_TERMS)
  }

  override reduce(results: readonly TermsResult[], reduction: Reduction): TermsResult {
    const mapped = results.filter(({ type }) => type !== 'unmapped')
    const first = mapped[0]
    if (first === undefined) return NO_TERMS
    if (mapped.some(({ type }) => type !== first.type)) throw typesDiffer(this.name)
    const rare = mergeTerms(mapped).filter(({ docCount }) => docCount <= this.#options.maxDocCount)
    rare.sort((a, b) => a.docCount - b.docCount || compareKeys(a.key, b.key))
    reduction.addBuckets(rare.length)
    const buckets = rare.map(({ key, docCount, parts }) => ({
      key,
      docCount,
      error: 0,
      results: reduceResults(this.children, parts, reduction),
    }))
    return { ...first, format: mapped.find(({ format }) => !format.isRaw)?.format ?? first.format, buckets }
  }

  override empty(): TermsResult {
    return NO_TERMS
  }

  override emptyBeside({ type, format }: TermsResult): TermsResult {
    return { ...NO_TERMS, type, format }
  }

  override print(result: TermsResult, printer: Printer): Record<string, unknown> {
    return { buckets: new WrittenBuckets(result.buckets, termLook(result, false), this.children, printer) }
  }

  override typedName({ type }: TermsResult): string {
    return type === 'unmapped' ? 'sterms' : type === 'long' ? 'lrareterms' : 'srareterms'
  }

  override keyText(result: TermsResult, index: number): string {
    return termText(result, result.buckets[index]!.key)
  }
}

export const rareTermsKind: AggregationKind = {
  name: 'rare_terms',
  hasChildren: true,
  parse(reader, name) {
    const options: Options = {
      source: newSourceSettings(),
      mode: undefined,
      include: undefined,
      exclude: undefined,
      maxDocCount: 1,
    }
    reader.parseObject('rare_terms', [
      sourceMembers(reader, options.source),
      choiceMembers(reader, options),
      {
        max_doc_count: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            options.maxDocCount = positive(reader.long(), 'max_doc_count', name)
            if (options.maxDocCount <= MAX_DOC_COUNT_LIMIT) return
            throw illegalArgument(`[max_doc_count] must be smallerthan ${MAX_DOC_COUNT_LIMIT}in [${name}]`)
          },
        },
        // The false positive rate of Elasticsearch's filter. Our counts are exact, so it is only validated.
        precision: {
          accepts: ACCEPTS_NUMBER,
          parse: () => {
            if (reader.float() < PRECISION_MIN) throw illegalArgument('[precision] must be greater than 0.00001')
          },
        },
      },
    ])
    requireField(options.source)
    return (parts) => new RareTerms(parts, options)
  },
}
