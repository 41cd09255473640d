/** The body of a search: the one place that knows its grammar, with the error Elasticsearch has for each mistake. */
import { type ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import { notSupportedYet } from '../../base/errors/search-errors.ts'
import {
  END,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { parseQuery } from '../../engine/query/parse-query.ts'
import type { Query } from '../../engine/query/query.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_STRING, RequestReader } from '../../engine/query/request-reader.ts'
import type { FieldAndFormat } from '../../engine/search/field-fetcher.ts'
import type { Rescore } from '../../engine/search/rescore.ts'
import { parseSort, type SortSpec } from '../../engine/sort/sort-spec.ts'
import type { SourceFilter } from '../shards/shard-host.ts'
import { readSourceFilter } from '../shards/source-filter-json.ts'
import { readRescore } from './rescore-body.ts'

/** Exact counting; every other value of `trackTotalHits` is the count up to which it is exact. */
export const TRACK_ALL = 0x7fffffff
export const TRACK_NONE = -1
export const TRACK_DEFAULT = 10_000

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
    statsGroups: [],
  }
}

/** Reads a body; an empty one asks for everything. */
export function parseSearchBody(bytes: Uint8Array): SearchBody {
  const body = newSearchBody()
  if (bytes.length === 0) return body
  const reader = new RequestReader(bytes)
  reader.next()
  if (reader.token !== START_OBJECT) {
    throw reader.parsingError(`Expected [START_OBJECT] but found [${reader.tokenName}]`)
  }
  while (reader.next() !== END_OBJECT) {
    const key = reader.name
    reader.next()
    if (!readKey(reader, key, body)) throw reader.parsingError(`Unknown key for a ${reader.tokenName} in [${key}].`)
  }
  if (!reader.is(END) && reader.next() !== END) {
    throw reader.parsingError(`Unexpected token [${reader.tokenName}] found after the main object.`)
  }
  return body
}

/** False when the key is unknown, or known but not with a value of this kind. */
function readKey(reader: RequestReader, key: string, body: SearchBody): boolean {
  if (reader.token === START_OBJECT) return readObject(reader, key, body)
  if (reader.token === START_ARRAY) return readArray(reader, key, body)
  return reader.isValue && readValue(reader, key, body)
}

function readValue(reader: RequestReader, key: string, body: SearchBody): boolean {
  switch (key) {
    case 'from':
      body.from = checkFrom(reader.integer())
      return true
    case 'size':
      body.size = checkSize(reader.integer())
      return true
    case 'timeout':
      body.timeoutMs = parseDuration(reader.text(), 'timeout')
      return true
    case 'terminate_after':
      body.terminateAfter = checkTerminateAfter(reader.integer())
      return true
    case 'min_score':
      body.minScore = Math.fround(reader.float())
      return true
    case 'version':
      body.version = reader.boolean()
      return true
    case 'seq_no_primary_term':
      body.seqNoPrimaryTerm = reader.boolean()
      return true
    case 'track_scores':
      body.trackScores = reader.boolean()
      return true
    case 'track_total_hits':
      body.trackTotalHits = readTrackTotalHits(reader)
      return true
    case '_source':
      body.source = readSourceFilter(reader)
      return true
    case 'stored_fields':
      body.storedFields = readStoredFields(reader)
      return true
    case 'sort':
      body.sort = parseSort(reader)
      return true
    case 'explain':
    case 'profile':
      if (reader.boolean()) throw notSupportedYet(key)
      return true
    default:
      return false
  }
}

const OBJECTS_TO_COME: ReadonlySet<string> = new Set([
  'script_fields',
  'aggs',
  'aggregations',
  'highlight',
  'suggest',
  'slice',
  'collapse',
  'pit',
  'runtime_mappings',
  'knn',
  'rank',
  'retriever',
])

function readObject(reader: RequestReader, key: string, body: SearchBody): boolean {
  switch (key) {
    case 'query':
      body.query = parseQuery(reader)
      return true
    case 'post_filter':
      body.postFilter = parseQuery(reader)
      return true
    case '_source':
      body.source = readSourceFilter(reader)
      return true
    case 'sort':
      body.sort = parseSort(reader)
      return true
    case 'indices_boost':
      while (reader.next() !== END_OBJECT) {
        const name = reader.name
        reader.next()
        body.indicesBoost.push({ name, boost: reader.float() })
      }
      return true
    case 'rescore':
      body.rescores.push(readRescore(reader))
      return true
    case 'ext':
      reader.skipChildren()
      return true
    default:
      if (OBJECTS_TO_COME.has(key)) throw notSupportedYet(key)
      return false
  }
}

function readArray(reader: RequestReader, key: string, body: SearchBody): boolean {
  switch (key) {
    case 'stored_fields':
      body.storedFields = readStoredFields(reader)
      return true
    case 'docvalue_fields':
      body.docvalueFields = readFields(reader)
      return true
    case 'fields':
      body.fields = readFields(reader)
      return true
    case 'sort':
      body.sort = parseSort(reader)
      return true
    case '_source':
      body.source = readSourceFilter(reader)
      return true
    case 'indices_boost':
      readBoostList(reader, body)
      return true
    case 'stats':
      reader.each(() => body.statsGroups.push(reader.text()))
      return true
    case 'rescore':
      reader.each(() => body.rescores.push(readRescore(reader)))
      return true
    case 'search_after':
    case 'knn':
      throw notSupportedYet(key)
    default:
      return false
  }
}

function readBoostList(reader: RequestReader, body: SearchBody): void {
  while (reader.next() !== END_ARRAY) {
    if (!reader.is(START_OBJECT)) {
      throw reader.parsingError(`Expected [START_OBJECT] in [indices_boost] but found [${reader.tokenName}]`)
    }
    reader.next()
    const { name } = reader
    reader.next()
    body.indicesBoost.push({ name, boost: reader.float() })
    reader.next()
  }
}

function readTrackTotalHits(reader: RequestReader): number {
  if (reader.token === TRUE || (reader.token === STRING && reader.text() === 'true')) return TRACK_ALL
  if (reader.token === FALSE || (reader.token === STRING && reader.text() === 'false')) return TRACK_NONE
  return checkTrackTotalHits(reader.integer())
}

function readStoredFields(reader: RequestReader): readonly string[] | 'none' {
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
function readFields(reader: RequestReader): FieldAndFormat[] {
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
