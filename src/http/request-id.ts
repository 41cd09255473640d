/**
 * The id that log lines about a request carry. A client or proxy can choose it with `X-Request-Id`; the trace id of a
 * `traceparent` header comes second. Otherwise an id is made when a line needs one.
 */
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const ID_BYTES = 8
const ID_LENGTH_MAX = 128
const TRACE_PARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}/

export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id']
  if (typeof given === 'string' && given !== '') return given.slice(0, ID_LENGTH_MAX)
  const trace = TRACE_PARENT.exec(String(headers['traceparent'] ?? ''))?.[1]
  return trace ?? randomBytes(ID_BYTES).toString('hex')
}
