/** Line and bar charts over time or categories, drawn by uPlot in the colours of the theme. */
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { themeVersion, token } from '../state/preferences.ts'

export interface Series {
  readonly label: string
  readonly values: readonly (number | null)[]
  /** The name of a colour token. */
  readonly color: string
  readonly filled?: boolean
}

interface ChartProps {
  /** Seconds since 1970 for a time axis, otherwise positions 0, 1, 2 and so on. */
  readonly x: readonly number[]
  readonly series: readonly Series[]
  readonly kind: 'line' | 'bars'
  /** Labels of the positions, for an axis that is not a time axis. */
  readonly labels?: readonly string[] | undefined
  readonly height: number
  /** A text alternative in one sentence. */
  readonly summary: string
  readonly format: (value: number) => string
  /** Whether times are shown in UTC instead of the browser's time zone. */
  readonly onPick?: ((index: number) => void) | undefined
}

export function Chart({ x, series, kind, labels, height, summary, format, onPick }: ChartProps) {
  const element = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | undefined>(undefined)
  const shape = `${kind} ${series.map(({ label, color }) => label + color).join()} ${labels?.join('\n') ?? ''} ${height} ${themeVersion.value}`
  useEffect(() => {
    const target = element.current!
    const made = new uPlot(
      options({ x, series, kind, labels, height, summary, format, onPick }, target.clientWidth),
      data(x, series),
      target,
    )
    plot.current = made
    const observer = new ResizeObserver(() => made.setSize({ width: target.clientWidth, height }))
    observer.observe(target)
    return () => {
      observer.disconnect()
      made.destroy()
      plot.current = undefined
    }
  }, [shape])
  useEffect(() => plot.current?.setData(data(x, series)), [x, series])
  return <div ref={element} class="plot" role="img" aria-label={summary} style={{ height: `${height}px` }} />
}

function data(x: readonly number[], series: readonly Series[]): uPlot.AlignedData {
  return [x as number[], ...series.map(({ values }) => values as (number | null)[])]
}

function options({ x, series, kind, labels, height, format, onPick }: ChartProps, width: number): uPlot.Options {
  const ink = token('--ink-3')
  const line = token('--line')
  const font = `12px ${token('--font-ui')}`
  const bars = uPlot.paths.bars!({ size: [0.8, 64], radius: 0.12 })
  return {
    width,
    height,
    legend: { show: false },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    scales: {
      x: labels === undefined ? { time: true } : { time: false, range: () => [-0.6, x.length - 0.4] },
      y: { range: (_plot, _min, max) => [0, Number.isFinite(max) && max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        stroke: ink,
        font,
        grid: { show: false },
        ticks: { show: false },
        gap: 4,
        size: 26,
        ...(labels === undefined
          ? {
              space: 70,
              values: (_plot: uPlot, splits: number[]) => splits.map((at, i) => timeLabel(at, splits[i - 1], splits)),
            }
          : {
              space: 60,
              splits: () =>
                x.filter((_, i) => i % Math.max(1, Math.ceil((x.length * 76) / Math.max(width - 60, 1))) === 0),
              values: (_plot: uPlot, splits: number[]) => splits.map((at) => clipped(labels[at] ?? '')),
            }),
      },
      {
        stroke: ink,
        font,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        size: 54,
        gap: 6,
        space: 44,
        values: (_plot, splits) => splits.map(format),
      },
    ],
    series: [
      {},
      ...series.map(
        ({ label, color, filled }): uPlot.Series => ({
          label,
          stroke: token(color),
          width: kind === 'bars' ? 0 : 1.75,
          fill: kind === 'bars' ? token(color) : filled === true ? `${token(color)}18` : undefined,
          points: { show: false },
          paths: kind === 'bars' ? bars : undefined,
        }),
      ),
    ],
    plugins: [readout(series, labels, format, onPick)],
  } as uPlot.Options
}

/** The values at the pointer, in a fixed place at the top of the chart. */
function readout(
  series: readonly Series[],
  labels: readonly string[] | undefined,
  format: (value: number) => string,
  onPick: ((index: number) => void) | undefined,
): uPlot.Plugin {
  const box = document.createElement('div')
  box.className = 'readout'
  return {
    hooks: {
      init: (plot) => {
        plot.over.appendChild(box)
        if (onPick === undefined) return
        plot.over.style.cursor = 'pointer'
        plot.over.addEventListener('click', () => {
          const { idx } = plot.cursor
          if (idx !== null && idx !== undefined) onPick(idx)
        })
      },
      setCursor: (plot) => {
        const { idx } = plot.cursor
        if (idx === null || idx === undefined) {
          box.textContent = ''
          return
        }
        const at = plot.data[0][idx]!
        const values = series.map(({ label }, i) => {
          const value = plot.data[i + 1]?.[idx]
          return `${series.length > 1 ? `${label} ` : ''}${value === null || value === undefined ? 'none' : format(value)}`
        })
        box.textContent = `${labels?.[at] ?? new Date(at * 1000).toLocaleString('en-GB')} · ${values.join(' · ')}`
      },
    },
  }
}

function timeLabel(at: number, before: number | undefined, splits: readonly number[]): string {
  const date = new Date(at * 1000)
  const step = splits.length > 1 ? splits[1]! - splits[0]! : 60
  if (step >= 86_400) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  const time = date.toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    ...(step < 60 ? { second: '2-digit' } : {}),
  })
  const isNewDay = before !== undefined && new Date(before * 1000).getDate() !== date.getDate()
  return isNewDay ? date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' }) : time
}

function clipped(text: string): string {
  return text.length > 11 ? `${text.slice(0, 10)}…` : text
}
