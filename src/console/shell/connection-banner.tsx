/**
 * The banner that is shown while the service does not respond: the age of the displayed data, and the time of the next
 * attempt.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { connection, send } from '../api/client.ts'
import { timeOfDay } from '../api/format.ts'
import { Icon } from '../components/icon.tsx'
import { toast } from '../components/toasts.tsx'

const WAITS_S = [1, 2, 4, 8, 10]

export function ConnectionBanner() {
  const { state, lastAnswerMs } = connection.value
  const [attempt, setAttempt] = useState(0)
  const [left, setLeft] = useState(0)
  const wasDown = useRef(false)
  useEffect(() => {
    if (state === 'up') {
      if (wasDown.current) toast('Connected again')
      wasDown.current = false
      setAttempt(0)
      return
    }
    wasDown.current = true
    let remaining = WAITS_S[Math.min(attempt, WAITS_S.length - 1)]!
    setLeft(remaining)
    const timer = window.setInterval(() => {
      remaining--
      setLeft(Math.max(0, remaining))
      if (remaining > 0) return
      window.clearInterval(timer)
      send({ method: 'GET', path: '/_sandpiper/live' }).catch(() => setAttempt((count) => count + 1))
    }, 1000)
    return () => window.clearInterval(timer)
  }, [state, attempt])
  if (state === 'up') return null
  return (
    <div class="banner warn offline" role="alert">
      <Icon name="plug" />
      <span class="grow">
        No answer from {location.host}. Trying again{left > 0 ? ` in ${left} s` : ''}. What you see is from{' '}
        {timeOfDay(lastAnswerMs)}.
      </span>
    </div>
  )
}
