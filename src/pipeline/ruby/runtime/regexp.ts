/** Ruby regular expressions and matches, based on the pipeline's translation of Oniguruma syntax. */
import { boundedSearch } from '../../../text/regex/bounded-search.ts'
import { RegexSyntaxError } from '../../../text/regex/regex-tree.ts'
import { type FoundMatch, RubyRegexp } from '../../../text/regex/ruby-regexp.ts'
import { TooManyStepsError } from '../../../text/regex/stepwise.ts'
import { raise } from './errors.ts'
import type { Activation } from './frame.ts'
import { LimitError, spend } from './limits.ts'
import { RBasic } from './model.ts'
import { charIndex } from './string.ts'

/** Searches in texts of at least this length are timed, and their time is accounted for as steps. */
const TIMED_LENGTH = 2000
const STEPS_PER_MS = 10_000

/** The running method, to which `$~` belongs. Every call sets it. */
export const current: { activation: Activation } = { activation: undefined as unknown as Activation }

export class RRegexp extends RBasic {
  readonly source: string
  readonly ignoreCase: boolean
  readonly multiline: boolean
  readonly extended: boolean
  readonly compiled: RubyRegexp
  readonly #surelyFastLength: number

  constructor(source: string, flags: string) {
    super()
    this.source = source
    this.ignoreCase = flags.includes('i')
    this.multiline = flags.includes('m')
    this.extended = flags.includes('x')
    try {
      this.compiled = new RubyRegexp(source, {
        dotAll: this.multiline,
        ignoreCase: this.ignoreCase,
        extended: this.extended,
      })
      this.#surelyFastLength = this.compiled.surelyFastLength
    } catch (error) {
      if (error instanceof RegexSyntaxError || error instanceof SyntaxError) throw raise('RegexpError', error.message)
      throw error
    }
  }

  get flags(): string {
    return (this.multiline ? 'm' : '') + (this.ignoreCase ? 'i' : '') + (this.extended ? 'x' : '')
  }

  get names(): string[] {
    return [...new Set(this.compiled.groups.filter((name): name is string => name !== undefined))]
  }

  /** The first match at or after an offset in UTF-16 units. */
  search(text: string, from = 0): RMatch | null {
    return this.#timed(text, () => {
      const found = this.compiled.execFrom(text, from)
      if (found === null) return null
      return new RMatch(this, text, found)
    })
  }

  /** A match that begins exactly at the offset. */
  matchAt(text: string, at: number): RMatch | null {
    const match = this.search(text, at)
    return match !== null && match.at === at ? match : null
  }

  test(text: string): boolean {
    return this.#timed(text, () => this.compiled.test(text))
  }

  #timed<T>(text: string, search: () => T): T {
    const { length } = text
    if (length <= this.#surelyFastLength && length < TIMED_LENGTH && !this.compiled.isStepwise) {
      spend(1 + (length >> 4))
      return search()
    }
    // CPU time, because a busy machine does not make a search costly.
    const before = process.cpuUsage()
    try {
      return boundedSearch(this.compiled, text, search)
    } catch (error) {
      if (!(error instanceof TooManyStepsError)) throw error
      throw new LimitError(`the expression /${this.source}/ needs too many steps for a text of ${length} characters`)
    } finally {
      spend(1 + Math.ceil((process.cpuUsage(before).user / 1000) * STEPS_PER_MS))
    }
  }
}

export class RMatch extends RBasic {
  readonly regexp: RRegexp
  readonly text: string
  /** Start and end in UTF-16 units. */
  readonly at: number
  readonly end: number
  /** The whole match, followed by the groups in Ruby's numbering. */
  readonly groups: readonly (string | undefined)[]
  readonly #found: FoundMatch
  #offsets: readonly ([number, number] | undefined)[] | undefined

  constructor(regexp: RRegexp, text: string, found: FoundMatch) {
    super()
    this.regexp = regexp
    this.text = text
    this.#found = found
    this.at = found.index
    this.groups = found.groups
    this.end = this.at + this.groups[0]!.length
  }

  get pre(): string {
    return this.text.slice(0, this.at)
  }

  get post(): string {
    return this.text.slice(this.end)
  }

  /** The group with a name. If several groups have the name, the last one that matched. */
  named(name: string): string | undefined | null {
    const { groups } = this.regexp.compiled
    let found: string | undefined | null = null
    groups.forEach((groupName, i) => {
      if (groupName === name && (this.groups[i + 1] !== undefined || found === null)) found = this.groups[i + 1]
    })
    return found
  }

  groupNumber(name: string): number {
    return this.regexp.compiled.groups.lastIndexOf(name) + 1
  }

  /** Start and end of a group in characters. */
  offset(group: number): [number, number] | undefined {
    this.#offsets ??= this.regexp.compiled.offsetsOf(this.text, this.#found)
    const found = this.#offsets[group]
    return found === undefined ? undefined : [charIndex(this.text, found[0]), charIndex(this.text, found[1])]
  }
}

const literals = new Map<string, RRegexp>()
const LITERALS_MAX = 2000

/** A compiled expression, cached by source, because code often builds the same expression for every event. */
export function regexpOf(source: string, flags = ''): RRegexp {
  const key = `${flags}/${source}`
  let found = literals.get(key)
  if (found === undefined) {
    found = new RRegexp(source, flags)
    if (literals.size >= LITERALS_MAX) literals.clear()
    literals.set(key, found)
  }
  return found
}

export function escapeRegexp(text: string): string {
  const names: Record<string, string> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '\f': '\\f', '\v': '\\v', ' ': '\\ ' }
  return text.replace(
    /[[\]{}()|\-*.\\?+^$#\s]/g,
    (char) => names[char] ?? (/\s/.test(char) && char > '\x7f' ? char : `\\${char}`),
  )
}
