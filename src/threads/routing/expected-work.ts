/**
 * What a search is likely to do, told by the names in its body: the thread that answers reads it whole, and which one that is has
 * to be known first. A guess that errs on the side of much, since a field may have the name of a query; what proves to be more
 * work than it looked is noticed on the way.
 */
import { END, FIELD_NAME, hashBytes, INTEGER, JsonReader } from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'

export interface ExpectedWork {
  /** It may look at everything before it has a first hit, or does much for every document or hit. */
  readonly isCostly: boolean
  readonly aggregates: boolean
  /** Aggregations that do more for every document than count it. */
  readonly measures: boolean
  /** As a query it finds its objects in one go, mostly few; as an aggregation it looks at all of them. */
  readonly isNested: boolean
  /** A page of a composite looks at few documents, and hardly ever comes again. */
  readonly isCompositePage: boolean
}

const COSTLY = 1
const AGGREGATES = 2
const MEASURES = 4
const NESTED = 8
const COMPOSITE = 16
/** Costly where the number is large. */
const COUNT = 32

/** So many hits or buckets take longer to write than most searches take to find theirs. */
const MANY = 1_000

/** Longer bodies are not read: they say much. */
const READ_BYTES_MAX = 4_096

const TRAITS_BY_NAMES: readonly (readonly [trait: number, names: string])[] = [
  // Queries
  [
    COSTLY,
    'function_score fuzzy geo_polygon geo_shape intervals match_phrase_prefix more_like_this query_string regexp',
  ],
  [COSTLY, 'simple_query_string span_containing span_field_masking span_first span_multi span_near span_not span_or'],
  [COSTLY, 'span_term span_within terms_set wildcard'],
  [COSTLY, 'script script_score'],
  [NESTED, 'nested'],
  // Their parameters
  [COSTLY, 'fuzziness inner_hits'],
  // What is done with hits
  [COSTLY, 'collapse explain highlight profile rescore slice suggest'],
  [COSTLY, '_script runtime_mappings script_fields'],
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
    // Whoever answers says what is wrong with it.
    if (!(error instanceof JsonSyntaxError)) throw error
  }
  reader.restore()
  return traits
}
