/** Tasks: long-running requests, with their progress and a Cancel button. */
import { useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { count, counted, duration } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import { useTitle } from '../../state/title.ts'

interface Task {
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

const PATH = '/_tasks?detailed=true'
/** The requests of this page are not listed. */
const OWN = /^cluster:monitor\//

export default function Tasks() {
  useTitle('Tasks')
  const [hasAll, setAll] = useState(false)
  const { value, failure, reload } = useLoad(
    async (abort) => {
      const { nodes } = await call<{ nodes: Record<string, { tasks: Record<string, Task> }> }>(
        'GET',
        PATH,
        undefined,
        abort,
      )
      return Object.values(nodes).flatMap(({ tasks }) => Object.values(tasks))
    },
    'tasks',
    1500,
  )
  const shown = (value ?? []).filter(({ action }) => hasAll || !OWN.test(action))
  const cancel = async (task: Task) => {
    try {
      await call('POST', `/_tasks/${task.node}:${task.id}/_cancel`)
      toast(`${task.action} is being cancelled`)
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
          <input type="checkbox" checked={hasAll} onChange={(event) => setAll(event.currentTarget.checked)} />
          Monitoring too
        </label>
        <ShowRequest requests={() => [{ method: 'GET', path: PATH }]} />
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
              Reindex, update by query and delete by query show their progress here when they are started with
              wait_for_completion=false, or take a while.
            </p>
          </div>
        ) : (
          <table class="table ctx">
            <colgroup>
              <col />
              <col class="w-240" />
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
              {shown.map((task) => (
                <tr key={`${task.node}:${task.id}`}>
                  <td class="first">
                    <span class="two-line">
                      <b class="strong">{task.action}</b>
                      <span class="hint">{task.description}</span>
                    </span>
                  </td>
                  <td>
                    <Progress task={task} />
                  </td>
                  <td class="num">{duration(task.running_time_in_nanos / 1e6)}</td>
                  <td class="last">
                    {task.cancellable && (
                      <button
                        type="button"
                        class="button small"
                        disabled={task.cancelled === true}
                        aria-label={`Cancel ${task.action}`}
                        onClick={() => cancel(task)}
                      >
                        {task.cancelled === true ? 'Cancelling' : 'Cancel'}
                      </button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </>
  )
}

function Progress({ task: { status, running_time_in_nanos } }: { readonly task: Task }) {
  const total = status?.['total']
  if (status === undefined || total === undefined) return <span class="hint">no count</span>
  const done =
    (status['created'] ?? 0) +
    (status['updated'] ?? 0) +
    (status['deleted'] ?? 0) +
    (status['noops'] ?? 0) +
    (status['version_conflicts'] ?? 0)
  const rate = done / Math.max(0.1, running_time_in_nanos / 1e9)
  const share = total === 0 ? 0 : done / total
  return (
    <>
      <span class="row">
        {count(done)} of {counted(total, 'document')}
        <span class="hint">{rate > 0 && done < total ? `${duration(((total - done) / rate) * 1000)} left` : ''}</span>
      </span>
      <div class="meter">
        <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
      </div>
    </>
  )
}
