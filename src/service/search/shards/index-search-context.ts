/** The index information that the engine needs for a search. */
import { withRuntimeFields } from '../../../engine/mapping/runtime-overlay.ts'
import type { Query, SearchExecutionContext, SearchLimits } from '../../../engine/scoring/query.ts'
import type { SearchGuard } from '../../../engine/scoring/search-guard.ts'
import type { SegmentView, ShardView } from '../../../engine/segment/segment-reader-api.ts'
import type { IndexMappings } from '../../catalog/index-mappings.ts'
import type { FlatSettings, IndexMetadata, JsonObject } from '../../metadata/metadata.ts'
import { textOf } from '../../settings/flat-settings.ts'

/** Settings never change in place, so the limits are parsed once per settings object. */
const limitsBySettings = new WeakMap<FlatSettings, SearchLimits>()

function searchLimits({ settings }: IndexMetadata): SearchLimits {
  let limits = limitsBySettings.get(settings)
  if (limits === undefined) limitsBySettings.set(settings, (limits = readLimits(settings)))
  return limits
}

function readLimits(settings: FlatSettings): SearchLimits {
  const number = (name: string, otherwise: number) => {
    const value = settings[name]
    return value === undefined ? otherwise : Number(textOf(value))
  }
  return {
    maxResultWindow: number('index.max_result_window', 10_000),
    maxTermsCount: number('index.max_terms_count', 65_536),
    maxRegexLength: number('index.max_regex_length', 1_000),
    maxDocvalueFields: number('index.max_docvalue_fields_search', 100),
    maxRescoreWindow: number('index.max_rescore_window', number('index.max_result_window', 10_000)),
    maxAnalyzedOffset: number('index.highlight.max_analyzed_offset', 1_000_000),
    marksWholeMatches: textOf(settings['index.highlight.weight_matches_mode.enabled'] ?? 'true') === 'true',
    lenientQueryStrings: textOf(settings['index.query_string.lenient'] ?? 'false') === 'true',
    maxInnerResultWindow: number('index.max_inner_result_window', 100),
    maxScriptFields: number('index.max_script_fields', 32),
  }
}

/** What a request adds to the context of its searches. */
export interface RequestContext {
  /** Segments for term statistics, if they are not the shard's own. */
  readonly counted?: readonly SegmentView[] | undefined
  /** `runtime_mappings` of the request. */
  readonly runtimeMappings?: JsonObject | undefined
  /** May end the search early. */
  readonly guard?: SearchGuard | undefined
  /** The number of hits that are asked for. */
  readonly pageSize?: number | undefined
  /** The filters of the aliases by which the shard was reached. */
  readonly filters?: readonly Query[] | undefined
}

/**
 * Optional members are present from the start. A query that sets one of them copies the object, and adding a member to a copy
 * costs twenty times as much as replacing one.
 */
export function shardQueryContext(
  index: IndexMetadata,
  shard: number,
  view: ShardView,
  mappings: IndexMappings,
  nowMs: number,
  { counted, runtimeMappings, guard, pageSize, filters }: RequestContext = {},
): SearchExecutionContext {
  const analysis = mappings.analysis(index)
  const mapped = mappings.of(index)
  const mapping = runtimeMappings === undefined ? mapped : withRuntimeFields(mapped, runtimeMappings)
  const similarities = mappings.similarities(index)
  return {
    mapping,
    view,
    counted: counted ?? view.segments,
    limits: searchLimits(index),
    nowMs,
    index: { name: index.name, uuid: index.uuid, aliases: Object.keys(index.aliases) },
    shard,
    pageSize,
    aliasFilters: filters,
    guard,
    nestedScope: undefined,
    explained: undefined,
    allowExpensive: true,
    hidesDocuments: false,
    queryScores: undefined,
    analyzer: (name) => analysis.analyzer(name),
    similarity: (field) => similarities.of(mapping.field(field)?.similarityName),
  }
}
