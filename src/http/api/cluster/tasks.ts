/**
 * `_tasks`: lists and cancels running requests. Most requests are short, so the listing request is often the only one.
 */

import { illegalArgument } from '../../../base/api-error.ts'
import { malformedTaskId, taskNotFinished, taskNotFound, taskOfUnknownNode } from '../../../base/errors/task-errors.ts'
import { namePattern } from '../../../base/name-pattern.ts'
import { namesThisNode } from '../../../service/names/node-names.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { RunningRequest } from '../../../service/tasks/running-requests.ts'
import type { Task as BackgroundTask } from '../../../service/tasks/task-registry.ts'
import type { HttpRequest } from '../../request.ts'
import type { Routes } from '../../router.ts'
import { groupTasks, type ListedTask, listOperation, listRequest, opaqueHeaders } from './print-tasks.ts'

/** The action name of the listing request, which is itself a task. */
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
    const wait = query.boolean('wait_for_completion', false)
    const timeoutMs = query.duration('timeout', COMPLETION_TIMEOUT_MS)
    return async () => {
      if (!namesThisNode(node, asked.nodes)) return { status: 200, body: groupTasks(node, [], groupBy) }
      const searches = node.tasks.requests.list().flatMap((running) => listRequest(node, running, detailed))
      const operations = node.tasks.running().map((task) => listOperation(node, task, detailed))
      if (wait) await settledWithin(allDone(node, asked.shows), timeoutMs)
      const tasks = [describeTask(node, node.tasks.nextId(), request, detailed), ...operations, ...searches]
      return { status: 200, body: groupTasks(node, tasks.filter(asked.shows), groupBy) }
    }
  })

  routes.add('GET', '/_tasks/{task_id}', (request) => {
    const id = readTaskId(request)
    const wait = request.query.boolean('wait_for_completion', false)
    const timeoutMs = request.query.duration('timeout', COMPLETION_TIMEOUT_MS)
    return async () => {
      if (id.nodeId !== node.id) throw taskOfUnknownNode(id.text, id.nodeId, node.tasks.hasResults)
      const running = node.tasks.requests.get(id.number)
      if (running !== undefined) {
        if (wait) await settledWithin(running.done, timeoutMs)
        return { status: 200, body: { completed: false, task: listRequest(node, running, true)[0]!.body } }
      }
      const task = node.tasks.get(id.number)
      if (task === undefined) throw taskNotFound(id.text, node.tasks.hasResults)
      if (wait && !(await settledWithin(task.done, timeoutMs))) throw taskNotFinished(timeoutMs)
      return { status: 200, body: printTask(node, task) }
    }
  })

  routes.add('POST', '/_tasks/_cancel', (request) => {
    const asked = readFilter(request)
    const { groupBy, wait } = readCancelOptions(request)
    return async () => {
      if (!namesThisNode(node, asked.nodes)) return { status: 200, body: groupTasks(node, [], groupBy) }
      const isMeant = (task: { action: string }) => asked.shows({ ...task, parent: undefined })
      const requests = cancelAll(node, node.tasks.requests.list().filter(isMeant))
      const operations = node.tasks
        .running()
        .filter(isMeant)
        .flatMap(({ id }) => cancelOperation(node, id))
      if (wait) await allDone(node, isMeant)
      return { status: 200, body: groupTasks(node, [...requests, ...operations], groupBy) }
    }
  })

  routes.add('POST', '/_tasks/{task_id}/_cancel', (request) => {
    const id = readTaskId(request)
    readFilter(request)
    const { groupBy, wait } = readCancelOptions(request)
    return async () => {
      if (id.nodeId !== node.id) {
        const details = { node_id: id.nodeId }
        const cause = { type: 'no_such_node_exception', reason: `No such node [${id.nodeId}]`, ...details }
        return { status: 200, body: failedNode(id.nodeId, cause) }
      }
      const running = node.tasks.requests.get(id.number)
      const work = running ?? node.tasks.get(id.number)
      const cancelled = running === undefined ? cancelOperation(node, id.number) : cancelAll(node, [running])
      if (wait && cancelled.length > 0) await work?.done
      if (cancelled.length > 0) return { status: 200, body: groupTasks(node, cancelled, groupBy) }
      const cause = { type: 'resource_not_found_exception', reason: `task [${id.text}] is not found` }
      return { status: 200, body: failedNode(id.nodeId, cause) }
    }
  })
}

