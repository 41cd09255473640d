/**
 * Discover: the documents of an index, alias, pattern or data stream by query, filters and time, with endless
 * scrolling.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { type ApiRequest, segment } from '../../api/client.ts'
import { clockTime, count, duration } from '../../api/format.ts'
import type { Json } from '../../api/lossless-json.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { IndexPicker } from '../../components/index-picker.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { type Field, readFields, readStartIndex, timeFieldOf } from '../../documents/fields.ts'
import { selectionQuery } from '../../documents/filters.ts'
import { type HitsRequest, searchBody } from '../../documents/hits.ts'
import { useTitle } from '../../state/title.ts'
import { AutoRefresh } from './auto-refresh.tsx'
import { Brush } from './brush.tsx'
import { change, type DiscoverState, searchAgain, searchTurn, selectionOf, state } from './discover-state.ts'
import { DocumentDrawer } from './document-drawer.tsx'
import { ExportDialog, ExportProgress } from './export-dialog.tsx'
import { FieldList } from './field-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import { readBars, stepName, type TimeBars, timeOf } from './histogram.ts'
import { countExactly, forget, hits, ROWS_MAX, search } from './hit-store.ts'
import { HitTable } from './hit-table.tsx'
import { TimeButton } from './time-dialog.tsx'

export default function Discover() {
  const now = state.value
  useTitle(now.index, 'Discover')
  const [fields, setFields] = useState<readonly Field[]>([])
  const [fieldsOf, setFieldsOf] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [bars, setBars] = useState<TimeBars | undefined>()
  /** The space of the histogram stays reserved while it is loaded, so that the rows below do not move. */
  const [isReadingBars, setReadingBars] = useState(false)
  const [hasNoIndex, setNoIndex] = useState(false)
  const [row, setRow] = useState(0)
  const [isExporting, setExporting] = useState(false)
  const timeField = now.timeField ?? timeFieldOf(fields)

  useEffect(() => forget, [])
  useEffect(() => {
    if (now.index !== '') return
    readStartIndex().then((index) => {
      setNoIndex(index === undefined)
      if (index !== undefined && state.value.index === '') change({ index }, 'replace')
    }, setFailure)
  }, [now.index])
  useEffect(() => {
    if (now.index === '') return
    const abort = new AbortController()
    setFailure(undefined)
    readFields(now.index, abort.signal).then(
      (read) => {
        setFields(read)
        setFieldsOf(now.index)
      },
      (error) => {
        if (abort.signal.aborted) return
        setFailure(error)
        setFieldsOf('')
        forget()
      },
    )
    return () => abort.abort()
  }, [now.index])

  const request = fieldsOf === now.index && now.index !== '' ? requestOf(now, timeField) : undefined
  const turn = searchTurn.value
  const key = request === undefined ? '' : `${turn} ${JSON.stringify(request)}`
  useEffect(() => {
    if (request !== undefined) void search(request)
  }, [key])

  const nowMs = useRef(Date.now())
  const range = rangeOf(now, nowMs.current)
  const withoutTime = selectionQuery({ text: now.text, filters: now.filters })
  const barsKey =
    request === undefined || timeField === undefined
      ? ''
      : JSON.stringify([turn, now.index, withoutTime, timeField, now.from, now.to])
  useEffect(() => {
    if (barsKey === '') {
      setBars(undefined)
      return
    }
    nowMs.current = Date.now()
    const abort = new AbortController()
    const show = (read: TimeBars | undefined) => {
      if (abort.signal.aborted) return
      setBars(read)
      setReadingBars(false)
    }
    setReadingBars(true)
    readBars(
      { index: now.index, query: withoutTime, field: timeField!, range: rangeOf(now, nowMs.current) },
      abort.signal,
    ).then(show, () => show(undefined))
    return () => abort.abort()
  }, [barsKey])

  const shown = hits.value
  const requests = (): ApiRequest[] =>
    request === undefined
      ? []
      : [{ method: 'POST', path: `/${segment(request.index)}/_search`, body: searchBody(request, 200) }]
  return (
    <>
      <header class="bar discoverbar">
        <h1>Discover</h1>
        <IndexPicker
          value={now.index}
          onChoose={(index) =>
            change({ index, columns: [], filters: [], sort: undefined, doc: undefined, timeField: undefined })
          }
        />
        <QueryField text={now.text} />
        {timeField !== undefined && <TimeButton state={now} fields={fields} timeField={timeField} />}
      </header>
      <div class="toolbar ruled">
        <FilterBar fields={fields} />
        <span class="push" />
        <AutoRefresh isAtTop={row <= 1} />
        <ShowRequest plain requests={requests} />
        <CopyLink />
        <button type="button" class="button" disabled={request === undefined} onClick={() => setExporting(true)}>
          <Icon name="export" />
          Export…
        </button>
      </div>
      <ExportProgress />
      <div class="body">
        <FieldList fields={fields} columns={now.columns} />
        <section class="pane hits" aria-label="Hits">
          {(failure ?? shown.failure) !== undefined && (
            <div class="pad">
              <ErrorPanel error={failure ?? shown.failure} />
            </div>
          )}
          {hasNoIndex && now.index === '' && failure === undefined && <NoIndex />}
          <Totals bars={bars} />
          {(bars !== undefined || isReadingBars) && (
            <div class="histogram">
              {bars !== undefined && (
                <Brush
                  bars={bars}
                  range={range}
                  onChoose={(chosen) =>
                    change({
                      from: chosen === undefined ? undefined : new Date(chosen[0]).toISOString(),
                      to: chosen === undefined ? undefined : new Date(chosen[1]).toISOString(),
                    })
                  }
                />
              )}
            </div>
          )}
          {shown.rows.length === 0 &&
            shown.request !== undefined &&
            !shown.isLoading &&
            shown.failure === undefined && <NoHits state={now} />}
          <HitTable state={now} fields={fields} timeField={timeField} onRow={setRow} />
          <Foot row={row} />
        </section>
        {now.doc !== undefined && <DocumentDrawer doc={now.doc} fields={fields} timeField={timeField} />}
      </div>
      {isExporting && request !== undefined && (
        <ExportDialog request={request} columns={now.columns} fields={fields} onClose={() => setExporting(false)} />
      )}
    </>
  )
}

