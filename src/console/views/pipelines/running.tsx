/**
 * Running pipelines of a tool on this machine: inputs, queue, filters and outputs in order, with counts and failures.
 */
import { useRef } from 'preact/hooks'
import { call } from '../../api/client.ts'
import { count, counted, decimal, duration, size } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { useLoad } from '../../components/load.ts'
import { ShowRequest } from '../../components/show-request.tsx'
import type { ViewProps } from '../../state/navigation.ts'
import { navigate, query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'

interface Plugin {
  readonly id: string
  readonly name: string
  readonly events?: { readonly in?: number; readonly out?: number; readonly duration_in_millis?: number }
  readonly failures?: number
  readonly documents?: { readonly non_retryable_failures?: number; readonly successes?: number }
}

interface PipelineStats {
  readonly events?: {
    readonly in: number
    readonly filtered: number
    readonly out: number
    readonly duration_in_millis: number
  }
  readonly flow?: Readonly<Record<string, { readonly current?: number | string }>>
  readonly plugins?: {
    readonly inputs: readonly Plugin[]
    readonly filters: readonly Plugin[]
    readonly outputs: readonly Plugin[]
  }
  readonly queue?: {
    readonly type: string
    readonly events_count?: number
    readonly events?: number
    readonly queue_size_in_bytes?: number
    readonly max_queue_size_in_bytes?: number
  }
  readonly dead_letter_queue?: { readonly queue_size_in_bytes?: number; readonly dropped_events?: number }
  readonly reloads?: { readonly failures?: number; readonly last_error?: { readonly message?: string } | null }
}

interface Running {
  readonly port: number
  readonly reachable: boolean
  readonly node?: { readonly version: string; readonly host: string }
  readonly stats?: { readonly pipelines: Readonly<Record<string, PipelineStats>> }
}

const PORT = 9600

export default function RunningView({ rest }: ViewProps) {
  useTitle(rest[0], 'Running')
  const port = Number(query.value.get('port') ?? PORT)
  const path = `/_sandpiper/pipeline/running?port=${port}`
  const { value, failure } = useLoad((abort) => call<Running>('GET', path, undefined, abort), path, 2000)
  const pipelines = Object.entries(value?.stats?.pipelines ?? {})
  const chosen = pipelines.find(([name]) => name === rest[0]) ?? pipelines[0]
  return (
    <>
      <header class="bar">
        <h1>Running</h1>
        {pipelines.length > 0 && (
          <fieldset class="segments" aria-label="Pipeline">
            {pipelines.map(([name]) => (
              <button
                type="button"
                key={name}
                aria-pressed={name === chosen?.[0]}
                onClick={() =>
                  navigate(`/pipelines/running/${encodeURIComponent(name)}${port === PORT ? '' : `?port=${port}`}`)
                }
              >
                {name}
              </button>
            ))}
          </fieldset>
        )}
        <span class="push" />
        <label class="row">
          <span class="label nowrap">Monitoring port</span>
          <span class="field w-84">
            <input
              type="number"
              min={9600}
              max={9700}
              value={port}
              onChange={(event) =>
                setQuery({ port: event.currentTarget.value === String(PORT) ? undefined : event.currentTarget.value })
              }
            />
          </span>
        </label>
        <ShowRequest plain requests={() => [{ method: 'GET', path }]} />
      </header>
      <div class="scroll">
        {failure !== undefined && (
          <div class="pad">
            <ErrorPanel error={failure} />
          </div>
        )}
        {value?.reachable === false && (
          <div class="empty">
            <h3>No pipeline is running here</h3>
            <p class="quiet">
              Nothing answers on port {port} of this machine. A pipeline that runs shows itself here every two seconds.
            </p>
            <pre class="copytext">sandpiper pipeline -f access.conf</pre>
          </div>
        )}
        {chosen !== undefined && <Pipeline key={chosen[0]} stats={chosen[1]} />}
      </div>
    </>
  )
}

function Pipeline({ stats }: { readonly stats: PipelineStats }) {
  const { events, plugins, queue, dead_letter_queue, reloads, flow } = stats
  const rates = useRates(stats)
  const letters = dead_letter_queue?.queue_size_in_bytes
  return (
    <div class="pad stack top running-pipeline">
      <dl class="figures five">
        <Figure
          label="In"
          value={count(events?.in ?? 0)}
          hint={rateText(flow?.['input_throughput']?.current, rates.in)}
        />
        <Figure
          label="Out"
          value={count(events?.out ?? 0)}
          hint={rateText(flow?.['output_throughput']?.current, rates.out)}
        />
        <Figure
          label="Filtered"
          value={count(events?.filtered ?? 0)}
          hint={
            events === undefined || events.out === 0
              ? ''
              : `${decimal(events.duration_in_millis / Math.max(1, events.out))} ms for each event`
          }
        />
        <Figure
          label="Queue"
          value={count(queue?.events_count ?? queue?.events ?? 0)}
          hint={
            queue === undefined
              ? ''
              : queue.type === 'memory'
                ? 'events, in memory'
                : `events, ${size(queue.queue_size_in_bytes ?? 0)} on disk`
          }
        />
        <Figure
          label="Dead letters"
          value={letters === undefined ? 'off' : size(letters)}
          hint={
            letters === undefined
              ? 'not switched on'
              : `${counted(dead_letter_queue?.dropped_events ?? 0, 'event')} had no room`
          }
        />
      </dl>
      {reloads?.last_error?.message !== undefined && (
        <div class="fault-panel" role="alert">
          <span />
          <div>
            <h3>The last reload failed</h3>
            <div class="type">{reloads.last_error.message}</div>
          </div>
        </div>
      )}
      <div class="graph" role="list" aria-label="From inputs to outputs">
        <Stage label="Inputs" plugins={plugins?.inputs ?? []} isSideBySide />
        <Arrow />
        <div class="stage" role="listitem">
          <span class="label">Queue</span>
          <div class="node-card">
            <b>{queue?.type ?? 'memory'}</b>
            {counted(queue?.events_count ?? queue?.events ?? 0, 'event')}
          </div>
        </div>
        <Arrow />
        <Stage label="Filters, in order" plugins={plugins?.filters ?? []} total={events?.duration_in_millis} />
        <Arrow />
        <Stage label="Outputs" plugins={plugins?.outputs ?? []} isSideBySide />
      </div>
    </div>
  )
}

function Figure({ label, value, hint }: { readonly label: string; readonly value: string; readonly hint: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd class="big">{value}</dd>
      <dd class="hint">{hint}</dd>
    </div>
  )
}

function rateText(current: number | string | undefined, own: number | undefined): string {
  const rate = typeof current === 'number' ? current : own
  return rate === undefined ? '' : `${decimal(rate)} a second`
}

/** Events per second between the last two polls. */
function useRates({ events }: PipelineStats): { readonly in: number | undefined; readonly out: number | undefined } {
  const last = useRef<{ atMs: number; in: number; out: number } | undefined>(undefined)
  const rates = useRef<{ in: number | undefined; out: number | undefined }>({ in: undefined, out: undefined })
  const now = { atMs: Date.now(), in: events?.in ?? 0, out: events?.out ?? 0 }
  if (last.current !== undefined && now.atMs - last.current.atMs > 500) {
    const seconds = (now.atMs - last.current.atMs) / 1000
    rates.current = { in: (now.in - last.current.in) / seconds, out: (now.out - last.current.out) / seconds }
  }
  if (last.current === undefined || now.atMs - last.current.atMs > 500) last.current = now
  return rates.current
}

interface StageProps {
  readonly label: string
  readonly plugins: readonly Plugin[]
  readonly isSideBySide?: boolean
  /** The total time of all filters, to highlight slow ones. */
  readonly total?: number | undefined
}

function Stage({ label, plugins, total }: StageProps) {
  return (
    <div class="stage" role="listitem">
      <span class="label">{label}</span>
      {plugins.map(({ id, name, events, failures = 0, documents }) => {
        const bad = failures + (documents?.non_retryable_failures ?? 0)
        const spent = events?.duration_in_millis ?? 0
        const isHot = total !== undefined && total > 1000 && spent > total / 2
        return (
          <div class={`node-card${bad > 0 ? ' bad' : isHot ? ' hot' : ''}`} key={id} title={id}>
            <b>{name}</b>
            <span>
              {events?.in !== undefined && `${count(events.in)} in · `}
              {count(events?.out ?? 0)} out
            </span>
            {spent > 0 && <span>{duration(spent)}</span>}
            {bad > 0 && <span class="failcount">{counted(bad, 'failure')}</span>}
          </div>
        )
      })}
      {plugins.length === 0 && <div class="node-card">none</div>}
    </div>
  )
}

function Arrow() {
  return (
    <svg class="arrow" viewBox="0 0 32 16" aria-hidden="true">
      <path d="M2 8h26M22 3l6 5-6 5" />
    </svg>
  )
}
