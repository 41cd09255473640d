/** The hits as a table with rows of equal height. Only the visible rows and a few around them are in the page. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { localTimestamp } from '../../api/format.ts'
import { isObject, type Json, textOf } from '../../api/lossless-json.ts'
import { Marked } from '../../components/marked.tsx'
import { valueAt } from '../../documents/export.ts'
import { DATE_TYPES, type Field, NUMBER_TYPES } from '../../documents/fields.ts'
import type { Hit } from '../../documents/hits.ts'
import { change, type DiscoverState, shownColumns } from './discover-state.ts'
import { hits, loadUntil, more } from './hit-store.ts'

const OVERSCAN = 10
/** The distance from the last loaded row at which the next page is loaded. */
const AHEAD = 300

interface HitTableProps {
  readonly state: DiscoverState
  readonly fields: readonly Field[]
  readonly timeField: string | undefined
  /** Called with the topmost visible row. */
  readonly onRow: (row: number) => void
}

export function HitTable({ state, fields, timeField, onRow }: HitTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [height, setHeight] = useState(600)
  const [cursor, setCursor] = useState(0)
  const { rows } = hits.value
  const row = rowHeight()
  const columns = shownColumns(state.columns, timeField)
  const hasDocument = state.columns.length === 0
  const first = Math.max(0, Math.floor(scrollTop / row) - OVERSCAN)
  const last = Math.min(rows.length, Math.ceil((scrollTop + height) / row) + OVERSCAN)
  const byName = new Map(fields.map((field) => [field.name, field]))
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.target.clientHeight))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  const { request } = hits.value
  useEffect(() => {
    if (box.current !== null) box.current.scrollTop = 0
    setCursor(0)
  }, [request])
  useEffect(() => {
    onRow(rows.length === 0 ? 0 : Math.min(rows.length, Math.floor(scrollTop / row) + 1))
    if (last > rows.length - AHEAD && rows.length > 0) {
      // No further page is loaded until the user scrolls.
      if (scrollTop > 0) void more()
    }
  }, [scrollTop, last, rows.length])

  const goTo = (index: number) => {
    const target = Math.max(0, Math.min(rows.length - 1, index))
    setCursor(target)
    const element = box.current!
    const top = target * row
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + row * 2 > element.scrollTop + element.clientHeight)
      element.scrollTop = top + row * 2 - element.clientHeight
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const hit = rows[cursor]
    if (event.key === 'ArrowDown' || event.key === 'j') goTo(cursor + 1)
    else if (event.key === 'ArrowUp' || event.key === 'k') goTo(cursor - 1)
    else if (event.key === 'PageDown') goTo(cursor + Math.floor(height / row) - 1)
    else if (event.key === 'PageUp') goTo(cursor - Math.floor(height / row) + 1)
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') {
      void loadUntil(rows.length)
      goTo(rows.length - 1)
    } else if (event.key === 'Enter' && hit !== undefined) change({ doc: docKey(hit) })
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div
      class="scroll hitbox"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label="Hits, move with the arrow keys, open with Enter"
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      onKeyDown={onKeyDown}
    >
      <table class="table hits-table" aria-rowcount={hits.value.isAtEnd ? rows.length : -1}>
        <colgroup>
          {columns.map((name) => (
            <col key={name} class={widthOf(byName.get(name))} />
          ))}
          {hasDocument && <col />}
        </colgroup>
        <thead>
          <tr>
            {columns.map((name) => (
              <Head key={name} name={name} field={byName.get(name)} state={state} timeField={timeField} />
            ))}
            {hasDocument && <th>Document</th>}
          </tr>
        </thead>
        <tbody>
          <tr class="spacer" aria-hidden="true" style={{ height: `${first * row}px` }} />
          {rows.slice(first, last).map((hit, i) => {
            const index = first + i
            return (
              <tr
                key={`${index}`}
                aria-rowindex={index + 1}
                aria-selected={state.doc === docKey(hit)}
                class={index === cursor ? 'cursor' : ''}
                onClick={() => {
                  setCursor(index)
                  change({ doc: docKey(hit) })
                }}
              >
                {columns.map((name) => (
                  <Cell key={name} hit={hit} name={name} field={byName.get(name)} />
                ))}
                {hasDocument && (
                  <td class="summary-cell">
                    <Summary hit={hit} timeField={timeField} />
                  </td>
                )}
              </tr>
            )
          })}
          <tr class="spacer" aria-hidden="true" style={{ height: `${Math.max(0, rows.length - last) * row}px` }} />
        </tbody>
      </table>
    </div>
  )
}

