/**
 * Expressions of configurations outside grok: conditions, `gsub`, `prune`, `translate` and multiline. A search that
 * could be very slow, judged by expression and text length, runs under a watchdog and ends with an error.
 */
import { RubyRegexp, type RubyRegexpSettings } from './ruby-regexp.ts'
import { runWithin } from './time-guard.ts'

/** The maximum time one search may block the thread. */
const LIMIT_MS = 200

/** The search was interrupted. */
export class SlowRegexpError extends Error {
  constructor(source: string, length: number) {
    super(`The expression /${source}/ was stopped after ${LIMIT_MS} ms on a text of ${length} characters`)
    this.name = 'SlowRegexpError'
  }
}

export class WatchedRegexp {
  readonly #regexp: RubyRegexp
  readonly #surelyFastLength: number

  constructor(source: string, settings: RubyRegexpSettings = {}) {
    this.#regexp = new RubyRegexp(source, settings)
    this.#surelyFastLength = this.#regexp.surelyFastLength
  }

  get source(): string {
    return this.#regexp.source
  }

  /** Throws a `SlowRegexpError`, like the other methods. */
  test(text: string): boolean {
    if (text.length <= this.#surelyFastLength) return this.#regexp.test(text)
    return this.#watch(text, () => this.#regexp.test(text))
  }

  replaceAll(text: string, replacement: string): string {
    if (text.length <= this.#surelyFastLength) return this.#regexp.replaceAll(text, replacement)
    return this.#watch(text, () => this.#regexp.replaceAll(text, replacement))
  }

  #watch<T>(text: string, search: () => T): T {
    let result: { readonly value: T } | undefined
    const isFinished = runWithin(LIMIT_MS, () => {
      result = { value: search() }
    })
    if (!isFinished || result === undefined) throw new SlowRegexpError(this.source, text.length)
    return result.value
  }
}
