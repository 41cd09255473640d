/** Calls the `filter` method of a script. */
import { REvent } from './logstash/event.ts'
import type { ScriptContext } from './logstash/filter-object.ts'
import { inspect, send } from './runtime/dispatch.ts'
import { raise } from './runtime/errors.ts'

/** Thrown for code that cannot run. The configuration is rejected with the message. */
export class RubyCodeError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'RubyCodeError'
  }
}

/** Validates the return value of `filter`. */
export function filtered(script: ScriptContext, event: REvent): REvent[] {
  const results = send(script, 'filter', [event])
  if (!Array.isArray(results))
    throw raise('RuntimeError', "Custom script did not return an array from 'filter'. Only arrays may be returned!")
  for (const result of results) {
    if (result instanceof REvent) continue
    throw raise(
      'RuntimeError',
      `Custom script returned a non event object '${inspect(result)}'! You must an array of events from this function! To drop an event simply return nil.`,
    )
  }
  return results as REvent[]
}
