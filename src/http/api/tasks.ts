/** `_tasks`: what runs right now. Requests are short, so the one that asks is usually all there is. */
import { illegalArgument } from '../../base/api-error.ts'
import { malformedTaskId, taskNotFound, taskOfUnknownNode } from '../../base/errors/task-errors.ts'
import { HOST, ROLES, TRANSPORT_ADDRESS } from '../../service/cluster/node-identity.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { wildcardMatcher } from '../../service/settings/update-settings.ts'
import type { Task as BackgroundTask } from '../../service/tasks/task-registry.ts'
import type { HttpRequest } from '../request.ts'
import type { Routes } from '../router.ts'
import { namesThisNode } from './node-names.ts'

/** What listing tasks is called, itself being one. */
export const LISTING = 'cluster:monitor/tasks/lists'

export function tasksRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/_tasks', (request) => {
    const { query } = request
    const asked = readFilter(request)
    const groupBy = query.string('group_by', 'nodes')
    if (!['nodes', 'parents', 'none'].includes(groupBy)) {
      throw illegalArgument(`[group_by] must be one of [nodes], [parents] or [none] but was [${groupBy}]`)
    }
    const detailed = query.boolean('detailed', false)
    query.accept('wait_for_completion', 'timeout')
    return () => {
      const shown = namesThisNode(node, asked.nodes) && asked.actions.some((matches) => matches(LISTING))
      const task = describeTask(node, node.tasks.nextId(), request, detailed)
      return { status: 200, body: group(node, shown ? [task] : [], groupBy) }
    }
  })

  routes.add('GET', '/_tasks/{task_id}', (request) => {
    const id = readTaskId(request)
    const wait = request.query.boolean('wait_for_completion', false)
    const timeoutMs = request.query.duration('timeout', COMPLETION_TIMEOUT_MS)
    return async () => {
      if (id.nodeId !== node.id) throw taskOfUnknownNode(id.text, id.nodeId)
      const task = node.tasks.get(Number(id.text.slice(id.text.lastIndexOf(':') + 1)))
      if (task === undefined) throw taskNotFound(id.text)
      if (wait) await settledWithin(task.done, timeoutMs)
      return { status: 200, body: printTask(node, task) }
    }
  })

  routes.add('POST', '/_tasks/_cancel', (request) => {
    readFilter(request)
    request.query.accept('wait_for_completion', 'group_by')
    return () => ({ status: 200, body: { nodes: {} } })
  })

  routes.add('POST', '/_tasks/{task_id}/_cancel', (request) => {
    const id = readTaskId(request)
    readFilter(request)
    request.query.accept('wait_for_completion', 'group_by')
    return () => {
      if (id.nodeId === node.id) throw taskNotFound(id.text)
      const cause = { type: 'no_such_node_exception', reason: `No such node [${id.nodeId}]`, node_id: id.nodeId }
      const failure = {
        type: 'failed_node_exception',
        reason: `Failed node [${id.nodeId}]`,
        node_id: id.nodeId,
        caused_by: cause,
      }
      return { status: 200, body: { node_failures: [failure], nodes: {} } }
    }
  })
}

/** How long `wait_for_completion` waits when the request does not say. */
const COMPLETION_TIMEOUT_MS = 30_000

async function settledWithin(work: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([work, timeout])
  clearTimeout(timer)
}

function printTask(node: SandpiperNode, task: BackgroundTask): Record<string, unknown> {
  const completed = task.finishedAtMs !== undefined
  return {
    completed,
    task: {
      node: node.id,
      id: task.id,
      type: 'transport',
      action: task.action,
      description: task.description,
      start_time_in_millis: task.startedAtMs,
      running_time_in_nanos: ((task.finishedAtMs ?? Date.now()) - task.startedAtMs) * 1_000_000,
      cancellable: false,
      headers: {},
    },
    ...(task.error === undefined ? {} : { error: task.error }),
    ...(completed && task.error === undefined ? { response: task.response } : {}),
  }
}

interface Task {
  readonly id: string
  readonly body: Record<string, unknown>
}

function describeTask(node: SandpiperNode, id: number, { headers }: HttpRequest, detailed: boolean): Task {
  const opaqueId = headers['x-opaque-id']
  return {
    id: `${node.id}:${id}`,
    body: {
      node: node.id,
      id,
      type: 'transport',
      action: LISTING,
      ...(detailed ? { description: '' } : {}),
      start_time_in_millis: Date.now(),
      running_time_in_nanos: 0,
      cancellable: false,
      headers: opaqueId === undefined ? {} : { 'X-Opaque-Id': opaqueId },
    },
  }
}

function group(node: SandpiperNode, tasks: readonly Task[], groupBy: string): Record<string, unknown> {
  if (groupBy === 'none') return { tasks: tasks.map(({ body }) => body) }
  const byId = Object.fromEntries(tasks.map(({ id, body }) => [id, body]))
  if (groupBy === 'parents') return { tasks: byId }
  if (tasks.length === 0) return { nodes: {} }
  const own = {
    name: node.name,
    transport_address: TRANSPORT_ADDRESS,
    host: HOST,
    ip: TRANSPORT_ADDRESS,
    roles: ROLES,
    attributes: {},
  }
  return { nodes: { [node.id]: { ...own, tasks: byId } } }
}

function readFilter({ query }: HttpRequest) {
  const nodes = query.string('nodes')
  const actions = query.list('actions', ['*']).map((name) => wildcardMatcher(name))
  query.accept('parent_task_id')
  return { nodes, actions }
}

function readTaskId(request: HttpRequest): { text: string; nodeId: string } {
  const text = request.params['task_id']!
  const at = text.lastIndexOf(':')
  if (at < 0) throw malformedTaskId(text)
  if (!/^\d+$/.test(text.slice(at + 1))) throw malformedTaskId(text, text.slice(at + 1))
  return { text, nodeId: text.slice(0, at) }
}
