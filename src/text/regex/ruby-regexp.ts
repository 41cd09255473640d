/**
 * Ruby expressions, used by conditions, `gsub`, grok and the multiline codec. They run on JavaScript's engine where it
 * is sure to find the same matches and groups, and stepwise otherwise.
 */
import type { StepBudget } from '../../base/java-regex/step-budget.ts'
import type { TreeSearch } from '../../base/java-regex/tree-search.ts'
import { isNullable, surelyFastLength } from './backtracking.ts'
import { emitRegex, type RegexForm } from './emit-regex.ts'
import { parseRegex } from './parse-regex.ts'
import type { RegexTree } from './regex-tree.ts'
import { stepBudget, stepwiseSearch } from './stepwise.ts'

export interface RubyRegexpSettings {
  /** In grok patterns the dot matches newlines; in conditions and gsub it does not. */
  readonly dotAll?: boolean
  /** The options `i` and `x` of a literal. */
  readonly ignoreCase?: boolean
  readonly extended?: boolean
}

const NOT_ASCII = /[^\0-\x7f]/
const SURROGATE = /[\ud800-\udfff]/

export class RubyRegexp {
  readonly source: string
  readonly #tree: RegexTree
  readonly #flags: string
  readonly #mayBeEmpty: boolean
  readonly #ownNumbers: readonly number[]
  readonly #ascii: Compiled
  #unicode: Compiled | undefined
  /** The form used for the last match. Each form has its own group numbers. */
  #last: Compiled | undefined
  #search: TreeSearch | undefined
  /** The steps of searches that are to be counted. */
  #budget: StepBudget | undefined
  #surelyFastLength: number | undefined

  constructor(source: string, settings: RubyRegexpSettings = {}, flags = '') {
    this.source = source
    const { dotAll = false, ignoreCase = false, extended = false } = settings
    this.#tree = parseRegex(source, { ignoreCase, dotAll, extended })
    this.#flags = flags
    this.#mayBeEmpty = isNullable(this.#tree.root)
    this.#ownNumbers = this.#tree.groups.map((_, i) => i + 1)
    this.#ascii = compile(this.#tree, 'ascii', flags)
  }

  /** The names of Ruby's groups in order; undefined for an unnamed group. */
  get groups(): readonly (string | undefined)[] {
    return this.#tree.groups
  }

  /** Whether every text is searched stepwise, because JavaScript's groups may be others. */
  get isStepwise(): boolean {
    return !this.#ascii.isExact
  }

  /** Texts up to this length are sure to be searched in time. A stepwise search has a limit of its own. */
  get surelyFastLength(): number {
    this.#surelyFastLength ??= this.#ascii.isExact ? surelyFastLength(this.#tree) : Number.POSITIVE_INFINITY
    return this.#surelyFastLength
  }

  test(text: string): boolean {
    const places = this.#places(text, 0)
    if (places !== undefined) return places !== null
    const { regexp } = this.#for(text)
    regexp.lastIndex = 0
    return regexp.test(text)
  }

  exec(text: string): RubyMatch | null {
    const places = this.#places(text, 0)
    if (places === undefined) {
      const { regexp } = this.#for(text)
      regexp.lastIndex = 0
      return regexp.exec(text)
    }
    this.#last = undefined
    if (places === null) return null
    return Object.assign(textsOf(text, places), { index: places[0]! })
  }

  /** The first match at or behind a place: where it begins, the whole of it, and what Ruby's groups found. */
  execFrom(text: string, from: number): FoundMatch | null {
    const places = this.#places(text, from)
    if (places === null) return null
    if (places !== undefined) return { index: places[0]!, groups: textsOf(text, places), places }
    const compiled = this.#for(text)
    const regexp = globalForm(compiled)
    regexp.lastIndex = from
    const match = regexp.exec(text)
    if (match === null) return null
    const groups: (string | undefined)[] = [match[0]]
    for (const number of compiled.groupNumbers) groups.push(match[number])
    return { index: match.index, groups, places: undefined }
  }

  /** Where a match that `execFrom` has found, and its groups, begin and end. */
  offsetsOf(text: string, { index, places }: FoundMatch): ([number, number] | undefined)[] {
    if (places !== undefined) {
      return Array.from({ length: places.length / 2 }, (_, i) =>
        places[2 * i + 1]! < 0 ? undefined : [places[2 * i]!, places[2 * i + 1]!],
      )
    }
    const { regexp, groupNumbers } = this.#for(text)
    const exact = new RegExp(regexp.source, `${regexp.flags.replace(/[gy]/g, '')}dy`)
    exact.lastIndex = index
    const indices = exact.exec(text)?.indices
    return indices === undefined ? [] : [indices[0], ...groupNumbers.map((number) => indices[number])]
  }

