/** Sends what is typed to a trial of the service once typing has paused. The last answer stays while the next is on its way. */
import { useEffect, useState } from 'preact/hooks'
import { call } from '../../api/client.ts'
import type { Json } from '../../api/lossless-json.ts'

export interface Trial<T> {
  readonly answer: T | undefined
  readonly failure: unknown
}

/** `onAnswer` is called with every answer before it is shown. */
export function useTrial<T>(path: string, body: Json, pauseMs: number, onAnswer?: (answer: T) => void): Trial<T> {
  const [trial, setTrial] = useState<Trial<T>>({ answer: undefined, failure: undefined })
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
  }, [path, JSON.stringify(body)])
  return trial
}

/** Remembers what is typed, in the browser. */
export function useKept(key: string, kept: object): void {
  useEffect(() => localStorage.setItem(key, JSON.stringify(kept)), [key, kept])
}
