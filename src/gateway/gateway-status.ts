/** `GET /_sandpiper/gateway` and the metrics of a gateway: the cluster, its nodes, requests, and the differences met. */
import type { Exposition } from '../http/metrics/exposition.ts'
import type { GatewayStatus } from '../http/metrics/gateway-status.ts'
import type { Comparer } from './compare/comparer.ts'
import type { Bridge } from './exchange/bridge.ts'
import { WAYS } from './exchange/statistics.ts'

export function gatewayStatus(bridge: Bridge, comparer: Comparer | undefined): GatewayStatus {
  const { cluster, shadow, statistics } = bridge
  return {
    get isReady() {
      return cluster.nodes.some(({ isAlive }) => isAlive)
    },
    describe() {
      const { distribution, version, clusterName: name, clusterUuid: uuid } = bridge.capabilities
      return {
        cluster: { distribution, version, name, uuid, ...timeOf('gone_since', cluster.goneSinceMs) },
        nodes: cluster.nodes.map((node) => ({
          url: node.url,
          alive: node.isAlive,
          requests_under_way: node.requestsUnderWay,
          requests: node.requests,
          failures: node.failures,
          ...timeOf('resting_since', node.restingSinceMs),
          ...(node.lastFailure === undefined ? {} : { last_failure: node.lastFailure }),
        })),
        waiting: cluster.waiting,
        metadata: {
          ...timeOf('read_at', shadow.syncedAtMs === 0 ? undefined : shadow.syncedAtMs),
          indices: shadow.node.state.indices.size,
          not_understood: [...shadow.opaque].map(([index, reason]) => ({ index, reason })),
        },
        requests: Object.fromEntries(
          WAYS.map((way) => [
            way,
            {
              count: statistics.ways[way].requests,
              time_in_millis: Math.round(statistics.ways[way].ms),
              added_in_micros: { p50: statistics.addedMicros(way, 0.5), p99: statistics.addedMicros(way, 0.99) },
            },
          ]),
        ),
        differences: Object.fromEntries(statistics.differences),
        ...(comparer === undefined ? {} : { compared: { ...comparer.counts } }),
      }
    },
    writeMetrics(out) {
      writeNodes(out, bridge)
      writeRequests(out, bridge)
      if (comparer === undefined) return
      out.metric('sandpiper_gateway_compared_total', 'counter', 'Reads that were compared with another service')
      for (const [outcome, count] of Object.entries(comparer.counts))
        out.sample('sandpiper_gateway_compared_total', { outcome }, count)
    },
  }
}

function timeOf(name: string, ms: number | undefined): Record<string, string> {
  return ms === undefined ? {} : { [name]: new Date(ms).toISOString() }
}

function writeNodes(out: Exposition, { cluster }: Bridge): void {
  const { nodes } = cluster
  out.metric('sandpiper_gateway_node_up', 'gauge', 'Whether a node of the cluster is in use')
  for (const { url, isAlive } of nodes) out.sample('sandpiper_gateway_node_up', { node: url }, isAlive ? 1 : 0)
  out.metric('sandpiper_gateway_node_requests_total', 'counter', 'Requests sent to a node of the cluster')
  for (const { url, requests } of nodes) out.sample('sandpiper_gateway_node_requests_total', { node: url }, requests)
  out.metric('sandpiper_gateway_node_failures_total', 'counter', 'Requests that a node did not answer')
  for (const { url, failures } of nodes) out.sample('sandpiper_gateway_node_failures_total', { node: url }, failures)
  out.metric('sandpiper_gateway_node_requests_under_way', 'gauge', 'Requests that a node has not answered yet')
  for (const { url, requestsUnderWay } of nodes)
    out.sample('sandpiper_gateway_node_requests_under_way', { node: url }, requestsUnderWay)
  out.single('sandpiper_gateway_requests_waiting', 'gauge', 'Requests that wait for a node', cluster.waiting)
}

function writeRequests(out: Exposition, { statistics }: Bridge): void {
  out.metric('sandpiper_gateway_requests_total', 'counter', 'Requests by the way they took')
  for (const way of WAYS) out.sample('sandpiper_gateway_requests_total', { way }, statistics.ways[way].requests)
  out.metric('sandpiper_gateway_added_seconds_total', 'counter', 'Time that the gateway added to requests')
  for (const way of WAYS)
    out.sample('sandpiper_gateway_added_seconds_total', { way }, statistics.ways[way].addedMs / 1000)
  out.metric('sandpiper_gateway_differences_total', 'counter', 'Differences to Elasticsearch that were bridged')
  for (const [difference, count] of statistics.differences)
    out.sample('sandpiper_gateway_differences_total', { difference }, count)
}
