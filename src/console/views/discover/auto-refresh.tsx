/** Sends the search again at intervals. With the newest documents first this follows a log. */
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../components/icon.tsx'
import { searchAgain } from './discover-state.ts'
import { hits } from './hit-store.ts'

const INTERVALS: readonly (readonly [ms: number, label: string])[] = [
  [0, 'No refresh'],
  [2_000, 'Every 2 s'],
  [10_000, 'Every 10 s'],
  [60_000, 'Every minute'],
]

/** `isAtTop`: whether the first row is visible. Rows that somebody reads further down must not move. */
export function AutoRefresh({ isAtTop }: { readonly isAtTop: boolean }) {
  const [everyMs, setEveryMs] = useState(0)
  useEffect(() => {
    if (everyMs === 0 || !isAtTop) return
    const timer = window.setInterval(() => {
      if (!document.hidden && !hits.value.isLoading) searchAgain()
    }, everyMs)
    return () => window.clearInterval(timer)
  }, [everyMs, isAtTop])
  return (
    <span class="field small">
      <select
        class="grow"
        aria-label="Refresh"
        title={everyMs > 0 && !isAtTop ? 'Waits while you read further down' : undefined}
        value={String(everyMs)}
        onChange={(event) => setEveryMs(Number(event.currentTarget.value))}
      >
        {INTERVALS.map(([ms, label]) => (
          <option key={ms} value={String(ms)}>
            {label}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  )
}
