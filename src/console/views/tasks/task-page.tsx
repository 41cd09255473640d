/** One task by its id: its state while it runs and its result afterwards. */
import { call } from '../../api/client.ts'
import { duration, shortDate } from '../../api/format.ts'
import { type Json, writeJson } from '../../api/lossless-json.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import { href } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { finishedRow, type TaskResult, taskRow } from './task-rows.ts'

const EVERY_MS = 1500

export function TaskPage({ id }: { readonly id: string }) {
  useTitle(id, 'Tasks')
  const path = `/_tasks/${id}`
  const { value, failure } = useLoad((abort) => call<TaskResult>('GET', path, undefined, abort), id, EVERY_MS)
  const row = value === undefined ? undefined : value.completed ? finishedRow(value) : taskRow(value.task)
  return (
    <>
      <header class="bar">
        <a class="button plain square" href={href('/tasks')} aria-label="All tasks">
          <Icon name="tasks" />
        </a>
        <h1 class="clip">Task {id}</h1>
        <span class="push" />
        <ShowRequest requests={() => [{ method: 'GET', path }]} />
      </header>
      <div class="scroll pad stack" role="group" tabIndex={0} aria-label="State of the task">
        {failure !== undefined && <ErrorPanel error={failure} />}
        {row !== undefined && value !== undefined && (
          <>
            <table class="doc">
              <tbody>
                <Line name="Action">{value.task.action}</Line>
                <Line name="What">{row.detail}</Line>
                <Line name="State">{row.state}</Line>
                <Line name="Progress">{row.progress === '' ? 'no count' : row.progress}</Line>
                <Line name="Started">{shortDate(value.task.start_time_in_millis)}</Line>
                <Line name="For">{duration(row.runningMs ?? 0)}</Line>
              </tbody>
            </table>
            <span class="label">{value.completed ? 'Result' : 'Status'}</span>
            <pre class="copytext" tabIndex={0}>
              {writeJson((value.error ?? value.response ?? value.task.status ?? {}) as Json, 2)}
            </pre>
          </>
        )}
      </div>
    </>
  )
}

function Line({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <tr>
      <td>{name}</td>
      <td>
        <bdi>{children}</bdi>
      </td>
    </tr>
  )
}
