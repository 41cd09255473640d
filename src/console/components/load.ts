/**
 * A hook that loads data when a component is shown, and again on demand. The last successful response stays visible
 * while a new one is loaded.
 */
import { useCallback, useEffect, useState } from 'preact/hooks'

export interface Loaded<T> {
  readonly value: T | undefined
  readonly failure: unknown
  readonly reload: () => void
}

/** With `everyMs` the data is loaded periodically while the tab is visible. */
export function useLoad<T>(read: (abort: AbortSignal) => Promise<T>, key: string, everyMs?: number): Loaded<T> {
  const [value, setValue] = useState<{ readonly key: string; readonly of: T } | undefined>()
  const [failure, setFailure] = useState<unknown>()
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    const abort = new AbortController()
    let timer: number | undefined
    const look = async () => {
      try {
        if (!document.hidden || everyMs === undefined) {
          const of = await read(abort.signal)
          if (abort.signal.aborted) return
          setValue({ key, of })
          setFailure(undefined)
        }
      } catch (error) {
        if (abort.signal.aborted) return
        setFailure(error)
      }
      if (everyMs !== undefined) timer = window.setTimeout(look, everyMs)
    }
    void look()
    return () => {
      abort.abort()
      window.clearTimeout(timer)
    }
  }, [key, turn, everyMs])
  const reload = useCallback(() => setTurn((n) => n + 1), [])
  return { value: value?.key === key ? value.of : undefined, failure, reload }
}
