/** Two sources as a coloured grid, with the count as text in each cell. */
import { count } from '../../api/format.ts'
import { gridOf, heatStep } from './heat.ts'
import type { Bucket } from './run.ts'

interface HeatMapProps {
  readonly buckets: readonly Bucket[]
  readonly sources: readonly string[]
}

const ROW = 17

export function HeatMap({ buckets, sources }: HeatMapProps) {
  const { rows, columns, cells, most, hiddenRows, hiddenColumns } = gridOf(buckets)
  const width = 1000 / Math.max(1, columns.length)
  const ticks = columns.filter((_, i) => i % Math.max(1, Math.ceil(columns.length / 6)) === 0)
  return (
    <div class="heatbox">
      <div class="row">
        <b class="strong">
          Documents by {sources[0]} and {sources[1]}
        </b>
        <span class="push hint">0</span>
        <span class="ramp" aria-hidden="true">
          {[0, 1, 2, 3, 4, 5, 6].map((step) => (
            <i key={step} class={`h${step}`} />
          ))}
        </span>
        <span class="hint">{count(most)}</span>
      </div>
      <div
        class="heatgrid"
        role="img"
        aria-label={`Heat map of ${count(buckets.length)} buckets, at most ${count(most)} documents in one`}
      >
        <div class="heatnames" aria-hidden="true">
          {rows.map((name) => (
            <span key={name} class="clip">
              {name}
            </span>
          ))}
        </div>
        <svg
          class="heatcells"
          viewBox={`0 0 1000 ${rows.length * ROW}`}
          preserveAspectRatio="none"
          height={rows.length * ROW}
          aria-hidden="true"
        >
          {rows.flatMap((row, y) =>
            columns.map((column, x) => {
              const value = cells.get(`${row} ${column}`)?.count ?? 0
              return (
                <rect
                  key={`${row} ${column}`}
                  class={`h${heatStep(value, most)}`}
                  x={x * width + 0.6}
                  y={y * ROW + 1}
                  width={Math.max(0.5, width - 1.2)}
                  height={ROW - 2}
                  rx="1.5"
                >
                  <title>{`${row}, ${column}: ${count(value)}`}</title>
                </rect>
              )
            }),
          )}
        </svg>
      </div>
      <div class="axis heataxis" aria-hidden="true">
        {ticks.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      {(hiddenRows > 0 || hiddenColumns > 0) && (
        <p class="hint">
          {hiddenRows > 0 && `${count(hiddenRows)} more rows`}
          {hiddenRows > 0 && hiddenColumns > 0 && ' and '}
          {hiddenColumns > 0 && `${count(hiddenColumns)} more columns`} are in the table.
        </p>
      )}
    </div>
  )
}
