/** Parses requests for term vectors: from parameters, from a body, or both, and several at once. */
import { illegalArgument, parseFailure, validationFailed } from '../../base/api-error.ts'
import { docsElementNotObject, unknownVersionType } from '../../base/errors/document-errors.ts'
import { END_ARRAY, END_OBJECT, NULL, START_ARRAY, START_OBJECT } from '../../base/json/json-reader.ts'
import type { ReadLimits } from '../../engine/limits/read-limits.ts'
import { analyzersByField } from '../../engine/request/analyzers-by-field.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import { hashOrder } from '../../engine/values/java-text.ts'
import { parseVersionType } from '../shards/write/write-rules.ts'

/** Limits for the terms to keep, by frequency and score. */
export interface TermFilter {
  readonly maxNumTerms: number
  readonly minTermFreq: number
  readonly maxTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
  readonly minWordLength: number
  readonly maxWordLength: number
}

export interface TermVectorsRequest {
  index: string | undefined
  id: string | undefined
  /** An artificial document in place of an id. */
  doc: Record<string, unknown> | undefined
  routing: string | undefined
  realtime: boolean
  version: number | undefined
  /** Names or patterns; undefined selects the fields with term vectors. */
  fields: readonly string[] | undefined
  positions: boolean
  offsets: boolean
  termStatistics: boolean
  fieldStatistics: boolean
  perFieldAnalyzer: Readonly<Record<string, string>>
  filter: TermFilter | undefined
  /** What the caller may read; undefined for everything. */
  readonly limits: ReadLimits | undefined
}

/** Combines the parameters and the body of `_termvectors`; the body takes precedence. */
export function parseTermVectors(body: Uint8Array, defaults: TermVectorsRequest): TermVectorsRequest {
  const request = { ...defaults }
  if (body.length === 0) return request
  const reader = new RequestReader(body)
  reader.next()
  readTermVectorsRequest(reader, request)
  return request
}

/** Reads the members of one request at the reader's START_OBJECT into `request`. */
function readTermVectorsRequest(reader: RequestReader, request: TermVectorsRequest): void {
  while (reader.next() !== END_OBJECT) {
    const name = reader.name
    reader.next()
    readMember(reader, name, request)
  }
}

function readMember(reader: RequestReader, name: string, request: TermVectorsRequest): void {
  switch (name) {
    case 'fields':
      if (reader.token !== START_ARRAY)
        throw parseError('failed to parse term vectors request. field [fields] must be an array')
      request.fields = noneIsAll(readStrings(reader))
      return
    case 'offsets':
      request.offsets = reader.boolean()
      return
    case 'positions':
      request.positions = reader.boolean()
      return
    case 'payloads':
      reader.boolean()
      return
    case 'term_statistics':
    case 'termStatistics':
      request.termStatistics = reader.boolean()
      return
    case 'field_statistics':
    case 'fieldStatistics':
      request.fieldStatistics = reader.boolean()
      return
    case 'per_field_analyzer':
      request.perFieldAnalyzer = analyzersByField(reader.value())
      return
    case 'filter':
      request.filter = readFilter(reader)
      return
    case '_index':
      request.index = reader.text()
      return
    case '_id':
      if (request.doc !== undefined)
        throw parseError('failed to parse term vectors request. either [id] or [doc] can be specified, but not both!')
      request.id = reader.text()
      return
    case 'doc':
      if (request.id !== undefined)
        throw parseError('failed to parse term vectors request. either [id] or [doc] can be specified, but not both!')
      request.doc = reader.value() as Record<string, unknown>
      return
    case 'routing':
      request.routing = reader.text()
      return
    case 'version':
      request.version = reader.long()
      return
    case 'version_type':
      if (parseVersionType(reader.text()) === undefined) throw unknownVersionType(reader.text())
      return
    case 'dfs':
      throw illegalArgument('distributed frequencies is not supported anymore for term vectors')
    default:
      throw parseError(`failed to parse term vectors request. unknown field [${name}]`)
  }
}