/** Cancels the tasks and returns those that were not cancelled before. */
function cancelAll(node: SandpiperNode, tasks: readonly RunningRequest[]): ListedTask[] {
  const cancelled = tasks.filter(({ id }) => node.tasks.requests.cancel(id) !== undefined)
  return cancelled.map((task) => listRequest(node, task, false)[0]!)
}

function cancelOperation(node: SandpiperNode, id: number): ListedTask[] {
  const cancelled = node.tasks.cancel(id, 'by user request')
  return cancelled === undefined ? [] : [listOperation(node, cancelled, false)]
}

export function failedNode(nodeId: string, cause: Record<string, unknown>): Record<string, unknown> {
  const failure = {
    type: 'failed_node_exception',
    reason: `Failed node [${nodeId}]`,
    node_id: nodeId,
    caused_by: cause,
  }
  return { node_failures: [failure], nodes: {} }
}

function readCancelOptions({ query }: HttpRequest): { readonly groupBy: string; readonly wait: boolean } {
  return { groupBy: query.string('group_by', 'nodes'), wait: query.boolean('wait_for_completion', false) }
}

/** Resolves when all running tasks of a kind have ended. */
async function allDone(
  node: SandpiperNode,
  isMeant: (task: { action: string; parent: undefined }) => boolean,
): Promise<void> {
  const running = [...node.tasks.requests.list(), ...node.tasks.running()]
  await Promise.all(running.filter(({ action }) => isMeant({ action, parent: undefined })).map(({ done }) => done))
}

/** Default timeout of `wait_for_completion`. */
const COMPLETION_TIMEOUT_MS = 30_000

/** Whether the work finished in time. */
async function settledWithin(work: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), timeoutMs)
  })
  const isDone = await Promise.race([work.then(() => true), timeout])
  clearTimeout(timer)
  return isDone
}

function printTask(node: SandpiperNode, task: BackgroundTask): Record<string, unknown> {
  const completed = task.finishedAtMs !== undefined
  return {
    completed,
    task: listOperation(node, task, true).body,
    ...(task.error === undefined ? {} : { error: task.error }),
    ...(completed && task.error === undefined ? { response: task.response } : {}),
  }
}

function describeTask(node: SandpiperNode, id: number, { headers }: HttpRequest, detailed: boolean): ListedTask {
  return {
    id: `${node.id}:${id}`,
    action: LISTING,
    parent: undefined,
    body: {
      node: node.id,
      id,
      type: 'transport',
      action: LISTING,
      ...(detailed ? { description: '' } : {}),
      start_time_in_millis: Date.now(),
      running_time_in_nanos: 0,
      cancellable: false,
      headers: opaqueHeaders(headers['x-opaque-id']),
    },
  }
}

function readFilter({ query }: HttpRequest) {
  const nodes = query.string('nodes')
  const actions = query.list('actions', ['*']).map((name) => namePattern(name))
  const parent = query.string('parent_task_id')
  if (parent !== undefined && parent !== '') parseTaskId(parent)
  const shows = (task: Pick<ListedTask, 'action' | 'parent'>) =>
    actions.some((matches) => matches(task.action)) && (parent === undefined || task.parent === parent)
  return { nodes, shows }
}

export function readTaskId(request: HttpRequest): { text: string; nodeId: string; number: number } {
  return parseTaskId(request.params['task_id']!)
}

export function parseTaskId(text: string): { text: string; nodeId: string; number: number } {
  const at = text.lastIndexOf(':')
  if (at < 0) throw malformedTaskId(text)
  if (!/^\d+$/.test(text.slice(at + 1))) throw malformedTaskId(text, text.slice(at + 1))
  return { text, nodeId: text.slice(0, at), number: Number(text.slice(at + 1)) }
}
