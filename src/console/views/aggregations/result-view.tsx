/** The result: a summary with the count, the pages, the collection mode of composite, a chart and a table. */
import type { ComponentType } from 'preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { count, decimal, duration } from '../../api/format.ts'
import { Chart } from '../../components/chart.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { VirtualTable } from '../../components/virtual-table.tsx'
import { writeFilter } from '../../documents/filters.ts'
import { href } from '../../state/router.ts'
import { HeatMap } from './heat-map.tsx'
import { Levels } from './levels.tsx'
import { metricName, type Plan } from './plan.ts'
import { type Bucket, type Result, stopRun } from './run.ts'

export type View = 'bars' | 'lines' | 'heat' | 'map' | 'none'

const VIEW_NAMES: Readonly<Record<View, string>> = {
  bars: 'Bars',
  lines: 'Lines',
  heat: 'Heat map',
  map: 'Map',
  none: 'Table only',
}

/** The charts that a plan supports, the most suitable first. */
export function viewsOf({ kind, by }: Plan): readonly View[] {
  const isTime = kind === 'date_histogram' || /^\d+[smhdwMqy]$/.test(by[0]?.step ?? '')
  if (kind === 'geotile_grid') return ['map', 'none']
  if (kind === 'composite' && by.some(({ step }) => /^\d+$/.test(step ?? '')) && by.length === 1)
    return ['map', 'bars', 'none']
  if (kind === 'composite' && by.length >= 2) return ['heat', 'bars', 'none']
  return isTime ? ['lines', 'bars', 'none'] : ['bars', 'lines', 'none']
}

interface ResultViewProps {
  readonly result: Result
  readonly view: View | undefined
  readonly onView: (view: View) => void
}

