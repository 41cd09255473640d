/** Endpoints for monitoring systems and orchestrators: Prometheus metrics, liveness, readiness, `_health_report`. */
import { ApiError, validationFailed } from '../../../base/api-error.ts'
import { healthReport } from '../../../service/cluster/health-report.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { nodeMetrics } from '../../metrics/node-metrics.ts'
import type { RequestMetrics } from '../../metrics/request-metrics.ts'
import type { HttpResponse } from '../../response.ts'
import type { Routes } from '../../router.ts'

/** How many affected resources a diagnosis of `_health_report` lists by default. */
const AFFECTED_SHOWN = 1000

/** The media type of Prometheus's text format. */
const PROMETHEUS_TYPE = 'text/plain; version=0.0.4; charset=utf-8'

export function observabilityRoutes(routes: Routes, node: SandpiperNode, metrics: RequestMetrics | undefined): void {
  routes.add('GET', '/_sandpiper/metrics', () => () => metricsResponse(node, metrics))

  // Alive means that the event loop runs. Nothing else is checked, so that a slow disk does not get the process killed.
  routes.add(['GET', 'HEAD'], '/_sandpiper/live', () => () => ({ status: 200, body: { status: 'alive' } }))
  // Ready means that requests can be served. A node accepts connections only after its metadata and shards are open, and
  // is not ready while a writer thread that died is replaced.
  // A gateway is ready while a node of its cluster answers.
  routes.add(['GET', 'HEAD'], '/_sandpiper/ready', () => () => {
    const isReady = metrics?.gateway?.isReady ?? true
    if (!isReady) return { status: 503, body: { status: 'no node answers' } }
    const { trouble } = node.host
    return trouble === undefined
      ? { status: 200, body: { status: 'ready' } }
      : { status: 503, body: { status: trouble } }
  })

  routes.add('GET', '/_sandpiper/gateway', () => () => {
    if (metrics?.gateway === undefined)
      throw new ApiError(404, 'resource_not_found_exception', 'this service is not a gateway; --cluster makes it one')
    return { status: 200, body: metrics.gateway.describe() }
  })

  routes.add('GET', '/_sandpiper/slow_searches', () => () => {
    const searches = metrics?.slowSearches.list(Date.now()) ?? []
    const listed = searches.map(({ path, body, atMs, ms, status }) => ({
      path,
      body,
      at: new Date(atMs).toISOString(),
      took_in_millis: Math.round(ms),
      status,
    }))
    return { status: 200, body: { searches: listed } }
  })
  // Counters over the last hour, from which the console computes rates.
  routes.add('GET', '/_sandpiper/activity', () => () => {
    const samples = (metrics?.activity?.samples ?? []).map(({ atMs, indexed, searches, searchMs }) => ({
      at: new Date(atMs).toISOString(),
      index_total: indexed,
      query_total: searches,
      query_time_in_millis: searchMs,
    }))
    return { status: 200, body: { samples } }
  })
  // Every route of this node, for tools that complete requests, and whether it is a gateway, for the views of the console.
  routes.add('GET', '/_sandpiper/routes', () => () => ({
    status: 200,
    body: { routes: [...routes.added], is_gateway: metrics?.gateway !== undefined },
  }))

  // The requested endpoints of Elasticsearch that this node does not have.
  routes.add('GET', '/_sandpiper/unsupported', () => () => ({
    status: 200,
    body: {
      unsupported: routes.unsupported.counts.map(({ method, endpoint, count, lastSeenMs }) => ({
        method,
        endpoint,
        count,
        last_seen: new Date(lastSeenMs).toISOString(),
      })),
    },
  }))

  for (const path of ['/_health_report', '/_health_report/{feature}']) {
    routes.add('GET', path, ({ params, query }) => {
      const verbose = query.boolean('verbose', true)
      const size = query.integer('size', AFFECTED_SHOWN)
      if (size < 0) throw validationFailed('The size parameter must be a positive integer')
      return () => ({ status: 200, body: healthReport(node, params['feature'], { verbose, size }) })
    })
  }
}

export async function metricsResponse(node: SandpiperNode, metrics: RequestMetrics | undefined): Promise<HttpResponse> {
  return { status: 200, text: await nodeMetrics(node, metrics), headers: { 'content-type': PROMETHEUS_TYPE } }
}
