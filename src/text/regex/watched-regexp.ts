/**
 * Expressions of configurations outside grok: those of conditions, `gsub`, `prune`, `translate` and multiline. A search that could take
 * very long, judged by the expression and the length of the text, runs under a watch and ends with an error.
 */
import { RubyRegexp, type RubyRegexpSettings } from './ruby-regexp.ts'
import { runWithin } from './time-guard.ts'

/** The longest pause of everything else that one search may cause. */
const LIMIT_MS = 200

/** The search was given up. */
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

  /** Throws a `SlowRegexpError`, as the other methods do. */
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
