/**
 * A histogram with a selectable range: drag on the bars, move a handle by pointer or arrow keys, click outside to
 * clear.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { count, shortDate } from '../../api/format.ts'
import type { TimeBars } from './histogram.ts'

interface BrushProps {
  readonly bars: TimeBars
  /** The selected range; undefined for all time. */
  readonly range: readonly [fromMs: number, toMs: number] | undefined
  readonly onChoose: (range: readonly [number, number] | undefined) => void
}

const HEIGHT = 84
const LEAST_DRAG_PX = 4

export function Brush({ bars, range, onChoose }: BrushProps) {
  const element = useRef<SVGSVGElement>(null)
  const [width, setWidth] = useState(600)
  const [drag, setDrag] = useState<readonly [number, number] | undefined>()
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(100, entry!.contentRect.width)))
    observer.observe(element.current!)
    return () => observer.disconnect()
  }, [])
  const { startMs, stepMs, counts } = bars
  const spanMs = counts.length * stepMs
  const most = Math.max(1, ...counts)
  const xOf = (ms: number) => ((ms - startMs) / spanMs) * width
  const msAt = (x: number) => startMs + (Math.max(0, Math.min(width, x)) / width) * spanMs
  const rounded = (ms: number) => startMs + Math.round((ms - startMs) / stepMs) * stepMs
  const shown = drag === undefined ? range : ([msAt(Math.min(...drag)), msAt(Math.max(...drag))] as const)
  const bar = width / counts.length
  const at = (event: PointerEvent) => event.clientX - element.current!.getBoundingClientRect().left
  const finish = (event: PointerEvent) => {
    if (drag === undefined) return
    const [from, to] = [Math.min(drag[0], at(event)), Math.max(drag[0], at(event))]
    setDrag(undefined)
    if (to - from < LEAST_DRAG_PX) onChoose(undefined)
    else {
      const start = startMs + Math.floor((msAt(from) - startMs) / stepMs) * stepMs
      onChoose([start, Math.max(start + stepMs, startMs + Math.ceil((msAt(to) - startMs) / stepMs) * stepMs)])
    }
  }
  const move = (which: 0 | 1, ms: number) => {
    if (range === undefined) return
    const next: [number, number] = [range[0], range[1]]
    next[which] = rounded(ms)
    if (next[1] > next[0]) onChoose(next)
  }
  const total = counts.reduce((sum, value) => sum + value, 0)
  return (
    <div class="brushbox">
      <svg
        ref={element}
        class="chart brush-chart"
        height={HEIGHT}
        role="group"
        aria-label={`Documents over time, ${count(total)} from ${shortDate(startMs)} to ${shortDate(startMs + spanMs)}. Drag to choose a range.`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          element.current!.setPointerCapture(event.pointerId)
          setDrag([at(event), at(event)])
        }}
        onPointerMove={(event) => drag !== undefined && setDrag([drag[0], at(event)])}
        onPointerUp={finish}
        onPointerCancel={() => setDrag(undefined)}
      >
        <line class="grid" x1="0" x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        {counts.map((value, i) => {
          const ms = startMs + i * stepMs
          const isOutside = shown !== undefined && (ms + stepMs <= shown[0] || ms >= shown[1])
          const height = value === 0 ? 0 : Math.max(2, (value / most) * (HEIGHT - 10))
          return (
            <rect
              key={ms}
              class={isOutside ? 'timebar faint' : 'timebar'}
              x={i * bar + 0.5}
              width={Math.max(1, bar - 1.5)}
              y={HEIGHT - height}
              height={height}
            >
              <title>{`${shortDate(ms)}: ${count(value)}`}</title>
            </rect>
          )
        })}
        {shown !== undefined && (
          <rect
            class="brush"
            x={xOf(shown[0])}
            width={Math.max(0, xOf(shown[1]) - xOf(shown[0]))}
            y="0"
            height={HEIGHT}
          />
        )}
        {range !== undefined &&
          drag === undefined &&
          ([0, 1] as const).map((which) => (
            <g
              key={which}
              class="brush-handle"
              role="slider"
              tabindex={0}
              aria-label={which === 0 ? 'Start of the range' : 'End of the range'}
              aria-valuenow={range[which]}
              aria-valuemin={startMs}
              aria-valuemax={startMs + spanMs}
              aria-valuetext={shortDate(range[which])}
              onPointerDown={(event) => {
                event.stopPropagation()
                const other = xOf(range[which === 0 ? 1 : 0])
                element.current!.setPointerCapture(event.pointerId)
                setDrag([other, at(event)])
              }}
              onKeyDown={(event) => {
                const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
                if (by === 0) return
                event.preventDefault()
                event.stopPropagation()
                move(which, range[which] + by * stepMs)
              }}
            >
              <line class="edge" x1={xOf(range[which])} x2={xOf(range[which])} y1="0" y2={HEIGHT} />
              <rect class="handle" x={xOf(range[which]) - 4} y={HEIGHT / 2 - 10} width="8" height="20" rx="3" />
            </g>
          ))}
      </svg>
      <div class="axis" aria-hidden="true">
        {[0, 0.25, 0.5, 0.75, 1].map((share) => (
          <span key={share} class={share === 0.25 || share === 0.75 ? 'wide-only' : ''}>
            {shortDate(startMs + share * spanMs)}
          </span>
        ))}
      </div>
    </div>
  )
}
