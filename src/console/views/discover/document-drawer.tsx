/** One document: its fields as a table, its JSON, and its neighbours in time. */
import { useEffect, useState } from 'preact/hooks'
import { call, segment } from '../../api/client.ts'
import { counted, localTimestamp, size } from '../../api/format.ts'
import { ExactNumber, type Json, textOf, writeJson } from '../../api/lossless-json.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { Marked } from '../../components/marked.tsx'
import { openInRequests } from '../../components/show-request.tsx'
import { copyText } from '../../components/toasts.tsx'
import { valueAt } from '../../documents/export.ts'
import { type Field, NUMBER_TYPES } from '../../documents/fields.ts'
import { flat } from '../../documents/flat.ts'
import type { Hit } from '../../documents/hits.ts'
import { addFilter, change, toggleColumn } from './discover-state.ts'
import { hits } from './hit-store.ts'
import { docKey } from './hit-table.tsx'
import { JsonText } from './json-text.tsx'

interface DrawerProps {
  readonly doc: string
  readonly fields: readonly Field[]
  readonly timeField: string | undefined
}

type Tab = 'table' | 'json' | 'around'

export function DocumentDrawer({ doc, fields, timeField }: DrawerProps) {
  const [tab, setTab] = useState<Tab>('table')
  const { rows } = hits.value
  const at = rows.findIndex((hit) => docKey(hit) === doc)
  const [fetched, setFetched] = useState<Hit | undefined>()
  const [failure, setFailure] = useState<unknown>()
  const slash = doc.indexOf('/')
  const [index, id] = [doc.slice(0, slash), doc.slice(slash + 1)]
  useEffect(() => {
    setFailure(undefined)
    setFetched(undefined)
    if (at >= 0) return
    call<Hit>('GET', `/${segment(index)}/_doc/${encodeURIComponent(id)}`).then(setFetched, setFailure)
  }, [doc, at < 0])
  const hit = rows[at] ?? fetched
  const close = () => change({ doc: undefined }, 'replace')
  return (
    <section
      class="pane drawer"
      aria-label="Document"
      onKeyDown={(event) => {
        if (event.key === 'Escape') close()
      }}
    >
      <header class="drawerhead">
        <b class="mono clip">{id}</b>
        <span class="hint clip">{index}</span>
        <span class="push" />
        <button
          type="button"
          class="button plain small square"
          aria-label="Previous document"
          disabled={at <= 0}
          onClick={() => change({ doc: docKey(rows[at - 1]!) }, 'replace')}
        >
          <Icon name="up" />
        </button>
        <button
          type="button"
          class="button plain small square"
          aria-label="Next document"
          disabled={at < 0 || at >= rows.length - 1}
          onClick={() => change({ doc: docKey(rows[at + 1]!) }, 'replace')}
        >
          <Icon name="down" />
        </button>
        <button type="button" class="button plain small square" aria-label="Close the document" onClick={close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="tabs" role="tablist">
        {(
          [
            ['table', 'Table'],
            ['json', 'JSON'],
            ['around', 'Around this'],
          ] as const
        ).map(([name, label]) => (
          <button type="button" key={name} role="tab" aria-selected={tab === name} onClick={() => setTab(name)}>
            {label}
          </button>
        ))}
      </div>
      <div class="scroll pad" tabIndex={0} role="group" aria-label="Contents of the document">
        {failure !== undefined && <ErrorPanel error={failure} />}
        {hit !== undefined && tab === 'table' && <FieldTable hit={hit} fields={fields} />}
        {hit !== undefined && tab === 'json' && <JsonText value={hit._source ?? {}} />}
        {hit !== undefined && tab === 'around' && <Around hit={hit} timeField={timeField} />}
      </div>
      {hit !== undefined && (
        <footer class="footer">
          <button
            type="button"
            class="button small"
            onClick={() =>
              openInRequests([{ method: 'GET', path: `/${segment(index)}/_doc/${encodeURIComponent(id)}` }])
            }
          >
            <Icon name="requests" />
            Open in Requests
          </button>
          <button
            type="button"
            class="button small"
            onClick={() => copyText(writeJson(hit._source ?? {}, 2), 'Document')}
          >
            <Icon name="copy" />
            Copy JSON
          </button>
          <span class="push nowrap">{counted(Object.keys(flat(hit._source)).length, 'field')}</span>
        </footer>
      )}
    </section>
  )
}

const LONG = 10_000
const SHOWN_OF_LONG = 2000

function FieldTable({ hit, fields }: { readonly hit: Hit; readonly fields: readonly Field[] }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set())
  const byName = new Map(fields.map((field) => [field.name, field]))
  return (
    <table class="doc">
      <tbody>
        {Object.entries(flat(hit._source)).map(([name, value]) => {
          const text = hit.highlight?.[name]?.join(' … ') ?? textOf(value)
          const isLong = text.length > LONG && !opened.has(name)
          const field = byName.get(name)
          return (
            <tr key={name}>
              <td title={field?.type ?? 'not mapped'}>
                <bdi>{name}</bdi>
              </td>
              <td>
                <Marked text={isLong ? `${text.slice(0, SHOWN_OF_LONG)}…` : text} />
                {isLong && (
                  <button type="button" class="button small" onClick={() => setOpened(new Set([...opened, name]))}>
                    Show all {size(text.length)}
                  </button>
                )}
                <span class="acts">
                  {filterable(value, field) && (
                    <>
                      <button
                        type="button"
                        class="button plain small square"
                        aria-label={`Filter for this ${name}`}
                        title="Filter for this value"
                        onClick={() => addFilter({ field: name, value: textOf(value), isNot: false })}
                      >
                        <Icon name="add" />
                      </button>
                      <button
                        type="button"
                        class="button plain small square"
                        aria-label={`Filter out this ${name}`}
                        title="Filter this value out"
                        onClick={() => addFilter({ field: name, value: textOf(value), isNot: true })}
                      >
                        <Icon name="not" />
                      </button>
                    </>
                  )}
                  <button
                    type="button"
                    class="button plain small square"
                    aria-label={`Show ${name} as column`}
                    title="Show as column"
                    onClick={() => toggleColumn(name)}
                  >
                    <Icon name="column" />
                  </button>
                </span>
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

/** A term of a text field is a word, not the whole value. */
function filterable(value: Json, field: Field | undefined): boolean {
  const isSingle =
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value instanceof ExactNumber
  return isSingle && field?.isSearchable === true && (field.isAggregatable || NUMBER_TYPES.has(field.type))
}

const NEIGHBOURS = 5

function Around({ hit, timeField }: { readonly hit: Hit; readonly timeField: string | undefined }) {
  const [rows, setRows] = useState<readonly Hit[] | undefined>()
  const [failure, setFailure] = useState<unknown>()
  const at = timeField === undefined ? undefined : valueAt(hit._source, timeField)
  useEffect(() => {
    if (timeField === undefined || at === undefined) return
    const side = (order: 'asc' | 'desc', op: 'gt' | 'lt') =>
      call<{ hits: { hits: Hit[] } }>('POST', `/${segment(hit._index)}/_search`, {
        size: NEIGHBOURS,
        query: { range: { [timeField]: { [op]: at } } },
        sort: [{ [timeField]: order }],
      })
    Promise.all([side('asc', 'gt'), side('desc', 'lt')]).then(
      ([after, before]) => setRows([...after.hits.hits].reverse().concat([hit], before.hits.hits)),
      setFailure,
    )
  }, [docKey(hit)])
  if (timeField === undefined || at === undefined) return <p class="quiet">This document has no time to look around.</p>
  if (failure !== undefined) return <ErrorPanel error={failure} />
  return (
    <ul class="around">
      {rows?.map((row) => (
        <li key={docKey(row)} aria-current={docKey(row) === docKey(hit) ? 'true' : undefined}>
          <button type="button" onClick={() => change({ doc: docKey(row) }, 'replace')}>
            <span class="mono-s nowrap">{localTimestamp(textOf(valueAt(row._source, timeField)))}</span>
            <span class="clip">{textOf(row._source?.['message'] ?? row._source)}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
