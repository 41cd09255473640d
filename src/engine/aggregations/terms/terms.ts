/** `terms`: a bucket per value of a field, the largest ones first. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { STRING } from '../../../base/json/json-reader.ts'
import type { RequestReader } from '../../query/request-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, ACCEPTS_STRING, type MemberParser } from '../../query/request-reader.ts'
import { type AggregationParts, BucketsAggregation, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../printer.ts'
import type { Reduction } from '../reduction.ts'
import { newSourceSettings, requireField, sourceMembers } from '../value-source.ts'
import { bindTerms, bindTermsSource, type TermChoices } from './bind-terms.ts'
import { type BucketOrder, COUNT_DESCENDING, isKeyOrder, orderMember } from './bucket-order.ts'
import { ACCEPTS_CHOICE, checkChoices, readChoice } from './include-exclude.ts'
import type { CollectMode } from './terms-aggregator.ts'
import { NO_TERMS, printTerms, reduceTerms, type TermsResult, type TermsSettings, termText } from './terms-result.ts'

interface TermsOptions extends TermChoices {
  size: number
  shardSize: number | undefined
  minDocCount: number
  shardMinDocCount: number
  orders: readonly BucketOrder[]
  showErrors: boolean
  hint: string | undefined
}

export class TermsAggregation extends BucketsAggregation<TermsResult> {
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
    if (hint !== undefined && hint !== 'map' && hint !== 'global_ordinals') {
      bindTermsSource(context, this, this.#options)
      throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`)
    }
    return bindTerms(context, this, this.#options, this.#settings)
  }

  override reduce(results: readonly TermsResult[], reduction: Reduction): TermsResult {
    return reduceTerms(results, this.#settings, this.children, reduction)
  }

  override empty(): TermsResult {
    return NO_TERMS
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
  // A shard lists more terms than are asked for, because the best of all shards need not be the best of each.
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
      size: 10,
      shardSize: undefined,
      minDocCount: 1,
      shardMinDocCount: 0,
      orders: COUNT_DESCENDING,
      showErrors: false,
      mode: undefined,
      hint: undefined,
      include: undefined,
      exclude: undefined,
    }
    reader.parseObject('terms', { ...sourceMembers(reader, source), ...termsMembers(reader, name, options) })
    requireField(source)
    return (parts) => new TermsAggregation(parts, options)
  },
}

function termsMembers(reader: RequestReader, name: string, options: TermsOptions): Record<string, MemberParser> {
  const number = (set: (value: number) => void): MemberParser => ({
    accepts: ACCEPTS_NUMBER,
    parse: () => set(reader.integer()),
  })
  return {
    size: number((value) => {
      options.size = positive(value, 'size', name)
    }),
    shard_size: number((value) => {
      options.shardSize = positive(value, 'shardSize', name)
    }),
    min_doc_count: number((value) => {
      options.minDocCount = notNegative(value, 'minDocCount', name)
    }),
    shard_min_doc_count: number((value) => {
      options.shardMinDocCount = notNegative(value, 'shardMinDocCount', name)
    }),
    order: orderMember(reader, (orders) => {
      options.orders = orders
    }),
    show_term_doc_count_error: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        options.showErrors = reader.boolean()
      },
    },
    collect_mode: {
      accepts: [STRING],
      parse: () => {
        options.mode = readMode(reader.text())
      },
    },
    execution_hint: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        options.hint = reader.text()
      },
    },
    ...choiceMembers(reader, options),
  }
}

/** `include` and `exclude`. */
export function choiceMembers(reader: RequestReader, choices: TermChoices): Record<string, MemberParser> {
  const choice = (member: 'include' | 'exclude'): MemberParser => ({
    accepts: ACCEPTS_CHOICE,
    parse: () => {
      choices[member] = readChoice(reader)
      checkChoices(choices.include, choices.exclude)
    },
  })
  return { include: choice('include'), exclude: choice('exclude') }
}

export function positive(value: number, parameter: string, name: string): number {
  if (value > 0) return value
  throw illegalArgument(`[${parameter}] must be greater than 0. Found [${value}] in [${name}]`)
}

export function notNegative(value: number, parameter: string, name: string): number {
  if (value >= 0) return value
  throw illegalArgument(`[${parameter}] must be greater than or equal to 0. Found [${value}] in [${name}]`)
}

export function readMode(text: string): CollectMode {
  if (text === 'breadth_first' || text === 'depth_first') return text
  throw new ApiError(400, 'parse_exception', `no [collect_mode] found for value [${text}]`)
}
