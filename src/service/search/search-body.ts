/** What the body of a search says, the rules its values follow, and the pieces of grammar that inner hits share with it. */
import { type ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import type { AggregationTree } from '../../engine/aggregations/aggregation-tree.ts'
import type { Query } from '../../engine/query/query.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_STRING, type RequestReader } from '../../engine/query/request-reader.ts'
import type { FieldAndFormat } from '../../engine/search/field-fetcher.ts'
import type { Rescore } from '../../engine/search/rescore.ts'
import type { SortSpec } from '../../engine/sort/sort-spec.ts'
import type { SourceFilter } from '../shards/shard-host.ts'

/** Exact counting; every other value of `trackTotalHits` is the count up to which it is exact. */
export const TRACK_ALL = 0x7fffffff
export const TRACK_NONE = -1
export const TRACK_DEFAULT = 10_000

export interface Collapse {
  readonly field: string | undefined
  readonly innerHits: readonly InnerHits[]
}

/** What a group lists of its members. */
export interface InnerHits {
  readonly name: string
  readonly body: SearchBody
}

export interface SearchBody {
  query: Query | undefined
  postFilter: Query | undefined
  from: number | undefined
  size: number | undefined
  sort: SortSpec[] | undefined
  source: SourceFilter | undefined
  storedFields: readonly string[] | 'none' | undefined
  docvalueFields: FieldAndFormat[]
  fields: FieldAndFormat[]
  version: boolean | undefined
  seqNoPrimaryTerm: boolean | undefined
  trackScores: boolean | undefined
  trackTotalHits: number | undefined
  minScore: number | undefined
  terminateAfter: number | undefined
  timeoutMs: number | undefined
  indicesBoost: { name: string; boost: number }[]
  rescores: Rescore[]
  collapse: Collapse | undefined
  aggregations: AggregationTree | undefined
  /** Groups the search is counted under (`stats`). */
  statsGroups: string[]
}

export function newSearchBody(): SearchBody {
  return {
    query: undefined,
    postFilter: undefined,
    from: undefined,
    size: undefined,
    sort: undefined,
    source: undefined,
    storedFields: undefined,
    docvalueFields: [],
    fields: [],
    version: undefined,
    seqNoPrimaryTerm: undefined,
    trackScores: undefined,
    trackTotalHits: undefined,
    minScore: undefined,
    terminateAfter: undefined,
    timeoutMs: undefined,
    indicesBoost: [],
    rescores: [],
    collapse: undefined,
    aggregations: undefined,
    statsGroups: [],
  }
}

export function readStoredFields(reader: RequestReader): readonly string[] | 'none' {
  if (reader.token !== STRING && reader.token !== START_ARRAY) {
    throw reader.parsingError(
      `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${reader.tokenName}]`,
    )
  }
  const names: string[] = []
  reader.each(() => names.push(reader.text()))
  return checkStoredFields(names)
}

/** Names, or `{field, format, include_unmapped}`. */
export function readFields(reader: RequestReader): FieldAndFormat[] {
  const fields: FieldAndFormat[] = []
  reader.each(() => {
    if (reader.is(START_OBJECT)) fields.push(readFieldAndFormat(reader))
    else fields.push({ field: reader.text(), format: undefined, includeUnmapped: false })
  })
  return fields
}

function readFieldAndFormat(reader: RequestReader): FieldAndFormat {
  let field: string | undefined
  let format: string | undefined
  let includeUnmapped = false
  reader.parseObject('fetch_field_and_format', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
    format: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        format = reader.text()
      },
    },
    include_unmapped: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        includeUnmapped = reader.boolean()
      },
    },
  })
  if (field === undefined) throw illegalArgument('Required [field]')
  return { field, format, includeUnmapped }
}

export function checkFrom(from: number): number {
  if (from < 0) throw illegalArgument(`[from] parameter cannot be negative but was [${from}]`)
  return from
}

export function checkSize(size: number): number {
  if (size < 0) throw illegalArgument(`[size] parameter cannot be negative, found [${size}]`)
  return size
}

export function checkTerminateAfter(count: number): number {
  if (count < 0) throw illegalArgument('terminateAfter must be > 0')
  return count
}

export function checkTrackTotalHits(limit: number): number {
  if (limit < -1) {
    throw illegalArgument(`[track_total_hits] parameter must be positive or equals to -1, got ${limit}`)
  }
  return limit
}

export function checkStoredFields(names: readonly string[]): readonly string[] | 'none' {
  if (!names.includes('_none_')) return names
  if (names.length > 1) throw illegalArgument('cannot combine _none_ with other fields')
  return 'none'
}

/** The sort, where it is more than the order by score that a search has anyway. */
export function effectiveSort({ sort }: SearchBody): readonly SortSpec[] | undefined {
  if (sort === undefined || sort.length === 0) return undefined
  const [first] = sort
  return sort.length === 1 && first!.kind === 'score' && first!.descending ? undefined : sort
}

/** Rules between keys. */
export function validateSearchBody(body: SearchBody): ApiError | undefined {
  if (body.storedFields === 'none' && body.source?.enabled === true) {
    return validationFailed('[stored_fields] cannot be disabled if [_source] is requested')
  }
  if (body.storedFields === 'none' && body.version === true) {
    return validationFailed('[stored_fields] cannot be disabled if [version] is requested')
  }
  return undefined
}
