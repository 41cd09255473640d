/**
 * Which way a request takes, one line for each route. Routes without a line pass: the cluster answers, and the shadow
 * judges its errors.
 *
 *   pass      the request and the answer stay as they are, but for their headers
 *   rewrite   the request, the answer or both are changed
 *   own       the shadow answers
 */
import type { Answer } from '../http/dispatcher.ts'
import type { Bridge } from './exchange/bridge.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { WayKind } from './exchange/statistics.ts'
import { createIndex } from './handlers/definitions.ts'

export type Handle = (exchange: Exchange, bridge: Bridge) => Promise<Answer>

export interface Way {
  readonly kind: WayKind
  readonly handle: Handle
}

export const PASS: Way = { kind: 'pass', handle: (exchange, bridge) => bridge.pass(exchange) }
const OWN: Way = { kind: 'own', handle: (exchange, bridge) => bridge.own(exchange) }
/** Answers that do not depend on metadata. */
const FIXED: Way = { kind: 'own', handle: (exchange, bridge) => bridge.shadow.read(exchange.forShadow()) }
const rewrite = (handle: Handle): Way => ({ kind: 'rewrite', handle })

const TABLE: readonly (readonly [methods: string, path: string, way: Way])[] = [
  ['GET HEAD', '/', FIXED],
  ['GET', '/_license', FIXED],
  ['GET', '/_license/basic_status', FIXED],
  ['GET', '/_license/trial_status', FIXED],
  ['GET', '/_xpack', FIXED],
  ['GET', '/_features', FIXED],
  ['GET', '/_health_report', OWN],

  ['PUT', '/{index}', rewrite(createIndex)],
]

const BY_ROUTE = new Map<string, Way>()
for (const [methods, path, way] of TABLE)
  for (const method of methods.split(' ')) BY_ROUTE.set(`${method} ${path}`, way)

export function wayOf({ method, route }: Exchange): Way {
  return route === undefined ? PASS : (BY_ROUTE.get(`${method} ${route.path}`) ?? PASS)
}
