/** `script.max_compilations_rate`: how many scripts may be compiled per time. */
import { illegalArgument } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import type { CompilationRate } from '../../engine/running/script-settings.ts'

const RATE = 'script.max_compilations_rate'

/** Parses `150/5m`. Throws if the text is not a rate. */
export function compilationRate(text: string): CompilationRate {
  const [count, time] = text.split('/')
  if (time === undefined || !/^-?\d+$/.test(count!)) {
    throw illegalArgument(`parameter must contain a positive integer and a timevalue, i.e. 10/1m, but was [${text}]`)
  }
  if (Number(count) < 0) throw illegalArgument(`rate [${count}] must be positive`)
  const ms = parseDuration(time, RATE)
  if (ms < 60_000) throw illegalArgument(`time value [${time}] must be at least on a one minute resolution`)
  return { count: Number(count), ms, text }
}
