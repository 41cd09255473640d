/**
 * Estimates the work of a search from the member names in its body, because the thread must be chosen before the body
 * is parsed. The estimate tends to be too high, because a field may have the name of a query. A search that exceeds its
 * estimate is detected while it runs. Scripts do not count here: requests with scripts have rules of their own.
 * docs/decisions/which-thread-answers.md has the reasons.
 */
import { END, FIELD_NAME, hashBytes, INTEGER, JsonReader } from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'

export interface ExpectedWork {
  /** The search may read all documents before the first hit, or does much work per document or hit. */
  readonly isCostly: boolean
  readonly aggregates: boolean
  /** Aggregations that do more than count each document. */
  readonly measures: boolean
  /** A nested query matches few objects and lists them; a nested aggregation reads all of them. */
  readonly isNested: boolean
  /** A composite page reads few documents and is hardly ever repeated. */
  readonly isCompositePage: boolean
}

const COSTLY = 1
const AGGREGATES = 2
const MEASURES = 4
const NESTED = 8
const COMPOSITE = 16
/** Costly if its value is large. */
const COUNT = 32

/** Writing this many hits or buckets takes longer than most searches. */
const MANY = 1_000

/** Longer bodies are not read and count as costly. */
const READ_BYTES_MAX = 4_096

const TRAITS_BY_NAMES: readonly (readonly [trait: number, names: string])[] = [
  // Queries
  [
    COSTLY,
    'function_score fuzzy geo_polygon geo_shape intervals knn match_phrase_prefix more_like_this query_string regexp',
  ],
  [COSTLY, 'simple_query_string span_containing span_field_masking span_first span_multi span_near span_not span_or'],
  [COSTLY, 'span_term span_within terms_set wildcard'],
  [NESTED, 'nested'],
  // Their parameters
  [COSTLY, 'fuzziness inner_hits'],
  // Processing of hits
  [COSTLY, 'collapse explain highlight linear profile rescore rescorer rrf slice suggest'],
  [COUNT, 'from size'],
  // Aggregations
  [AGGREGATES, 'aggregations aggs'],
  [COMPOSITE, 'composite'],
  [COSTLY, 'adjacency_matrix boxplot diversified_sampler geohash_grid geotile_grid global median_absolute_deviation'],
  [COSTLY, 'multi_terms random_sampler rare_terms sampler significant_terms significant_text string_stats top_hits'],
  [COSTLY, 'scripted_metric top_metrics'],
  [MEASURES, 'auto_date_histogram cardinality date_histogram histogram percentile_ranks percentiles'],
  [MEASURES, 'variable_width_histogram'],
]

const TRAITS: ReadonlyMap<number, number> = new Map(
  TRAITS_BY_NAMES.flatMap(([trait, names]) => names.split(' ').map((name) => [hashOf(name), trait] as const)),
)

function hashOf(name: string): number {
  const bytes = Buffer.from(name)
  return hashBytes(bytes, 0, bytes.length)
}

const reader = new JsonReader()

export function expectedWork(body: Uint8Array): ExpectedWork {
  const traits = traitsOf(body)
  return {
    isCostly: (traits & COSTLY) !== 0,
    aggregates: (traits & AGGREGATES) !== 0,
    measures: (traits & MEASURES) !== 0,
    isNested: (traits & NESTED) !== 0,
    isCompositePage: (traits & COMPOSITE) !== 0,
  }
}

function traitsOf(body: Uint8Array): number {
  if (body.length > READ_BYTES_MAX) return COSTLY
  let traits = 0
  reader.reset(body)
  try {
    for (let token = reader.next(); token !== END; token = reader.next()) {
      if (token !== FIELD_NAME) continue
      const trait = TRAITS.get(reader.nameHash)
      if (trait === undefined) continue
      if (trait !== COUNT) traits |= trait
      else if (reader.next() === INTEGER && reader.number() >= MANY) traits |= COSTLY
    }
  } catch (error) {
    // The thread that answers reports the syntax error.
    if (!(error instanceof JsonSyntaxError)) throw error
  }
  reader.restore()
  return traits
}
