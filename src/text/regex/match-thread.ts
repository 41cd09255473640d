/** A thread that searches texts with expressions that take long. See slow-matcher.ts for the other end. */
import { parentPort } from 'node:worker_threads'
import { RubyRegexp } from './ruby-regexp.ts'
import type { MatchAnswer, MatchJob } from './slow-matcher.ts'

const port = parentPort!
const compiled = new Map<string, RubyRegexp>()

port.on('message', ({ source, text }: MatchJob) => {
  // The time for the match begins here: starting the thread and compiling are no part of it.
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
