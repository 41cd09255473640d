/**
 * Export: format and columns, progress with a Stop button, and the final count, which must equal the number of hits.
 */
import { useState } from 'preact/hooks'
import { count, counted, duration } from '../../api/format.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { exportJob, startExport } from '../../documents/export.ts'
import type { Field } from '../../documents/fields.ts'
import type { HitsRequest } from '../../documents/hits.ts'
import { countExactly, hits } from './hit-store.ts'

interface ExportDialogProps {
  readonly request: HitsRequest
  readonly columns: readonly string[]
  readonly fields: readonly Field[]
  readonly onClose: () => void
}

export function ExportDialog({ request, columns, fields, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<'ndjson' | 'csv'>('ndjson')
  const [isWhole, setWhole] = useState(columns.length === 0)
  const { total } = hits.value
  const start = async () => {
    onClose()
    if (hits.value.total?.isExact !== true) await countExactly().catch(() => {})
    const chosen = isWhole
      ? format === 'csv'
        ? fields.filter(({ type }) => type !== 'nested' && type !== 'object').map(({ name }) => name)
        : undefined
      : columns
    const name = `${request.index.replace(/[^\w.-]+/g, '_')}-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`
    await startExport({ request, name, format, columns: chosen, expected: hits.value.total?.value })
  }
  return (
    <Dialog title="Export" onClose={onClose}>
      <fieldset class="segments" aria-label="Format">
        <button type="button" aria-pressed={format === 'ndjson'} onClick={() => setFormat('ndjson')}>
          NDJSON
        </button>
        <button type="button" aria-pressed={format === 'csv'} onClick={() => setFormat('csv')}>
          CSV
        </button>
      </fieldset>
      <label class="check">
        <input
          type="checkbox"
          checked={isWhole}
          onChange={(event) => setWhole(event.currentTarget.checked)}
          disabled={columns.length === 0}
        />
        {format === 'csv' ? 'A column for every field' : 'Whole documents'}
      </label>
      {!isWhole && <p class="hint">Only {columns.join(', ')}.</p>}
      <p class="quiet">
        {total === undefined
          ? ''
          : total.isExact
            ? `${counted(total.value, 'document')}.`
            : `At least ${counted(total.value, 'document')}; they are counted first.`}{' '}
        They are read through a point in time, so nothing is skipped or twice.
      </p>
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="button primary" onClick={start}>
          <Icon name="export" />
          Export
        </button>
      </div>
    </Dialog>
  )
}

/** The running export, at the bottom of the view. */
export function ExportProgress() {
  const job = exportJob.value
  if (job === undefined) return null
  const { state, done, expected, name, format, startedMs } = job
  const rate = done / Math.max(0.2, (Date.now() - startedMs) / 1000)
  const share = expected === undefined || expected === 0 ? undefined : Math.min(1, done / expected)
  return (
    <div class="banner exportbar" role="status">
      <Icon name={state === 'done' ? 'check' : 'export'} />
      <span class="grow stack">
        <span>
          {state === 'running' &&
            `Exporting ${count(done)}${expected === undefined ? '' : ` of ${count(expected)}`} documents, ${count(Math.round(rate))} a second`}
          {state === 'running' &&
            expected !== undefined &&
            rate > 0 &&
            `, ${duration(((expected - done) / rate) * 1000)} left`}
          {state === 'done' &&
            `${name}.${format}: ${counted(done, 'document')} exported${expected === undefined ? '' : expected === done ? ', as many as counted' : `, ${count(expected)} were counted before`}`}
          {state === 'stopped' && `Stopped after ${counted(done, 'document')}; no file was written`}
          {state === 'failed' && `The export failed after ${counted(done, 'document')}: ${job.failure}`}
        </span>
        {state === 'running' && share !== undefined && (
          <span class="meter">
            <i style={{ width: `${(share * 100).toFixed(1)}%` }} />
          </span>
        )}
      </span>
      {state === 'running' ? (
        <button type="button" class="button small" onClick={job.stop}>
          Stop
        </button>
      ) : (
        <button
          type="button"
          class="button plain small square"
          aria-label="Close"
          onClick={() => (exportJob.value = undefined)}
        >
          <Icon name="close" />
        </button>
      )}
    </div>
  )
}
