/** Parses the body of a multi-get: `docs` with an object per document, `ids` for a single index, or both. */
import { illegalArgument, parseFailure, validationFailed } from '../../base/api-error.ts'
import { docsElementNotObject, noDocumentsToGet, unknownVersionType } from '../../base/errors/document-errors.ts'
import {
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import type { ReadLimits } from '../../engine/limits/read-limits.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import { SOURCE_OFF, SOURCE_ON, sourceIncludes } from '../../engine/request/source-selection.ts'
import type { SourceFilter } from '../shards/shard-host.ts'
import { parseVersionType } from '../shards/write/write-rules.ts'
import type { DocumentGet } from './document-requests.ts'

export type MultiGetItem = DocumentGet

/** Defaults from path and parameters, for documents that do not override them. */
export interface MultiGetDefaults {
  readonly index: string | undefined
  readonly routing: string | undefined
  readonly realtime: boolean
  readonly refresh: boolean
  readonly sourceFilter: SourceFilter | undefined
  readonly storedFields: readonly string[] | undefined
  /** What the caller may read; undefined for everything. */
  readonly limits: ReadLimits | undefined
}

interface Draft {
  index: string | undefined
  id: string | undefined
  routing: string | undefined
  version: number | undefined
  sourceFilter: SourceFilter | undefined
  storedFields: readonly string[] | undefined
}

export function parseMultiGet(body: Uint8Array, defaults: MultiGetDefaults): MultiGetItem[] {
  const reader = new RequestReader(body)
  const drafts: Draft[] = []
  if (reader.next() !== START_OBJECT) {
    throw reader.parsingError(`unexpected token [${reader.tokenName}], expected [START_OBJECT]`)
  }
  while (reader.next() !== END_OBJECT) {
    const name = reader.name
    if (reader.next() !== START_ARRAY) {
      throw reader.parsingError(`unexpected token [${reader.tokenName}], expected [FIELD_NAME] or [START_ARRAY]`)
    }
    if (name === 'docs') readDocuments(reader, defaults, drafts)
    else if (name === 'ids') readIds(reader, defaults, drafts)
    else throw reader.parsingError(`unknown key [${name}] for a START_ARRAY, expected [docs] or [ids]`)
  }
  if (drafts.length === 0) throw noDocumentsToGet()
  return complete(drafts, defaults)
}

function complete(drafts: readonly Draft[], { realtime, refresh, limits }: MultiGetDefaults): MultiGetItem[] {
  const problems: string[] = []
  const items: MultiGetItem[] = []
  for (const [i, { index, id, ...rest }] of drafts.entries()) {
    if (index === undefined) problems.push(`index is missing for doc ${i}`)
    if (id === undefined) problems.push(`id is missing for doc ${i}`)
    if (index !== undefined && id !== undefined) {
      items.push({ index, id, ...rest, realtime, refresh, limits, allowsAnyVersion: true })
    }
  }
  if (problems.length > 0) throw validationFailed(...problems)
  return items
}

function newDraft({ index, routing, sourceFilter, storedFields }: MultiGetDefaults): Draft {
  return { index, id: undefined, routing, version: undefined, sourceFilter, storedFields }
}

function readIds(reader: RequestReader, defaults: MultiGetDefaults, drafts: Draft[]): void {
  while (reader.next() !== END_ARRAY) {
    if (!reader.isValue) throw illegalArgument('ids array element should only contain ids')
    drafts.push({ ...newDraft(defaults), id: reader.text() })
  }
}

function readDocuments(reader: RequestReader, defaults: MultiGetDefaults, drafts: Draft[]): void {
  while (reader.next() !== END_ARRAY) {
    if (reader.token !== START_OBJECT) throw docsElementNotObject()
    const draft = newDraft(defaults)
    while (reader.next() !== END_OBJECT) {
      const name = reader.name
      const token = reader.next()
      if (name === 'fields' && token !== NULL) {
        throw reader.parsingError('Unsupported field [fields] used, expected [stored_fields] instead')
      }
      if (reader.isValue) readMember(reader, name, draft)
      else if (token === START_ARRAY) readListMember(reader, name, draft)
      else if (token === START_OBJECT && name === '_source') draft.sourceFilter = readSourceObject(reader)
      else if (token === START_OBJECT)
        throw reader.next() === END_OBJECT ? docsElementNotObject() : unknownMember(reader.name)
    }
    drafts.push(draft)
  }
}

function readMember(reader: RequestReader, name: string, draft: Draft): void {
  switch (name) {
    case '_index':
      draft.index = reader.text()
      return
    case '_id':
      draft.id = reader.text()
      return
    case 'routing':
      draft.routing = reader.text()
      return
    case 'stored_fields':
      draft.storedFields = [reader.text()]
      return
    case 'version':
      draft.version = reader.long()
      return
    case 'version_type':
      if (parseVersionType(reader.text()) === undefined) throw unknownVersionType(reader.text())
      return
    case '_source':
      // `"true"` is read as a boolean, but not in a list.
      if (reader.token === TRUE || isText(reader, 'true')) draft.sourceFilter = SOURCE_ON
      else if (reader.token === FALSE || isText(reader, 'false')) draft.sourceFilter = SOURCE_OFF
      else if (reader.token === STRING) draft.sourceFilter = sourceIncludes([reader.text()])
      else throw parseError(`illegal type for _source: [${reader.tokenName}]`)
      return
    default:
      throw unknownMember(name)
  }
}

const isText = (reader: RequestReader, text: string) => reader.token === STRING && reader.text() === text

function readListMember(reader: RequestReader, name: string, draft: Draft): void {
  if (name !== 'stored_fields' && name !== '_source') {
    // Elasticsearch reads every element as the value of the member.
    while (reader.next() !== END_ARRAY) {
      if (!reader.isValue) throw unknownMember(name)
      readMember(reader, name, draft)
    }
    return
  }
  const values: string[] = []
  while (reader.next() !== END_ARRAY) values.push(reader.text())
  if (name === 'stored_fields') draft.storedFields = values
  else draft.sourceFilter = sourceIncludes(values)
}

function readSourceObject(reader: RequestReader): SourceFilter {
  let includes: string[] = []
  let excludes: string[] = []
  while (reader.next() !== END_OBJECT) {
    const { name } = reader
    const isInclude = name === 'includes' || name === 'include'
    if (reader.token === FIELD_NAME && !isInclude && name !== 'excludes' && name !== 'exclude') {
      const { line, col } = reader.location()
      throw illegalArgument(`Expected text at ${line}:${col} but found FIELD_NAME`)
    }
    const patterns: string[] = []
    reader.next()
    if (reader.token === START_OBJECT || reader.token === NULL)
      throw parseError('unexpected token while parsing source settings')
    reader.each(() => patterns.push(reader.text()))
    if (isInclude) includes = patterns
    else excludes = patterns
  }
  return { enabled: true, includes, excludes }
}

const unknownMember = (name: string) => parseError(`failed to parse multi get request. unknown field [${name}]`)

const parseError = (reason: string) => parseFailure(reason)
