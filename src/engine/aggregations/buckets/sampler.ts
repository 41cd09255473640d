/**
 * `sampler` and `diversified_sampler`: children see only the best-scoring documents of each shard, and of these only a
 * few with the same value of a field.
 */
import { illegalArgument } from '../../../base/api-error.ts'
import { noHitsToCollect } from '../../../base/errors/aggregation-errors.ts'
import { DECIMAL, END_OBJECT, FIELD_NAME, INTEGER, type JsonToken } from '../../../base/json/json-reader.ts'
import { ACCEPTS_NUMBER } from '../../request/request-reader.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import {
  Aggregation,
  type AggregationParts,
  type Bucket,
  type SegmentCollector,
  type ShardAggregator,
} from '../aggregation.ts'
import { type AggregationContext, within } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import { emptyResults, reduceResults, ShardTree } from '../aggregation-tree.ts'
import type { Printer } from '../results/printer.ts'
import type { Reduction } from '../results/reduction.ts'
import { checkHint, type HintOption, hintMember, isUnmapped } from '../values/execution-hint.ts'
import {
  bindSource,
  newSourceSettings,
  requireField,
  type SourceSettings,
  type SourceType,
  sourceMembers,
} from '../values/value-source.ts'
import { diversityKeys, type SegmentKeys } from './diversity-keys.ts'

interface Options extends HintOption {
  readonly kind: 'sampler' | 'diversified_sampler'
  shardSize: number
  /** The field of a diversified sampler. */
  readonly source: SourceSettings | undefined
  maxPerValue: number
}

const SHARD_SIZE_DEFAULT = 100
const HINTS: readonly string[] = ['map', 'bytes_hash', 'global_ordinals']
const KEYS: readonly SourceType[] = ['keyword', 'number', 'date', 'boolean']

interface SampleBucket extends Bucket {
  /** The deduplication field is unmapped: there is no sample, and children are not printed. */
  readonly unmapped?: boolean
}

const UNMAPPED: SampleBucket = { docCount: 0, results: [], unmapped: true }
const UNMAPPED_SAMPLER: ShardAggregator<SampleBucket> = {
  needsScores: false,
  segment: () => undefined,
  finish: () => {},
  result: () => UNMAPPED,
}

class Sampler extends Aggregation<SampleBucket> {
  readonly kind: string
  readonly #options: Options

  constructor(parts: AggregationParts, options: Options) {
    super(parts)
    this.kind = options.kind
    this.#options = options
  }

  override plan(context: AggregationContext): ShardAggregator<SampleBucket> {
    const { source: settings, shardSize, maxPerValue, hint } = this.#options
    const source = settings === undefined ? undefined : bindSource(context.shard, settings, this.kind, KEYS, 'keyword')
    if (source !== undefined) {
      if (isUnmapped(source)) return UNMAPPED_SAMPLER
      checkHint(hint, source, HINTS)
    }
    if (this.children.aggregations.length === 0) {
      throw illegalArgument('Sampler aggregation must be used with child aggregations.')
    }
    if (shardSize < 1) throw noHitsToCollect()
    const children = new ShardTree(this.children, within(context, this))
    const keysOf = source === undefined ? undefined : diversityKeys(context, source, hint)
    return new SamplerAggregator(context, children, { shardSize, maxPerValue, keysOf })
  }

  override reduce(results: readonly SampleBucket[], reduction: Reduction): SampleBucket {
    const mapped = results.filter(({ unmapped }) => unmapped !== true)
    if (mapped.length === 0) return UNMAPPED
    return {
      docCount: mapped.reduce((sum, { docCount }) => sum + docCount, 0),
      results: reduceResults(this.children, mapped, reduction),
    }
  }

  override get holds(): 'one' {
    return 'one'
  }

  override empty(reduction: Reduction): Bucket {
    return { docCount: 0, results: emptyResults(this.children, reduction) }
  }

  override print({ docCount, results, unmapped }: SampleBucket, printer: Printer): Record<string, unknown> {
    return { doc_count: docCount, ...(unmapped ? undefined : printer.results(this.children, results)) }
  }

  override typedName(): string {
    return 'sampler'
  }

  override bucket(result: Bucket): Bucket {
    return result
  }
}

interface Candidate {
  readonly segment: number
  readonly doc: number
  readonly score: number
  readonly key: string | number
}

interface SampleRules {
  readonly shardSize: number
  readonly maxPerValue: number
  readonly keysOf: SegmentKeys | undefined
}

class SamplerAggregator implements ShardAggregator<Bucket> {
  readonly needsScores = true
  readonly #context: AggregationContext
  readonly #children: ShardTree
  readonly #rules: SampleRules
  readonly #segments: { readonly view: SegmentView; readonly scores: Float32Array | undefined }[] = []
  /** By parent bucket: the best documents so far, at most twice as many as requested. */
  readonly #samples: Candidate[][] = []

  constructor(context: AggregationContext, children: ShardTree, rules: SampleRules) {
    this.#context = context
    this.#children = children
    this.#rules = rules
  }