export function ResultView({ result, view, onView }: ResultViewProps) {
  const { plan, buckets, failure } = result
  if (plan === undefined) {
    return (
      <div class="empty">
        <p class="quiet">Choose how to group at the left; the result comes here.</p>
      </div>
    )
  }
  const views = viewsOf(plan)
  const shown = view !== undefined && views.includes(view) ? view : views[0]!
  return (
    <>
      <div class="resulthead">
        <Sentence result={result} />
        <span class="push" />
        {plan.kind !== 'levels' && (
          <fieldset class="segments" aria-label="Chart">
            {views.map((name) => (
              <button type="button" key={name} aria-pressed={name === shown} onClick={() => onView(name)}>
                {VIEW_NAMES[name]}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {failure !== undefined && (
        <div class="pad">
          <ErrorPanel error={failure} />
        </div>
      )}
      {plan.kind === 'composite' && <Pages result={result} />}
      {plan.kind === 'composite' && <Ways ways={result.ways} plan={plan} />}
      {plan.kind === 'levels' ? (
        <Levels result={result} />
      ) : (
        <>
          {buckets.length > 0 && <Drawing view={shown} plan={plan} buckets={buckets} />}
          <BucketTable plan={plan} buckets={buckets} />
        </>
      )}
    </>
  )
}

function Sentence({
  result: { buckets, pages, isAtEnd, isRunning, tookMs, plan, others, total },
}: {
  readonly result: Result
}) {
  const isComposite = plan?.kind === 'composite'
  return (
    <span class="row wrap sentence" role="status">
      {plan?.kind !== 'levels' && (
        <span>
          <b>{count(buckets.length)}</b> {buckets.length === 1 ? 'bucket' : 'buckets'}
          {isComposite && ` in ${count(pages)} ${pages === 1 ? 'page' : 'pages'}`}
          {isComposite && isAtEnd && ', end reached'}
        </span>
      )}
      {total !== undefined && (
        <span class="quiet">
          {plan?.kind === 'levels' ? '' : 'of '}
          {count(total)} documents
        </span>
      )}
      {isComposite && isAtEnd && (
        <span class="badge ok">
          <Icon name="check" />
          Complete
        </span>
      )}
      {others > 0 && <span class="badge warn">{count(others)} documents in other buckets</span>}
      <span class="hint">{duration(tookMs)} in all</span>
      {isRunning && isComposite && (
        <button type="button" class="button small" onClick={stopRun}>
          Stop
        </button>
      )}
      {isRunning && !isComposite && <span class="hint">running</span>}
    </span>
  )
}

const PAGES_SHOWN = 120

function Pages({ result: { pages, isRunning, isAtEnd } }: { readonly result: Result }) {
  return (
    <div class="pages pagesbox" role="img" aria-label={`${count(pages)} pages read${isAtEnd ? ', all of them' : ''}`}>
      {Array.from({ length: Math.min(pages, PAGES_SHOWN) }, (_, i) => (
        <i key={i} class={i === Math.min(pages, PAGES_SHOWN) - 1 ? 'here' : ''} />
      ))}
      {isRunning && <i class="coming" />}
    </div>
  )
}

/** Whether pages end early, according to the profile of the first page. */
function Ways({ ways, plan }: { readonly ways: Result['ways']; readonly plan: Plan }) {
  const names = Object.keys(ways)
  if (names.length === 0) return null
  const scans = names.filter((name) => name.startsWith('every match'))
  const isEarly = scans.length === 0
  const bySort = names.some((name) => name.includes('index sort'))
  return (
    <div class={`banner ways ${isEarly ? 'ok' : 'warn'}`}>
      <Icon name={isEarly ? 'check' : 'warn'} />
      <span class="grow">
        <b class="strong">{isEarly ? 'Early termination was used. ' : 'Every page looked at every match. '}</b>
        {isEarly
          ? bySort
            ? `The index is sorted as the sources are, so each page stopped after its last bucket.`
            : `The ${plan.by[0]!.field} values are walked in order from behind the last key, so each page stopped after its last bucket.`
          : `${scans.map((name) => `${name.slice('every match: '.length)}`).join('; ')}. An index sorted by ${plan.by.map(({ field }) => field).join(', ')} would end pages early.`}
        <span class="hint"> {names.map((name) => `${name} (${count(ways[name]!)} segments)`).join(' · ')}</span>
      </span>
    </div>
  )
}

function Drawing({
  view,
  plan,
  buckets,
}: {
  readonly view: View
  readonly plan: Plan
  readonly buckets: readonly Bucket[]
}) {
  const [TileMap, setTileMap] = useState<ComponentType<{ readonly buckets: readonly Bucket[] }> | undefined>()
  useEffect(() => {
    if (view === 'map' && TileMap === undefined)
      void import('./tile-map.tsx').then((module) => setTileMap(() => module.default))
  }, [view])
  const { x, labels, series } = useMemo(() => seriesOf(view, plan, buckets), [view, plan, buckets])
  if (view === 'none') return null
  if (view === 'map')
    return (
      <div class="drawing" tabIndex={0} role="group" aria-label="Chart">
        {TileMap === undefined ? null : <TileMap buckets={buckets} />}
      </div>
    )
  if (view === 'heat') {
    return (
      <div class="drawing" tabIndex={0} role="group" aria-label="Chart">
        <HeatMap buckets={buckets} sources={plan.by.map(({ field }) => field)} />
      </div>
    )
  }
  return (
    <div class="drawing" tabIndex={0} role="group" aria-label="Chart">
      <Chart
        kind={view === 'bars' ? 'bars' : 'line'}
        x={x}
        labels={labels}
        series={series}
        height={230}
        summary={`${view === 'bars' ? 'Bars' : 'Lines'} of ${count(buckets.length)} buckets, at most ${count(Math.max(0, ...buckets.map((bucket) => bucket.count)))} documents in one`}
        format={(value) => (value >= 10 || Number.isInteger(value) ? count(value) : decimal(value))}
      />
    </div>
  )
}

const DRAWN_MAX = 400

function seriesOf(view: View, plan: Plan, buckets: readonly Bucket[]) {
  const drawn = buckets.slice(0, view === 'bars' ? DRAWN_MAX : 5000)
  const isTime =
    drawn.length > 0 &&
    drawn.every(({ keys }) => typeof keys[0] !== 'string' && Number(keys[0]) > 1e10) &&
    plan.by.length === 1
  const x = isTime ? drawn.map(({ keys }) => Number(keys[0]) / 1000) : drawn.map((_, i) => i)
  return {
    x,
    labels: isTime && view === 'lines' ? undefined : drawn.map(({ names }) => names.join(' · ')),
    series: [{ label: 'documents', values: drawn.map((bucket) => bucket.count), color: '--series-1', filled: true }],
    ...(isTime && view === 'bars' ? { x: drawn.map((_, i) => i) } : {}),
  }
}

function BucketTable({ plan, buckets }: { readonly plan: Plan; readonly buckets: readonly Bucket[] }) {
  const most = Math.max(1, ...(buckets.length > 50_000 ? [buckets[0]!.count] : buckets.map((bucket) => bucket.count)))
  const sources = plan.by.length > 0 ? plan.by : [{ field: 'all documents', step: undefined, order: 'asc' as const }]
  return (
    <VirtualTable
      label="Buckets"
      columns={[
        ...sources.map(({ field }, i) => ({ name: plan.by.length > 1 ? `${i + 1} · ${field}` : field })),
        { name: 'documents', isNumber: true, width: 'w-104' },
        { name: 'share', width: 'w-200', isWideOnly: true, content: <span class="sr">share</span> },
        ...plan.metrics.map((metric) => ({ name: metricName(metric), isNumber: true, width: 'w-140' })),
        { name: 'open', width: 'w-120', content: <span class="sr">open</span> },
      ]}
      count={buckets.length}
      row={(index) => {
        const bucket = buckets[index]!
        return [
          ...bucket.names.map((name, i) => <bdi key={`${i}`}>{name}</bdi>),
          count(bucket.count),
          <span key="share" class="meter wide-only" aria-hidden="true">
            <i style={{ width: `${Math.min(100, (bucket.count / most) * 100).toFixed(1)}%` }} />
          </span>,
          ...bucket.metrics.map((value) => (value === null ? '–' : decimal(value))),
          <a key="open" href={documentsLink(plan, bucket)}>
            Documents
          </a>,
        ]
      }}
    />
  )
}

const STEP_MS: Readonly<Record<string, number>> = {
  s: 1e3,
  m: 6e4,
  h: 36e5,
  d: 864e5,
  w: 6048e5,
  M: 2592e6,
  q: 7776e6,
  y: 31536e6,
}

/** A link to Discover with the bucket as filters. */
function documentsLink(plan: Plan, bucket: Bucket): string {
  const parameters = new URLSearchParams({ index: plan.index })
  if (plan.text !== '') parameters.set('q', plan.text)
  for (const [i, { field, step }] of plan.by.entries()) {
    const key = bucket.keys[i]
    const time = /^(\d+)([smhdwMqy])$/.exec(step ?? '')
    const base = { field, isNot: key === null, isOff: false }
    if (key === null || key === undefined) parameters.append('f', writeFilter(base))
    else if (time !== null) {
      const end = Number(key) + Number(time[1]) * STEP_MS[time[2]!]! - 1
      parameters.append(
        'f',
        writeFilter({ ...base, from: new Date(Number(key)).toISOString(), to: new Date(end).toISOString() }),
      )
    } else if (plan.kind === 'histogram' || (step !== undefined && /^[\d.]+$/.test(step) && !/\//.test(String(key)))) {
      parameters.append(
        'f',
        writeFilter({ ...base, from: String(key), to: String(Number(key) + Number(step ?? 0) - 1e-9) }),
      )
    } else if (plan.kind === 'range') {
      const [from, to] = String(key).split('-')
      parameters.append(
        'f',
        writeFilter({ ...base, from: from === '*' ? undefined : from, to: to === '*' ? undefined : to }),
      )
    } else if (!/^\d+\/\d+\/\d+$/.test(String(key)))
      parameters.append('f', writeFilter({ ...base, value: String(key) }))
  }
  return href(`/discover?${parameters}`)
}
