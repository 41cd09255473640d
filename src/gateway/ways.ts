/**
 * Which way a request takes, one line for each route. Routes without a line pass: the cluster answers, and the shadow
 * judges its errors.
 *
 *   pass      the request and the answer stay as they are, but for their headers
 *   rewrite   the request, the answer or both are changed
 *   own       the shadow answers
 */
import type { Answer } from '../http/dispatcher.ts'
import type { Route } from '../http/router.ts'
import type { Bridge } from './exchange/bridge.ts'
import type { Exchange } from './exchange/exchange.ts'
import type { WayKind } from './exchange/statistics.ts'
import { checkedOperation, closeContext, clusterSettings, health, openContexts, stats } from './handlers/cluster.ts'
import {
  changeAliases,
  changeMapping,
  changeSettings,
  checkFirst,
  createIndex,
  putTemplate,
  rollOver,
} from './handlers/definitions.ts'
import { bulk, get, multiGet, write } from './handlers/documents.ts'
import { multiSearch } from './handlers/msearch.ts'
import { closePointInTime, openPointInTime } from './handlers/point-in-time.ts'
import { count, explain, matching, reindex } from './handlers/queries.ts'
import { clearScroll, scroll } from './handlers/scroll.ts'
import { search } from './handlers/search.ts'
import { multiSearchTemplate, searchTemplate } from './handlers/search-template.ts'
import { termsEnum } from './handlers/terms-enum.ts'

export type Handle = (exchange: Exchange, bridge: Bridge) => Promise<Answer>

export interface Way {
  readonly kind: WayKind
  readonly handle: Handle
}

export const PASS: Way = { kind: 'pass', handle: (exchange, bridge) => bridge.pass(exchange) }
const OWN: Way = { kind: 'own', handle: (exchange, bridge) => bridge.own(exchange) }
/** Answers that do not depend on metadata. */
const FIXED: Way = { kind: 'own', handle: (exchange, bridge) => bridge.shadow.read(exchange.forShadow()) }
/** Passes but for parts of documents. */
const GET: Way = { kind: 'pass', handle: get }
const rewrite = (handle: Handle): Way => ({ kind: 'rewrite', handle })

