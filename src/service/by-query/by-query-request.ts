/** Bodies and options of `_update_by_query`, `_delete_by_query` and `_reindex`. */
import { ApiError, illegalArgument, notANumber, validationFailed } from '../../base/api-error.ts'
import { sizeInsteadOfMaxDocs, unknownOpType, unknownVersionType } from '../../base/errors/document-errors.ts'
import { INTEGER, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { ACCEPTS_OBJECT, ACCEPTS_STRING, RequestReader } from '../../engine/request/request-reader.ts'
import { readScript } from '../../engine/request/script.ts'
import { type Script, scriptOf } from '../../engine/scripts/script.ts'
import { hashOrder, javaClass } from '../../engine/values/java-text.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import { parseSearchBody } from '../search/request/search-request.ts'
import { isObject } from '../settings/flat-settings.ts'
import { parseRemote, type RemoteSource } from './remote-source.ts'

/** The options common to all operations. */
export interface ByQueryOptions {
  readonly proceedOnConflicts: boolean
  readonly maxDocs: number
  readonly slices: number | 'auto'
  readonly requestsPerSecond: number
}

/** The search part of a body, without the members of the operation itself. */
export interface SearchPart {
  readonly body: JsonObject
  /** Whether the body itself selects a slice. */
  readonly hasSlice: boolean
}

export interface ByQueryBody {
  readonly search: SearchPart
  readonly script: Script | undefined
  readonly conflicts: string | undefined
  readonly maxDocs: number | undefined
}

export interface ReindexDestination {
  readonly index: string | undefined
  readonly opType: 'index' | 'create'
  readonly versionType: 'internal' | 'external' | 'external_gte'
  readonly routing: string | undefined
  readonly pipeline: string | undefined
}

export interface ReindexBody {
  readonly indices: readonly string[]
  readonly search: SearchPart
  readonly size: number | undefined
  readonly remote: RemoteSource | undefined
  readonly destination: ReindexDestination
  readonly script: Script | undefined
  readonly conflicts: string | undefined
  readonly maxDocs: number | undefined
}

/**
 * Elasticsearch parses a by-query body as a search body after removing its own members, so error positions do not count
 * them.
 */
export function parseByQueryBody(bytes: Uint8Array, kind: 'update' | 'delete'): ByQueryBody {
  if (bytes.length === 0) return { search: searchPart({}), script: undefined, conflicts: undefined, maxDocs: undefined }
  const reader = new RequestReader(bytes)
  reader.next()
  const given = reader.value()
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw reader.objectExpected()
  }
  const { conflicts, max_docs: maxDocs, ...rest } = given as JsonObject
  // Elasticsearch checks its own members in this order, before the search.
  const own = { conflicts: readBodyConflicts(conflicts), maxDocs: readBodyMaxDocs(maxDocs) }
  if (kind === 'delete') return { search: searchPart(rest), script: undefined, ...own }
  const { script: givenScript, ...search } = rest
  const script = givenScript === undefined || givenScript === null ? undefined : scriptOf(givenScript)
  return { search: searchPart(search), script, ...own }
}

/** The error for a member of another type. Elasticsearch answers it with status 500. */
function wrongClass(value: unknown, expected: string): ApiError {
  const given =
    value !== null && typeof value === 'object' && !Array.isArray(value) ? 'java.util.HashMap' : javaClass(value)
  const reason = `class ${given} cannot be cast to class ${expected} (${given} and ${expected} are in module java.base of loader 'bootstrap')`
  return new ApiError(400, 'class_cast_exception', reason)
}

function readBodyMaxDocs(value: unknown): number | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'number') throw wrongClass(value, 'java.lang.Number')
  return checkMaxDocs(Math.trunc(value))
}

/** Checked even if a parameter of the request replaces it. */
function readBodyConflicts(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value !== 'string') throw wrongClass(value, 'java.lang.String')
  readConflicts(value)
  return value
}

