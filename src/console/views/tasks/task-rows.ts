/** What runs or ran lately, as rows of one table: tasks, snapshots and restores. */
import { type ApiRequest, segment } from '../../api/client.ts'
import { count, counted, size } from '../../api/format.ts'

export interface Task {
  readonly node: string
  readonly id: number
  readonly action: string
  readonly description?: string
  readonly start_time_in_millis: number
  readonly running_time_in_nanos: number
  readonly cancellable: boolean
  readonly cancelled?: boolean
  readonly status?: Readonly<Record<string, number>>
}

/** The answer of `GET _tasks/{id}`. */
export interface TaskResult {
  readonly completed: boolean
  readonly task: Task
  readonly response?: Readonly<Record<string, unknown>>
  readonly error?: { readonly reason?: string }
}

export interface SnapshotStatus {
  readonly snapshot: string
  readonly repository: string
  readonly shards_stats: { readonly done: number; readonly total: number }
  readonly stats: { readonly total: { readonly size_in_bytes: number }; readonly start_time_in_millis: number }
}

export interface Restore {
  readonly repository: string
  readonly snapshot: string
  readonly indices: readonly string[]
  readonly state: 'running' | 'done' | 'failed'
  readonly bytes_done: number
  readonly bytes_total: number
  readonly reason?: string
}

export interface TaskRow {
  readonly key: string
  readonly title: string
  readonly detail: string
  readonly state: 'running' | 'cancelling' | 'done' | 'failed'
  /** The completed fraction, from 0 to 1; undefined if the operation counts nothing. */
  readonly share: number | undefined
  /** The progress in numbers: `1,200 of 5,000 documents`. */
  readonly progress: string
  readonly runningMs: number | undefined
  readonly cancel: ApiRequest | undefined
  /** The id of a task, for its own page. */
  readonly taskId: string | undefined
}

/** Actions that stay in the table with their results after they have ended. */
const OPERATIONS = /^indices:data\/write\/(reindex|update\/byquery|delete\/byquery)/
/** Actions that the table omits by default: the listing request itself and other requests of this page. */
const MONITORING = /^cluster:monitor\//

export const isMonitoring = ({ action }: Task) => MONITORING.test(action)
export const isOperation = ({ action }: Task) => OPERATIONS.test(action)
export const taskIdOf = ({ node, id }: Task) => `${node}:${id}`

/** Actions that people start, in words. Others keep their name. */
const NAMES: readonly (readonly [action: RegExp, name: string])[] = [
  [/^indices:data\/write\/reindex$/, 'Reindex'],
  [/^indices:data\/write\/update\/byquery$/, 'Update by query'],
  [/^indices:data\/write\/delete\/byquery$/, 'Delete by query'],
  [/^indices:data\/read\/search$/, 'Search'],
  [/^indices:admin\/forcemerge$/, 'Force merge'],
]

const nameOf = (action: string) => NAMES.find(([pattern]) => pattern.test(action))?.[1] ?? action

export function taskRow(task: Task): TaskRow {
  const id = taskIdOf(task)
  return {
    key: id,
    title: nameOf(task.action),
    detail: task.description ?? task.action,
    state: task.cancelled === true ? 'cancelling' : 'running',
    ...counts(task),
    runningMs: task.running_time_in_nanos / 1e6,
    cancel: task.cancellable ? { method: 'POST', path: `/_tasks/${id}/_cancel` } : undefined,
    taskId: id,
  }
}

/** A task that is over. */
export function finishedRow({ task, error, response }: TaskResult): TaskRow {
  const failures = Array.isArray(response?.['failures']) ? response['failures'].length : 0
  const isFailed = error !== undefined || failures > 0
  const { progress } = counts(task)
  const outcome = error?.reason ?? (failures > 0 ? counted(failures, 'failure') : '')
  return {
    ...taskRow(task),
    state: isFailed ? 'failed' : 'done',
    share: undefined,
    progress: [task.cancelled === true ? 'cancelled' : '', progress, outcome].filter((part) => part !== '').join(' · '),
    cancel: undefined,
  }
}

function counts({ status }: Task): Pick<TaskRow, 'share' | 'progress'> {
  const total = status?.['total']
  if (status === undefined || total === undefined) return { share: undefined, progress: '' }
  const parts = ['created', 'updated', 'deleted', 'noops', 'version_conflicts']
  const done = parts.reduce((sum, name) => sum + (status[name] ?? 0), 0)
  return { share: total === 0 ? 0 : done / total, progress: `${count(done)} of ${counted(total, 'document')}` }
}

export function snapshotRow({ snapshot, repository, shards_stats, stats }: SnapshotStatus, nowMs: number): TaskRow {
  const { done, total } = shards_stats
  return {
    key: `snapshot ${repository}/${snapshot}`,
    title: `Snapshot ${snapshot}`,
    detail: `to the repository ${repository}`,
    state: 'running',
    share: total === 0 ? 0 : done / total,
    progress: `${count(done)} of ${counted(total, 'shard')} · ${size(stats.total.size_in_bytes)}`,
    runningMs: Math.max(0, nowMs - stats.start_time_in_millis),
    // The deletion of a snapshot in progress aborts it.
    cancel: { method: 'DELETE', path: `/_snapshot/${segment(repository)}/${segment(snapshot)}` },
    taskId: undefined,
  }
}

export function restoreRow(restore: Restore, at: number): TaskRow {
  const { repository, snapshot, indices, state, bytes_done, bytes_total, reason } = restore
  return {
    key: `restore ${at}`,
    title: `Restore of ${snapshot}`,
    detail: `from ${repository} to ${indices.join(', ')}`,
    state,
    share: state === 'running' && bytes_total > 0 ? bytes_done / bytes_total : undefined,
    progress: state === 'failed' ? (reason ?? '') : `${size(bytes_done)} of ${size(bytes_total)}`,
    runningMs: undefined,
    cancel: undefined,
    taskId: undefined,
  }
}