export function docKey({ _index, _id }: Hit): string {
  return `${_index}/${_id}`
}

/** The row height of the selected density, from the design tokens. */
function rowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 34
}

function widthOf(field: Field | undefined): string {
  if (field === undefined) return ''
  if (DATE_TYPES.has(field.type)) return 'w-200'
  return NUMBER_TYPES.has(field.type) ? 'w-104' : field.type === 'text' ? '' : 'w-160'
}

interface HeadProps {
  readonly name: string
  readonly field: Field | undefined
  readonly state: DiscoverState
  readonly timeField: string | undefined
}

function Head({ name, field, state, timeField }: HeadProps) {
  const sort = state.sort ?? (timeField === undefined ? undefined : { field: timeField, order: 'desc' as const })
  const isSorted = sort?.field === name
  const isNumber = field !== undefined && NUMBER_TYPES.has(field.type)
  return (
    <th
      class={isNumber ? 'num' : ''}
      aria-sort={isSorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
    >
      {field?.isAggregatable === true ? (
        <button
          type="button"
          onClick={() => change({ sort: { field: name, order: isSorted && sort.order === 'desc' ? 'asc' : 'desc' } })}
        >
          {name}
          {isSorted && <span class="sort">{sort.order === 'desc' ? '↓' : '↑'}</span>}
        </button>
      ) : (
        name
      )}
    </th>
  )
}

function Cell({ hit, name, field }: { readonly hit: Hit; readonly name: string; readonly field: Field | undefined }) {
  const marked = hit.highlight?.[name]?.join(' … ')
  const value = valueAt(hit._source, name)
  const isNumber = field !== undefined && NUMBER_TYPES.has(field.type)
  if (field !== undefined && DATE_TYPES.has(field.type) && (typeof value === 'string' || typeof value === 'number')) {
    return (
      <td class="mono-s" title={String(value)}>
        {localTimestamp(value)}
      </td>
    )
  }
  if (name === 'level' && typeof value === 'string') return <td>{levelBadge(value)}</td>
  return (
    <td class={isNumber ? 'num' : ''}>
      {value === undefined ? (
        <span class="hint">–</span>
      ) : (
        <div class="clip">
          <Marked text={marked ?? textOf(value)} isClipped />
        </div>
      )}
    </td>
  )
}

function levelBadge(value: string) {
  const kind = /^(err|fatal|crit|emerg|alert)/i.test(value) ? 'danger' : /^warn/i.test(value) ? 'warn' : 'ok'
  return (
    <span class="row">
      <i class={`dot ${kind}`} />
      {value}
    </span>
  )
}

const SUMMARY_FIELDS = 14

/** Fields and values in sequence, those with matches first. */
function Summary({ hit, timeField }: { readonly hit: Hit; readonly timeField: string | undefined }) {
  const source = hit._source ?? {}
  const marked = Object.entries(hit.highlight ?? {})
  const rest = Object.entries(source).filter(([name]) => name !== timeField && hit.highlight?.[name] === undefined)
  return (
    <>
      {marked.map(([name, texts]) => (
        <Pair key={name} name={name} text={texts.join(' … ')} isClipped />
      ))}
      {rest.slice(0, SUMMARY_FIELDS).map(([name, value]) => (
        <Pair key={name} name={name} text={shortText(value)} />
      ))}
    </>
  )
}

function shortText(value: Json): string {
  const text = isObject(value) || Array.isArray(value) ? textOf(value) : textOf(value)
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}

function Pair({
  name,
  text,
  isClipped = false,
}: {
  readonly name: string
  readonly text: string
  readonly isClipped?: boolean
}) {
  return (
    <span class="pair">
      <b>{name}</b> <Marked text={text} isClipped={isClipped} />{' '}
    </span>
  )
}