/** Elasticsearch keeps the search in hash maps, whose order decides which of several mistakes is reported, and where. */
function searchPart(given: JsonObject): SearchPart {
  const body = inHashOrder(given) as JsonObject
  parseSearchBody(encodeJson(body))
  return { body, hasSlice: body['slice'] !== undefined }
}

function inHashOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inHashOrder)
  if (!isObject(value)) return value
  return Object.fromEntries(hashOrder(Object.keys(value)).map((name) => [name, inHashOrder(value[name])]))
}

export function parseReindexBody(bytes: Uint8Array): ReindexBody {
  const reader = new RequestReader(bytes)
  const parsed = {
    indices: [] as readonly string[],
    search: { body: {}, hasSlice: false } as SearchPart,
    size: undefined as number | undefined,
    remote: undefined as RemoteSource | undefined,
    destination: { index: undefined, opType: 'index', versionType: 'internal' } as ReindexDestination,
    script: undefined as Script | undefined,
    conflicts: undefined as string | undefined,
    maxDocs: undefined as number | undefined,
  }
  reader.parseObject('reindex', {
    source: { accepts: ACCEPTS_OBJECT, parse: () => Object.assign(parsed, readSource(reader.value() as JsonObject)) },
    dest: {
      accepts: ACCEPTS_OBJECT,
      parse: () => {
        parsed.destination = readDestination(reader)
      },
    },
    size: {
      accepts: [INTEGER, STRING],
      parse: () => {
        throw sizeInsteadOfMaxDocs()
      },
    },
    max_docs: {
      accepts: [INTEGER, STRING],
      parse: () => {
        parsed.maxDocs = checkMaxDocs(reader.integer())
      },
    },
    script: {
      accepts: [START_OBJECT],
      parse: () => {
        parsed.script = readScript(reader)
      },
    },
    conflicts: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        parsed.conflicts = reader.text()
        readConflicts(parsed.conflicts)
      },
    },
  })
  return parsed
}

/** `source` is a search body with additional `index`, `remote` and a batch `size`. */
function readSource(source: JsonObject): Pick<ReindexBody, 'indices' | 'search' | 'size' | 'remote'> {
  const { index, remote, type: _type, ...rest } = source
  const indices = readIndices(index)
  if (remote !== undefined) {
    // The remote server validates the query.
    return {
      indices,
      remote: parseRemote(remote as JsonObject),
      search: { body: rest, hasSlice: false },
      size: sizeOf(rest),
    }
  }
  return { indices, remote: undefined, search: searchPart(rest), size: sizeOf(rest) }
}

function sizeOf(search: JsonObject): number | undefined {
  const { size } = search
  return size === undefined ? undefined : Number(size)
}

function readIndices(index: unknown): string[] {
  if (index === undefined || index === null) return []
  if (typeof index === 'string') return index.split(',').filter((name) => name !== '')
  if (Array.isArray(index)) return index.map(String)
  throw illegalArgument(`Expected [index] to be a list or a string but was [${String(index)}]`)
}

const OP_TYPES = ['index', 'create'] as const
const VERSION_TYPES = ['internal', 'external', 'external_gte'] as const

function readDestination(reader: RequestReader): ReindexDestination {
  const read: { -readonly [K in keyof ReindexDestination]: ReindexDestination[K] } = {
    index: undefined,
    opType: 'index',
    versionType: 'internal',
    routing: undefined,
    pipeline: undefined,
  }
  reader.parseObject('dest', {
    index: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        read.index = reader.text()
      },
    },
    op_type: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const found = OP_TYPES.find((type) => type === reader.text().toLowerCase())
        if (found === undefined) throw unknownOpType(reader.text())
        read.opType = found
      },
    },
    version_type: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        const found = VERSION_TYPES.find((type) => type === reader.text())
        if (found === undefined) throw unknownVersionType(reader.text())
        read.versionType = found
      },
    },
    routing: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        read.routing = reader.text() || undefined
      },
    },
    pipeline: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        read.pipeline = reader.text()
      },
    },
  })
  return read
}

