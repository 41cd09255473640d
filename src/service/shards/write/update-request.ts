/**
 * Parses the body of an update: `doc` or `script`, `upsert` and the options.
 *
 * It is parsed before anything is resolved, so that an error fails the request (in a bulk, the whole request) without
 * touching an index.
 */

import { jsonSyntaxError } from '../../../base/errors/json-errors.ts'
import { illegalNumber } from '../../../base/errors/value-errors.ts'
import { FALSE, START_ARRAY, START_OBJECT, STRING, TRUE } from '../../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../../base/json/json-syntax-error.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT, RequestReader } from '../../../engine/request/request-reader.ts'
import { ACCEPTS_SCRIPT, readScript } from '../../../engine/request/script.ts'
import { readSourceFilter } from '../../../engine/request/source-selection.ts'
import type { Script } from '../../../engine/scripts/script.ts'
import type { SourceFilter } from '../shard-host.ts'
import { readSourceObject, type SourceObject } from './source-value.ts'
import { knownPrimaryTerm, knownSeqNo } from './write-rules.ts'

export interface UpdateRequest {
  doc: SourceObject | undefined
  upsert: SourceObject | undefined
  script: Script | undefined
  /** Whether the script runs on `upsert` if the document does not exist. */
  scriptedUpsert: boolean
  docAsUpsert: boolean
  detectNoop: boolean
  ifSeqNo: number | undefined
  ifPrimaryTerm: number | undefined
  sourceFilter: SourceFilter | undefined
}

const ACCEPTS_SWITCH = [TRUE, FALSE, STRING] as const
const ACCEPTS_SOURCE = [TRUE, FALSE, STRING, START_ARRAY, START_OBJECT] as const

/** Parses the body in `bytes`, which stays unchanged. An empty body is an empty request: see `updateProblems`. */
export function parseUpdateRequest(bytes: Uint8Array): UpdateRequest {
  const request = newRequest()
  if (bytes.length > 0) readMembers(bytes, request)
  return request
}

/** Parses an update line of a bulk, which must exist and contain an object. */
export function parseUpdateLine(bytes: Uint8Array): UpdateRequest {
  const request = newRequest()
  readMembers(bytes, request)
  return request
}

function newRequest(): UpdateRequest {
  return {
    doc: undefined,
    upsert: undefined,
    script: undefined,
    scriptedUpsert: false,
    docAsUpsert: false,
    detectNoop: true,
    ifSeqNo: undefined,
    ifPrimaryTerm: undefined,
    sourceFilter: undefined,
  }
}

function readMembers(bytes: Uint8Array, request: UpdateRequest): void {
  const reader = new RequestReader(bytes)
  try {
    readObject(reader, request)
  } catch (error) {
    throw error instanceof JsonSyntaxError ? jsonSyntaxError(error) : error
  } finally {
    reader.release()
  }
}

function readObject(reader: RequestReader, request: UpdateRequest): void {
  const document = () => {
    try {
      return readSourceObject(reader.json)
    } catch (error) {
      // Only the inner of the two errors is shown, because the field's own error wraps it.
      throw error instanceof JsonSyntaxError ? jsonSyntaxError(error).causedBy : error
    }
  }
  reader.parseObject('UpdateRequest', {
    script: { accepts: ACCEPTS_SCRIPT, parse: () => (request.script = readScript(reader)) },
    scripted_upsert: { accepts: ACCEPTS_SWITCH, parse: () => (request.scriptedUpsert = reader.boolean()) },
    upsert: { accepts: ACCEPTS_OBJECT, parse: () => (request.upsert = document()) },
    doc: { accepts: ACCEPTS_OBJECT, parse: () => (request.doc = document()) },
    doc_as_upsert: { accepts: ACCEPTS_SWITCH, parse: () => (request.docAsUpsert = reader.boolean()) },
    detect_noop: { accepts: ACCEPTS_SWITCH, parse: () => (request.detectNoop = reader.boolean()) },
    _source: { accepts: ACCEPTS_SOURCE, parse: () => (request.sourceFilter = readSourceFilter(reader)) },
    if_seq_no: { accepts: ACCEPTS_NUMBER, parse: () => (request.ifSeqNo = knownSeqNo(readLong(reader))) },
    if_primary_term: {
      accepts: ACCEPTS_NUMBER,
      parse: () => (request.ifPrimaryTerm = knownPrimaryTerm(readLong(reader))),
    },
  })
}

/** Contradictions between members of an update, in Elasticsearch's order. */
export function updateProblems(request: UpdateRequest): string[] {
  const problems: string[] = []
  const hasScript = request.script !== undefined
  if (!hasScript && request.doc === undefined) problems.push('script or doc is missing')
  if (hasScript && request.doc !== undefined) problems.push("can't provide both script and doc")
  if (request.doc === undefined && request.docAsUpsert) {
    problems.push('doc must be specified if doc_as_upsert is enabled')
  }
  return problems
}

function readLong(reader: RequestReader): number {
  const text = reader.text()
  if (!/^[+-]?\d+$/.test(text)) throw illegalNumber(text)
  return Number(text)
}
