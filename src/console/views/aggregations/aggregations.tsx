/** Aggregations: the builder at the left, charts and tables at the right. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { type ApiRequest, segment } from '../../api/client.ts'
import { CopyLink } from '../../components/copy-link.tsx'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { IndexPicker } from '../../components/index-picker.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { csvLine } from '../../documents/csv.ts'
import { download } from '../../documents/export.ts'
import { type Field, names, readFields, readNames } from '../../documents/fields.ts'
import { selectionQuery } from '../../documents/filters.ts'
import { query, setQuery } from '../../state/router.ts'
import { useTitle } from '../../state/title.ts'
import { Builder, usableFields } from './builder.tsx'
import { KINDS, metricName, type Plan, readMetric, readSource, requestBody, writeSource } from './plan.ts'
import { ResultView, type View } from './result-view.tsx'
import { forgetRun, result, run } from './run.ts'

const DEFAULT_SIZE = { terms: 20, composite: 200, levels: 20 } as const

function planOf(parameters: URLSearchParams): Plan {
  const kind = KINDS.find(([name]) => name === parameters.get('kind'))?.[0] ?? 'terms'
  const size = Number(
    parameters.get('size') ?? (kind in DEFAULT_SIZE ? DEFAULT_SIZE[kind as keyof typeof DEFAULT_SIZE] : 20),
  )
  return {
    index: parameters.get('index') ?? '',
    kind,
    by: parameters.getAll('by').map(readSource),
    metrics: parameters.getAll('m').flatMap((text) => readMetric(text) ?? []),
    size: Number.isInteger(size) && size > 0 ? Math.min(size, 10_000) : 20,
    text: parameters.get('q') ?? '',
    path: parameters.get('path') ?? '',
  }
}

function writePlan(plan: Plan, how: 'push' | 'replace'): void {
  const usual = plan.kind in DEFAULT_SIZE ? DEFAULT_SIZE[plan.kind as keyof typeof DEFAULT_SIZE] : 20
  setQuery(
    {
      index: plan.index,
      kind: plan.kind === 'terms' ? undefined : plan.kind,
      by: plan.by.map(writeSource),
      m: plan.metrics.map(({ op, field }) => `${op}:${field}`),
      size: plan.size === usual ? undefined : String(plan.size),
      q: plan.text,
      path: plan.kind === 'levels' ? plan.path : undefined,
    },
    how,
  )
}

export default function Aggregations() {
  const plan = planOf(query.value)
  useTitle(plan.index, 'Aggregations')
  const [fields, setFields] = useState<readonly Field[]>([])
  const [fieldsOf, setFieldsOf] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const byName = useMemo(() => new Map(fields.map((field) => [field.name, field])), [fields])
  const nestedPaths = useMemo(() => fields.filter(({ type }) => type === 'nested').map(({ name }) => name), [fields])
  useEffect(() => forgetRun, [])
  useEffect(() => {
    if (plan.index !== '') return
    readNames().then(() => {
      const first = names.value.find(({ name, kind }) => kind !== 'alias' && !name.startsWith('.'))
      if (first !== undefined) setQuery({ index: first.name })
    }, setFailure)
  }, [plan.index])
  useEffect(() => {
    if (plan.index === '') return
    const abort = new AbortController()
    setFailure(undefined)
    readFields(plan.index, abort.signal).then(
      (read) => {
        setFields(read)
        setFieldsOf(plan.index)
      },
      (error) => {
        if (!abort.signal.aborted) setFailure(error)
      },
    )
    return () => abort.abort()
  }, [plan.index])
  const isReady = fieldsOf === plan.index && plan.index !== ''
  const key = isReady ? JSON.stringify(plan) : ''
  const start = () => run(plan, selectionQuery({ text: plan.text, filters: [] }), byName)
  useEffect(() => {
    if (key === '') return
    // By default an index is grouped by its first groupable field.
    if (plan.by.length === 0) {
      const usable = usableFields(plan, fields)
      const first = usable.find(({ type }) => type === 'keyword') ?? usable[0]
      if (first !== undefined && plan.kind === 'terms') {
        writePlan({ ...plan, by: [{ field: first.name, step: undefined, order: 'asc' }] }, 'replace')
        return
      }
      if (plan.kind !== 'levels') {
        forgetRun()
        return
      }
    }
    if (plan.kind === 'levels' && plan.path === '') {
      forgetRun()
      return
    }
    void start()
  }, [key])
  const requests = (): ApiRequest[] => [
    {
      method: 'POST',
      path: `/${segment(plan.index)}/_search`,
      body: requestBody(plan, selectionQuery({ text: plan.text, filters: [] }), byName),
    },
  ]
  const view = query.value.get('view') as View | null
  return (
    <>
      <header class="bar ruled aggregationsbar">
        <h1>Aggregations</h1>
        <IndexPicker
          value={plan.index}
          onChoose={(index) => writePlan({ ...plan, index, by: [], metrics: [], path: '' }, 'push')}
        />
        <QueryText plan={plan} />
        <span class="push" />
        <ShowRequest plain requests={requests} />
        <CopyLink />
        <button type="button" class="button wide-only" disabled={result.value.buckets.length === 0} onClick={exportCsv}>
          <Icon name="export" />
          CSV
        </button>
        <button type="button" class="button primary" disabled={!isReady} onClick={() => void start()}>
          <Icon name="run" />
          Run
        </button>
      </header>
      <div class="body">
        <Builder plan={plan} fields={fields} nestedPaths={nestedPaths} onChange={(next) => writePlan(next, 'push')} />
        <section class="pane result" aria-label="Result">
          {failure !== undefined ? (
            <div class="pad">
              <ErrorPanel error={failure} />
            </div>
          ) : plan.kind === 'levels' && nestedPaths.length === 0 && isReady ? (
            <div class="empty">
              <h3>This index has no nested fields</h3>
              <p class="quiet">
                Levels show how counts change between documents and the nested objects inside of them.
              </p>
            </div>
          ) : (
            <ResultView result={result.value} view={view ?? undefined} onView={(next) => setQuery({ view: next })} />
          )}
        </section>
      </div>
    </>
  )
}

function QueryText({ plan }: { readonly plan: Plan }) {
  const [text, setText] = useState(plan.text)
  useEffect(() => setText(plan.text), [plan.text])
  return (
    <span class="field grow querytext">
      <Icon name="discover" />
      <input
        class="grow"
        data-hotkey="/"
        aria-label="Query in Lucene syntax"
        placeholder="all documents"
        spellcheck={false}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onChange={() => writePlan({ ...plan, text: text.trim() }, 'push')}
        onKeyDown={(event) => {
          if (event.key === 'Enter') writePlan({ ...plan, text: text.trim() }, 'push')
        }}
      />
    </span>
  )
}

function exportCsv(): void {
  const { plan, buckets } = result.value
  if (plan === undefined) return
  const head = csvLine([...plan.by.map(({ field }) => field), 'documents', ...plan.metrics.map(metricName)])
  const rows = buckets.map(({ names: own, count, metrics }) => csvLine([...own, count, ...metrics]))
  download(new Blob([head, ...rows], { type: 'text/csv' }), `${plan.index.replace(/[^\w.-]+/g, '_')}-${plan.kind}.csv`)
}