export function readConflicts(text: string): boolean {
  if (text === 'proceed' || text === 'abort') return text === 'proceed'
  throw illegalArgument(`conflicts may only be "proceed" or "abort" but was [${text}]`)
}

function checkMaxDocs(value: number): number {
  if (value < 0) throw illegalArgument(`[max_docs] parameter cannot be negative, found [${value}]`)
  if (value < 1) throw illegalArgument('[max_docs] should be >= [slices]')
  return value
}

/** Combines `max_docs` of the body with that of the query string. */
export function joinMaxDocs(body: number | undefined, parameter: number | undefined, slices: number | 'auto'): number {
  if (body !== undefined && parameter !== undefined && body !== parameter)
    throw illegalArgument(`[max_docs] set to two different values [${body}] and [${parameter}]`)
  if (slices === 'auto' && parameter === 0 && body === undefined)
    throw validationFailed(
      "maxDocs should be greater than 0 if the request is limited to some number of documents or -1 if it isn't but it was [0]",
    )
  if (parameter !== undefined) checkMaxDocs(parameter)
  const maxDocs = body ?? parameter ?? Infinity
  if (slices !== 'auto' && maxDocs < slices) throw illegalArgument('[max_docs] should be >= [slices]')
  return maxDocs
}

/** Every slice is a search; the maximum is that of a scroll. */
const SLICES_MAX = 1_024

const tooManySlices = (text: string) =>
  illegalArgument(
    `The number of slices [${text}] is too large. It must be less than [${SLICES_MAX}]. This limit can be set by changing the ` +
      '[index.max_slices_per_scroll] index level setting.',
  )

export function readSlices(text: string | undefined): number | 'auto' {
  if (text === undefined) return 1
  if (text === 'auto') return 'auto'
  const value = Number(text)
  if (value > SLICES_MAX && /^\+?\d+$/.test(text)) throw tooManySlices(text)
  if (/^[+-]?\d+$/.test(text) && value > 0) return value
  const reason = `[slices] must be a positive integer or the string "auto", but was [${text}]`
  throw illegalArgument(reason, /^[+-]?\d+$/.test(text) ? undefined : notANumber(text))
}

/** `requests_per_second`: a positive number, or -1 for unlimited. */
export function readRequestsPerSecond(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (value === -1) return Infinity
  if (value > 0 && text.trim() !== '') return value
  const reason = '[requests_per_second] must be a float greater than 0. Use -1 to disable throttling.'
  throw illegalArgument(reason, Number.isNaN(value) ? notANumber(text) : undefined)
}

/** Search problems that all operations check. */
export function searchProblems({ body, hasSlice }: SearchPart, slices: number | 'auto'): string[] {
  const problems: string[] = []
  if (Number(body['size']) === 0) problems.push('[size] cannot be [0] in a scroll context')
  if (body['from'] !== undefined)
    problems.push('using [from] is not allowed in a scroll context', 'from is not supported in this context')
  if (body['stored_fields'] !== undefined) problems.push('stored_fields is not supported in this context')
  if (hasSlice && slices !== 1) problems.push("can't specify both manual and automatic slicing at the same time")
  return problems
}

export function checkProblems(problems: readonly string[]): void {
  if (problems.length > 0) throw validationFailed(...problems)
}

export function reindexProblems(request: ReindexBody, slices: number | 'auto'): string[] {
  const problems = searchProblems(request.search, slices)
  if (request.search.body['_source'] === false) problems.push('_source:false is not supported in this context')
  if (request.indices.length === 0) problems.push('use _all if you really want to copy from all existing indexes')
  const { index, routing } = request.destination
  if (index === undefined) problems.push('index must be specified')
  else if (routing !== undefined && !['keep', 'discard'].includes(routing) && !routing.startsWith('='))
    problems.push('routing must be unset, [keep], [discard] or [=<some new value>]')
  if (request.remote !== undefined && slices !== 1)
    problems.push(`reindex from remote sources doesn't support slices > 1 but was [${slices}]`)
  return problems
}