const TABLE: readonly (readonly [methods: string, path: string, way: Way])[] = [
  ['GET HEAD', '/', FIXED],
  ['GET', '/_license', FIXED],
  ['GET', '/_license/basic_status', FIXED],
  ['GET', '/_license/trial_status', FIXED],
  ['GET', '/_xpack', FIXED],
  ['GET', '/_features', FIXED],
  ['GET', '/_health_report', OWN],
  ['GET', '/_sandpiper/contexts', rewrite(openContexts)],
  ['DELETE', '/_sandpiper/contexts/{id}', rewrite(closeContext)],

  // Metadata is shown by the shadow, in Elasticsearch's form.
  ['GET HEAD', '/{index}', OWN],
  ['GET', '/_mapping', OWN],
  ['GET', '/{index}/_mapping', OWN],
  ['GET', '/_mappings', OWN],
  ['GET', '/{index}/_mappings', OWN],
  ['GET', '/_mapping/field/{fields}', OWN],
  ['GET', '/{index}/_mapping/field/{fields}', OWN],
  ['GET', '/_settings', OWN],
  ['GET', '/{index}/_settings', OWN],
  ['GET', '/_settings/{name}', OWN],
  ['GET', '/{index}/_settings/{name}', OWN],
  ['GET', '/{index}/_setting/{name}', OWN],
  ['GET', '/_alias', OWN],
  ['GET', '/_aliases', OWN],
  ['GET HEAD', '/_alias/{name}', OWN],
  ['GET HEAD', '/{index}/_alias', OWN],
  ['GET HEAD', '/{index}/_alias/{name}', OWN],
  ['GET', '/_resolve/index/{name}', OWN],
  ['GET', '/_index_template', OWN],
  ['GET HEAD', '/_index_template/{name}', OWN],
  ['POST', '/_index_template/_simulate', OWN],
  ['POST', '/_index_template/_simulate/{name}', OWN],
  ['POST', '/_index_template/_simulate_index/{name}', OWN],
  ['GET', '/_component_template', OWN],
  ['GET HEAD', '/_component_template/{name}', OWN],
  ['GET', '/_template', OWN],
  ['GET HEAD', '/_template/{name}', OWN],
  ['GET POST', '/_field_caps', OWN],
  ['GET POST', '/{index}/_field_caps', OWN],
  ['GET POST', '/_validate/query', OWN],
  ['GET POST', '/{index}/_validate/query', OWN],

  ['POST', '/_pit', rewrite(openPointInTime)],
  ['POST', '/{index}/_pit', rewrite(openPointInTime)],
  ['DELETE', '/_pit', rewrite(closePointInTime)],
  ['GET POST', '/_search', rewrite(search)],
  ['GET POST', '/{index}/_search', rewrite(search)],

  ['GET POST', '/_search/template', rewrite(searchTemplate)],
  ['GET POST', '/{index}/_search/template', rewrite(searchTemplate)],
  ['GET POST', '/_search/scroll', rewrite(scroll)],
  ['GET POST', '/_search/scroll/{scroll_id}', rewrite(scroll)],
  ['DELETE', '/_search/scroll', rewrite(clearScroll)],
  ['DELETE', '/_search/scroll/{scroll_id}', rewrite(clearScroll)],
  ['GET POST', '/_msearch', rewrite(multiSearch)],
  ['GET POST', '/{index}/_msearch', rewrite(multiSearch)],
  ['GET POST', '/_msearch/template', rewrite(multiSearchTemplate)],
  ['GET POST', '/{index}/_msearch/template', rewrite(multiSearchTemplate)],
  ['GET POST', '/{index}/_terms_enum', rewrite(termsEnum)],
  ['GET POST', '/_count', rewrite(count)],
  ['GET POST', '/{index}/_count', rewrite(count)],
  ['GET POST', '/{index}/_explain/{id}', rewrite(explain)],
  ['POST', '/{index}/_delete_by_query', rewrite(matching)],
  ['POST', '/{index}/_update_by_query', rewrite(matching)],
  ['POST', '/_reindex', rewrite(reindex)],
  ['GET', '/{index}/_doc/{id}', GET],
  ['GET', '/{index}/_source/{id}', GET],
  ['PUT POST', '/{index}/_doc/{id}', rewrite(write)],
  ['POST', '/{index}/_doc', rewrite(write)],
  ['PUT POST', '/{index}/_create/{id}', rewrite(write)],
  ['PUT POST', '/_bulk', rewrite(bulk)],
  ['PUT POST', '/{index}/_bulk', rewrite(bulk)],
  ['GET POST', '/_mget', rewrite(multiGet)],
  ['GET POST', '/{index}/_mget', rewrite(multiGet)],
  ['GET', '/_cluster/health', rewrite(health)],
  ['GET', '/_cluster/health/{index}', rewrite(health)],
  ['GET', '/_cluster/settings', rewrite(clusterSettings)],
  ['GET', '/_stats', rewrite(stats)],
  ['GET', '/{index}/_stats', rewrite(stats)],
  ['POST', '/_forcemerge', rewrite(checkedOperation)],
  ['POST', '/{index}/_forcemerge', rewrite(checkedOperation)],
  ['GET POST', '/_refresh', rewrite(checkedOperation)],
  ['GET POST', '/{index}/_refresh', rewrite(checkedOperation)],
  ['GET POST', '/_flush', rewrite(checkedOperation)],
  ['GET POST', '/{index}/_flush', rewrite(checkedOperation)],

  // The shadow checks definitions before the cluster gets them.
  ['PUT', '/{index}', rewrite(createIndex)],
  ['PUT POST', '/{index}/_mapping', rewrite(changeMapping)],
  ['PUT POST', '/{index}/_mappings', rewrite(changeMapping)],
  ['PUT', '/_settings', rewrite(changeSettings)],
  ['PUT', '/{index}/_settings', rewrite(changeSettings)],
  ['PUT POST', '/_index_template/{name}', rewrite(putTemplate)],
  ['PUT POST', '/_component_template/{name}', rewrite(putTemplate)],
  ['PUT POST', '/_template/{name}', rewrite(putTemplate)],
  ['POST', '/_aliases', rewrite(changeAliases)],
  ['PUT', '/_cluster/settings', rewrite(checkFirst)],
  ['PUT POST', '/{index}/_alias/{name}', rewrite(checkFirst)],
  ['DELETE', '/{index}/_alias/{name}', rewrite(changeAliases)],
  ['PUT', '/{index}/_block/{block}', rewrite(checkFirst)],
  ['POST', '/{index}/_rollover', rewrite(rollOver)],
  ['POST', '/{index}/_rollover/{new_index}', rewrite(rollOver)],
]

const BY_ROUTE = new Map<string, Way>()
for (const [methods, path, way] of TABLE)
  for (const method of methods.split(' ')) BY_ROUTE.set(`${method} ${path}`, way)

/** Keyed by the object of the route, because a key of method and path would have to be built for every request. */
const KNOWN = new WeakMap<Route, Way>()

export function wayOf({ method, route }: Exchange): Way {
  if (route === undefined) return PASS
  let way = KNOWN.get(route)
  if (way === undefined) {
    way = BY_ROUTE.get(`${method} ${route.path}`) ?? PASS
    KNOWN.set(route, way)
  }
  return way
}
