/** The list of endpoint families: the whole public API on one screen. */

import type { Security } from '../../security/security.ts'
import type { HttpAddress } from '../../service/cluster/node-info.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { LocalApi } from '../local-api.ts'
import type { RequestMetrics } from '../metrics/request-metrics.ts'
import type { PipelineWorkbench } from '../pipeline-workbench.ts'
import { Routes } from '../router.ts'
import { catRoutes } from './cat/cat.ts'
import { clusterRoutes } from './cluster/cluster.ts'
import { featureRoutes } from './cluster/features.ts'
import { infoRoutes } from './cluster/info.ts'
import { ingestRoutes, pipelineTrialRoutes } from './cluster/ingest.ts'
import { licenseRoutes } from './cluster/license.ts'
import { nodesRoutes } from './cluster/nodes.ts'
import { observabilityRoutes } from './cluster/observability.ts'
import { pipelineToolRoutes } from './cluster/pipeline-tool.ts'
import { rerouteRoutes } from './cluster/reroute.ts'
import { rootRoutes } from './cluster/root.ts'
import { scriptRoutes, scriptTrialRoutes } from './cluster/scripts.ts'
import { snapshotRoutes } from './cluster/snapshots.ts'
import { tasksRoutes } from './cluster/tasks.ts'
import { bulkRoutes } from './documents/bulk.ts'
import { byQueryRoutes } from './documents/by-query.ts'
import { changesRoutes } from './documents/changes.ts'
import { documentRoutes } from './documents/documents.ts'
import { mgetRoutes } from './documents/mget.ts'
import { termVectorRoutes } from './documents/termvectors.ts'
import { aliasRoutes } from './indices/aliases.ts'
import { analyzeRoutes } from './indices/analyze.ts'
import { dataStreamLifecycleRoutes } from './indices/data-stream-lifecycle.ts'
import { dataStreamSettingsRoutes } from './indices/data-stream-settings.ts'
import { dataStreamRoutes } from './indices/data-streams.ts'
import { diskUsageRoutes } from './indices/disk-usage.ts'
import { fieldUsageStatsRoutes } from './indices/field-usage-stats.ts'
import { ilmRoutes } from './indices/ilm.ts'
import { indicesRoutes } from './indices/indices.ts'
import { mappingRoutes } from './indices/mappings.ts'
import { reloadAnalyzersRoutes } from './indices/reload-analyzers.ts'
import { resizeRoutes } from './indices/resize.ts'
import { settingsRoutes } from './indices/settings.ts'
import { shardStoresRoutes } from './indices/shard-stores.ts'
import { statsRoutes } from './indices/stats.ts'
import { templateRoutes } from './indices/templates.ts'
import { routeAccess } from './route-actions.ts'
import { asyncSearchRoutes } from './search/async-search.ts'
import { contextRoutes } from './search/contexts.ts'
import { countRoutes } from './search/count.ts'
import { explainRoutes } from './search/explain.ts'
import { fieldCapsRoutes } from './search/field-caps.ts'
import { msearchRoutes } from './search/msearch.ts'
import { pointInTimeRoutes } from './search/point-in-time.ts'
import { rankEvalRoutes } from './search/rank-eval.ts'
import { clearScrollRoutes, scrollRoutes } from './search/scroll.ts'
import { searchRoutes } from './search/search.ts'
import { searchShardsRoutes } from './search/search-shards.ts'
import { searchTemplateRoutes } from './search/search-template.ts'
import { termsEnumRoutes } from './search/terms-enum.ts'
import { validateRoutes } from './search/validate.ts'
import { securityRoutes } from './security/security-routes.ts'

const FAMILIES: readonly ((routes: Routes, node: SandpiperNode, http: HttpAddress) => void)[] = [
  rootRoutes,
  clusterRoutes,
  nodesRoutes,
  catRoutes,
  tasksRoutes,
  featureRoutes,
  infoRoutes,
  rerouteRoutes,
  ilmRoutes,
  ingestRoutes,
  snapshotRoutes,
  mappingRoutes,
  settingsRoutes,
  aliasRoutes,
  templateRoutes,
  dataStreamRoutes,
  dataStreamLifecycleRoutes,
  dataStreamSettingsRoutes,
  resizeRoutes,
  shardStoresRoutes,
  diskUsageRoutes,
  fieldUsageStatsRoutes,
  reloadAnalyzersRoutes,
  analyzeRoutes,
  statsRoutes,
  documentRoutes,
  bulkRoutes,
  mgetRoutes,
  termVectorRoutes,
  changesRoutes,
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

const SEARCHER_FAMILIES: readonly ((
  routes: Routes,
  node: Pick<SandpiperNode, 'search' | 'scripts' | 'analysis' | 'scriptTrials' | 'ingest'>,
) => void)[] = [
  pipelineTrialRoutes,
  searchRoutes,
  scrollRoutes,
  msearchRoutes,
  searchTemplateRoutes,
  countRoutes,
  fieldCapsRoutes,
  validateRoutes,
  explainRoutes,
  analyzeRoutes,
  scriptTrialRoutes,
]

/** The routes that a searcher thread can answer. */
export function searchApiRoutes(
  node: Pick<SandpiperNode, 'search' | 'scripts' | 'analysis' | 'scriptTrials' | 'ingest'>,
): Routes {
  const routes = new Routes(routeAccess)
  for (const family of SEARCHER_FAMILIES) family(routes, node)
  return routes
}

/**
 * `metrics` are the counts shown by the metrics endpoint; absent where requests are not counted. `api` is the node's
 * own API, for operations that read and write like clients. The security API exists only with `security`.
 */
export function apiRoutes(
  node: SandpiperNode,
  http: HttpAddress,
  metrics?: RequestMetrics,
  api: LocalApi = new LocalApi(),
  security?: Security | undefined,
  workbench?: PipelineWorkbench | undefined,
): Routes {
  const routes = new Routes(routeAccess)
  for (const family of FAMILIES) family(routes, node, http)
  indicesRoutes(routes, node, metrics)
  observabilityRoutes(routes, node, metrics)
  byQueryRoutes(routes, node, api)
  asyncSearchRoutes(routes, node, api)
  rankEvalRoutes(routes, api)
  licenseRoutes(routes, node, security !== undefined)
  pipelineToolRoutes(routes, workbench)
  if (security !== undefined) securityRoutes(routes, security, node)
  // Elasticsearch still lists the methods of typed indexing as allowed although it no longer supports them.
  routes.reserve('POST', '/{index}/{type}')
  return routes
}
