/** `top_hits`: the best documents of each bucket, fetched like the hits of a search. */
import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { negativeMember, noHitsToCollect, notANumber } from '../../../base/errors/aggregation-errors.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { Double } from '../../../base/json/json-writer.ts'
import { isObject, valuesAt } from '../../mapping/source/source-values.ts'
import { parseQuery } from '../../query/parse-query.ts'
import { readFields, readStoredFields } from '../../request/fields.ts'
import { parseHighlight } from '../../request/highlight/parse-highlight.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import { readScriptFields } from '../../request/script-fields.ts'
import { parseSort, type SortSpec } from '../../request/sort/sort-spec.ts'
import { readSourceFilter } from '../../request/source-selection.ts'
import type { SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { HitFetcher } from '../../search/fetch/fetch-hits.ts'
import type { FetchedHit, FetchRequest } from '../../search/fetch/fetched-hit.ts'
import { queriesWithNameOn } from '../../search/fetch/matched-queries.ts'
import { matchesDocument } from '../../search/matches-document.ts'
import { planQuery } from '../../search/plan-query.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { bindSort } from '../../sort/bind-sort.ts'
import { ScoreKey } from '../../sort/score-key.ts'
import { compareSortValues, type SortKey } from '../../sort/sort-key.ts'
import { javaSimpleClass } from '../../values/java-text.ts'
import { Aggregation, type AggregationParts, type SegmentCollector, type ShardAggregator } from '../aggregation.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { AggregationKind } from '../aggregation-kind.ts'
import type { Printer } from '../results/printer.ts'
import { BucketDoubles, BucketInts } from '../state/bucket-arrays.ts'
import { BestDocuments, type BestHit } from './best-documents.ts'

interface TopHitsSettings {
  from: number
  size: number
  sort: SortSpec[] | undefined
  trackScores: boolean
  explain: boolean
  fetch: { -readonly [K in keyof FetchRequest]: FetchRequest[K] }
}

/** A hit with its shard. */
interface ShardTopHit extends BestHit {
  readonly fetcher: HitFetcher
  readonly shard: SearchExecutionContext
  /** Present if scores are explained. */
  readonly query: Weight | undefined
  readonly named: readonly NamedWeight[]
}

/** A query with a `_name`, planned for the shard. */
interface NamedWeight {
  readonly name: string
  readonly query: Weight
  readonly scored: boolean
}

interface TopHitsResult {
  readonly total: number
  readonly maxScore: number
  readonly hits: readonly ShardTopHit[]
  /** The sort keys of one shard, for printing and merging. */
  readonly keys: readonly SortKey[]
}

const HIT_MEMBERS: ReadonlySet<string> = new Set(['_score', '_sort', '_source'])

class TopHitsAggregation extends Aggregation<TopHitsResult> {
  readonly kind = 'top_hits'
  readonly #settings: TopHitsSettings

  constructor(parts: AggregationParts, settings: TopHitsSettings) {
    super(parts)
    this.#settings = settings
  }

  override plan(context: AggregationContext): ShardAggregator<TopHitsResult> {
    const { from, size } = this.#settings
    const limit = context.shard.limits.maxInnerResultWindow
    if (from + size > limit) {
      throw illegalArgument(
        `Top hits result window is too large, the top hits aggregator [${this.name}]'s from + size must be less than or equal ` +
          `to: [${limit}] but was [${from + size}]. This limit can be set by changing the ` +
          '[index.max_inner_result_window] index level setting.',
      )
    }
    if (from + size === 0) throw noHitsToCollect((this.#settings.sort?.length ?? 0) > 0)
    return new TopHitsAggregator(context, this.#settings)
  }

  override reduce(results: readonly TopHitsResult[]): TopHitsResult {
    const { from, size } = this.#settings
    const keys = results.find((result) => result.keys.length > 0)?.keys ?? []
    const hits = results.flatMap((result) => result.hits)
    hits.sort((a, b) => compareSortValues(keys, a.sort, b.sort))
    let maxScore = Number.NaN
    for (const result of results) if (!(result.maxScore <= maxScore)) maxScore = pick(result.maxScore, maxScore)
    return {
      total: results.reduce((sum, { total }) => sum + total, 0),
      maxScore,
      hits: hits.slice(from, from + size),
      keys,
    }
  }

  override empty(): TopHitsResult {
    return { total: 0, maxScore: Number.NaN, hits: [], keys: [] }
  }

  /** A pipeline reads `_score`, `_sort` or a member of `_source` of the only hit. */
  override value({ hits, keys }: TopHitsResult, property: string | undefined): number | undefined {
    const path = property?.split('.') ?? []
    if (!HIT_MEMBERS.has(path[0] ?? '')) return undefined
    if (this.#settings.size !== 1) {
      throw illegalArgument(`property paths for top_hits [${this.name}] require configuring it with size to 1`)
    }
    const [hit] = hits
    if (hit === undefined) return Number.NaN
    if (path[0] === '_score') return hit.score
    if (path[0] === '_sort') {
      const shown = this.#settings.sort === undefined ? [] : keys.map((key, i) => key.format(hit.sort[i]!))
      if (shown.length === 1) return this.#numberOf(shown[0])
      // The text is Elasticsearch's.
      const reason = `property path for top_hits [" + getName() + "] requires a single sort value, got ${shown.length}`
      throw illegalArgument(reason)
    }
    const source = hit.fetcher.fetch(hit.view, hit.doc)._source?.parse()
    const found = isObject(source) ? valuesAt(source, path.slice(1).join('.')) : []
    return found.length === 0 ? undefined : this.#numberOf(found.length === 1 ? found[0] : found)
  }

  #numberOf(value: unknown): number {
    if (value === undefined || value === null) return Number.NaN
    if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Double) return Number(value)
    throw notANumber(javaSimpleClass(value), this.name)
  }

  override pathComplaint(property: string | undefined): ApiError | undefined {
    return property === undefined ? notANumber('InternalTopHits', this.name) : undefined
  }

  override print({ total, maxScore, hits, keys }: TopHitsResult, printer: Printer): Record<string, unknown> {
    const sorted = this.#settings.sort !== undefined
    return {
      hits: printer.hits(
        total,
        maxScore,
        hits.map(({ fetcher, shard, query, named, view, doc, score, sort }) => ({
          index: shard.index.name,
          fetched: fetchedHit(fetcher, view, doc),
          score:
            sorted && !this.#settings.trackScores && !keys.some(({ needsScores }) => needsScores) ? Number.NaN : score,
          sort: sorted ? keys.map((key, i) => key.format(sort[i]!)) : undefined,
          matched: matchedBy(named, view, doc),
          explained: query && { shard: shard.shard, explanation: query.explain(view, doc) },
        })),
      ),
    }
  }
}

function matchedBy(named: readonly NamedWeight[], view: SegmentView, doc: number): ReadonlyMap<string, number> {
  const matched = new Map<string, number>()
  for (const { name, query, scored } of named) {
    if (matched.has(name) || !matchesDocument(query, view, doc)) continue
    matched.set(name, scored ? query.explain(view, doc).value : Number.NaN)
  }
  return matched
}

/** A nested hit without `_source` has no `_id`: Elasticsearch loads the root document only for the source. */
function fetchedHit(fetcher: HitFetcher, view: SegmentView, doc: number): FetchedHit {
  const fetched = fetcher.fetch(view, doc)
  return fetched.nestedSteps.length === 0 || fetcher.readsSource ? fetched : { ...fetched, _id: undefined }
}

const pick = (score: number, otherwise: number) => (Number.isNaN(score) ? otherwise : score)

const NO_SCORES = new Float32Array(0)

class TopHitsAggregator implements ShardAggregator<TopHitsResult> {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #keys: readonly SortKey[]
  readonly #fetcher: HitFetcher
  readonly #query: Weight | undefined
  readonly #named: readonly NamedWeight[]
  readonly #best: BestDocuments
  readonly #totals: BucketInts
  readonly #maxScores: BucketDoubles

  constructor(context: AggregationContext, { from, size, sort, trackScores, explain, fetch }: TopHitsSettings) {
    this.#context = context
    this.#keys = sort === undefined ? [new ScoreKey(true)] : bindSort(context.shard, sort, 0)
    this.needsScores = trackScores || this.#keys.some((key) => key.needsScores)
    const { inherited } = context
    const fields = fetch.fields.length > 0 ? fetch.fields : inherited.fields
    this.#fetcher = new HitFetcher(context.shard, { ...fetch, fields, query: context.query })
    const root = { ...context.shard, nestedScope: undefined }
    const scored = inherited.namedQueryScores
    this.#named = queriesWithNameOn(root, inherited.namedQueries).map((query) => ({
      name: query.name!,
      query: planQuery(root, query, scored, 1),
      scored,
    }))
    this.#query = explain ? planQuery(root, context.query, true, 1) : undefined
    this.#best = new BestDocuments(this.#keys, from + size)
    this.#totals = new BucketInts(context.memory)
    this.#maxScores = new BucketDoubles(context.memory, Number.NaN)
  }

  segment(view: SegmentView): SegmentCollector {
    const segment = this.#best.segment(view)
    return {
      collect: (docs, buckets, count) => {
        const scores = this.#context.scores.segment ?? NO_SCORES
        this.#count(docs, buckets, count, scores)
        segment.collect(docs, buckets, count, scores)
      },
      end: () => segment.end(),
    }
  }

  #count(docs: Int32Array, buckets: Int32Array, count: number, scores: Float32Array): void {
    for (let i = 0; i < count; i++) {
      const bucket = buckets[i]!
      this.#totals.reserve(bucket + 1)[bucket]!++
      if (!this.needsScores) continue
      const best = this.#maxScores.reserve(bucket + 1)
      const score = scores[docs[i]!]!
      if (!(score <= best[bucket]!)) best[bucket] = score
    }
  }

  finish(): void {}

  result(bucket: number): TopHitsResult {
    return {
      total: this.#totals.get(bucket),
      maxScore: this.#maxScores.get(bucket),
      hits: this.#best.of(bucket).map((hit) => ({
        ...hit,
        fetcher: this.#fetcher,
        query: this.#query,
        named: this.#named,
        shard: this.#context.shard,
      })),
      keys: this.#keys,
    }
  }
}

