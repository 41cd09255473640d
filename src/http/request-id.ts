/**
 * The id that log lines about a request carry. A client or proxy can choose it with `X-Request-Id`; the trace id of a
 * `traceparent` header comes second. Otherwise an id is made when a line needs one.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { MetadataState } from '../service/metadata/metadata-state.ts'
import { newRequestId, type RequestOrigin, showsUsers } from '../service/slow-log/request-origin.ts'
import type { HttpRequest } from './request.ts'

const ID_LENGTH_MAX = 128
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

export function requestIdOf(headers: IncomingHttpHeaders): string {
  return givenRequestId(headers) ?? newRequestId()
}

function givenRequestId(headers: IncomingHttpHeaders): string | undefined {
  const given = headers['x-request-id']
  if (typeof given === 'string' && given !== '') return given.slice(0, ID_LENGTH_MAX)
  const trace = headers['traceparent']
  return trace === undefined ? undefined : TRACE_PARENT.exec(String(trace))?.[1]
}

export function opaqueIdOf(headers: IncomingHttpHeaders): string | undefined {
  const id = headers['x-opaque-id']
  return typeof id === 'string' ? id : id?.[0]
}

/** What a write carries to the slow log; undefined if the client sent nothing of it. */
export function requestOrigin(
  { headers, access }: Pick<HttpRequest, 'headers' | 'access'>,
  state: Pick<MetadataState, 'indices'>,
): RequestOrigin | undefined {
  const requestId = givenRequestId(headers)
  const opaqueId = opaqueIdOf(headers)
  const user = access?.user !== undefined && showsUsers(state.indices) ? access.user : undefined
  return requestId === undefined && opaqueId === undefined && user === undefined
    ? undefined
    : { requestId, opaqueId, user }
}

/** The headers of requests that the node sends to itself on behalf of another one. */
export function inheritedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const opaqueId = opaqueIdOf(headers)
  return { 'x-request-id': requestIdOf(headers), ...(opaqueId === undefined ? {} : { 'x-opaque-id': opaqueId }) }
}
