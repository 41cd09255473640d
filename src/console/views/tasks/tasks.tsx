/**
 * Tasks: long-running requests with their progress and a Cancel button, and those that ended since the page was opened.
 */
import { useRef } from 'preact/hooks'
import { type ApiRequest, call } from '../../api/client.ts'
import { duration } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import type { ViewProps } from '../../state/navigation.ts'
import { href, query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { TaskPage } from './task-page.tsx'
import {
  finishedRow,
  isMonitoring,
  isOperation,
  type Restore,
  restoreRow,
  type SnapshotStatus,
  snapshotRow,
  type Task,
  type TaskResult,
  type TaskRow,
  taskIdOf,
  taskRow,
} from './task-rows.ts'

const REQUESTS: readonly ApiRequest[] = [
  { method: 'GET', path: '/_tasks?detailed=true' },
  { method: 'GET', path: '/_snapshot/_status' },
  { method: 'GET', path: '/_sandpiper/restores' },
]
const EVERY_MS = 1500
const KEPT_MS = 3_600_000

export default function Tasks({ rest }: ViewProps) {
  return rest[0] === undefined ? <TaskList /> : <TaskPage id={rest[0]} />
}

function TaskList() {
  useTitle('Tasks')
  const hasAll = query.value.has('all')
  const finished = useRef(new Finished()).current
  const { value, failure, reload } = useLoad(async (abort) => readAll(finished, abort), 'tasks', EVERY_MS)
  const nowMs = Date.now()
  const running: TaskRow[] = [
    ...(value?.tasks ?? []).filter((task) => hasAll || !isMonitoring(task)).map(taskRow),
    ...(value?.snapshots ?? []).map((one) => snapshotRow(one, nowMs)),
  ]
  const restores = (value?.restores ?? []).map(restoreRow).reverse()
  const shown = [
    ...running,
    ...restores.filter(({ state }) => state === 'running'),
    ...finished.rows(nowMs),
    ...restores.filter(({ state }) => state !== 'running'),
  ]
  const cancel = async ({ title, cancel: request }: TaskRow) => {
    try {
      await call(request!.method, request!.path)
      toast(`${title} is being cancelled`)
      reload()
    } catch (error) {
      toast((error as Error).message)
    }
  }
  return (
    <>
      <header class="bar">
        <h1>Tasks</h1>
        <span class="push" />
        <label class="check">
          <input
            type="checkbox"
            checked={hasAll}
            onChange={(event) => setQuery({ all: event.currentTarget.checked ? 'true' : undefined })}
          />
          Include monitoring requests
        </label>
        <ShowRequest requests={() => REQUESTS} />
      </header>
      <div class="scroll">
        {failure !== undefined && (
          <div class="pad">
            <ErrorPanel error={failure} />
          </div>
        )}
        {value !== undefined && shown.length === 0 ? (
          <div class="empty">
            <h3>Nothing is running</h3>
            <p class="quiet">
              Reindex, update by query, delete by query, snapshots and restores show their progress here. What ends
              while this page is open stays listed for an hour.
            </p>
          </div>
        ) : (
          <table class="table ctx">
            <colgroup>
              <col />
              <col class="w-320" />
              <col class="w-104" />
              <col class="w-104" />
            </colgroup>
            <thead>
              <tr>
                <th class="first">What</th>
                <th>Progress</th>
                <th class="num">For</th>
                <th class="last">
                  <span class="sr">Cancel</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map((row) => (
                <Row
                  key={`${row.state === 'running' ? '' : 'over '}${row.key}`}
                  row={row}
                  onCancel={() => cancel(row)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  )
}

const BADGES = { running: '', cancelling: 'badge warn', done: 'badge ok', failed: 'badge danger' } as const

function Row({ row, onCancel }: { readonly row: TaskRow; readonly onCancel: () => void }) {
  const { title, detail, state, share, progress, runningMs, taskId } = row
  return (
    <tr>
      <td class="first">
        <span class="two-line">
          <b class="strong" title={title}>
            {taskId === undefined ? title : <a href={href(`/tasks/${encodeURIComponent(taskId)}`)}>{title}</a>}
          </b>
          <span class="hint" title={detail}>
            {detail}
          </span>
        </span>
      </td>
      <td>
        <span class="row" title={progress}>
          {BADGES[state] !== '' && <span class={BADGES[state]}>{state}</span>}
          <span class="clip">{progress === '' && state === 'running' ? 'no count' : progress}</span>
          {share !== undefined && <span class="hint push">{timeLeft(share, runningMs)}</span>}
        </span>
        {share !== undefined && (
          <div class="meter" role="progressbar" aria-label={title} aria-valuenow={Math.round(share * 100)}>
            <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
          </div>
        )}
      </td>
      <td class="num">{runningMs === undefined ? '' : duration(runningMs)}</td>
      <td class="last">
        {row.cancel !== undefined && (
          <button
            type="button"
            class="button small"
            disabled={state === 'cancelling'}
            aria-label={`Cancel ${title}`}
            onClick={onCancel}
          >
            Cancel
          </button>
        )}
      </td>
    </tr>
  )
}

function timeLeft(share: number, runningMs: number | undefined): string {
  if (runningMs === undefined || share <= 0 || share >= 1) return ''
  return `${duration((runningMs * (1 - share)) / share)} left`
}

async function readAll(finished: Finished, abort: AbortSignal) {
  const [listed, snapshots, restores] = await Promise.all([
    call<{ nodes: Record<string, { tasks: Record<string, Task> }> }>('GET', REQUESTS[0]!.path, undefined, abort),
    call<{ snapshots: SnapshotStatus[] }>('GET', REQUESTS[1]!.path, undefined, abort),
    call<{ restores: Restore[] }>('GET', REQUESTS[2]!.path, undefined, abort),
  ])
  const tasks = Object.values(listed.nodes).flatMap((node) => Object.values(node.tasks))
  await finished.follow(tasks, abort)
  return { tasks, snapshots: snapshots.snapshots, restores: restores.restores }
}

/** The results of operations that were running when the page was opened and have ended. */
class Finished {
  #running = new Set<string>()
  readonly #results: { readonly atMs: number; readonly result: TaskResult }[] = []

  async follow(tasks: readonly Task[], abort: AbortSignal): Promise<void> {
    const now = new Set(tasks.filter(isOperation).map(taskIdOf))
    const gone = [...this.#running].filter((id) => !now.has(id))
    this.#running = now
    for (const id of gone) {
      // Only operations that were started without waiting have a stored result.
      const result = await call<TaskResult>('GET', `/_tasks/${id}`, undefined, abort).catch(() => undefined)
      if (result?.completed === true) this.#results.unshift({ atMs: Date.now(), result })
    }
  }

  rows(nowMs: number): TaskRow[] {
    return this.#results.filter(({ atMs }) => nowMs - atMs < KEPT_MS).map(({ result }) => finishedRow(result))
  }
}
