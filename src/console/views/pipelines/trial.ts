/** Sends what is typed to a trial of the service once typing has paused. The last answer stays while the next is on its way. */
import { useCallback, useEffect, useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import type { Json } from '../../api/lossless-json.ts'

export interface Trial<T> {
  readonly answer: T | undefined
  readonly failure: unknown
  /** Sends the same once more. */
  readonly again: () => void
}

type Outcome<T> = Omit<Trial<T>, 'again'>

/** `onAnswer` is called with every answer before it is shown. */
export function useTrial<T>(path: string, body: Json, pauseMs: number, onAnswer?: (answer: T) => void): Trial<T> {
  const [turn, setTurn] = useState(0)
  const [trial, setTrial] = useState<Outcome<T>>({ answer: undefined, failure: undefined })
  useEffect(() => {
    const abort = new AbortController()
    const timer = window.setTimeout(() => {
      call<T>('POST', path, body, abort.signal).then(
        (answer) => {
          onAnswer?.(answer)
          setTrial({ answer, failure: undefined })
        },
        (failure) => {
          if (!abort.signal.aborted) setTrial(({ answer }) => ({ answer, failure }))
        },
      )
    }, pauseMs)
    return () => {
      window.clearTimeout(timer)
      abort.abort()
    }
  }, [path, JSON.stringify(body), turn])
  const again = useCallback(() => setTurn((n) => n + 1), [])
  return { ...trial, again }
}

/** Remembers what is typed, in the browser. */
export function useKept(key: string, kept: object): void {
  useEffect(() => localStorage.setItem(key, JSON.stringify(kept)), [key, kept])
}
