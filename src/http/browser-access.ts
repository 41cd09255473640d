/**
 * Controls access from web pages. A browser on this machine sends us requests of any page, so access depends on two
 * headers that a page cannot forge:
 *
 * - `Host`, the name by which the server was addressed. A page whose own name resolves to this machine (DNS rebinding)
 *   could read our responses as its own, so only names of this machine and configured names are accepted.
 * - `Origin`, where the page comes from. Pages of this machine (development servers, browser tools) and configured origins
 *   are allowed. All others may neither read responses nor write: browsers send simple POST requests without a preflight.
 */

import type { IncomingMessage } from 'node:http'
import type { HostNames } from '../base/host-names.ts'
import { NO_BYTES } from '../base/memory/lent-bytes.ts'
import type { AllowedOrigins } from './allowed-origins.ts'
import type { Answer } from './dispatcher.ts'

const METHODS = ['OPTIONS', 'HEAD', 'GET', 'POST', 'PUT', 'DELETE']
const HEADERS =
  'X-Requested-With,Content-Type,Content-Length,Authorization,Accept,User-Agent,X-Elastic-Client-Meta,X-Opaque-Id'
const MAX_AGE_SECONDS = 1_728_000

/** The reason a request is rejected, shown to the client; undefined if it is allowed. */
export function refusal(request: IncomingMessage, names: HostNames, origins: AllowedOrigins): string | undefined {
  const { host, origin } = request.headers
  if (!names.has(host)) {
    return (
      `this service does not answer to the name [${host}]: use localhost or an address, or start it with ` +
      `--http-allowed-hosts ${(host ?? '').replace(/:\d*$/, '')} (http.allowed_hosts in the settings file)`
    )
  }
  if (!isForeignWrite(request, origins)) return undefined
  return `a page from [${origin}] may not change anything here: only pages served from this machine may`
}

/** Headers that let the page read the response; undefined for requests that do not come from a page of this machine. */
export function corsHeaders(request: IncomingMessage, origins: AllowedOrigins): Record<string, string> | undefined {
  const origin = request.headers.origin
  if (origin === undefined || !origins.has(origin)) return undefined
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': 'X-elastic-product',
    vary: 'origin',
  }
}

/**
 * Whether a page from elsewhere tries to change something. Sandboxed frames and file pages have the origin `null`, or
 * `file://` in some browsers, so anybody can be behind it. Other schemes are those of installed browser extensions and
 * applications.
 */
function isForeignWrite({ method, headers: { origin } }: IncomingMessage, origins: AllowedOrigins): boolean {
  if (origin === undefined || method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return false
  return (
    (/^(?:https?|file|blob|data|about|filesystem):/i.test(origin) || /^\s*null\s*$/i.test(origin) || origin === '') &&
    !origins.has(origin)
  )
}

/** Answers the browser's preflight request. */
export function preflight(request: IncomingMessage, origins: AllowedOrigins): Answer | undefined {
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined
  if (corsHeaders(request, origins) === undefined) return undefined
  return {
    status: 200,
    headers: {
      'X-elastic-product': 'Elasticsearch',
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': HEADERS,
      'access-control-max-age': String(MAX_AGE_SECONDS),
    },
    body: NO_BYTES,
  }
}
