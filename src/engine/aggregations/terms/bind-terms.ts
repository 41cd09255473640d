/** Binds terms of a field to a shard: the aggregators that `terms` and similar kinds use. */

import { illegalArgument } from '../../../base/api-error.ts'
import { hasFractions } from '../../mapping/field-traits.ts'
import { narrow } from '../../mapping/field-types/number.ts'
import { formatIp, requireIp } from '../../values/ip.ts'
import { sortableDouble } from '../../values/sortable-bits.ts'
import type { Aggregation } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import { bindSource, type SourceSettings, type SourceType, type ValueSource } from '../values/value-source.ts'
import { checkOrders } from './check-orders.ts'
import { numberFilter, type TermChoice, termFilter } from './include-exclude.ts'
import { NumberTermsAggregator } from './number-terms.ts'
import { StringTermsAggregator } from './string-terms.ts'
import type { CollectMode, TermsAggregator } from './terms-aggregator.ts'
import { type TermsSettings, termPrinter } from './terms-result.ts'

/** Which terms are collected, and with which strategy. */
export interface TermChoices {
  readonly source: SourceSettings
  mode: CollectMode | undefined
  include: TermChoice | undefined
  exclude: TermChoice | undefined
}

const TERMS_SOURCES: readonly SourceType[] = ['keyword', 'ip', 'number', 'date', 'boolean']

export function bindTermsSource(
  context: AggregationContext,
  { kind }: Aggregation,
  { source }: TermChoices,
): ValueSource {
  return bindSource(context.shard, source, kind, TERMS_SOURCES, 'keyword')
}

export function bindTerms(
  context: AggregationContext,
  aggregation: Aggregation,
  choices: TermChoices,
  settings: TermsSettings,
): TermsAggregator {
  const source = bindTermsSource(context, aggregation, choices)
  return source.type === 'keyword' || source.type === 'ip'
    ? overStrings(context, aggregation, choices, settings, source)
    : overNumbers(context, aggregation, choices, settings, source)
}

/** Whether the values are numbers that may have a fraction. */
export function isFractional({ type, field, missing }: ValueSource): boolean {
  if (type !== 'number' || field === undefined) return false
  return hasFractions(field.traits) || (missing !== undefined && !Number.isInteger(missing))
}

function overStrings(
  context: AggregationContext,
  aggregation: Aggregation,
  { include, exclude, mode }: TermChoices,
  settings: TermsSettings,
  source: ValueSource,
): TermsAggregator {
  const isIp = source.type === 'ip'
  const parse = isIp ? requireIp : (text: string) => Buffer.from(text)
  if (isIp) refusePatterns(aggregation.name, include, exclude)
  // Without children Elasticsearch reports this only when it sorts the buckets.
  if (source.field !== undefined && aggregation.children.aggregations.length > 0) {
    checkOrders(settings.orders, aggregation.children)
  }
  return new StringTermsAggregator(context, aggregation, {
    source,
    settings,
    mode,
    accepts: termFilter(include, exclude, parse),
    missing: source.missing === undefined ? undefined : parse(source.missing as string),
    text: isIp ? formatIp : termPrinter(source.field),
  })
}

function overNumbers(
  context: AggregationContext,
  aggregation: Aggregation,
  { include, exclude, mode }: TermChoices,
  settings: TermsSettings,
  source: ValueSource,
): TermsAggregator {
  checkOrders(settings.orders, aggregation.children)
  const fraction = isFractional(source)
  const parse = (text: string) =>
    (fraction ? undefined : integerBeyondDoubles(text)) ?? source.format.parse(text, context.shard.nowMs)
  return new NumberTermsAggregator(context, aggregation, {
    source,
    settings,
    mode,
    accepts: numberFilter(aggregation.name, include, exclude, parse, fraction ? doubleBits : BigInt),
    type: fraction ? 'double' : 'long',
  })
}

function refusePatterns(name: string, ...choices: (TermChoice | undefined)[]): void {
  if (!choices.some((choice) => choice?.kind === 'pattern')) return
  throw illegalArgument(
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to ` +
      'string fields. Use an array of values for include/exclude clauses',
  )
}

function integerBeyondDoubles(text: string): bigint | undefined {
  if (!/^[-+]?\d{16,}$/.test(text)) return undefined
  const value = narrow(BigInt(text))
  return typeof value === 'bigint' ? value : undefined
}

/** Elasticsearch collects doubles as integers in the same order and assigns these to the partitions. */
const doubleBits = (value: number | bigint) => sortableDouble(Number(value))
