/** The worker thread for slow expressions. See slow-matcher.ts for its counterpart. */
import { parentPort } from 'node:worker_threads'
import { RubyRegexp } from './ruby-regexp.ts'
import type { MatchAnswer, MatchJob } from './slow-matcher.ts'
import { stepBudget } from './stepwise.ts'

const port = parentPort!
const compiled = new Map<string, RubyRegexp>()

port.on('message', ({ source, text }: MatchJob) => {
  // The timeout starts now: starting the thread and compiling are not included.
  port.postMessage('started')
  const regexp = compiled.get(source) ?? new RubyRegexp(source, { dotAll: true })
  compiled.set(source, regexp)
  // Ends by itself, or with the thread.
  const match = regexp.stepwise(stepBudget(Number.MAX_VALUE), () => regexp.exec(text))
  const groups = match === null ? null : regexp.groups.map((_, i) => match[regexp.groupAt(i)])
  port.postMessage({ groups } satisfies MatchAnswer)
})
