/** Ruby expressions on JavaScript's engine, used by conditions, `gsub`, grok and the multiline codec. */
import { surelyFastLength } from './backtracking.ts'
import { emitRegex, type RegexForm } from './emit-regex.ts'
import { parseRegex } from './parse-regex.ts'
import type { RegexTree } from './regex-tree.ts'

export interface RubyRegexpSettings {
  /** In grok patterns the dot matches newlines; in conditions and gsub it does not. */
  readonly dotAll?: boolean
  /** The options `i` and `x` of a literal. */
  readonly ignoreCase?: boolean
  readonly extended?: boolean
}

const NOT_ASCII = /[^\0-\x7f]/

export class RubyRegexp {
  readonly source: string
  readonly #tree: RegexTree
  readonly #flags: string
  #ascii: Compiled | undefined
  #unicode: Compiled | undefined
  /** The form used for the last match. Each form has its own group numbers. */
  #last: Compiled | undefined
  #surelyFastLength: number | undefined

  constructor(source: string, settings: RubyRegexpSettings = {}, flags = '') {
    this.source = source
    const { dotAll = false, ignoreCase = false, extended = false } = settings
    this.#tree = parseRegex(source, { ignoreCase, dotAll, extended })
    this.#flags = flags
    this.#ascii = compile(this.#tree, 'ascii', flags)
  }

  /** The names of Ruby's groups in order; undefined for an unnamed group. */
  get groups(): readonly (string | undefined)[] {
    return this.#tree.groups
  }

  /** Texts up to this length are sure to be searched in time. */
  get surelyFastLength(): number {
    this.#surelyFastLength ??= surelyFastLength(this.#tree)
    return this.#surelyFastLength
  }

  test(text: string): boolean {
    const { regexp } = this.#for(text)
    regexp.lastIndex = 0
    return regexp.test(text)
  }

  exec(text: string): RegExpExecArray | null {
    const { regexp, loops } = this.#for(text)
    regexp.lastIndex = 0
    const match = regexp.exec(text)
    if (match !== null && loops.length > 0) for (const loop of loops) this.#recover(match, loop)
    return match
  }

  /** The first match at or behind a place: where it begins, the whole of it, and what Ruby's groups found. */
  execFrom(text: string, from: number): { index: number; groups: (string | undefined)[] } | null {
    const compiled = this.#for(text)
    const regexp = globalForm(compiled)
    regexp.lastIndex = from
    const match = regexp.exec(text)
    if (match === null) return null
    for (const loop of compiled.loops) this.#recover(match, loop)
    const groups: (string | undefined)[] = [match[0]]
    for (const number of compiled.groupNumbers) groups.push(match[number])
    return { index: match.index, groups }
  }

  /** Where the match that begins at a place, and its groups, begin and end. */
  offsetsAt(text: string, at: number): ([number, number] | undefined)[] {
    const { regexp, groupNumbers } = this.#for(text)
    const exact = new RegExp(regexp.source, `${regexp.flags.replace(/[gy]/g, '')}dy`)
    exact.lastIndex = at
    const indices = exact.exec(text)?.indices
    return indices === undefined ? [] : [indices[0], ...groupNumbers.map((number) => indices[number])]
  }

  /** The indexes of Ruby's groups in the last match. */
  get lastGroupNumbers(): readonly number[] {
    return this.#last!.groupNumbers
  }

  /** The index of Ruby's group `index` (from 0) in the last match. */
  groupAt(index: number): number {
    return this.#last!.groupNumbers[index]!
  }

  /** The groups of all matches. */
  scan(text: string): (string | undefined)[][] {
    const compiled = this.#for(text)
    const { groupNumbers } = compiled
    const regexp = globalForm(compiled)
    regexp.lastIndex = 0
    const matches: (string | undefined)[][] = []
    for (let match = regexp.exec(text); match !== null; match = regexp.exec(text)) {
      const groups: (string | undefined)[] = []
      for (let i = 0; i < groupNumbers.length; i++) groups.push(match[groupNumbers[i]!])
      matches.push(groups)
      if (match[0] === '') regexp.lastIndex++
    }
    return matches
  }

  /** Replaces every match. `\1`, `\k<name>` and `\0` in the replacement refer to groups. */
  replaceAll(text: string, replacement: string): string {
    const compiled = this.#for(text)
    const { groupNumbers } = compiled
    return text.replace(globalForm(compiled), (...match: unknown[]) =>
      replacement.replace(
        /\\(?:(\d)|k<([^>]+)>|(\\))/g,
        (_whole, digit?: string, name?: string, backslash?: string) => {
          if (backslash !== undefined) return '\\'
          if (digit === '0') return match[0] as string
          const index = digit === undefined ? this.groups.indexOf(name) : Number(digit) - 1
          const number = groupNumbers[index]
          return number === undefined ? '' : ((match[number] as string | undefined) ?? '')
        },
      ),
    )
  }

  /** Restores captures of iterations before the last one. */
  #recover(match: RegExpExecArray, { whole, round, groupNumbers, rubyGroups }: CompiledLoop): void {
    const text = match[whole]
    if (text === undefined || text === '') return
    round.lastIndex = 0
    for (;;) {
      const found = round.exec(text)
      if (found === null || found[0] === '') return
      for (const group of rubyGroups) {
        const value = found[groupNumbers[group]!]
        if (value !== undefined) match[this.#last!.groupNumbers[group]!] = value
      }
    }
  }

  #for(text: string): Compiled {
    if (!NOT_ASCII.test(text)) return (this.#last = this.#ascii!)
    return (this.#last = this.#unicode ??= compile(this.#tree, 'unicode', this.#flags))
  }
}

interface Compiled {
  readonly regexp: RegExp
  /** Compiled when all matches are first requested. */
  global: RegExp | undefined
  readonly groupNumbers: readonly number[]
  readonly loops: readonly CompiledLoop[]
}

interface CompiledLoop {
  readonly whole: number
  readonly round: RegExp
  readonly groupNumbers: readonly number[]
  readonly rubyGroups: readonly number[]
}

function compile(tree: RegexTree, form: RegexForm, flags: string): Compiled {
  const { source, flags: own, groupNumbers, loops } = emitRegex(tree, form)
  const compiled = loops.map(({ whole, round, rubyGroups }) => ({
    whole,
    round: new RegExp(round.source, round.flags),
    groupNumbers: round.groupNumbers,
    rubyGroups,
  }))
  return { regexp: new RegExp(source, own + flags), global: undefined, groupNumbers, loops: compiled }
}

function globalForm(compiled: Compiled): RegExp {
  const { source, flags } = compiled.regexp
  return (compiled.global ??= new RegExp(source, `${flags}g`))
}
