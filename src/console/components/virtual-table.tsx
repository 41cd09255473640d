/** A table of many rows of equal height. Only the visible rows are in the page. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'

export interface Column {
  readonly name: string
  readonly isNumber?: boolean
  /** A width class, such as `w-104`. */
  readonly width?: string
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
          {columns.map(({ name, width = '' }) => (
            <col key={name} class={width} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, content }) => (
              <th key={name} class={isNumber === true ? 'num' : ''}>
                {content ?? name}
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
                <td key={columns[i]!.name} class={columns[i]!.isNumber === true ? 'num' : ''}>
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