function readFilter(reader: RequestReader): TermFilter {
  const unlimited = Number.POSITIVE_INFINITY
  const filter = {
    maxNumTerms: 25,
    minTermFreq: 1,
    maxTermFreq: unlimited,
    minDocFreq: 1,
    maxDocFreq: unlimited,
    minWordLength: 0,
    maxWordLength: unlimited,
  }
  const members: Record<string, keyof typeof filter> = {
    max_num_terms: 'maxNumTerms',
    min_term_freq: 'minTermFreq',
    max_term_freq: 'maxTermFreq',
    min_doc_freq: 'minDocFreq',
    max_doc_freq: 'maxDocFreq',
    min_word_length: 'minWordLength',
    max_word_length: 'maxWordLength',
  }
  while (reader.next() !== END_OBJECT) {
    const member = members[reader.name]
    if (member === undefined) {
      throw parseError(
        `failed to parse term vectors request. the field [${reader.name}] is not valid for filter parameter for term vector request`,
      )
    }
    reader.next()
    filter[member] = reader.integer()
  }
  return filter
}

/** Parses the body of `_mtermvectors`: `docs`, or `ids` with `parameters` for all of them. */
export function parseMultiTermVectors(
  body: Uint8Array,
  ids: readonly string[],
  defaults: TermVectorsRequest,
): TermVectorsRequest[] {
  const requests: TermVectorsRequest[] = []
  const shared = { ...defaults }
  const wanted = [...ids]
  if (body.length > 0) {
    const reader = new RequestReader(body)
    reader.next()
    while (reader.next() !== END_OBJECT) {
      const name = reader.name
      const token = reader.next()
      if (token === START_ARRAY && name === 'docs') readDocuments(reader, defaults, requests)
      else if (token === START_ARRAY && name === 'ids') wanted.push(...readIds(reader))
      else if (token === START_OBJECT && name === 'parameters') readTermVectorsRequest(reader, shared)
      else {
        if (reader.isValue || token === NULL) throw parseError(`_mtermvectors: Parameter [${name}] not supported`)
        throw parseError(`no parameter named [${name}] and type ${token === START_ARRAY ? 'ARRAY' : 'OBJECT'}`)
      }
    }
  }
  // Elasticsearch collects the ids in a set.
  for (const id of hashOrder([...new Set(wanted)])) requests.push({ ...shared, id })
  if (requests.length === 0) throw validationFailed('multi term vectors: no documents requested')
  checkComplete(requests)
  return requests
}

function readDocuments(reader: RequestReader, defaults: TermVectorsRequest, requests: TermVectorsRequest[]): void {
  while (reader.next() !== END_ARRAY) {
    if (reader.token !== START_OBJECT) throw docsElementNotObject()
    const request = { ...defaults }
    readTermVectorsRequest(reader, request)
    requests.push(request)
  }
}

function checkComplete(requests: readonly TermVectorsRequest[]): void {
  const problems: string[] = []
  for (const [i, { index, id, doc }] of requests.entries()) {
    const found = [...(index === undefined ? ['index is missing'] : []), ...termVectorsProblems(id, doc)]
    if (found.length > 0) problems.push(...found, `at multi term vectors for doc ${i}`)
  }
  if (problems.length > 0) throw validationFailed(...problems)
}

export function termVectorsProblems(id: string | undefined, doc: unknown): string[] {
  return id === undefined && doc === undefined ? ['id or doc is missing'] : []
}

function readIds(reader: RequestReader): string[] {
  const ids: string[] = []
  while (reader.next() !== END_ARRAY) {
    if (!reader.isValue || reader.token === NULL) throw illegalArgument('ids array element should only contain ids')
    ids.push(reader.text())
  }
  return ids
}

function readStrings(reader: RequestReader): string[] {
  const texts: string[] = []
  while (reader.next() !== END_ARRAY) texts.push(reader.text())
  return texts
}

const parseError = (reason: string) => parseFailure(reason)

/** An empty list selects what no list does. */
const noneIsAll = (names: readonly string[]) => (names.length === 0 ? undefined : names)
