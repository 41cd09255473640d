/** The worker thread for slow expressions. See slow-matcher.ts for its counterpart. */
import { parentPort } from 'node:worker_threads'
import { RubyRegexp } from './ruby-regexp.ts'
import type { MatchAnswer, MatchJob } from './slow-matcher.ts'

const port = parentPort!
const compiled = new Map<string, RubyRegexp>()

port.on('message', ({ source, text }: MatchJob) => {
  // The timeout starts now: starting the thread and compiling are not included.
  port.postMessage('started')
  let regexp = compiled.get(source)
  if (regexp === undefined) {
    regexp = new RubyRegexp(source, { dotAll: true })
    compiled.set(source, regexp)
  }
  const match = regexp.exec(text)
  const groups = match === null ? null : regexp.groups.map((_, i) => match[regexp.groupAt(i)])
  port.postMessage({ groups } satisfies MatchAnswer)
})
