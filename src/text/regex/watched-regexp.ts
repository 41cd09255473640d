/**
 * Expressions of configurations outside grok: conditions, `gsub`, `prune`, `translate` and multiline. A search that
 * needs too many steps ends with an error.
 */
import { boundedSearch } from './bounded-search.ts'
import { RubyRegexp, type RubyRegexpSettings } from './ruby-regexp.ts'
import { TooManyStepsError } from './stepwise.ts'

/** The search was given up. */
export class SlowRegexpError extends Error {
  constructor(source: string, length: number) {
    super(`The expression /${source}/ needs too many steps for a text of ${length} characters`)
    this.name = 'SlowRegexpError'
  }
}

export class WatchedRegexp {
  readonly #regexp: RubyRegexp

  constructor(source: string, settings: RubyRegexpSettings = {}) {
    this.#regexp = new RubyRegexp(source, settings)
  }

  get source(): string {
    return this.#regexp.source
  }

  /** Throws a `SlowRegexpError`, like the other methods. */
  test(text: string): boolean {
    return this.#watch(text, () => this.#regexp.test(text))
  }

  replaceAll(text: string, replacement: string): string {
    return this.#watch(text, () => this.#regexp.replaceAll(text, replacement))
  }

  #watch<T>(text: string, search: () => T): T {
    try {
      return boundedSearch(this.#regexp, text, search)
    } catch (error) {
      throw error instanceof TooManyStepsError ? new SlowRegexpError(this.source, text.length) : error
    }
  }
}
