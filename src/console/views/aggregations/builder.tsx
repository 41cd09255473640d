/** The steps of an aggregation as cards: the kind of grouping, its fields, and the metrics of each bucket. */
import { useState } from 'preact/hooks'
import { Icon } from '../../components/icon.tsx'
import { DATE_TYPES, type Field, NUMBER_TYPES } from '../../documents/fields.ts'
import { groupingOf, KINDS, type Kind, METRIC_OPS, type Metric, type MetricOp, type Plan, type Source } from './plan.ts'

interface BuilderProps {
  readonly plan: Plan
  readonly fields: readonly Field[]
  readonly nestedPaths: readonly string[]
  readonly onChange: (plan: Plan) => void
}

export function Builder({ plan, fields, nestedPaths, onChange }: BuilderProps) {
  const usable = usableFields(plan, fields)
  const isMany = plan.kind === 'composite'
  const setSource = (at: number, source: Source | undefined) => {
    const by = plan.by.flatMap((one, i) => (i === at ? (source === undefined ? [] : [source]) : [one]))
    onChange({ ...plan, by: at >= plan.by.length && source !== undefined ? [...plan.by, source] : by })
  }
  const setMetric = (at: number, metric: Metric | undefined) => {
    const metrics = plan.metrics.flatMap((one, i) => (i === at ? (metric === undefined ? [] : [metric]) : [one]))
    onChange({
      ...plan,
      metrics: at >= plan.metrics.length && metric !== undefined ? [...plan.metrics, metric] : metrics,
    })
  }
  const changeKind = (kind: Kind) => {
    const next = { ...plan, kind }
    const names = new Set(usableFields(next, fields).map(({ name }) => name))
    const kept = plan.by
      .filter(({ field }) => names.has(field))
      .map((source) => ({ ...source, step: stepFor(kind, fieldOf(fields, source.field), source.step) }))
    onChange({
      ...next,
      by: kind === 'composite' ? kept : kept.slice(0, 1),
      path: kind === 'levels' ? plan.path || (nestedPaths[0] ?? '') : plan.path,
    })
  }
  return (
    <section class="pane builder" aria-label="Builder">
      <div class="scroll pad stack builderbox">
        <Choice label="Kind" value={plan.kind} options={KINDS} onChange={(kind) => changeKind(kind as Kind)} />
        {plan.kind === 'levels' && (
          <Choice
            label="Nested objects"
            value={plan.path}
            options={nestedPaths.map((path) => [path, path])}
            onChange={(path) => onChange({ ...plan, path, by: [] })}
          />
        )}
        <span class="label">
          {isMany ? 'Sources, in the order of paging' : plan.kind === 'levels' ? 'Group them by' : 'Field'}
        </span>
        {plan.by.map((source, i) => (
          <SourceCard
            key={`${i} ${source.field}`}
            number={i + 1}
            source={source}
            kind={plan.kind}
            field={fieldOf(fields, source.field)}
            onChange={(next) => setSource(i, next)}
          />
        ))}
        {(isMany || plan.by.length === 0) && (
          <AddField
            label={isMany ? 'Add a source' : 'Choose a field'}
            fields={usable.filter(({ name }) => !plan.by.some(({ field }) => field === name))}
            onAdd={(field) =>
              setSource(plan.by.length, { field: field.name, step: stepFor(plan.kind, field, undefined), order: 'asc' })
            }
          />
        )}
        {plan.kind !== 'levels' && (
          <>
            <span class="label">For each bucket</span>
            {plan.metrics.map((metric, i) => (
              <MetricCard key={`${i} ${metric.field}`} metric={metric} onChange={(next) => setMetric(i, next)} />
            ))}
            <AddField
              label="Add a metric"
              fields={fields.filter(
                ({ type, isAggregatable }) =>
                  isAggregatable && (NUMBER_TYPES.has(type) || type === 'keyword' || type === 'ip'),
              )}
              onAdd={({ name, type }) =>
                setMetric(plan.metrics.length, { op: NUMBER_TYPES.has(type) ? 'avg' : 'cardinality', field: name })
              }
            />
          </>
        )}
        {(plan.kind === 'terms' || isMany || plan.kind === 'levels') && (
          <label class="stack">
            <span class="label">{isMany ? 'Buckets per page' : 'Buckets'}</span>
            <span class="field w-120">
              <input
                type="number"
                min={1}
                max={10_000}
                value={plan.size}
                onChange={(event) =>
                  onChange({ ...plan, size: Math.max(1, Math.min(10_000, Number(event.currentTarget.value) || 10)) })
                }
              />
            </span>
          </label>
        )}
      </div>
    </section>
  )
}

function fieldOf(fields: readonly Field[], name: string): Field | undefined {
  return fields.find((field) => field.name === name)
}

/** The fields that a kind can group by. */
export function usableFields({ kind, path }: Plan, fields: readonly Field[]): Field[] {
  const groupable = fields.filter(({ isAggregatable }) => isAggregatable)
  switch (kind) {
    case 'date_histogram':
      return groupable.filter(({ type }) => DATE_TYPES.has(type))
    case 'histogram':
    case 'range':
      return groupable.filter(({ type }) => NUMBER_TYPES.has(type))
    case 'geotile_grid':
      return groupable.filter(({ type }) => type === 'geo_point')
    case 'levels':
      return groupable.filter(({ name }) => name.startsWith(`${path}.`))
    default:
      return groupable
  }
}

