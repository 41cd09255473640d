/** Filters as chips: × removes, Alt+click switches off, a dialog adds one. */
import { useState } from 'preact/hooks'
import { Dialog } from '../../components/dialog.tsx'
import { Icon } from '../../components/icon.tsx'
import type { Field } from '../../documents/fields.ts'
import { type Filter, filterWords, writeFilter } from '../../documents/filters.ts'
import { addFilter, change, state } from './discover-state.ts'

export function FilterBar({ fields }: { readonly fields: readonly Field[] }) {
  const [isAdding, setAdding] = useState(false)
  const { filters } = state.value
  const without = (index: number) => filters.filter((_, i) => i !== index)
  const switched = (index: number) => filters.map((one, i) => (i === index ? { ...one, isOff: !one.isOff } : one))
  return (
    <>
      {filters.map((filter, i) => (
        <span key={writeFilter(filter)} class={`chip${filter.isNot ? ' not' : ''}${filter.isOff ? ' off' : ''}`}>
          <button
            type="button"
            class="chiptext"
            title="Alt+click switches it off or on, click turns it around"
            onClick={(event) =>
              change({
                filters: event.altKey
                  ? switched(i)
                  : filters.map((one, n) => (n === i ? { ...one, isNot: !one.isNot } : one)),
              })
            }
          >
            {filter.isNot && <em>not </em>}
            <b>{filter.field}</b> <bdi>{filterWords(filter)}</bdi>
          </button>
          <button
            type="button"
            aria-label={`Remove the filter on ${filter.field}`}
            onClick={() => change({ filters: without(i) })}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      <button type="button" class="chip add" onClick={() => setAdding(true)}>
        <Icon name="add" />
        Filter
      </button>
      {isAdding && <FilterDialog fields={fields} onClose={() => setAdding(false)} />}
    </>
  )
}

type Kind = 'is' | 'range' | 'exists'

function FilterDialog({ fields, onClose }: { readonly fields: readonly Field[]; readonly onClose: () => void }) {
  const [field, setField] = useState('')
  const [kind, setKind] = useState<Kind>('is')
  const [isNot, setNot] = useState(false)
  const [value, setValue] = useState('')
  const [to, setTo] = useState('')
  const isReady = field !== '' && (kind === 'exists' || value !== '' || (kind === 'range' && to !== ''))
  const add = () => {
    const base: Omit<Filter, 'isOff'> = { field, isNot }
    addFilter(
      kind === 'exists'
        ? base
        : kind === 'is'
          ? { ...base, value }
          : { ...base, from: value || undefined, to: to || undefined },
    )
    onClose()
  }
  return (
    <Dialog title="Add a filter" onClose={onClose}>
      <label class="stack">
        <span class="label">Field</span>
        <span class="field">
          <input
            class="grow"
            list="filter-fields"
            value={field}
            onInput={(event) => setField(event.currentTarget.value)}
          />
        </span>
        <datalist id="filter-fields">
          {fields
            .filter(({ isSearchable }) => isSearchable)
            .slice(0, 500)
            .map(({ name, type }) => (
              <option key={name} value={name}>
                {type}
              </option>
            ))}
        </datalist>
      </label>
      <fieldset class="segments" aria-label="Comparison">
        {(
          [
            ['is', 'is'],
            ['range', 'between'],
            ['exists', 'has a value'],
          ] as const
        ).map(([name, label]) => (
          <button type="button" key={name} aria-pressed={kind === name} onClick={() => setKind(name)}>
            {label}
          </button>
        ))}
      </fieldset>
      {kind !== 'exists' && (
        <div class="row">
          <label class="stack grow">
            <span class="label">{kind === 'is' ? 'Value' : 'From'}</span>
            <span class="field">
              <input
                class="grow"
                value={value}
                onInput={(event) => setValue(event.currentTarget.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && isReady) add()
                }}
              />
            </span>
          </label>
          {kind === 'range' && (
            <label class="stack grow">
              <span class="label">To</span>
              <span class="field">
                <input class="grow" value={to} onInput={(event) => setTo(event.currentTarget.value)} />
              </span>
            </label>
          )}
        </div>
      )}
      <label class="check">
        <input type="checkbox" checked={isNot} onChange={(event) => setNot(event.currentTarget.checked)} />
        Documents that do not
      </label>
      <div class="row">
        <span class="push" />
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" class="button primary" disabled={!isReady} onClick={add}>
          Add filter
        </button>
      </div>
    </Dialog>
  )
}