export const topHitsKind: AggregationKind = {
  name: 'top_hits',
  hasChildren: false,
  parse(reader, name) {
    const settings: TopHitsSettings = {
      from: 0,
      size: 3,
      sort: undefined,
      trackScores: false,
      explain: false,
      fetch: {
        source: undefined,
        storedFields: undefined,
        docvalueFields: [],
        fields: [],
        version: false,
        seqNoPrimaryTerm: false,
        highlight: undefined,
        query: undefined,
      },
    }
    while (reader.next() !== END_OBJECT) {
      if (reader.is(FIELD_NAME)) continue
      const member = reader.name
      if (!readMember(reader, name, member, settings)) {
        throw reader.unknownKey(member)
      }
    }
    return (parts) => new TopHitsAggregation(parts, settings)
  },
}

/** Returns false for an unknown key and for a known one with a value of another type. */
function readMember(reader: RequestReader, name: string, member: string, settings: TopHitsSettings): boolean {
  const { fetch } = settings
  switch (member) {
    case '_source':
      fetch.source = readSourceFilter(reader)
      return true
    case 'sort':
      settings.sort = parseSort(reader, parseQuery)
      // An empty list sorts by score, like no list.
      if (settings.sort.length === 0) settings.sort = undefined
      return true
  }
  if (reader.is(START_ARRAY)) return readList(reader, member, settings)
  if (reader.is(START_OBJECT)) {
    return readObject(reader, member, fetch)
  }
  switch (member) {
    case 'from':
      settings.from = notBelowZero(reader.integer(), 'from', name)
      return true
    case 'size':
      settings.size = notBelowZero(reader.integer(), 'size', name)
      return true
    case 'version':
      fetch.version = reader.boolean()
      return true
    case 'seq_no_primary_term':
      fetch.seqNoPrimaryTerm = reader.boolean()
      return true
    case 'explain':
      settings.explain = reader.boolean()
      return true
    case 'track_scores':
      settings.trackScores = reader.boolean()
      return true
    case 'stored_fields':
      fetch.storedFields = readStoredFields(reader)
      return true
    default:
      return false
  }
}

function readObject(reader: RequestReader, member: string, fetch: TopHitsSettings['fetch']): boolean {
  switch (member) {
    case 'highlight':
      fetch.highlight = parseHighlight(reader, parseQuery)
      return true
    case 'script_fields':
      fetch.scriptFields = readScriptFields(reader)
      return true
    default:
      return false
  }
}

function readList(reader: RequestReader, member: string, { fetch }: TopHitsSettings): boolean {
  switch (member) {
    case 'stored_fields':
      fetch.storedFields = readStoredFields(reader)
      return true
    case 'docvalue_fields':
      fetch.docvalueFields = readFields(reader)
      return true
    case 'fields':
      fetch.fields = readFields(reader)
      return true
    default:
      return false
  }
}

function notBelowZero(value: number, parameter: string, name: string): number {
  if (value >= 0) return value
  throw negativeMember(parameter, value, name)
}
