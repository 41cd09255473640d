/** A table of many rows of equal height. Only the visible rows are in the page. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Column {
  readonly name: string
  readonly isNumber?: boolean
  /** A width class, such as `w-104`. */
  readonly width?: string
  /** Not shown on narrow screens. */
  readonly isWideOnly?: boolean
  readonly content?: ComponentChildren
}

interface VirtualTableProps {
  readonly label: string
  readonly columns: readonly Column[]
  readonly count: number
  /** The cells of a row. */
  readonly row: (index: number) => readonly ComponentChildren[]
  readonly onOpen?: ((index: number) => void) | undefined
  readonly isMarked?: ((index: number) => boolean) | undefined
}

const OVERSCAN = 10

export function VirtualTable({ label, columns, count, row, onOpen, isMarked }: VirtualTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const [scrollTop, setScrollTop] = useState(0)
  const [height, setHeight] = useState(400)
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setHeight(entry!.target.clientHeight))
    observer.observe(box.current!)
    return () => observer.disconnect()
  }, [])
  const size = Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row')) || 34
  const first = Math.max(0, Math.min(count, Math.floor(scrollTop / size)) - OVERSCAN)
  const last = Math.min(count, Math.ceil((scrollTop + height) / size) + OVERSCAN)
  return (
    <div
      class="scroll"
      ref={box}
      tabIndex={0}
      role="group"
      aria-label={label}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <table class="table virtual" aria-rowcount={count}>
        <colgroup>
          {columns.map((column) => (
            <col key={column.name} class={`${column.width ?? ''} ${shownOn(column)}`} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} class={cellClass(column)}>
                {column.content ?? column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr class="spacer" style={{ height: `${first * size}px` }} />
          {Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i).map((index) => (
            <tr
              key={index}
              aria-rowindex={index + 1}
              aria-selected={isMarked?.(index) === true ? true : undefined}
              onClick={onOpen === undefined ? undefined : () => onOpen(index)}
            >
              {row(index).map((cell, i) => (
                <td key={columns[i]!.name} class={cellClass(columns[i]!)}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
          <tr class="spacer" style={{ height: `${Math.max(0, count - last) * size}px` }} />
        </tbody>
      </table>
    </div>
  )
}

/** A column is hidden as a whole: a hidden `col` beside visible cells would give its width to the next column. */
function shownOn({ isWideOnly }: Column): string {
  return isWideOnly === true ? 'wide-only' : ''
}

function cellClass(column: Column): string {
  return column.isNumber === true ? `num ${shownOn(column)}` : shownOn(column)
}