function QueryField({ text }: { readonly text: string }) {
  const [written, setWritten] = useState(text)
  useEffect(() => setWritten(text), [text])
  return (
    <form
      class="queryform grow"
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        if (written.trim() === text) searchAgain()
        else change({ text: written.trim() })
      }}
    >
      <span class="field grow">
        <Icon name="discover" />
        <input
          class="grow"
          data-hotkey="/"
          aria-label="Query in Lucene syntax"
          placeholder="status:500 AND message:timeout"
          spellcheck={false}
          value={written}
          onInput={(event) => setWritten(event.currentTarget.value)}
        />
        <span class="kbd wide-only">/</span>
      </span>
      <button type="submit" class="button primary">
        Search
      </button>
    </form>
  )
}

function Totals({ bars }: { readonly bars: TimeBars | undefined }) {
  const { total, tookMs, isLoading } = hits.value
  if (total === undefined) {
    return (
      <div class="totals" role="status" aria-busy={isLoading}>
        {isLoading && <span class="hint">Searching…</span>}
      </div>
    )
  }
  return (
    <div class={isLoading ? 'totals loading' : 'totals'} role="status">
      <span>
        <b>
          {total.isExact ? '' : 'At least '}
          {count(total.value)}
        </b>{' '}
        {total.value === 1 ? 'document' : 'documents'}
      </span>
      {!total.isExact && (
        <button type="button" class="button link" data-hotkey="c" onClick={() => void countExactly()}>
          Count exactly
        </button>
      )}
      <span class="hint">{isLoading ? 'Searching…' : duration(tookMs)}</span>
      <span class="push hint">{bars !== undefined && stepName(bars.stepMs)}</span>
    </div>
  )
}

function Foot({ row }: { readonly row: number }) {
  const { rows, isAtEnd, isLoading, request, endsAtMs } = hits.value
  const [, tick] = useState(0)
  useEffect(() => {
    if (endsAtMs === undefined) return
    const timer = window.setInterval(() => tick((n) => n + 1), 1000)
    return () => window.clearInterval(timer)
  }, [endsAtMs === undefined])
  return (
    <footer class="footer">
      <span class="nowrap">{rows.length === 0 ? '' : `Row ${count(row)}`}</span>
      {endsAtMs !== undefined && (
        <span class="row clip">
          <i class="dot ok" />
          <span class="clip">By a point in time, which ends in {clockTime(endsAtMs - Date.now())}</span>
        </span>
      )}
      <span class="push nowrap">
        {rows.length === 0 && (isLoading || request === undefined) ? '' : `${count(rows.length)} loaded`}
        {rows.length === 0
          ? ''
          : isAtEnd
            ? ', the end is reached'
            : rows.length >= ROWS_MAX
              ? '; export reads the rest'
              : ''}
      </span>
    </footer>
  )
}

function NoHits({ state: now }: { readonly state: DiscoverState }) {
  const hasRange = now.from !== undefined || now.to !== undefined
  const isPlain = now.text === '' && now.filters.length === 0 && !hasRange
  return (
    <div class="empty">
      <h3>{isPlain ? 'This index has no documents' : 'No document matches'}</h3>
      <div class="row wrap">
        {hasRange && (
          <button type="button" class="button" onClick={() => change({ from: undefined, to: undefined })}>
            Look at all time
          </button>
        )}
        {now.filters.length > 0 && (
          <button type="button" class="button" onClick={() => change({ filters: [] })}>
            Without filters
          </button>
        )}
        {now.text !== '' && (
          <button type="button" class="button" onClick={() => change({ text: '' })}>
            Without the query
          </button>
        )}
      </div>
    </div>
  )
}

function NoIndex() {
  return (
    <div class="empty">
      <h3>There is no index yet</h3>
      <p class="quiet">Write a first document in Requests; it can be seen here a second later.</p>
    </div>
  )
}

function requestOf(now: DiscoverState, timeField: string | undefined): HitsRequest {
  const order = now.sort ?? (timeField === undefined ? undefined : { field: timeField, order: 'desc' as const })
  const sort: Json[] =
    order === undefined
      ? now.text === ''
        ? [{ _doc: 'asc' }]
        : [{ _score: 'desc' }]
      : [
          {
            [order.field]: {
              order: order.order,
              ...(order.field === timeField ? { format: 'strict_date_optional_time_nanos' } : {}),
            },
          },
        ]
  return {
    index: now.index,
    query: selectionQuery(selectionOf(now, timeField)),
    sort,
    hasHighlights: now.text.trim() !== '',
  }
}

function rangeOf({ from, to }: DiscoverState, nowMs: number): readonly [number, number] | undefined {
  const start = timeOf(from, nowMs)
  if (start === undefined) return undefined
  const end = timeOf(to, nowMs) ?? nowMs
  return end > start ? [start, end] : undefined
}
