/** The frame of the three lists: title, search field, "show the request", the button that creates, and the states without rows. */
import type { ComponentChildren } from 'preact'
import { counted } from '../../api/format.ts'
import { ErrorPanel } from '../../components/error-panel.tsx'
import { Icon } from '../../components/icon.tsx'
import { ListSearch } from '../../components/list-search.tsx'
import { ShowRequest } from '../../components/show-request.tsx'
import { query, setQuery } from '../../state/router.ts'

interface ListFrameProps {
  readonly title: string
  readonly noun: string
  readonly path: string
  readonly action: string
  readonly failure: unknown
  /** Undefined while the list is read. */
  readonly total: number | undefined
  readonly shown: number
  readonly check?: ComponentChildren
  /** The text that is shown for an empty list. */
  readonly nothing: string
  /** The table. */
  readonly children: ComponentChildren
}

export function ListFrame(props: ListFrameProps) {
  const { title, noun, path, action, failure, total, shown, check, nothing, children } = props
  const part = query.value.get('find') ?? ''
  return (
    <>
      <header class="bar">
        <h1>{title}</h1>
        <span class="quiet wide-only" role="status">
          {total !== undefined && counted(shown, noun)}
        </span>
        <span class="push" />
        <ShowRequest requests={() => [{ method: 'GET', path }]} />
        <button type="button" class="button primary" onClick={() => setQuery({ edit: undefined, create: 'new' })}>
          <Icon name="add" />
          {action}
        </button>
      </header>
      <div class="toolbar listbar">
        <ListSearch
          label={`Find a ${noun}`}
          placeholder="Part of a name"
          value={part}
          onChange={(find) => setQuery({ find })}
        />
        {check}
      </div>
      <div class="scroll">
        {failure !== undefined && (
          <div class="pad">
            <ErrorPanel error={failure} />
          </div>
        )}
        {total !== undefined && shown === 0 ? (
          <div class="empty">
            <h3>{total === 0 ? `There is no ${noun}` : `No ${noun} is listed`}</h3>
            <p class="quiet">{nothing}</p>
          </div>
        ) : (
          total !== undefined && children
        )}
      </div>
    </>
  )
}

/** Whether a name has what is typed in the search field. */
export function isFound(...names: readonly (string | null | undefined)[]): boolean {
  const part = (query.value.get('find') ?? '').toLowerCase()
  return part === '' || names.some((name) => name?.toLowerCase().includes(part) === true)
}

/** A checkbox that adds rows which the list omits by default. Its state is part of the address. */
export function IncludeBox({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={query.value.has(name)}
        onChange={(event) => setQuery({ [name]: event.currentTarget.checked ? 'true' : undefined })}
      />
      {label}
    </label>
  )
}

interface AccessTableProps {
  /** The heading and the class of the width of each column but the last. */
  readonly columns: readonly (readonly [heading: string, width?: string])[]
  /** The heading of the last column, which only screen readers show, and its width. */
  readonly last: readonly [heading: string, width: string]
  /** The rows. */
  readonly children: ComponentChildren
}

/** A table of users, roles or keys. Its last column has what can be done with a row. */
export function AccessTable({ columns, last: [lastHeading, lastWidth], children }: AccessTableProps) {
  return (
    <table class="table access">
      <colgroup>
        {columns.map(([heading, width]) => (
          <col key={heading} class={width} />
        ))}
        <col class={lastWidth} />
      </colgroup>
      <thead>
        <tr>
          {columns.map(([heading], place) => (
            <th key={heading} class={place === 0 ? 'first' : undefined}>
              {heading}
            </th>
          ))}
          <th class="last">
            <span class="sr">{lastHeading}</span>
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  )
}