function stepFor(kind: Kind, field: Field | undefined, step: string | undefined): string | undefined {
  const grouping = groupingOf(field)
  if (kind === 'date_histogram' || (kind === 'composite' && grouping === 'date_histogram'))
    return /^\d+[smhdwMqy]$/.test(step ?? '') ? step : '1d'
  if (kind === 'geotile_grid' || (kind === 'composite' && grouping === 'geotile_grid'))
    return /^\d+$/.test(step ?? '') ? step : '4'
  if (kind === 'histogram') return /^[\d.]+$/.test(step ?? '') ? step : '100'
  if (kind === 'range') return step?.includes('..') === true ? step : '..100,100..500,500..'
  return undefined
}

const INTERVALS: readonly (readonly [string, string])[] = [
  ['1m', 'minute'],
  ['10m', '10 minutes'],
  ['1h', 'hour'],
  ['12h', '12 hours'],
  ['1d', 'day'],
  ['1w', 'week'],
  ['1M', 'month'],
  ['1q', 'quarter'],
  ['1y', 'year'],
]

interface SourceCardProps {
  readonly number: number
  readonly source: Source
  readonly kind: Kind
  readonly field: Field | undefined
  readonly onChange: (source: Source | undefined) => void
}

function SourceCard({ number, source, kind, field, onChange }: SourceCardProps) {
  const grouping = kind === 'composite' ? groupingOf(field) : kind
  const isTime = grouping === 'date_histogram'
  return (
    <div class="step">
      <span class="no">{number}</span>
      <b class="clip">{source.field}</b>
      <button
        type="button"
        class="button plain small square"
        aria-label={`Remove ${source.field}`}
        onClick={() => onChange(undefined)}
      >
        <Icon name="close" />
      </button>
      <span class="stepoptions">
        {isTime && (
          <SmallChoice
            label={`Interval of ${source.field}`}
            value={source.step ?? '1d'}
            options={INTERVALS}
            onChange={(step) => onChange({ ...source, step })}
          />
        )}
        {(grouping === 'histogram' || grouping === 'range' || grouping === 'geotile_grid') && (
          <span class="field small">
            <input
              class="grow"
              aria-label={
                grouping === 'histogram'
                  ? `Width of ${source.field}`
                  : grouping === 'range'
                    ? `Ranges of ${source.field}`
                    : 'Zoom of the tiles'
              }
              placeholder={grouping === 'histogram' ? 'by value' : ''}
              value={source.step ?? ''}
              onChange={(event) => onChange({ ...source, step: event.currentTarget.value.trim() || undefined })}
            />
          </span>
        )}
        {kind === 'composite' && grouping !== 'geotile_grid' && (
          <SmallChoice
            label={`Order of ${source.field}`}
            value={source.order}
            options={[
              ['asc', 'ascending'],
              ['desc', 'descending'],
            ]}
            onChange={(order) => onChange({ ...source, order: order as Source['order'] })}
          />
        )}
        <span class="hint">{field?.type ?? 'not mapped'}</span>
      </span>
    </div>
  )
}

function MetricCard({
  metric,
  onChange,
}: {
  readonly metric: Metric
  readonly onChange: (metric: Metric | undefined) => void
}) {
  return (
    <div class="step">
      <span class="no">ƒ</span>
      <b class="clip">{metric.field}</b>
      <button
        type="button"
        class="button plain small square"
        aria-label={`Remove ${metric.op} of ${metric.field}`}
        onClick={() => onChange(undefined)}
      >
        <Icon name="close" />
      </button>
      <span class="stepoptions">
        <SmallChoice
          label={`Metric of ${metric.field}`}
          value={metric.op}
          options={METRIC_OPS}
          onChange={(op) => onChange({ ...metric, op: op as MetricOp })}
        />
      </span>
    </div>
  )
}

function AddField({
  label,
  fields,
  onAdd,
}: {
  readonly label: string
  readonly fields: readonly Field[]
  readonly onAdd: (field: Field) => void
}) {
  const [isOpen, setOpen] = useState(false)
  const [part, setPart] = useState('')
  if (!isOpen) {
    return (
      <button type="button" class="step add" disabled={fields.length === 0} onClick={() => setOpen(true)}>
        <Icon name="add" />
        {fields.length === 0 ? 'No field for this' : label}
      </button>
    )
  }
  const found = fields.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase())).slice(0, 40)
  return (
    <div
      class="step chooser"
      onKeyDown={(event) => {
        if (event.key === 'Escape') setOpen(false)
      }}
    >
      <span class="field">
        <Icon name="discover" />
        <input
          class="grow"
          aria-label={label}
          placeholder="Find a field"
          ref={(input) => input?.focus()}
          value={part}
          onInput={(event) => setPart(event.currentTarget.value)}
        />
      </span>
      <ul>
        {found.map((field) => (
          <li key={field.name}>
            <button
              type="button"
              onClick={() => {
                setOpen(false)
                setPart('')
                onAdd(field)
              }}
            >
              <span class="clip grow">{field.name}</span>
              <span class="hint">{field.type}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
  readonly onChange: (value: string) => void
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="stack">
      <span class="label">{label}</span>
      <span class="field">
        <select class="grow" value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
        <Icon name="down" />
      </span>
    </label>
  )
}

function SmallChoice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <span class="field small">
      <select class="grow" aria-label={label} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}
