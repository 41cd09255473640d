/** `_cluster/reroute`. With one node no shard can move. A request without commands is acknowledged. */
import { illegalArgument } from '../../../base/api-error.ts'
import { clusterState } from '../../../service/cluster/cluster-state.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import { isObject } from '../../../service/settings/flat-settings.ts'
import type { Routes } from '../../router.ts'

const STATE_DEPRECATED =
  'The [state] field in the response to the reroute API is deprecated and will be removed in a future version. Specify ' +
  '?metric=none to adopt the future behaviour.'

/** The sections of the state in the response if the request names none. */
const METRICS = ['version', 'master_node', 'nodes', 'routing_table', 'routing_nodes', 'blocks']

export function rerouteRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('POST', '/_cluster/reroute', (request) => {
    const { query } = request
    query.accept('dry_run', 'retry_failed', 'timeout', 'master_timeout')
    // Explanations are about commands, and every command is refused.
    const explained = query.boolean('explain', false) ? { explanations: [] } : {}
    const metrics = query.list('metric') ?? METRICS
    const commands = readCommands(request.hasBody ? request.json() : undefined)
    if (commands.length > 0) throw refused(commands[0])
    return () => {
      if (metrics.length === 1 && metrics[0] === 'none')
        return { status: 200, body: { acknowledged: true, ...explained } }
      const wanted = { expressions: [], parameters: {}, flatSettings: false }
      const state = clusterState(node, { ...wanted, metrics })
      return { status: 200, body: { acknowledged: true, state, ...explained }, warnings: [STATE_DEPRECATED] }
    }
  })
}

function readCommands(body: unknown): unknown[] {
  const commands = isObject(body) ? body['commands'] : undefined
  return Array.isArray(commands) ? commands : []
}

/** The error for a command, which would move, allocate or cancel shard copies on other nodes. */
function refused(command: unknown) {
  const [kind, options] = isObject(command) ? (Object.entries(command)[0] ?? []) : []
  const target = isObject(options) ? (options['from_node'] ?? options['node'] ?? options['to_node']) : undefined
  return illegalArgument(
    target === undefined
      ? `[cluster_reroute] command [${kind}] is not supported: there is one node`
      : `failed to resolve [${target}], no matching nodes`,
  )
}
