/** The shard results of `terms`, their merging, and the error bounds of counts. */
import type { JsonOutput } from '../../../base/json/json-output.ts'
import { Double, formatDouble, writeJson } from '../../../base/json/json-writer.ts'
import type { FieldType } from '../../mapping/field-type.ts'
import type { Bucket } from '../aggregation.ts'
import { type AggregationTree, type Results, reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { type BucketLook, WrittenBuckets } from '../results/written-buckets.ts'
import { compareTerms } from '../values/global-ordinals.ts'
import { RAW_FORMAT, type ValueFormat } from '../values/value-format.ts'
import { type BucketOrder, finalOrder, isCountDescending, isKeyOrder, orderValue } from './bucket-order.ts'
import { type MergedTerm, mergeTerms } from './merge-terms.ts'

export type TermKey = number | bigint | Uint8Array

export interface TermBucket extends Bucket {
  readonly key: TermKey
  /** How many documents other shards may have omitted. */
  error: number
}

export interface TermsResult {
  /** `unmapped`: the field does not exist on the shard. */
  readonly type: 'string' | 'long' | 'double' | 'unmapped'
  buckets: TermBucket[]
  /** Documents of terms that are not listed. */
  readonly otherDocCount: number
  readonly error: number
  readonly format: ValueFormat
  /** For string terms: the printed key. */
  readonly text: (term: Uint8Array) => string
}

export interface TermsSettings {
  readonly size: number
  readonly shardSize: number
  readonly minDocCount: number
  readonly shardMinDocCount: number
  readonly orders: readonly BucketOrder[]
  readonly showErrors: boolean
  /** A number that a document has twice counts twice, as in Elasticsearch's rare terms. */
  readonly countsRepeats?: boolean
}

export const utf8Text = (term: Uint8Array): string => Buffer.from(term).toString()

/** How the terms of a field print: some are stored in another form than text. */
export function termPrinter(field: FieldType | undefined): (term: Uint8Array) => string {
  if (field?.readableTerm === undefined) return utf8Text
  return (term) => utf8Text(field.readableTerm!(term))
}

export const NO_TERMS: TermsResult = {
  type: 'unmapped',
  buckets: [],
  otherDocCount: 0,
  error: 0,
  format: RAW_FORMAT,
  text: utf8Text,
}

/** How many documents of an unlisted term the shard may hide; -1 if unknown. */
function shardError({ buckets }: TermsResult, { shardSize, orders }: TermsSettings): number {
  if (buckets.length === 0 || buckets.length < shardSize || isKeyOrder(orders)) return 0
  return isCountDescending(orders) ? buckets.at(-1)!.docCount : -1
}

/**
 * A shard that lists a term hides none of its documents, so its error is subtracted. Elasticsearch uses -1 for
 * "unknown" here as well: a shard with an error of exactly 1 ends the sum.
 */
function subtractError(sum: number, shard: number): number {
  return sum === -1 || shard === 1 ? -1 : sum - shard
}

export function reduceTerms(
  results: readonly TermsResult[],
  settings: TermsSettings,
  tree: AggregationTree,
  reduction: Reduction,
): TermsResult {
  const mapped = results.filter(({ type }) => type !== 'unmapped')
  const first = mapped[0]
  if (first === undefined) return NO_TERMS
  let error = 0
  let otherDocCount = 0
  for (const result of mapped) {
    const own = shardError(result, settings)
    error = own < 0 || error < 0 ? -1 : error + own
    otherDocCount += result.otherDocCount
    for (const bucket of result.buckets) bucket.error = own
  }
  const chosen = chooseBuckets(mergeTerms(mapped), settings, tree, reduction)
  for (const bucket of chosen.buckets) bucket.error = error < 0 ? -1 : error + bucket.error
  return {
    ...first,
    // Integers of one index and fractions of another print alike.
    type: mapped.some(({ type }) => type === 'double') ? 'double' : first.type,
    format: mapped.find(({ format }) => !format.isRaw)?.format ?? first.format,
    buckets: chosen.buckets,
    otherDocCount: otherDocCount + chosen.dropped,
    error: error < 0 ? -1 : mapped.length === 1 ? 0 : error,
  }
}

/** The first `size` buckets in order. Children are merged for these only, unless the order depends on children. */
function chooseBuckets(
  merged: readonly MergedTerm[],
  { minDocCount, orders, size }: TermsSettings,
  tree: AggregationTree,
  reduction: Reduction,
): { buckets: TermBucket[]; dropped: number } {
  const kept = merged.filter(({ docCount }) => docCount >= minDocCount)
  const byValue = orders.filter((order) => order.by === 'value')
  const reduced = ({ key, parts, docCount }: MergedTerm): TermBucket => ({
    key,
    docCount,
    error: parts.reduce((sum, part) => subtractError(sum, part.error), 0),
    results: reduceResults(tree, parts, reduction),
  })
  const compare = finalOrder<TermBucket>(orders, (a, b) => compareKeys(a.key, b.key), tree)
  let buckets: TermBucket[]
  if (byValue.length > 0) {
    buckets = kept.map(reduced)
    // A path that leads nowhere is an error even if there is nothing to compare.
    for (const bucket of buckets.slice(0, 1)) for (const order of byValue) orderValue(tree, bucket, order.path)
    buckets.sort(compare)
  } else {
    const bare = kept.map(({ key, parts, docCount }) => ({ key, parts, docCount, error: 0, results: NO_RESULTS }))
    bare.sort(compare)
    buckets = bare.slice(0, size).map(reduced)
    reduction.addBuckets(buckets.length)
    return { buckets, dropped: countDocuments(bare.slice(size)) }
  }
  reduction.addBuckets(Math.min(size, buckets.length))
  return { buckets: buckets.slice(0, size), dropped: countDocuments(buckets.slice(size)) }
}

/** The results of buckets that are sorted before their children are merged. */
const NO_RESULTS: Results = []

function countDocuments(buckets: readonly { readonly docCount: number }[]): number {
  return buckets.reduce((sum, { docCount }) => sum + docCount, 0)
}

export function compareKeys(a: TermKey, b: TermKey): number {
  if (a instanceof Uint8Array) return compareTerms(a, b as Uint8Array)
  return a < (b as number) ? -1 : a > (b as number) ? 1 : 0
}

export function printTerms(
  result: TermsResult,
  { showErrors }: TermsSettings,
  tree: AggregationTree,
  printer: Printer,
): Record<string, unknown> {
  return {
    doc_count_error_upper_bound: result.error,
    sum_other_doc_count: result.otherDocCount,
    buckets: new WrittenBuckets(result.buckets, termLook(result, showErrors), tree, printer),
  }
}

/** The form of terms buckets. */
export function termLook(result: TermsResult, showErrors: boolean): BucketLook<TermBucket> {
  return {
    head: ({ key, docCount, error }, out) => {
      writeKey(result, key, out)
      out.addAscii(',"doc_count":')
      out.addInteger(docCount)
      if (!showErrors) return
      out.addAscii(',"doc_count_error_upper_bound":')
      out.addInteger(error)
    },
  }
}

/** The members that name a bucket. */
export function writeKey({ type, format, text }: TermsResult, key: TermKey, out: JsonOutput): void {
  out.addAscii('"key":')
  if (key instanceof Uint8Array) {
    out.addString(text(key))
    return
  }
  writeJson(type === 'double' ? new Double(Number(key)) : key, out)
  if (format.isRaw) return
  out.addAscii(',"key_as_string":')
  out.addString(format.text(Number(key)))
}

/** The key of a bucket as text. */
export function termText(result: TermsResult, key: TermKey): string {
  if (key instanceof Uint8Array) return result.text(key)
  if (!result.format.isRaw) return result.format.text(Number(key))
  return result.type === 'double' ? formatDouble(Number(key)) : String(key)
}
