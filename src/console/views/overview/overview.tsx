/** Overview: health, size and current activity of the service. */
import { useState } from 'preact/hooks'
import { call, NoAnswer, segment } from '../../api/client.ts'
import { count, counted, decimal, duration, size, sizeParts } from '../../api/format.ts'
import { Chart } from '../../components/chart.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { openInRequests, ShowRequest } from '../../components/show-request.tsx'
import { toast } from '../../components/toasts.tsx'
import { href, query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { IndicesPanel } from './indices-panel.tsx'
import { type LiveStats, live, liveFailure, POLLED, type Sample, useLiveStats } from './live-stats.ts'
import { MemoryPanel, ThreadsPanel } from './memory-panel.tsx'
import { SlowPanel } from './slow-panel.tsx'

const SPANS = [
  ['5m', '5 min', 300],
  ['15m', '15 min', 900],
  ['1h', '1 h', 3600],
] as const

export default function Overview() {
  useTitle('Overview')
  useLiveStats()
  const stats = live.value
  const span = SPANS.find(([key]) => key === query.value.get('span')) ?? SPANS[0]
  return (
    <>
      <header class="bar">
        <h1>Overview</h1>
        <span class="push" />
        <span class="row quiet wide-only">
          <i class={liveFailure.value === undefined ? 'dot ok' : 'dot danger'} />
          Live, every 2 s
        </span>
        <fieldset class="segments" aria-label="Time span">
          {SPANS.map(([key, label]) => (
            <button
              type="button"
              key={key}
              aria-pressed={key === span[0]}
              onClick={() => setQuery({ span: key === SPANS[0][0] ? undefined : key })}
            >
              {label}
            </button>
          ))}
        </fieldset>
        <ShowRequest requests={() => POLLED.map((path) => ({ method: 'GET', path }))} />
      </header>
      <div class="scroll">
        {stats === undefined ? (
          liveFailure.value !== undefined && !(liveFailure.value instanceof NoAnswer) ? (
            <div class="pad">
              <ErrorPanel error={liveFailure.value} />
            </div>
          ) : (
            <Placeholder />
          )
        ) : stats.indices.length === 0 ? (
          <FirstIndex stats={stats} />
        ) : (
          <Figures stats={stats} seconds={span[2]} />
        )}
      </div>
    </>
  )
}

function Figures({ stats, seconds }: { readonly stats: LiveStats; readonly seconds: number }) {
  const since = Date.now() - seconds * 1000
  const shown = stats.samples.filter(({ atMs }) => atMs >= since)
  return (
    <div class="overview">
      <Strip stats={stats} />
      <section class="panel" aria-label="Indexing">
        <header>
          <h2>Indexing</h2>
          <span class="hint">documents per second</span>
          <span class="push num strong">{count(Math.round(shown.at(-1)?.indexing ?? 0))}</span>
        </header>
        <RateChart
          samples={shown}
          seconds={seconds}
          pick={({ indexing }) => indexing}
          what="documents indexed per second"
          color="--series-1"
        />
      </section>
      <section class="panel" aria-label="Searching">
        <header>
          <h2>Searching</h2>
          <span class="hint">shard searches per second</span>
          <span class="push num strong">{decimal(shown.at(-1)?.searching ?? 0)}</span>
        </header>
        <RateChart
          samples={shown}
          seconds={seconds}
          pick={({ searching }) => searching}
          what="searches per second"
          color="--series-3"
        />
      </section>
      <div class="split-6">
        <IndicesPanel indices={stats.indices} />
        <SlowPanel />
      </div>
      <MemoryPanel stats={stats} />
      <ThreadsPanel stats={stats} />
    </div>
  )
}

interface RateChartProps {
  readonly samples: readonly Sample[]
  readonly seconds: number
  readonly pick: (sample: Sample) => number
  readonly what: string
  readonly color: string
}

function RateChart({ samples, seconds, pick, what, color }: RateChartProps) {
  const now = Date.now()
  // The chart of a new service shows a flat line instead of no line.
  const first = samples[0]?.atMs ?? now
  const x = [(now - seconds * 1000) / 1000, (first - 1) / 1000, ...samples.map(({ atMs }) => atMs / 1000)]
  const values = [null, null, ...samples.map(pick)]
  const newest = values.at(-1) ?? 0
  return (
    <div class="chartbox">
      <Chart
        kind="line"
        x={x}
        series={[{ label: what, values, color, filled: true }]}
        height={136}
        summary={`Line chart of ${what}, now ${decimal(newest)}`}
        format={(value) => (value >= 10 ? count(value) : decimal(value))}
      />
    </div>
  )
}

function Strip({ stats }: { readonly stats: LiveStats }) {
  const [disk, diskUnit] = sizeParts(stats.bytes)
  const [memory, memoryUnit] = sizeParts(stats.memoryBytes)
  const share = stats.memoryLimit > 0 ? Math.min(1, stats.memoryBytes / stats.memoryLimit) : 0
  return (
    <dl class="figures full">
      <Health stats={stats} />
      <div>
        <dt>Documents</dt>
        <dd class="big">{count(stats.docs)}</dd>
        <dd class="hint">
          in {counted(stats.indices.length, 'index', 'indices')}
          {stats.dataStreams > 0 && `, ${counted(stats.dataStreams, 'data stream')}`}
        </dd>
      </div>
      <div>
        <dt>On disk</dt>
        <dd class="big">
          {disk}
          <small>{diskUnit}</small>
        </dd>
        <dd class="hint">{stats.freeBytes === undefined ? 'in memory only' : `${size(stats.freeBytes)} free`}</dd>
      </div>
      <div>
        <dt>Memory</dt>
        <dd class="big">
          {memory}
          <small>
            {memoryUnit}
            {stats.memoryLimit > 0 && ` of ${size(stats.memoryLimit)}`}
          </small>
        </dd>
        <dd>
          <div class="meter">
            <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
          </div>
        </dd>
      </div>
      <div>
        <dt>Open contexts</dt>
        <dd class="big">{count(stats.contexts.count)}</dd>
        <dd class="hint">
          {stats.contexts.count === 0 ? 'no scroll, no point in time' : `pin ${size(stats.contexts.bytes)}`}
          {' · '}
          <a href={href('/contexts')}>see them</a>
        </dd>
      </div>
    </dl>
  )
}

const DOTS = { green: 'dot ok', yellow: 'dot warn', red: 'dot danger' } as const
const NAMES = { green: 'Green', yellow: 'Yellow', red: 'Red' } as const

function Health({ stats }: { readonly stats: LiveStats }) {
  const [isBusy, setBusy] = useState(false)
  const asking = stats.indices.filter(({ health, replicas }) => health === 'yellow' && replicas > 0)
  const red = stats.indices.filter(({ health }) => health === 'red')
  const cure = async () => {
    setBusy(true)
    const names = asking.map(({ name }) => segment(name)).join(',')
    try {
      await call('PUT', `/${names}/_settings`, { index: { number_of_replicas: 0 } })
      toast(`${counted(asking.length, 'index', 'indices')} set to no replica`)
    } catch (error) {
      toast((error as Error).message)
    }
    setBusy(false)
  }
  return (
    <div>
      <dt>Health</dt>
      <dd class="big row">
        <i class={DOTS[stats.status]} />
        {NAMES[stats.status]}
      </dd>
      <dd class="hint">
        {stats.status === 'green' && `All shards are there. Up ${duration(stats.uptimeMs)}.`}
        {stats.status === 'yellow' && asking.length > 0 && (
          <>
            {asking.length === 1 ? '1 index asks' : `${count(asking.length)} indices ask`} for a replica; one node has
            none.{' '}
            <button type="button" class="textlink nowrap" disabled={isBusy} onClick={cure}>
              Set replicas to 0
            </button>
          </>
        )}
        {stats.status === 'red' &&
          `${counted(red.length, 'index', 'indices')} cannot be read: ${red.map(({ name }) => name).join(', ')}`}
      </dd>
    </div>
  )
}

const FIRST = [
  { method: 'PUT', path: '/books/_doc/1?refresh=true', body: { title: 'Sandpipers of the world', year: 1977 } },
  { method: 'GET', path: '/books/_search', body: { query: { match: { title: 'sandpipers' } } } },
]

function FirstIndex({ stats }: { readonly stats: LiveStats }) {
  return (
    <div class="overview">
      <Strip stats={stats} />
      <section class="panel full">
        <div class="empty">
          <h3>There is no index yet</h3>
          <p class="quiet">Write a first document and search for it; the index is made on the way.</p>
          <pre class="copytext">
            {'PUT /books/_doc/1?refresh=true\n{ "title": "Sandpipers of the world", "year": 1977 }'}
          </pre>
          <div class="row wrap">
            <button type="button" class="button primary" onClick={() => openInRequests(FIRST)}>
              Open in Requests
            </button>
            <a class="button" href={href('/indices?create')}>
              Create an index
            </a>
          </div>
        </div>
      </section>
    </div>
  )
}

/** A placeholder with the layout of the figures, so that nothing moves when they arrive. */
function Placeholder() {
  return (
    <div class="overview" aria-busy="true">
      <dl class="figures full">
        {['Health', 'Documents', 'On disk', 'Memory', 'Open contexts'].map((name) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class="big"> </dd>
            <dd class="hint"> </dd>
          </div>
        ))}
      </dl>
      <section class="panel placeholder" />
      <section class="panel placeholder" />
    </div>
  )
}
