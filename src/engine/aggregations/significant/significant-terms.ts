/** `significant_terms`: values that are unusually frequent among the documents of a bucket. */

import { illegalArgument } from '../../../base/api-error.ts'
import { typesDiffer } from '../../../base/errors/aggregation-errors.ts'
import { START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatDouble } from '../../../base/json/json-writer.ts'
import { parseQuery } from '../../query/parse-query.ts'
import type { MemberParser, RequestReader } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import {
  type Aggregation,
  type AggregationParts,
  BucketsAggregation,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { NO_AGGREGATIONS, reduceResults } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { type BucketLook, WrittenBuckets } from '../results/written-buckets.ts'
import { BucketInts, bucketBound } from '../state/bucket-arrays.ts'
import { bindTerms, bindTermsSource, isFractional, type TermChoices } from '../terms/bind-terms.ts'
import { mergeTerms } from '../terms/merge-terms.ts'
import { type CountOptions, choiceMembers, countMembers, newCountOptions } from '../terms/terms-grammar.ts'
import {
  compareKeys,
  NO_TERMS,
  type TermBucket,
  type TermsResult,
  type TermsSettings,
  termText,
  writeKey,
} from '../terms/terms-result.ts'
import { checkHint, type HintOption, hintMember, TERMS_HINTS } from '../values/execution-hint.ts'
import { newSourceSettings, requireField, sourceMembers, type ValueSource } from '../values/value-source.ts'
import { type BackgroundCounts, countBackground, indexBackground, withinFilters } from './background-counts.ts'
import { type Heuristic, heuristicMembers, jlh } from './significance.ts'

const KIND = 'significant_terms'

export interface SignificantOptions extends TermChoices, CountOptions, HintOption {
  background: Query | undefined
  heuristic: Heuristic
}

interface SignificantBucket extends TermBucket {
  /** Background documents with the term. */
  readonly background: number
  readonly score: number
}

export interface SignificantResult extends Omit<TermsResult, 'buckets'> {
  buckets: readonly SignificantBucket[]
  /** The number of collected documents, and of background documents. */
  readonly subsetSize: number
  readonly supersetSize: number
}

export const NOTHING_SIGNIFICANT: SignificantResult = { ...NO_TERMS, buckets: [], subsetSize: 0, supersetSize: 0 }

export class SignificantTerms extends BucketsAggregation<SignificantResult> {
  readonly kind: string = KIND
  readonly #options: SignificantOptions

  constructor(parts: AggregationParts, options: SignificantOptions) {
    super(parts)
    this.#options = options
  }

  override queries(): readonly Query[] {
    return this.#options.background === undefined ? [] : [this.#options.background]
  }

  override plan(context: AggregationContext): ShardAggregator<SignificantResult> {
    const settings: TermsSettings = {
      size: Number.MAX_SAFE_INTEGER,
      shardSize: Number.MAX_SAFE_INTEGER,
      minDocCount: 1,
      shardMinDocCount: Math.max(1, this.#options.shardMinDocCount),
      orders: [{ by: 'key', descending: false }],
      showErrors: false,
    }
    const source = bindTermsSource(context, this, this.#options)
    checkHint(this.#options.hint, source, TERMS_HINTS)
    if (isFractional(source)) {
      throw illegalArgument('No support for examining floating point numerics')
    }
    // The number of documents is counted during collection.
    const terms = bindTerms({ ...context, seesAll: false }, this, this.#options, settings)
    return new SignificantAggregator(context, terms, this.#options, () => this.#background(context, settings, source))
  }

  /** The same terms over the background documents, without children. */
  #background(context: AggregationContext, settings: TermsSettings, { type, field }: ValueSource): BackgroundCounts {
    const background = withinFilters(context, this.#options.background)
    if ((type === 'keyword' || type === 'ip') && field?.schema !== undefined && field.schema.inverted !== 'none') {
      return indexBackground(context.shard, field.schema.name, background)
    }
    const bare = Object.create(this, { children: { value: NO_AGGREGATIONS } }) as Aggregation
    const terms = bindTerms({ ...context, singleParent: true, seesAll: false }, bare, this.#options, settings)
    return countBackground(context.shard, background, terms)
  }

  override reduce(results: readonly SignificantResult[], reduction: Reduction): SignificantResult {
    const mapped = results.filter(({ type }) => type !== 'unmapped')
    const first = mapped[0]
    if (first === undefined) return NOTHING_SIGNIFICANT
    if (mapped.some(({ type }) => type !== first.type)) throw typesDiffer(this.name)
    const subsetSize = sum(mapped, (result) => result.subsetSize)
    const supersetSize = sum(mapped, (result) => result.supersetSize)
    const scored = mergeTerms<SignificantBucket>(mapped).map((term) => {
      const background = sum(term.parts, (part) => part.background)
      const counts = { subsetFreq: term.docCount, subsetSize, supersetFreq: background, supersetSize }
      return { ...term, background, score: this.#options.heuristic(counts) }
    })
    const kept = scored.filter(({ score, docCount }) => score > 0 && docCount >= this.#options.minDocCount)
    kept.sort((a, b) => b.score - a.score || compareKeys(a.key, b.key))
    const best = kept.slice(0, this.#options.size)
    reduction.addBuckets(best.length)
    const buckets = best.map(({ key, docCount, background, score, parts }) => ({
      key,
      docCount,
      background,
      score,
      error: 0,
      results: reduceResults(this.children, parts, reduction),
    }))
    const format = mapped.find((result) => !result.format.isRaw)?.format ?? first.format
    return { ...first, format, buckets, subsetSize, supersetSize }
  }

  override empty(): SignificantResult {
    return NOTHING_SIGNIFICANT
  }

  override emptyBeside({ type, format, supersetSize }: SignificantResult): SignificantResult {
    return { ...NOTHING_SIGNIFICANT, type, format, supersetSize }
  }

  override print(result: SignificantResult, printer: Printer): Record<string, unknown> {
    const { type, subsetSize, supersetSize, buckets } = result
    if (type === 'unmapped') return { buckets: [] }
    const terms = asTerms(result)
    const look: BucketLook<SignificantBucket> = {
      head: ({ key, docCount, score, background }, out) => {
        writeKey(terms, key, out)
        out.addAscii(`,"doc_count":${docCount},"score":${formatDouble(score)},"bg_count":${background}`)
      },
    }
    return {
      doc_count: subsetSize,
      bg_count: supersetSize,
      buckets: new WrittenBuckets(buckets, look, this.children, printer),
    }
  }

  override typedName({ type }: SignificantResult): string {
    return type === 'long' || type === 'double' ? 'siglterms' : 'sigsterms'
  }

  override keyText(result: SignificantResult, index: number): string {
    return termText(asTerms(result), result.buckets[index]!.key)
  }
}

const asTerms = (result: SignificantResult): TermsResult => ({ ...result, buckets: [] })

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0)
}

export class SignificantAggregator implements ShardAggregator<SignificantResult> {
  readonly needsScores: boolean
  readonly #terms: ShardAggregator<TermsResult>
  readonly #sizes: BucketInts
  readonly #options: SignificantOptions
  readonly #countBackground: () => BackgroundCounts
  #background: BackgroundCounts | undefined

  constructor(
    context: AggregationContext,
    terms: ShardAggregator<TermsResult>,
    options: SignificantOptions,
    background: () => BackgroundCounts,
  ) {
    this.#terms = terms
    this.needsScores = terms.needsScores
    this.#sizes = new BucketInts(context.memory)
    this.#options = options
    this.#countBackground = background
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const terms = this.#terms.segment(view)
    return {
      collect: (docs, buckets, count) => {
        const sizes = this.#sizes.reserve(bucketBound(buckets, count))
        for (let i = 0; i < count; i++) sizes[buckets[i]!] = sizes[buckets[i]!]! + 1
        terms?.collect(docs, buckets, count)
      },
      end: () => terms?.end?.(),
    }
  }

  finish(): void {
    this.#terms.finish()
  }

  result(bucket: number): SignificantResult {
    const found = this.#terms.result(bucket)
    if (found.type === 'unmapped') return NOTHING_SIGNIFICANT
    this.#background ??= this.#countBackground()
    const { size: supersetSize, of } = this.#background
    const subsetSize = this.#sizes.get(bucket)
    const { heuristic, size, shardSize = Math.trunc(size * 1.5 + 10) * 2 } = this.#options
    const buckets = found.buckets.map((term) => {
      const background = of(term.key)
      const counts = { subsetFreq: term.docCount, subsetSize, supersetFreq: background, supersetSize }
      return { ...term, background, score: heuristic(counts) }
    })
    buckets.sort((a, b) => b.score - a.score)
    return { ...found, buckets: buckets.slice(0, shardSize), subsetSize, supersetSize }
  }
}

export function newSignificantOptions(): SignificantOptions {
  return {
    source: newSourceSettings(),
    mode: undefined,
    include: undefined,
    exclude: undefined,
    ...newCountOptions(3),
    background: undefined,
    heuristic: jlh,
    hint: undefined,
  }
}

/** Members common to `significant_terms` and `significant_text`. */
export function significantMembers(
  reader: RequestReader,
  name: string,
  options: SignificantOptions,
): Record<string, MemberParser> {
  return {
    ...choiceMembers(reader, options),
    ...heuristicMembers(reader, (heuristic) => {
      options.heuristic = heuristic
    }),
    ...countMembers(reader, name, options),
    background_filter: {
      accepts: [START_OBJECT],
      parse: () => {
        options.background = parseQuery(reader)
      },
    },
  }
}

export const significantTermsKind: AggregationKind = {
  name: KIND,
  hasChildren: true,
  parse(reader, name) {
    const options = newSignificantOptions()
    reader.parseObject(
      KIND,
      [sourceMembers(reader, options.source), significantMembers(reader, name, options), hintMember(reader, options)],
      true,
    )
    requireField(options.source)
    return (parts) => new SignificantTerms(parts, options)
  },
}
