/**
 * The fields of the index, with the columns of the table first. Only visible rows are in the page, so 1,000 fields
 * render as fast as ten.
 */
import { useState } from 'preact/hooks'
import { count } from '../../api/format.ts'
import { Icon } from '../../components/icon.tsx'
import { type Field, typeLetter } from '../../documents/fields.ts'
import { toggleColumn } from './discover-state.ts'

const ROW = 28
const OVERSCAN = 10

export function FieldList({
  fields,
  columns,
}: {
  readonly fields: readonly Field[]
  readonly columns: readonly string[]
}) {
  const [part, setPart] = useState('')
  const [scrollTop, setScrollTop] = useState(0)
  const [height, setHeight] = useState(600)
  const found = fields.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()))
  const shown = found.filter(({ name }) => columns.includes(name))
  const others = found.filter(({ name }) => !columns.includes(name))
  const rows: (Field | string)[] = [
    ...(shown.length > 0 ? ['Shown', ...shown] : []),
    `Others ${count(others.length)}`,
    ...others,
  ]
  const first = Math.max(0, Math.floor(scrollTop / ROW) - OVERSCAN)
  const visible = rows.slice(first, first + Math.ceil(height / ROW) + 2 * OVERSCAN)
  return (
    <section class="pane fields" aria-label="Fields">
      <div class="fieldsearch">
        <span class="field soft">
          <Icon name="discover" />
          <input
            class="grow"
            aria-label="Find a field"
            placeholder="Find a field"
            value={part}
            onInput={(event) => setPart(event.currentTarget.value)}
          />
        </span>
      </div>
      <div
        class="scroll"
        ref={(box) => {
          if (box !== null && box.clientHeight !== height) setHeight(box.clientHeight)
        }}
        onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
      >
        <ul style={{ height: `${rows.length * ROW}px`, paddingTop: `${first * ROW}px` }}>
          {visible.map((row) =>
            typeof row === 'string' ? (
              <li key={row} class="heading">
                {row}
              </li>
            ) : (
              <li key={row.name} class={columns.includes(row.name) ? 'on' : ''}>
                <button
                  type="button"
                  aria-pressed={columns.includes(row.name)}
                  title={`${row.name}, ${row.type}: show as column`}
                  onClick={() => toggleColumn(row.name)}
                >
                  <span class="ftype" aria-hidden="true">
                    {typeLetter(row.type)}
                  </span>
                  <span class="clip">{row.name}</span>
                </button>
              </li>
            ),
          )}
        </ul>
      </div>
    </section>
  )
}
