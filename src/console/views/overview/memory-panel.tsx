/** The use of memory and the load of threads. */
import { count, size } from '../../api/format.ts'
import type { LiveStats } from './live-stats.ts'

export function MemoryPanel({ stats }: { readonly stats: LiveStats }) {
  const breakers = stats.breakers.filter(({ bytes }) => bytes > 0).slice(0, 3)
  const counted = stats.heapBytes + breakers.reduce((sum, { bytes }) => sum + bytes, 0)
  const parts = [
    { label: 'Program', bytes: stats.heapBytes, color: 's3' },
    ...breakers.map(({ name, bytes }, i) => ({ label: LABELS[name] ?? name, bytes, color: ['s1', 's4', 's5'][i]! })),
    { label: 'Index sections, buffers', bytes: Math.max(0, stats.memoryBytes - counted), color: 'sother' },
  ]
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    <section class="panel" aria-label="Memory">
      <header>
        <h2>Memory</h2>
        <span class="hint">{size(stats.memoryBytes)} resident</span>
      </header>
      <div class="memory">
        <div
          class="stackbar"
          role="img"
          aria-label={parts.map(({ label, bytes }) => `${label} ${size(bytes)}`).join(', ')}
        >
          {parts.map(({ label, bytes, color }) => (
            <i key={label} class={`fill ${color}`} style={{ width: `${((bytes / total) * 100).toFixed(2)}%` }} />
          ))}
        </div>
        <div class="legend wrap">
          {parts.map(({ label, bytes, color }) => (
            <span key={label} class={color}>
              <i class="swatch" />
              {label} {size(bytes)}
            </span>
          ))}
        </div>
      </div>
    </section>
  )
}

const LABELS: Readonly<Record<string, string>> = {
  request: 'Running requests',
  fielddata: 'Field data',
  inflight_requests: 'Bodies of requests',
  in_flight_requests: 'Bodies of requests',
}

const POOLS: readonly (readonly [name: string, label: string])[] = [
  ['search', 'Search'],
  ['write', 'Write'],
  ['refresh', 'Refresh'],
  ['force_merge', 'Merge'],
]

export function ThreadsPanel({ stats }: { readonly stats: LiveStats }) {
  const pools = POOLS.flatMap(([name, label]) => {
    const pool = stats.threads.find((one) => one.name === name)
    return pool === undefined ? [] : [{ ...pool, label }]
  })
  return (
    <section class="panel" aria-label="Threads">
      <header>
        <h2>Threads</h2>
        <span class="hint">busy now</span>
      </header>
      <div class="threads inner">
        {pools.map(({ label, active, threads, queue }) => (
          <div key={label}>
            <span class="row">
              {label}
              <span class="push num strong">
                {count(active)} of {count(threads)}
              </span>
            </span>
            <div class="meter">
              <i style={{ width: `${threads === 0 ? 0 : (Math.min(active, threads) / threads) * 100}%` }} />
            </div>
            {queue > 0 && <span class="hint">{count(queue)} waiting</span>}
          </div>
        ))}
      </div>
    </section>
  )
}
