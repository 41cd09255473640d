/** `_nodes`: information and statistics of the node. Sniffing clients discover nodes here. */
import { illegalArgument } from '../../../base/api-error.ts'
import { allAndSingleMetrics, unrecognized } from '../../../base/errors/http-errors.ts'
import { didYouMean } from '../../../base/suggest.ts'
import { type HttpAddress, NODE_INFO_METRICS, nodeInfo } from '../../../service/cluster/node-info.ts'
import { NODE_METRICS, nodeStats } from '../../../service/cluster/node-stats.ts'
import { namesThisNode } from '../../../service/names/node-names.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { NodeLevel, StatsRequest } from '../../../service/stats/index-stats.ts'
import { METRIC_ALIASES, METRICS } from '../../../service/stats/stats-sections.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'

export function nodesRoutes(routes: Routes, node: SandpiperNode, http: HttpAddress): void {
  infoRoutes(routes, node, http)
  statsRoutes(routes, node)
}

function infoRoutes(routes: Routes, node: SandpiperNode, http: HttpAddress): void {
  const info = (request: HttpRequest, filter: string | undefined, metrics: string | undefined) => {
    const { query } = request
    const flatSettings = query.boolean('flat_settings', false)
    query.accept('timeout')
    const wanted = metrics === undefined || metrics === '_all' ? NODE_INFO_METRICS : metrics.split(',')
    return () => nodesAnswer(node, filter, () => nodeInfo(node, http, wanted, flatSettings))
  }

  routes.add('GET', '/_nodes', (request) => info(request, undefined, undefined))
  // A path segment is a list of metrics if all its words are metrics, and a list of nodes otherwise.
  routes.add('GET', '/_nodes/{nodeId}', (request) => {
    const text = request.params['nodeId']!
    const isMetrics = text.split(',').every((word) => word === '_all' || NODE_INFO_METRICS.includes(word))
    return isMetrics ? info(request, undefined, text) : info(request, text, undefined)
  })
  for (const path of ['/_nodes/{nodeId}/{metrics}', '/_nodes/{nodeId}/info/{metrics}']) {
    routes.add('GET', path, (request) => info(request, request.params['nodeId'], request.params['metrics']))
  }
}

function statsRoutes(routes: Routes, node: SandpiperNode): void {
  for (const prefix of ['/_nodes', '/_nodes/{nodeId}']) {
    for (const path of ['/stats', '/stats/{metric}', '/stats/{metric}/{index_metric}']) {
      routes.add('GET', `${prefix}${path}`, (request) => {
        const filter = request.params['nodeId']
        const level = statsLevel(request)
        const metrics = statsMetrics(request)
        const ofIndices = { metrics: statsIndexMetrics(request, metrics), ...statsDetails(request, metrics) }
        return () => nodesAnswer(node, filter, () => nodeStats(node, metrics, ofIndices, level))
      })
    }
  }
}

async function nodesAnswer(node: SandpiperNode, filter: string | undefined, describe: () => unknown) {
  const found = namesThisNode(node, filter)
  const total = found ? 1 : 0
  return {
    status: 200,
    body: {
      _nodes: { total, successful: total, failed: 0 },
      cluster_name: node.clusterName,
      nodes: found ? { [node.id]: await describe() } : {},
    },
  }
}

function statsLevel({ query }: HttpRequest): NodeLevel {
  const level = query.string('level', 'node')
  if (!isLevel(level)) {
    throw illegalArgument(`level parameter must be one of [node] or [indices] or [shards] but was [${level}]`)
  }
  return level
}

const isLevel = (text: string): text is NodeLevel => ['node', 'indices', 'shards'].includes(text)

function statsMetrics(request: HttpRequest): readonly string[] {
  const { query } = request
  query.accept('timeout', 'types', 'include_segment_file_sizes', 'include_unloaded_segments')
  const names = request.params['metric']?.split(',') ?? ['_all']
  if (names.includes('_all')) {
    if (names.length > 1) throw allAndSingleMetrics(request.path, names.join(','))
    return NODE_METRICS
  }
  const unknown = names.filter((name) => !NODE_METRICS.includes(name)).sort()
  if (unknown.length > 0) throw unrecognized(request.path, 'metric', describe(unknown, NODE_METRICS))
  return names
}

function statsIndexMetrics(request: HttpRequest, metrics: readonly string[]): readonly string[] {
  const names = request.params['index_metric']?.split(',')
  if (names === undefined || names.includes('_all')) return []
  if (!metrics.includes('indices')) {
    throw illegalArgument(
      `request [${request.path}] contains index metrics [${request.params['index_metric']}] but indices stats not requested`,
    )
  }
  const unknown = names.filter((name) => !METRICS.includes(name)).sort()
  if (unknown.length > 0) throw unrecognized(request.path, 'index metric', describe(unknown, METRICS))
  return names.map((name) => METRIC_ALIASES[name] ?? name)
}

/** Fields and groups of searches that the statistics of indices show one by one. */
function statsDetails({ query }: HttpRequest, metrics: readonly string[]): Partial<StatsRequest> {
  if (!metrics.includes('indices')) return {}
  return {
    fields: query.list('fields', []),
    completionFields: query.list('completion_fields', []),
    fielddataFields: query.list('fielddata_fields', []),
    groups: query.list('groups', []),
  }
}

function describe(unknown: readonly string[], known: readonly string[]): string[] {
  return unknown.map((name) => {
    const suggestion = didYouMean(name, known)
    return suggestion === '' ? `[${name}]` : `[${name}] ->${suggestion}`
  })
}
