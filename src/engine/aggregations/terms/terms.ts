/** `terms`: a bucket per value of a field, largest first. */
import type { MemberTable, RequestReader } from '../../request/request-reader.ts'
import { type AggregationParts, BucketsAggregation, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { checkHint, type HintOption, hintMember, TERMS_HINTS } from '../values/execution-hint.ts'
import { countOrdinals } from '../values/global-ordinals.ts'
import { newSourceSettings, requireField, sourceMembers } from '../values/value-source.ts'
import { bindTerms, bindTermsSource, type TermChoices } from './bind-terms.ts'
import { isKeyOrder } from './bucket-order.ts'
import {
  type CountOptions,
  choiceMembers,
  countMembers,
  type ListOptions,
  listMembers,
  newCountOptions,
  newListOptions,
} from './terms-grammar.ts'
import { NO_TERMS, printTerms, reduceTerms, type TermsResult, type TermsSettings, termText } from './terms-result.ts'

interface TermsOptions extends TermChoices, CountOptions, ListOptions, HintOption {}

class TermsAggregation extends BucketsAggregation<TermsResult> {
  readonly kind = 'terms'
  readonly #options: TermsOptions
  readonly #settings: TermsSettings

  constructor(parts: AggregationParts, options: TermsOptions) {
    super(parts)
    this.#options = options
    this.#settings = termsSettings(options)
  }

  override plan(context: AggregationContext): ShardAggregator<TermsResult> {
    const { hint } = this.#options
    if (hint !== 'map') countOrdinals(context.shard.view)
    if (hint !== undefined) checkHint(hint, bindTermsSource(context, this, this.#options), TERMS_HINTS)
    return bindTerms(context, this, this.#options, this.#settings)
  }

  override reduce(results: readonly TermsResult[], reduction: Reduction): TermsResult {
    return reduceTerms(results, this.#settings, this.children, reduction)
  }

  override empty(): TermsResult {
    return NO_TERMS
  }

  /** The type of the keys shows in `typed_keys`. */
  override emptyBeside({ type, format }: TermsResult): TermsResult {
    return { ...NO_TERMS, type, format }
  }

  override print(result: TermsResult, printer: Printer): Record<string, unknown> {
    return printTerms(result, this.#settings, this.children, printer)
  }

  override typedName({ type }: TermsResult): string {
    return type === 'long' ? 'lterms' : type === 'double' ? 'dterms' : 'sterms'
  }

  override keyText(result: TermsResult, index: number): string {
    return termText(result, result.buckets[index]!.key)
  }
}

function termsSettings(options: TermsOptions): TermsSettings {
  const { size, minDocCount, orders, showErrors } = options
  // A shard lists more terms than requested, because the best over all shards need not be the best of each.
  const usual = isKeyOrder(orders) ? size : Math.min(Math.trunc(size * 1.5 + 10), 0x7fffffff)
  return {
    size,
    shardSize: Math.max(size, options.shardSize ?? usual),
    minDocCount,
    shardMinDocCount: Math.min(options.shardMinDocCount, minDocCount),
    orders,
    showErrors,
  }
}

export const termsKind: AggregationKind = {
  name: 'terms',
  hasChildren: true,
  parse(reader, name) {
    const source = newSourceSettings()
    const options: TermsOptions = {
      source,
      hint: undefined,
      include: undefined,
      exclude: undefined,
      ...newCountOptions(1),
      ...newListOptions(),
    }
    reader.parseObject('terms', [sourceMembers(reader, source), ...termsMembers(reader, name, options)])
    requireField(source)
    return (parts) => new TermsAggregation(parts, options)
  },
}

function termsMembers(reader: RequestReader, name: string, options: TermsOptions): MemberTable[] {
  return [
    listMembers(reader, options),
    countMembers(reader, name, options),
    hintMember(reader, options),
    choiceMembers(reader, options),
  ]
}
