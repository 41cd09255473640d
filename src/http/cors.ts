/**
 * Cross-origin requests. Pages served from this machine (development servers, browser tools) may call the service; a page
 * from anywhere else gets no permission from us, so the browser keeps its answer from it.
 */
import type { IncomingMessage } from 'node:http'
import type { Answer } from './dispatcher.ts'

const LOOPBACK_ORIGIN = /^https?:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/
const METHODS = ['OPTIONS', 'HEAD', 'GET', 'POST', 'PUT', 'DELETE']
const HEADERS =
  'X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta,X-Opaque-Id'
const MAX_AGE_SECONDS = 1_728_000

/** Headers that let the page read the answer; undefined for requests that are not from a page of this machine. */
export function corsHeaders(request: IncomingMessage): Record<string, string> | undefined {
  const origin = request.headers.origin
  if (origin === undefined || !LOOPBACK_ORIGIN.test(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'X-elastic-product',
    vary: 'origin',
  }
}

/**
 * A page from elsewhere tries to change something. Browsers send simple POST requests without asking first, and whoever
 * reaches an unprotected service may do anything, so these are refused.
 */
export function isForeignWrite(request: IncomingMessage): boolean {
  const { method, headers } = request
  if (headers.origin === undefined || !/^https?:/.test(headers.origin)) return false
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS' && !LOOPBACK_ORIGIN.test(headers.origin)
}

/** The browser's question before a request with a body or headers of its own. */
export function preflight(request: IncomingMessage): Answer | undefined {
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined
  if (corsHeaders(request) === undefined) return undefined
  return {
    status: 200,
    headers: {
      'X-elastic-product': 'Elasticsearch',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': HEADERS,
      'access-control-max-age': String(MAX_AGE_SECONDS),
    },
    body: Buffer.alloc(0),
  }
}