  /** The indexes of Ruby's groups in the last match. */
  get lastGroupNumbers(): readonly number[] {
    return this.#last === undefined ? this.#ownNumbers : this.#last.groupNumbers
  }

  /** The index of Ruby's group `index` (from 0) in the last match. */
  groupAt(index: number): number {
    return this.lastGroupNumbers[index]!
  }

  /** The groups of all matches. */
  scan(text: string): (string | undefined)[][] {
    if (this.#isStepwise(text)) return Array.from(this.#eachPlaces(text), (places) => textsOf(text, places).slice(1))
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
    const written = (group: (number: number) => string | undefined) =>
      replacement.replace(
        /\\(?:(\d)|k<([^>]+)>|(\\))/g,
        (_whole, digit?: string, name?: string, backslash?: string) => {
          if (backslash !== undefined) return '\\'
          return group(digit === undefined ? this.groups.indexOf(name) + 1 || -1 : Number(digit)) ?? ''
        },
      )
    if (this.#isStepwise(text)) {
      let out = ''
      let copied = 0
      for (const places of this.#eachPlaces(text)) {
        const texts = textsOf(text, places)
        out += text.slice(copied, places[0]) + written((number) => texts[number])
        copied = places[1]!
      }
      return out + text.slice(copied)
    }
    const compiled = this.#for(text)
    const { groupNumbers } = compiled
    return text.replace(globalForm(compiled), (...match: unknown[]) =>
      written((number) => match[number === 0 ? 0 : (groupNumbers[number - 1] ?? -1)] as string | undefined),
    )
  }

  /**
   * Runs `search`, which uses this expression, on the matcher that counts its steps. Throws a `TooManyStepsError` when
   * the budget is spent.
   */
  stepwise<T>(budget: StepBudget, search: () => T): T {
    this.#budget = budget
    try {
      return search()
    } finally {
      this.#budget = undefined
    }
  }

  /**
   * JavaScript may find an empty match between the halves of a character, so texts with such characters are searched
   * stepwise if a match may be empty.
   */
  #isStepwise(text: string): boolean {
    if (this.#budget !== undefined || !this.#ascii.isExact) return true
    return this.#mayBeEmpty && SURROGATE.test(text)
  }

  /** The places of the next match and its groups, if the text is to be searched stepwise; undefined if it is not. */
  #places(text: string, from: number): Int32Array | null | undefined {
    if (!this.#isStepwise(text)) return undefined
    this.#search ??= stepwiseSearch(this.#tree, this.source)
    return this.#search.find(text, from, this.#budget ?? stepBudget()) ?? null
  }

  /** All matches, one after another. */
  *#eachPlaces(text: string): Generator<Int32Array> {
    const budget = this.#budget ?? stepBudget()
    this.#search ??= stepwiseSearch(this.#tree, this.source)
    for (let from = 0; from <= text.length; ) {
      const places = this.#search.find(text, from, budget)
      if (places === undefined) return
      yield places
      const end = places[1]!
      from = end > places[0]! ? end : end + (text.codePointAt(end)! > 0xffff ? 2 : 1)
    }
  }

  #for(text: string): Compiled {
    if (!NOT_ASCII.test(text)) return (this.#last = this.#ascii)
    return (this.#last = this.#unicode ??= compile(this.#tree, 'unicode', this.#flags))
  }
}

/** The whole match and its groups, at the indexes of `lastGroupNumbers`. */
export interface RubyMatch extends ReadonlyArray<string | undefined> {
  readonly index: number
}

export interface FoundMatch {
  readonly index: number
  /** The whole match, followed by Ruby's groups. */
  readonly groups: (string | undefined)[]
  readonly places: Int32Array | undefined
}

function textsOf(text: string, places: Int32Array): (string | undefined)[] {
  const texts: (string | undefined)[] = []
  for (let i = 0; i < places.length; i += 2) {
    texts.push(places[i + 1]! < 0 ? undefined : text.slice(places[i], places[i + 1]))
  }
  return texts
}

interface Compiled {
  readonly regexp: RegExp
  /** Compiled when all matches are first requested. */
  global: RegExp | undefined
  readonly groupNumbers: readonly number[]
  readonly isExact: boolean
}

function compile(tree: RegexTree, form: RegexForm, flags: string): Compiled {
  const { source, flags: own, groupNumbers, isExact } = emitRegex(tree, form)
  // An expression that is searched stepwise needs no other form.
  return { regexp: new RegExp(isExact ? source : '', own + flags), global: undefined, groupNumbers, isExact }
}

function globalForm(compiled: Compiled): RegExp {
  const { source, flags } = compiled.regexp
  return (compiled.global ??= new RegExp(source, `${flags}g`))
}
