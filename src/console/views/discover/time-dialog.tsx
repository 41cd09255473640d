/** The time range: a span up to now, or two dates. */
import { useState } from 'preact/hooks'
import { shortDate } from '../../api/format.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import { DATE_TYPES, type Field } from '../../documents/fields.ts'
import { change, type DiscoverState } from './discover-state.ts'
import { timeOf } from './histogram.ts'

const SPANS: readonly (readonly [label: string, from: string | undefined])[] = [
  ['All time', undefined],
  ['Last 15 minutes', 'now-15m'],
  ['Last hour', 'now-1h'],
  ['Last 24 hours', 'now-24h'],
  ['Last 7 days', 'now-7d'],
  ['Last 30 days', 'now-30d'],
  ['Last year', 'now-1y'],
]

export function TimeButton({
  state,
  fields,
  timeField,
}: {
  readonly state: DiscoverState
  readonly fields: readonly Field[]
  readonly timeField: string
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button type="button" class="field timebutton" onClick={() => setOpen(true)}>
        <Icon name="contexts" />
        <span class="clip grow">{rangeWords(state)}</span>
        <Icon name="down" />
      </button>
      {isOpen && <TimeDialog state={state} fields={fields} timeField={timeField} onClose={() => setOpen(false)} />}
    </>
  )
}

function rangeWords({ from, to }: DiscoverState): string {
  if (from === undefined && to === undefined) return 'All time'
  const span = SPANS.find(([, start]) => start === from)
  if (span !== undefined && (to === undefined || to === 'now')) return span[0]
  const words = (text: string | undefined, none: string) => {
    const ms = timeOf(text, Date.now())
    return text === undefined ? none : ms === undefined || text.startsWith('now') ? text : shortDate(ms)
  }
  return `${words(from, 'the beginning')} – ${words(to, 'now')}`
}

interface TimeDialogProps {
  readonly state: DiscoverState
  readonly fields: readonly Field[]
  readonly timeField: string
  readonly onClose: () => void
}

function TimeDialog({ state, fields, timeField, onClose }: TimeDialogProps) {
  const [from, setFrom] = useState(state.from ?? '')
  const [to, setTo] = useState(state.to ?? '')
  const choose = (changes: Partial<DiscoverState>) => {
    onClose()
    change(changes)
  }
  return (
    <Dialog title="Time" onClose={onClose}>
      <div class="spans">
        {SPANS.map(([label, start]) => (
          <button type="button" class="button" key={label} onClick={() => choose({ from: start, to: undefined })}>
            {label}
          </button>
        ))}
      </div>
      <div class="row">
        <TimeInput label="From" value={from} onInput={setFrom} />
        <TimeInput label="To" value={to} onInput={setTo} />
      </div>
      <p class="hint">A date such as 2025-01-31T08:00:00Z, or from now: now-3h, now-2d.</p>
      <label class="stack">
        <span class="label">Time field</span>
        <span class="field">
          <select class="grow" value={timeField} onChange={(event) => choose({ timeField: event.currentTarget.value })}>
            {fields
              .filter(({ type }) => DATE_TYPES.has(type))
              .map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
          </select>
          <Icon name="down" />
        </span>
      </label>
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button primary"
          onClick={() => choose({ from: from || undefined, to: to || undefined })}
        >
          Show this range
        </button>
      </div>
    </Dialog>
  )
}

function TimeInput({
  label,
  value,
  onInput,
}: {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
}) {
  return (
    <label class="stack grow">
      <span class="label">{label}</span>
      <span class="field">
        <input
          class="grow mono"
          spellcheck={false}
          value={value}
          onInput={(event) => onInput(event.currentTarget.value.trim())}
        />
      </span>
    </label>
  )
}
