/** The list of endpoint families: the whole public surface on one screen. */
import type { HttpAddress } from '../../service/cluster/node-info.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { Routes } from '../router.ts'
import { aliasRoutes } from './aliases.ts'
import { analyzeRoutes } from './analyze.ts'
import { bulkRoutes } from './bulk.ts'
import { catRoutes } from './cat.ts'
import { clusterRoutes } from './cluster.ts'
import { contextRoutes } from './contexts.ts'
import { countRoutes } from './count.ts'
import { dataStreamRoutes } from './data-streams.ts'
import { documentRoutes } from './documents.ts'
import { explainRoutes } from './explain.ts'
import { fieldCapsRoutes } from './field-caps.ts'
import { ilmRoutes } from './ilm.ts'
import { indicesRoutes } from './indices.ts'
import { ingestRoutes } from './ingest.ts'
import { licenseRoutes } from './license.ts'
import { mappingRoutes } from './mappings.ts'
import { mgetRoutes } from './mget.ts'
import { msearchRoutes } from './msearch.ts'
import { nodesRoutes } from './nodes.ts'
import { pointInTimeRoutes } from './point-in-time.ts'
import { rootRoutes } from './root.ts'
import { scriptRoutes } from './scripts.ts'
import { clearScrollRoutes, scrollRoutes } from './scroll.ts'
import { searchRoutes } from './search.ts'
import { searchShardsRoutes } from './search-shards.ts'
import { searchTemplateRoutes } from './search-template.ts'
import { settingsRoutes } from './settings.ts'
import { statsRoutes } from './stats.ts'
import { tasksRoutes } from './tasks.ts'
import { templateRoutes } from './templates.ts'
import { termsEnumRoutes } from './terms-enum.ts'
import { termVectorRoutes } from './termvectors.ts'
import { validateRoutes } from './validate.ts'

const FAMILIES: readonly ((routes: Routes, node: SandpiperNode, http: HttpAddress) => void)[] = [
  rootRoutes,
  clusterRoutes,
  nodesRoutes,
  catRoutes,
  tasksRoutes,
  licenseRoutes,
  ilmRoutes,
  ingestRoutes,
  indicesRoutes,
  mappingRoutes,
  settingsRoutes,
  aliasRoutes,
  templateRoutes,
  dataStreamRoutes,
  analyzeRoutes,
  statsRoutes,
  documentRoutes,
  bulkRoutes,
  mgetRoutes,
  termVectorRoutes,
  searchRoutes,
  scrollRoutes,
  clearScrollRoutes,
  pointInTimeRoutes,
  contextRoutes,
  msearchRoutes,
  searchTemplateRoutes,
  scriptRoutes,
  countRoutes,
  fieldCapsRoutes,
  termsEnumRoutes,
  searchShardsRoutes,
  validateRoutes,
  explainRoutes,
]

/** What a searcher thread can answer. */
export function searchApiRoutes(node: Pick<SandpiperNode, 'search'>): Routes {
  const routes = new Routes()
  for (const family of [searchRoutes, scrollRoutes, msearchRoutes, countRoutes]) family(routes, node)
  return routes
}

export function apiRoutes(node: SandpiperNode, http: HttpAddress): Routes {
  const routes = new Routes()
  for (const family of FAMILIES) family(routes, node, http)
  // Typed indexing of the past: its methods are still listed, and no longer answered.
  routes.reserve('POST', '/{index}/{type}')
  return routes
}
