/** Formats tasks: running requests and their child tasks, grouped by node or parent. */
import { HOST, ROLES, TRANSPORT_ADDRESS } from '../../../service/cluster/node-identity.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { RunningRequest } from '../../../service/tasks/running-requests.ts'
import type { Task as BackgroundTask } from '../../../service/tasks/task-registry.ts'

/** A task as listed. */
export interface ListedTask {
  readonly id: string
  readonly action: string
  readonly parent: string | undefined
  readonly body: Record<string, unknown>
}

export const opaqueHeaders = (opaqueId: unknown) => (opaqueId === undefined ? {} : { 'X-Opaque-Id': opaqueId })

/** The task of a request, followed by its child tasks on shards. */
export function listRequest(node: SandpiperNode, request: RunningRequest, detailed: boolean): ListedTask[] {
  const parent = `${node.id}:${request.id}`
  const listed = (id: number, action: string, description: string, of: string | undefined): ListedTask => ({
    id: `${node.id}:${id}`,
    action,
    parent: of,
    body: {
      node: node.id,
      id,
      type: 'transport',
      action,
      ...(detailed ? { description } : {}),
      start_time_in_millis: request.startedAtMs,
      running_time_in_nanos: Math.max(0, Date.now() - request.startedAtMs) * 1_000_000,
      cancellable: true,
      cancelled: request.isCancelled,
      ...(of === undefined ? {} : { parent_task_id: of }),
      headers: opaqueHeaders(request.opaqueId),
    },
  })
  const parts = request.parts.map(({ id, action, description }) => listed(id, action, description, parent))
  return [listed(request.id, request.action, request.description, undefined), ...parts]
}

/** An operation that runs in the background. */
export function listOperation(node: SandpiperNode, task: BackgroundTask, detailed: boolean): ListedTask {
  return {
    id: `${node.id}:${task.id}`,
    action: task.action,
    parent: undefined,
    body: {
      node: node.id,
      id: task.id,
      type: 'transport',
      action: task.action,
      ...(detailed && task.controls !== undefined ? { status: task.controls.describe() } : {}),
      ...(detailed ? { description: task.description } : {}),
      start_time_in_millis: task.startedAtMs,
      running_time_in_nanos: Math.max(0, (task.finishedAtMs ?? Date.now()) - task.startedAtMs) * 1_000_000,
      cancellable: task.controls !== undefined,
      // Elasticsearch does not store that a task was cancelled; the result says so.
      ...(task.controls === undefined ? {} : { cancelled: task.isCancelled && task.finishedAtMs === undefined }),
      headers: opaqueHeaders(task.opaqueId),
    },
  }
}

export function groupTasks(
  node: SandpiperNode,
  tasks: readonly ListedTask[],
  groupBy: string,
): Record<string, unknown> {
  if (groupBy === 'none') return { tasks: tasks.map(({ body }) => body) }
  if (groupBy === 'parents') return { tasks: byParents(tasks) }
  if (tasks.length === 0) return { nodes: {} }
  const own = {
    name: node.name,
    transport_address: TRANSPORT_ADDRESS,
    host: HOST,
    ip: TRANSPORT_ADDRESS,
    roles: ROLES,
    attributes: {},
  }
  return { nodes: { [node.id]: { ...own, tasks: Object.fromEntries(tasks.map(({ id, body }) => [id, body])) } } }
}

/** A task whose parent is not listed is listed at the top level. */
function byParents(tasks: readonly ListedTask[]): Record<string, unknown> {
  const listed = new Set(tasks.map(({ id }) => id))
  const isChild = ({ parent }: ListedTask) => parent !== undefined && listed.has(parent)
  const top = tasks.filter((task) => !isChild(task))
  return Object.fromEntries(
    top.map(({ id, body }) => {
      const children = tasks.filter((task) => task.parent === id && isChild(task)).map((child) => child.body)
      return [id, children.length === 0 ? body : { ...body, children }]
    }),
  )
}
