/** `inner_hits`: what a hit lists of its nested objects or collapsed documents. */
import { illegalArgument } from '../../base/api-error.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import type { FieldAndFormat } from './fields.ts'
import { readFields, readStoredFields } from './fields.ts'
import type { HighlightRequest } from './highlight/highlight-options.ts'
import { parseHighlight } from './highlight/parse-highlight.ts'
import type { QueryParser } from './query-parser.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type MemberParser,
  type RequestReader,
} from './request-reader.ts'
import { readScriptFields, type ScriptField } from './script-fields.ts'
import { parseSort, type SortSpec } from './sort/sort-spec.ts'
import { readSourceFilter, type SourceSelection } from './source-selection.ts'

export interface InnerHitsRequest {
  name: string | undefined
  ignoreUnmapped: boolean
  from: number
  size: number
  sort: SortSpec[] | undefined
  trackScores: boolean
  version: boolean
  seqNoPrimaryTerm: boolean
  explain: boolean
  source: SourceSelection | undefined
  storedFields: readonly string[] | 'none' | undefined
  docvalueFields: FieldAndFormat[]
  fields: FieldAndFormat[]
  scriptFields: ScriptField[]
  highlight: HighlightRequest | undefined
  /** Inside a collapsed group: lists the best hit per value of another field. */
  collapseField: string | undefined
}

const SIZE_DEFAULT = 3

/** Reads the object at the current token. Inner queries are parsed by `parseQuery`. */
export function parseInnerHits(reader: RequestReader, parseQuery: QueryParser): InnerHitsRequest {
  const request: InnerHitsRequest = {
    name: undefined,
    ignoreUnmapped: false,
    from: 0,
    size: SIZE_DEFAULT,
    sort: undefined,
    trackScores: false,
    version: false,
    seqNoPrimaryTerm: false,
    explain: false,
    source: undefined,
    storedFields: undefined,
    docvalueFields: [],
    fields: [],
    scriptFields: [],
    highlight: undefined,
    collapseField: undefined,
  }
  const member = (accepts: MemberParser['accepts'], parse: () => void): MemberParser => ({ accepts, parse })
  const flag = (key: 'ignoreUnmapped' | 'version' | 'seqNoPrimaryTerm' | 'trackScores' | 'explain') =>
    member(ACCEPTS_BOOLEAN, () => {
      request[key] = reader.boolean()
    })
  const count = (key: 'from' | 'size') =>
    member(ACCEPTS_NUMBER, () => {
      const value = reader.integer()
      if (value < 0) throw illegalArgument(`illegal ${key} value, at least 0 or higher`)
      request[key] = value
    })
  reader.parseObject('inner_hits', {
    name: member(ACCEPTS_STRING, () => {
      request.name = reader.text()
    }),
    ignore_unmapped: flag('ignoreUnmapped'),
    from: count('from'),
    size: count('size'),
    explain: flag('explain'),
    version: flag('version'),
    seq_no_primary_term: flag('seqNoPrimaryTerm'),
    track_scores: flag('trackScores'),
    stored_fields: member([STRING, START_ARRAY], () => {
      request.storedFields = readStoredFields(reader)
    }),
    docvalue_fields: member([START_ARRAY], () => {
      request.docvalueFields = readFields(reader)
    }),
    fields: member([START_ARRAY], () => {
      request.fields = readFields(reader)
    }),
    script_fields: member(ACCEPTS_OBJECT, () => {
      request.scriptFields = readScriptFields(reader)
    }),
    sort: member(ACCEPTS_OBJECT_ARRAY, () => {
      request.sort = parseSort(reader, parseQuery)
    }),
    _source: member([START_OBJECT, START_ARRAY, STRING, ...ACCEPTS_BOOLEAN], () => {
      request.source = readSourceFilter(reader)
    }),
    highlight: member(ACCEPTS_OBJECT, () => {
      request.highlight = parseHighlight(reader, parseQuery)
    }),
    collapse: member(ACCEPTS_OBJECT, () => {
      request.collapseField = readInnerCollapse(reader)
    }),
  })
  return request
}

/** Only a field: second-level groups have no inner hits. */
function readInnerCollapse(reader: RequestReader): string {
  const expect = (holds: boolean) => {
    if (!holds) throw reader.parsingError('Invalid token in the inner collapse')
  }
  expect(reader.next() === FIELD_NAME && reader.name === 'field')
  expect(reader.next() === STRING)
  const field = reader.text()
  expect(reader.next() === END_OBJECT)
  return field
}
