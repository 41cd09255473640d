/**
 * Logs faults of this code: errors that no client has caused. A fault that a busy client meets with every request would fill the log,
 * so each is logged once with its stack, then at its 10th, 100th, … time with the number of times. Faults with the same name that
 * were thrown at the same place are the same.
 */
import type { Log, LogFields } from '../log.ts'

/** So many different faults are told apart. */
const KNOWN_MAX = 1_000

export class FaultLog {
  readonly #log: Log
  readonly #times = new Map<string, number>()

  constructor(log: Log) {
    this.#log = log
  }

  /** Returns whether a line was written. */
  report(message: string, error: unknown, fields: LogFields = {}): boolean {
    const signature = signatureOf(error)
    const times = (this.#times.get(signature) ?? 0) + 1
    if (times > 1 || this.#times.size < KNOWN_MAX) this.#times.set(signature, times)
    if (!Number.isInteger(Math.log10(times))) return false
    const shown = times === 1 ? error : signature
    this.#log.error(message, { ...fields, ...(times === 1 ? {} : { times }), error: shown })
    return true
  }
}

/** The name of an error and the place where it was thrown. */
function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error
  // Functions of the language have no place, so that of their caller counts.
  const place = /^\s+at (?!.*<anonymous>\)$).*$/m.exec(error.stack ?? '')?.[0].trim()
  return place === undefined ? `${error.name}: ${error.message}` : `${error.name} ${place}`
}