  segment(view: SegmentView): SegmentCollector | undefined {
    const scores = this.#context.scores.segment
    const segment = this.#segments.push({ view, scores }) - 1
    const keyOf = this.#rules.keysOf?.(view)
    return {
      collect: (docs, buckets, count) => {
        for (let i = 0; i < count; i++) {
          const doc = docs[i]!
          const sample = (this.#samples[buckets[i]!] ??= [])
          sample.push({ segment, doc, score: scores?.[doc] ?? 0, key: keyOf?.(doc) ?? 0 })
          if (sample.length > 2 * this.#rules.shardSize + 64) this.#samples[buckets[i]!] = this.#best(sample)
        }
      },
    }
  }

  /** Highest scores first; ties in document order. */
  #best(sample: readonly Candidate[]): Candidate[] {
    const { shardSize, maxPerValue, keysOf } = this.#rules
    const ordered = sample.toSorted((a, b) => b.score - a.score || a.segment - b.segment || a.doc - b.doc)
    if (keysOf === undefined) return ordered.slice(0, shardSize)
    const seen = new Map<string | number, number>()
    const kept = ordered.filter(({ key }) => {
      const count = (seen.get(key) ?? 0) + 1
      seen.set(key, count)
      return count <= maxPerValue
    })
    return kept.slice(0, shardSize)
  }

  finish(): void {
    for (const bucket of this.#samples.keys()) this.#samples[bucket] = this.#best(this.#samples[bucket] ?? [])
    const current = this.#context.scores.segment
    for (const [segment, { view, scores }] of this.#segments.entries()) this.#replay(segment, view, scores)
    this.#context.scores.segment = current
    this.#children.finish()
  }

  /** Passes the selected documents of a segment to the children, in document order. */
  #replay(segment: number, view: SegmentView, scores: Float32Array | undefined): void {
    const chosen: { doc: number; bucket: number }[] = []
    for (const [bucket, sample] of this.#samples.entries()) {
      for (const candidate of sample ?? []) {
        if (candidate.segment === segment) chosen.push({ doc: candidate.doc, bucket })
      }
    }
    if (chosen.length === 0) return
    chosen.sort((a, b) => a.doc - b.doc)
    this.#context.scores.segment = scores
    const collector = this.#children.segment(view)
    const docs = Int32Array.from(chosen, ({ doc }) => doc)
    const buckets = Int32Array.from(chosen, ({ bucket }) => bucket)
    for (let from = 0; from < docs.length; from += BLOCK) {
      const count = Math.min(BLOCK, docs.length - from)
      collector?.collect(docs.subarray(from), buckets.subarray(from), count)
    }
    collector?.end?.()
  }

  result(bucket: number): Bucket {
    return { docCount: this.#samples[bucket]?.length ?? 0, results: this.#children.results(bucket) }
  }

  child(name: string): ShardAggregator | undefined {
    return this.#children.child(name)
  }

  docCount(bucket: number): number {
    return this.#samples[bucket]?.length ?? 0
  }
}

const ACCEPTS_SIZE: readonly JsonToken[] = [INTEGER, DECIMAL]

/** Collectors receive at most one window of documents at a time. */
const BLOCK = 4096

function samplerKindOf(kind: Options['kind']): AggregationKind {
  return {
    name: kind,
    hasChildren: true,
    parse(reader, name) {
      const source = kind === 'diversified_sampler' ? newSourceSettings() : undefined
      const options: Options = { kind, shardSize: SHARD_SIZE_DEFAULT, source, maxPerValue: 1, hint: undefined }
      if (source === undefined) {
        while (reader.next() !== END_OBJECT) {
          if (reader.is(FIELD_NAME)) continue
          if (reader.name !== 'shard_size' || !ACCEPTS_SIZE.includes(reader.token)) {
            throw reader.parsingError(`Unsupported property "${reader.name}" for aggregation "${name}`)
          }
          options.shardSize = reader.integer()
        }
        return (parts) => new Sampler(parts, options)
      }
      reader.parseObject(kind, [
        sourceMembers(reader, source, { format: false }),
        {
          shard_size: {
            accepts: ACCEPTS_NUMBER,
            parse: () => {
              options.shardSize = notNegative(reader.integer(), 'shardSize', name)
            },
          },
          max_docs_per_value: {
            accepts: ACCEPTS_NUMBER,
            parse: () => {
              options.maxPerValue = notNegative(reader.integer(), 'maxDocsPerValue', name)
            },
          },
        },
        hintMember(reader, options),
      ])
      requireField(source)
      return (parts) => new Sampler(parts, options)
    },
  }
}

function notNegative(value: number, parameter: string, name: string): number {
  if (value >= 0) return value
  throw illegalArgument(`[${parameter}] must be greater than or equal to 0. Found [${value}] in [${name}]`)
}

export const samplerKind = samplerKindOf('sampler')
export const diversifiedSamplerKind = samplerKindOf('diversified_sampler')
