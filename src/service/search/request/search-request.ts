/** Parses the body of a search. This is the only place with its grammar; each mistake has Elasticsearch's error. */
import { xContentParse } from '../../../base/api-error.ts'
import { parseDuration } from '../../../base/duration.ts'
import { notSupportedYet } from '../../../base/errors/search-errors.ts'
import {
  END,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { parseAggregations } from '../../../engine/aggregations/parse-aggregations.ts'
import { BoolQuery } from '../../../engine/query/compound/bool.ts'
import { parseQuery } from '../../../engine/query/parse-query.ts'
import { readKnnSection } from '../../../engine/query/vectors/knn-clause.ts'
import { readFields, readStoredFields } from '../../../engine/request/fields.ts'
import { parseHighlight } from '../../../engine/request/highlight/parse-highlight.ts'
import { RequestReader } from '../../../engine/request/request-reader.ts'
import { readRescore } from '../../../engine/request/rescore.ts'
import { readScriptFields } from '../../../engine/request/script-fields.ts'
import { readSearchAfter } from '../../../engine/request/search-after.ts'
import { readSlice } from '../../../engine/request/slice.ts'
import { parseSort } from '../../../engine/request/sort/sort-spec.ts'
import { readSourceFilter } from '../../../engine/request/source-selection.ts'
import { parseSuggest } from '../../../engine/request/suggest/parse-suggest.ts'
import type { JsonObject } from '../../metadata/metadata.ts'
import { readRetriever } from '../retrievers/parse-retriever.ts'
import { readCollapse } from './collapse-body.ts'
import { readPointInTime } from './paging-body.ts'
import {
  checkFrom,
  checkSize,
  checkStart,
  checkTerminateAfter,
  checkTrackTotalHits,
  newSearchBody,
  type SearchBody,
  SIZE_DEFAULT,
  TRACK_ALL,
  TRACK_NONE,
} from './search-body.ts'

/** Parses a body; an empty one matches everything. */
export function parseSearchBody(bytes: Uint8Array): SearchBody {
  const body = newSearchBody()
  if (bytes.length === 0) return body
  const reader = new RequestReader(bytes)
  const sections: KnnSection[] = []
  reader.next()
  if (reader.token !== START_OBJECT) {
    throw reader.objectExpected()
  }
  while (reader.next() !== END_OBJECT) {
    const key = reader.name
    reader.next()
    if (key === 'knn' && reader.isStart) readSections(reader, sections)
    else if (!readKey(reader, key, body)) throw reader.unknownKey(key)
  }
  if (!reader.is(END) && reader.next() !== END) {
    throw reader.tokenAfterObject()
  }
  reader.release()
  checkStart(body)
  addSections(body, sections)
  return body
}

type KnnSection = ReturnType<typeof readKnnSection>

function readSections(reader: RequestReader, sections: KnnSection[]): void {
  if (reader.token === START_OBJECT) sections.push(readKnnSection(reader, parseQuery))
  else reader.each(() => sections.push(readKnnSection(reader, parseQuery)))
}

/** The documents of a search are those of its query and those of its sections; scores of a document are added. */
function addSections(body: SearchBody, sections: readonly KnnSection[]): void {
  body.knn = sections.map((finish) => finish(body.size ?? SIZE_DEFAULT))
  // A retriever is alone; the search is refused.
  if (body.knn.length === 0 || body.retriever !== undefined) return
  body.queryBesideSections = body.query
  const should = body.query === undefined ? body.knn : [body.query, ...body.knn]
  body.query = should.length === 1 ? should[0]! : new BoolQuery({ should })
}

/** Returns false for an unknown key and for a known one with a value of another type. */
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
      body.sort = parseSort(reader, parseQuery)
      return true
    case 'explain':
      body.explain = reader.boolean()
      return true
    case 'profile':
      body.profile = reader.boolean()
      return true
    default:
      return false
  }
}

const OBJECTS_TO_COME: ReadonlySet<string> = new Set(['rank'])

function readObject(reader: RequestReader, key: string, body: SearchBody): boolean {
  switch (key) {
    case 'query':
      body.query = parseQuery(reader)
      return true
    case 'retriever':
      body.retriever = readRetriever(reader)
      return true
    case 'post_filter':
      body.postFilter = parseQuery(reader)
      return true
    case '_source':
      body.source = readSourceFilter(reader)
      return true
    case 'sort':
      body.sort = parseSort(reader, parseQuery)
      return true
    case 'rescore':
      body.rescores.push(readRescore(reader, parseQuery))
      return true
    case 'suggest':
      body.suggest = parseSuggest(reader)
      return true
    case 'highlight':
      body.highlight = parseHighlight(reader, parseQuery)
      return true
    case 'pit':
      body.pit = readPointInTime(reader)
      return true
    case 'slice':
      body.slice = readSlice(reader)
      return true
    case 'collapse':
      body.collapse = readCollapse(reader)
      return true
    case 'aggs':
    case 'aggregations':
      body.aggregations = parseAggregations(reader)
      return true
    case 'script_fields':
      body.scriptFields = readScriptFields(reader)
      return true
    case 'runtime_mappings':
      body.runtimeMappings = reader.value() as JsonObject
      return true
    case 'ext':
      // `ext` accepts no members, because there are no plugins.
      if (reader.next() === END_OBJECT) return true
      throw xContentParse('unknown named object category [org.elasticsearch.search.SearchExtBuilder]')
    default:
      if (!OBJECTS_TO_COME.has(key)) return false
      throw notSupportedYet(key)
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
      body.sort = parseSort(reader, parseQuery)
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
      reader.each(() => body.rescores.push(readRescore(reader, parseQuery)))
      return true
    case 'search_after':
      body.searchAfter = readSearchAfter(reader)
      return true
    default:
      return false
  }
}

function readBoostList(reader: RequestReader, body: SearchBody): void {
  const expect = (token: string, place: string) => {
    if (reader.tokenName === token) return
    throw reader.parsingError(`Expected [${token}] in [${place}] but found [${reader.tokenName}]`)
  }
  const expectNext = (token: string) => {
    reader.next()
    expect(token, 'indices_boost')
  }
  while (reader.next() !== END_ARRAY) {
    expect('START_OBJECT', 'null')
    expectNext('FIELD_NAME')
    const { name } = reader
    expectNext('VALUE_NUMBER')
    body.indicesBoost.push({ name, boost: reader.float() })
    expectNext('END_OBJECT')
  }
}

function readTrackTotalHits(reader: RequestReader): number {
  if (reader.token === TRUE || (reader.token === STRING && reader.text() === 'true')) return TRACK_ALL
  if (reader.token === FALSE || (reader.token === STRING && reader.text() === 'false')) return TRACK_NONE
  return checkTrackTotalHits(reader.integer())
}
