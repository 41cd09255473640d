/** `terms`: a bucket per value of a field, the largest ones first. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { STRING } from '../../../base/json/json-reader.ts'
import { Double, formatDouble } from '../../../base/json/json-writer.ts'
import { javaText } from '../../mapping/java-text.ts'
import type { RequestReader } from '../../query/request-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, ACCEPTS_STRING, type MemberParser } from '../../query/request-reader.ts'
import { formatIp, requireIp } from '../../values/ip.ts'
import { Aggregation, type AggregationParts, type Bucket, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../printer.ts'
import type { Reduction } from '../reduction.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  type SourceType,
  sourceMembers,
  type ValueSource,
} from '../value-source.ts'
import { type BucketOrder, COUNT_DESCENDING, isKeyOrder, orderMember } from './bucket-order.ts'
import {
  ACCEPTS_CHOICE,
  checkChoices,
  numberFilter,
  readChoice,
  type TermChoice,
  termFilter,
} from './include-exclude.ts'
import { NumberTermsAggregator } from './number-terms.ts'
import { StringTermsAggregator } from './string-terms.ts'
import type { CollectMode } from './terms-aggregator.ts'
import {
  NO_TERMS,
  printKey,
  printTerms,
  reduceTerms,
  type TermsResult,
  type TermsSettings,
  utf8Text,
} from './terms-result.ts'

interface TermsOptions {
  readonly source: SourceSettings
  size: number
  shardSize: number | undefined
  minDocCount: number
  shardMinDocCount: number
  orders: readonly BucketOrder[]
  showErrors: boolean
  mode: CollectMode | undefined
  hint: string | undefined
  include: TermChoice | undefined
  exclude: TermChoice | undefined
}

const TERMS_SOURCES: readonly SourceType[] = ['keyword', 'ip', 'number', 'date', 'boolean']
const WHOLE_TYPES: ReadonlySet<string> = new Set(['long', 'integer', 'short', 'byte', 'unsigned_long', 'token_count'])

export class TermsAggregation extends Aggregation<TermsResult> {
  readonly kind = 'terms'
  readonly #options: TermsOptions
  readonly #settings: TermsSettings

  constructor(parts: AggregationParts, options: TermsOptions) {
    super(parts)
    this.#options = options
    this.#settings = termsSettings(options)
  }

  override plan(context: AggregationContext): ShardAggregator<TermsResult> {
    const { source: settings, hint } = this.#options
    const source = bindSource(context.shard, settings, this.kind, TERMS_SOURCES, 'keyword')
    if (hint !== undefined && hint !== 'map' && hint !== 'global_ordinals') {
      throw illegalArgument(`Unknown \`execution_hint\`: [${hint}], expected any of [map, global_ordinals]`)
    }
    return source.type === 'keyword' || source.type === 'ip'
      ? this.#overStrings(context, source)
      : this.#overNumbers(context, source)
  }

  #overStrings(context: AggregationContext, source: ValueSource): ShardAggregator<TermsResult> {
    const { include, exclude, mode } = this.#options
    const isIp = source.type === 'ip'
    const parse = isIp ? requireIp : (text: string) => Buffer.from(text)
    if (isIp) refusePatterns(this.name, include, exclude)
    return new StringTermsAggregator(context, this, {
      source,
      settings: this.#settings,
      mode,
      accepts: termFilter(include, exclude, parse),
      missing: source.missing === undefined ? undefined : parse(javaText(source.missing)),
      text: isIp ? formatIp : utf8Text,
    })
  }

  #overNumbers(context: AggregationContext, source: ValueSource): ShardAggregator<TermsResult> {
    const { include, exclude, mode } = this.#options
    const fraction = source.type === 'number' && source.field !== undefined && !WHOLE_TYPES.has(source.field.type)
    const type = fraction ? 'double' : 'long'
    const parse = (text: string) => source.format.parse(text, context.shard.nowMs)
    return new NumberTermsAggregator(context, this, {
      source,
      settings: this.#settings,
      mode,
      accepts: numberFilter(this.name, include, exclude, parse, fraction ? doubleBits : BigInt),
      type,
    })
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
    const { key, key_as_string } = printKey(result, result.buckets[index]!.key)
    return String(key_as_string ?? (key instanceof Double ? formatDouble(key.value) : key))
  }

  override buckets({ buckets }: TermsResult): readonly Bucket[] {
    return buckets
  }

  override setBuckets(result: TermsResult, buckets: readonly Bucket[]): void {
    result.buckets = buckets as TermsResult['buckets']
  }
}

function refusePatterns(name: string, ...choices: (TermChoice | undefined)[]): void {
  if (!choices.some((choice) => choice?.kind === 'pattern')) return
  throw illegalArgument(
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to ` +
      'string fields. Use an array of values for include/exclude clauses',
  )
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

const double = new Float64Array(1)
const bits = new BigInt64Array(double.buffer)

function doubleBits(value: number): bigint {
  double[0] = value
  return bits[0]!
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
    include: {
      accepts: ACCEPTS_CHOICE,
      parse: () => {
        options.include = readChoice(reader)
        checkChoices(options.include, options.exclude)
      },
    },
    exclude: {
      accepts: ACCEPTS_CHOICE,
      parse: () => {
        options.exclude = readChoice(reader)
        checkChoices(options.include, options.exclude)
      },
    },
  }
}

export function positive(value: number, parameter: string, name: string): number {
  if (value > 0) return value
  throw illegalArgument(`[${parameter}] must be greater than 0. Found [${value}] in [${name}]`)
}

export function notNegative(value: number, parameter: string, name: string): number {
  if (value >= 0) return value
  throw illegalArgument(`[${parameter}] must be greater than or equal to 0. Found [${value}] in [${name}]`)
}

function readMode(text: string): CollectMode {
  if (text === 'breadth_first' || text === 'depth_first') return text
  throw new ApiError(400, 'parse_exception', `no [collect_mode] found for value [${text}]`)
}
