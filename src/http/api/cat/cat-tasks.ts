/** `_cat/tasks` and `_cat/thread_pool`. */
import { namePattern } from '../../../base/name-pattern.ts'
import { ELASTICSEARCH_VERSION } from '../../../base/version.ts'
import { HOST, TRANSPORT_ADDRESS } from '../../../service/cluster/node-identity.ts'
import { threadPools } from '../../../service/cluster/thread-pools.ts'
import { namesThisNode } from '../../../service/names/node-names.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import type { HttpRequest } from '../../request.ts'
import { LISTING, parseTaskId } from '../cluster/tasks.ts'
import { type CatTable, type Column, Milliseconds, type Row } from './cat-table.ts'

const PORT = TRANSPORT_ADDRESS.slice(TRANSPORT_ADDRESS.lastIndexOf(':') + 1)

const column = (name: string, aliases: string, about: string, more: Partial<Column> = {}): Column => ({
  name,
  about,
  ...(aliases === '' ? {} : { aliases: aliases.split(',') }),
  ...more,
})
const HIDDEN = { hidden: true } as const
const RIGHT = { alignRight: true } as const

export const catTasks: CatTable = {
  paths: ['/_cat/tasks'],
  columns: [
    column('id', '', 'number of the task on its node', HIDDEN),
    column('action', 'ac', 'what it does'),
    column('task_id', 'ti', 'id of the task'),
    column('parent_task_id', 'pti', 'id of the task it works for'),
    column('type', 'ty', 'kind of task'),
    column('start_time', 'start', 'when it began, in milliseconds'),
    column('timestamp', 'ts,hms,hhmmss', 'when it began, in HH:MM:SS'),
    column('running_time_ns', 'time', 'how long it runs, in nanoseconds', HIDDEN),
    column('running_time', 'time', 'how long it runs'),
    column('node_id', 'ni', "the node's id", HIDDEN),
    column('ip', 'i', 'address'),
    column('port', 'po', 'port of the transport', HIDDEN),
    column('node', 'n', "the node's name"),
    column('version', 'v', 'version of the API', HIDDEN),
    column('x_opaque_id', 'x', 'what the client called its request', HIDDEN),
    column('description', 'desc', 'more about it', HIDDEN),
  ],
  /** `detailed` shows the descriptions, too. */
  columnsFor({ query }) {
    if (!query.boolean('detailed', false)) return this.columns
    return this.columns.map((shown) => (shown.name === 'description' ? { ...shown, hidden: false } : shown))
  },
  read(request, node) {
    const { query } = request
    const nodes = query.string('nodes')
    const actions = query.list('actions', ['*']).map((name) => namePattern(name))
    const parent = query.string('parent_task_id', '')
    if (parent !== '') parseTaskId(parent)
    query.accept('timeout', 'wait_for_completion')
    return () => {
      // No task of this node has a parent.
      if (!namesThisNode(node, nodes) || parent !== '') return []
      return runningTasks(node, request).filter(({ action }) => actions.some((matches) => matches(String(action))))
    }
  },
}

/** Background operations, searches, and the listing request itself. */
function runningTasks(node: SandpiperNode, { headers }: HttpRequest): Row[] {
  const opaqueId = headers['x-opaque-id']
  const asking = {
    id: node.tasks.nextId(),
    action: LISTING,
    description: '',
    startedAtMs: Date.now(),
    opaqueId: Array.isArray(opaqueId) ? opaqueId[0] : opaqueId,
  }
  const background = node.tasks.running().map((task) => ({ ...task, opaqueId: undefined }))
  return [...background, ...node.tasks.requests.list(), asking].map((task) => {
    const runningMs = Math.max(0, Date.now() - task.startedAtMs)
    return {
      id: task.id,
      action: task.action,
      task_id: `${node.id}:${task.id}`,
      parent_task_id: '-',
      type: 'transport',
      start_time: task.startedAtMs,
      timestamp: new Date(task.startedAtMs).toISOString().slice(11, 19),
      running_time_ns: runningMs * 1_000_000,
      running_time: new Milliseconds(runningMs),
      node_id: node.id.slice(0, 4),
      ip: HOST,
      port: PORT,
      node: node.name,
      version: ELASTICSEARCH_VERSION,
      x_opaque_id: task.opaqueId ?? '-',
      description: task.description,
    }
  })
}

export const catThreadPool: CatTable = {
  paths: ['/_cat/thread_pool', '/_cat/thread_pool/{thread_pool_patterns}'],
  columns: [
    column('node_name', 'nn', "the node's name"),
    column('node_id', 'id', "the node's id", HIDDEN),
    column('ephemeral_node_id', 'eid', 'id of the running process', HIDDEN),
    column('pid', 'p', 'process id', HIDDEN),
    column('host', 'h', 'host name', HIDDEN),
    column('ip', 'i', 'address', HIDDEN),
    column('port', 'po', 'port of the transport', HIDDEN),
    column('name', 'n', 'name of the pool'),
    column('type', 't', 'kind of pool', HIDDEN),
    column('active', 'a', 'threads at work', RIGHT),
    column('pool_size', 'psz', 'threads', { ...HIDDEN, ...RIGHT }),
    column('queue', 'q', 'tasks that wait', RIGHT),
    column('queue_size', 'qs', 'tasks that may wait', { ...HIDDEN, ...RIGHT }),
    column('rejected', 'r', 'tasks that were turned away', RIGHT),
    column('largest', 'l', 'most threads at work', { ...HIDDEN, ...RIGHT }),
    column('completed', 'c', 'finished tasks', { ...HIDDEN, ...RIGHT }),
    column('core', 'cr', 'fewest threads of a growing pool', { ...HIDDEN, ...RIGHT }),
    column('max', 'mx', 'most threads of a growing pool', { ...HIDDEN, ...RIGHT }),
    column('size', 'sz', 'threads of a fixed pool', { ...HIDDEN, ...RIGHT }),
    column('keep_alive', 'ka', 'how long an idle thread lives', { ...HIDDEN, ...RIGHT }),
  ],
  read(request, node) {
    const patterns = request.param('thread_pool_patterns')?.split(',') ?? ['*']
    const matchers = patterns.map((pattern) => namePattern(pattern))
    return () =>
      threadPools()
        .filter(({ name }) => matchers.some((matches) => matches(name)))
        .map((pool) => ({
          node_name: node.name,
          node_id: node.id,
          ephemeral_node_id: node.id,
          pid: process.pid,
          host: HOST,
          ip: HOST,
          port: PORT,
          name: pool.name,
          type: 'fixed',
          active: pool.active,
          pool_size: pool.size,
          queue: pool.queue,
          queue_size: pool.queueSize,
          rejected: pool.rejected,
          largest: pool.size,
          completed: 0,
          core: undefined,
          max: undefined,
          size: pool.size,
          keep_alive: undefined,
        }))
  },
}
