/** `_cluster`: health, settings, state, statistics, pending tasks. */
import { illegalArgument } from '../../../base/api-error.ts'
import { unknownLevel } from '../../../base/errors/http-errors.ts'
import { badActiveShardCount } from '../../../base/errors/value-errors.ts'
import { explainAllocation, parseAllocationQuestion } from '../../../service/cluster/allocation-explain.ts'
import { clusterHealth, type HealthLevel, type HealthStatus } from '../../../service/cluster/cluster-health.ts'
import { clusterState } from '../../../service/cluster/cluster-state.ts'
import { clusterStats } from '../../../service/cluster/cluster-stats.ts'
import { namesThisNode } from '../../../service/names/node-names.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { settingNames, warnWithoutEffect } from '../../../service/settings/settings-without-effect.ts'
import type { Routes } from '../../router.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

const LEVELS: readonly HealthLevel[] = ['cluster', 'indices', 'shards']
const STATUSES: readonly HealthStatus[] = ['green', 'yellow', 'red']
const PRIORITIES: ReadonlySet<string> = new Set(['IMMEDIATE', 'URGENT', 'HIGH', 'NORMAL', 'LOW', 'LANGUID'])
const DEFAULT_TIMEOUT_MS = 30_000

export function clusterRoutes(routes: Routes, node: SandpiperNode): void {
  healthRoutes(routes, node)
  settingsRoutes(routes, node)
  stateRoutes(routes, node)

  for (const path of ['/_cluster/stats', '/_cluster/stats/nodes/{nodeId}']) {
    routes.add('GET', path, ({ params, query }) => {
      const isHere = namesThisNode(node, params['nodeId'])
      query.accept('timeout', 'flat_settings', 'include_remotes')
      return async () => ({ status: 200, body: await clusterStats(node, isHere ? 1 : 0) })
    })
  }

  routes.add(['GET', 'POST'], '/_cluster/allocation/explain', (request) => {
    const question = parseAllocationQuestion(request.body)
    request.query.accept('include_yes_decisions', 'include_disk_info', 'master_timeout')
    return () => ({ status: 200, body: explainAllocation(node, question) })
  })

  // Metadata changes are applied as they arrive, so there is never a pending task.
  routes.add('GET', '/_cluster/pending_tasks', ({ query }) => {
    query.accept('local', 'master_timeout')
    return () => ({ status: 200, body: { tasks: [] } })
  })

  // A folder that belongs to no index is moved aside at the start and reported in the log, and never imported.
  routes.add('GET', '/_dangling', () => () => ({
    status: 200,
    body: { _nodes: { total: 1, successful: 1, failed: 0 }, cluster_name: node.clusterName, dangling_indices: [] },
  }))
  for (const method of ['POST', 'DELETE'] as const) {
    routes.add(method, '/_dangling/{index_uuid}', ({ params, query }) => {
      query.boolean('accept_data_loss', false)
      query.accept('timeout', 'master_timeout')
      throw illegalArgument(`No dangling index found for UUID [${params['index_uuid']}]`)
    })
  }

  routes.add('GET', '/_remote/info', () => () => ({ status: 200, body: {} }))
}

function healthRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_cluster/health', '/_cluster/health/{index}']) {
    routes.add('GET', path, (request) => {
      const { query } = request
      const level = readLevel(query.string('level', 'cluster'))
      const wanted = {
        expressions: indexExpressions(request),
        parameters: indicesParameters(request),
        level,
        waitForStatus: readStatus(query.string('wait_for_status')),
        waitForActiveShards: readActiveShards(query.string('wait_for_active_shards')),
        waitForNodes: query.string('wait_for_nodes'),
        timeoutMs: query.duration('timeout', DEFAULT_TIMEOUT_MS),
        signal: request.signal,
      }
      // Shards neither move nor start in the background, and no events are queued.
      query.boolean('wait_for_no_relocating_shards')
      query.boolean('wait_for_no_initializing_shards')
      checkPriority(query.string('wait_for_events'))
      query.accept('local', 'master_timeout')
      const always200 = query.boolean('return_200_for_cluster_health_timeout', false)
      return async () => {
        const health = await clusterHealth(node, wanted)
        return { status: health.timedOut && !always200 ? 408 : 200, body: health.body }
      }
    })
  }
}

function settingsRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/_cluster/settings', ({ query }) => {
    const flatSettings = query.boolean('flat_settings', false)
    const includeDefaults = query.boolean('include_defaults', false)
    query.accept('master_timeout', 'timeout', 'local')
    return () => ({ status: 200, body: node.clusterSettings.get({ flatSettings, includeDefaults }) })
  })

  routes.add('PUT', '/_cluster/settings', (request) => {
    const flatSettings = request.query.boolean('flat_settings', false)
    request.query.accept('master_timeout', 'timeout')
    const body = request.requireJson()
    const names = settingNames(body).map((name) => name.replace(/^(?:persistent|transient)\./, ''))
    return async () => ({
      status: 200,
      body: await node.clusterSettings.put(body, { flatSettings }),
      warnings: warnWithoutEffect(names),
    })
  })
}

function stateRoutes(routes: Routes, node: SandpiperNode): void {
  for (const path of ['/_cluster/state', '/_cluster/state/{metric}', '/_cluster/state/{metric}/{index}']) {
    routes.add('GET', path, (request) => {
      const { query } = request
      const wanted = {
        expressions: indexExpressions(request),
        parameters: indicesParameters(request),
        metrics: (request.param('metric') ?? '_all').split(','),
        flatSettings: query.boolean('flat_settings', false),
      }
      query.accept('local', 'master_timeout', 'wait_for_metadata_version', 'wait_for_timeout')
      return () => ({ status: 200, body: clusterState(node, wanted) })
    })
  }
}

function readLevel(text: string): HealthLevel {
  const level = LEVELS.find((known) => known === text.toLowerCase())
  if (level !== undefined) return level
  throw unknownLevel(text)
}

function readStatus(text: string | undefined): HealthStatus | undefined {
  if (text === undefined) return undefined
  const status = STATUSES.find((known) => known === text.toLowerCase())
  if (status !== undefined) return status
  throw illegalArgument(`No enum constant org.elasticsearch.cluster.health.ClusterHealthStatus.${text.toUpperCase()}`)
}

function checkPriority(text: string | undefined): void {
  if (text === undefined || PRIORITIES.has(text.toUpperCase())) return
  throw illegalArgument(`No enum constant org.elasticsearch.common.Priority.${text.toUpperCase()}`)
}

function readActiveShards(text: string | undefined): number | 'all' | undefined {
  if (text === undefined || text === 'all') return text
  if (/^\d+$/.test(text)) return Number(text)
  throw badActiveShardCount(text)
}
