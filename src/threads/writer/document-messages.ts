/**
 * Requests for single documents, and their answers, as tuples.
 *
 * Structured cloning writes the name of every member, and an ArrayBuffer as an object that the receiver has to
 * allocate. A tuple with the bytes as text, one character per byte, has neither, so a small document needs about a third
 * less CPU time for the way to the writer thread and back. Requests with unusual options, and larger documents, are sent
 * as ordinary calls.
 */
import type { GetAnswer, GetRequest, WriteAnswer, WriteRequest } from '../../service/shards/shard-host.ts'

/** Larger documents are transferred, which costs the same for any size. */
const TEXT_BYTES_MAX = 4096

type WriteTuple = readonly [
  kind: 'write',
  callId: number,
  indexUuid: string,
  shard: number,
  action: WriteRequest['action'],
  id: string,
  autoId: boolean,
  source: string | undefined,
  refresh: WriteRequest['refresh'],
]

type GetTuple = readonly [kind: 'get', callId: number, indexUuid: string, shard: number, id: string, realtime: boolean]

export type DocumentCall = WriteTuple | GetTuple

type WrittenTuple = readonly [
  kind: 'written',
  callId: number,
  result: WriteAnswer['result'],
  version: number,
  seqNo: number,
  primaryTerm: number,
  forcedRefresh: boolean,
]

type FoundTuple = readonly [
  kind: 'found',
  callId: number,
  version: number,
  seqNo: number,
  primaryTerm: number,
  routing: string | undefined,
  source: string | undefined,
]

export type DocumentReply = WrittenTuple | FoundTuple

type SentOptions = 'key' | 'action' | 'id' | 'autoId' | 'source' | 'refresh'

/** The options that a tuple does not carry, with the values that all requests in tuples have. */
const USUAL: { readonly [name in Exclude<keyof WriteRequest, SentOptions>]-?: WriteRequest[name] } = {
  routing: undefined,
  version: undefined,
  versionType: 'internal',
  ifSeqNo: undefined,
  ifPrimaryTerm: undefined,
  retryOnConflict: 0,
  requireTimestamp: false,
  route: undefined,
  dynamicTemplates: undefined,
  sourceFilter: undefined,
  origin: undefined,
}
const USUAL_NAMES = Object.keys(USUAL) as (keyof typeof USUAL)[]

/** The request as a tuple; undefined if it needs an ordinary call. */
export function packWrite(callId: number, request: WriteRequest): WriteTuple | undefined {
  const { key, action, id, autoId, source, refresh } = request
  if (source !== undefined && source.length > TEXT_BYTES_MAX) return undefined
  for (const name of USUAL_NAMES) if (request[name] !== USUAL[name]) return undefined
  return ['write', callId, key.indexUuid, key.shard, action, id, autoId, textOf(source), refresh]
}

export function unpackWrite(tuple: WriteTuple): WriteRequest {
  const [, , indexUuid, shard, action, id, autoId, source, refresh] = tuple
  // Spread last: see CONTRIBUTING.md on the cost of members after a spread.
  return { key: { indexUuid, shard }, action, id, autoId, source: bytesOf(source), refresh, ...USUAL }
}

/** The request as a tuple; undefined if it needs an ordinary call. */
export function packGet(callId: number, { key, id, realtime, storedFields }: GetRequest): GetTuple | undefined {
  return storedFields.length > 0 ? undefined : ['get', callId, key.indexUuid, key.shard, id, realtime]
}

export function unpackGet([, , indexUuid, shard, id, realtime]: GetTuple): GetRequest {
  return { key: { indexUuid, shard }, id, realtime, storedFields: [] }
}

/** The answer as a tuple; undefined if it needs an ordinary one. */
export function packWritten(callId: number, answer: WriteAnswer): WrittenTuple | undefined {
  const { result, version, seqNo, primaryTerm, forcedRefresh, source, isSourceGone } = answer
  if (source !== undefined || isSourceGone === true) return undefined
  return ['written', callId, result, version, seqNo, primaryTerm, forcedRefresh]
}

/** The answer as a tuple; undefined if it needs an ordinary one. */
export function packFound(callId: number, answer: GetAnswer | undefined): FoundTuple | undefined {
  if (answer === undefined || answer.ignored.length > 0 || answer.storedFields !== undefined) return undefined
  const { version, seqNo, primaryTerm, routing, source } = answer
  if (source !== undefined && source.length > TEXT_BYTES_MAX) return undefined
  return ['found', callId, version, seqNo, primaryTerm, routing, textOf(source)]
}

export function unpackReply(reply: DocumentReply): WriteAnswer | GetAnswer {
  if (reply[0] === 'written') {
    const [, , result, version, seqNo, primaryTerm, forcedRefresh] = reply
    return { result, version, seqNo, primaryTerm, forcedRefresh, source: undefined }
  }
  const [, , version, seqNo, primaryTerm, routing, source] = reply
  return { version, seqNo, primaryTerm, routing, ignored: [], source: bytesOf(source), storedFields: undefined }
}

export function isDocumentCall(message: object): message is DocumentCall {
  return Array.isArray(message)
}

export function isDocumentReply(message: object): message is DocumentReply {
  return Array.isArray(message)
}

/** Bytes as text with one character per byte. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString('latin1')
}

function bytesOf(text: string | undefined): Uint8Array | undefined {
  return text === undefined ? undefined : Buffer.from(text, 'latin1')
}
