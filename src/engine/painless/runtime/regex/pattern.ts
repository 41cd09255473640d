/** java.util.regex.Pattern and Matcher. */
import type { RegexMatch } from '../../../../base/java-regex/java-regex.ts'
import { illegalArgument, illegalState, indexOutOfBounds, nullPointer } from '../../errors/java-throwable.ts'
import { checkInstance } from '../class-of.ts'
import { streams } from '../collections/collection.ts'
import { functionObject } from '../functions/function-object.ts'
import { JArray, type JFunction, JObject } from '../java-object.ts'
import { textOf } from '../java-text.ts'
import { checkString, spendMemory } from '../limits.ts'
import { registerFields, registerPrimitive, registerStatics } from '../registry.ts'
import { budgetFor, type CompiledRegex } from './regex-adapter.ts'

export class JPattern extends JObject {
  readonly compiled: CompiledRegex

  constructor(compiled: CompiledRegex) {
    super()
    this.compiled = compiled
  }

  get $class(): string {
    return 'java.util.regex.Pattern'
  }

  matcher_1(text: unknown): JMatcher {
    if (text === null)
      throw nullPointer('Cannot invoke "java.lang.CharSequence.length()" because "this.wrapped" is null')
    return new JMatcher(this, textOf(text))
  }

  pattern_0(): string {
    return this.compiled.pattern
  }

  flags_0(): number {
    return this.compiled.flags
  }

  split_1(text: unknown): JArray {
    return this.split_2(text, 0)
  }

  /** The pieces between matches. Without a limit, empty pieces at the end are dropped. */
  split_2(text: unknown, limit: number): JArray {
    const input = textOf(text)
    const pieces: string[] = []
    const matcher = this.matcher_1(text)
    let from = 0
    while (matcher.find_0()) {
      if (limit > 0 && pieces.length === limit - 1) break
      const start = matcher.start_0()
      const end = matcher.end_0()
      if (from === 0 && start === 0 && end === 0) continue
      pieces.push(input.slice(from, start))
      from = end
    }
    if (pieces.length === 0) return new JArray('java.lang.String[]', [input])
    pieces.push(input.slice(from))
    if (limit === 0) while (pieces.length > 0 && pieces.at(-1) === '') pieces.pop()
    spendMemory(pieces.length)
    return new JArray('java.lang.String[]', pieces)
  }

  splitAsStream_1(text: unknown): JObject {
    return streams.of(this.split_1(text).items, undefined)
  }

  asPredicate_0(): JFunction {
    return functionObject('java.util.function.Predicate', (text: unknown) =>
      this.matcher_1(checkInstance(text, 'java.lang.String')).find_0(),
    )
  }

  override toString_0(): string {
    return this.compiled.pattern
  }
}

export class JMatcher extends JObject {
  #pattern: JPattern
  readonly #text: string
  #match: RegexMatch | undefined
  #from = 0
  #regionStart = 0
  #regionEnd: number
  #hitEnd = false

  constructor(pattern: JPattern, text: string) {
    super()
    this.#pattern = pattern
    this.#text = text
    this.#regionEnd = text.length
  }

  get $class(): string {
    return 'java.util.regex.Matcher'
  }

  get #input(): string {
    return this.#regionEnd === this.#text.length ? this.#text : this.#text.slice(0, this.#regionEnd)
  }

  #run(search: (budget: ReturnType<typeof budgetFor>) => RegexMatch | undefined): boolean {
    const { pattern } = this.#pattern.compiled
    this.#match = search(budgetFor(pattern, this.#text))
    this.#hitEnd = this.#match === undefined || this.#match.end() === this.#input.length
    return this.#match !== undefined
  }

  find_0(): boolean {
    const { regex } = this.#pattern.compiled
    let from = this.#from
    if (this.#match !== undefined && this.#match.end() === this.#match.start() && from === this.#match.end()) from++
    if (from > this.#regionEnd) {
      this.#match = undefined
      return false
    }
    const lastEnd = this.#match?.end() ?? from
    const found = this.#run((budget) => regex.find(this.#input, from, budget, lastEnd))
    this.#from = found ? this.#match!.end() : this.#regionEnd + 1
    return found
  }

  find_1(start: number): boolean {
    if (start < 0 || start > this.#text.length) throw indexOutOfBounds('Illegal start index')
    this.reset_0()
    this.#from = start
    return this.find_0()
  }

  /**
   * Matches from the start of the region. A region that does not start at 0 is cut out of the text, and the offsets of
   * the match are shifted back.
   */
  #anchored(whole: boolean): boolean {
    const { regex } = this.#pattern.compiled
    const shift = this.#regionStart
    const text = shift === 0 ? this.#input : this.#input.slice(shift)
    const found = this.#run((budget) => (whole ? regex.matches(text, budget) : regex.lookingAt(text, budget)))
    if (found) {
      if (shift > 0) this.#match = shifted(this.#match!, shift, this.#text)
      this.#from = this.#match!.end()
    }
    return found
  }

  matches_0(): boolean {
    return this.#anchored(true)
  }

  lookingAt_0(): boolean {
    return this.#anchored(false)
  }

  hitEnd_0(): boolean {
    return this.#hitEnd
  }

  requireEnd_0(): boolean {
    return false
  }

  groupCount_0(): number {
    return this.#pattern.compiled.regex.groupCount
  }

  pattern_0(): JPattern {
    return this.#pattern
  }

  regionStart_0(): number {
    return this.#regionStart
  }

  regionEnd_0(): number {
    return this.#regionEnd
  }

  hasAnchoringBounds_0(): boolean {
    return true
  }

  hasTransparentBounds_0(): boolean {
    return false
  }

  useAnchoringBounds_1(_on: boolean): this {
    return this
  }

  useTransparentBounds_1(_on: boolean): this {
    return this
  }

  #current(group: number): RegexMatch {
    if (this.#match === undefined) throw illegalState('No match found')
    if (group < 0 || group > this.groupCount_0()) throw indexOutOfBounds(`No group ${group}`)
    return this.#match
  }

  group_0(): string | null {
    return this.group_1(0)
  }

  start_0(): number {
    return this.#place().start()
  }

  end_0(): number {
    return this.#place().end()
  }

  #place(): RegexMatch {
    if (this.#match === undefined) throw illegalState('No match available')
    return this.#match
  }

  group_1(group: number): string | null {
    return this.#current(group).group(group) ?? null
  }

  start_1(group: number): number {
    if (this.#match === undefined) throw illegalState('No match available')
    return this.#current(group).start(group)
  }

  end_1(group: number): number {
    if (this.#match === undefined) throw illegalState('No match available')
    return this.#current(group).end(group)
  }

  namedGroup_1(name: string): string | null {
    const group = this.#pattern.compiled.regex.groupNames.get(name)
    if (this.#match === undefined) throw illegalState('No match found')
    if (group === undefined) throw illegalArgument(`No group with name <${name}>`)
    return this.group_1(group)
  }

  reset_0(): this {
    this.#match = undefined
    this.#from = 0
    this.#regionStart = 0
    this.#regionEnd = this.#text.length
    return this
  }

  region_2(start: number, end: number): this {
    if (start < 0 || start > this.#text.length) throw indexOutOfBounds('start')
    if (end < 0 || end > this.#text.length) throw indexOutOfBounds('end')
    if (start > end) throw indexOutOfBounds('start > end')
    this.reset_0()
    this.#regionStart = start
    this.#from = start
    this.#regionEnd = end
    return this
  }

  usePattern_1(pattern: JPattern): this {
    if (pattern === null) throw illegalArgument('Pattern cannot be null')
    this.#pattern = pattern
    this.#match = undefined
    return this
  }

  replaceAll_1(replacement: string): string {
    return this.#replace(replacement, false)
  }

  replaceFirst_1(replacement: string): string {
    return this.#replace(replacement, true)
  }

  #replace(replacement: string, once: boolean): string {
    if (replacement === null) throw nullPointer('replacement')
    return this.replaceWith((match) => this.#expand(replacement, match), once)
  }

  /** Replaces matches by the result of a function. */
  replaceWith(by: (match: RegexMatch) => string, once: boolean): string {
    this.reset_0()
    let out = ''
    let from = 0
    while (this.find_0()) {
      const match = this.#match!
      const piece = by(match)
      checkString(piece.length)
      out += this.#text.slice(from, match.start()) + piece
      from = match.end()
      if (once) break
    }
    out += this.#text.slice(from)
    checkString(out.length)
    return out
  }

  /** Expands `$1`, `${name}` and backslashes in a replacement. */
  #expand(replacement: string, match: RegexMatch): string {
    let out = ''
    for (let i = 0; i < replacement.length; i++) {
      const c = replacement[i]!
      if (c === '\\') {
        if (++i === replacement.length) throw illegalArgument('character to be escaped is missing')
        out += replacement[i]
      } else if (c === '$') {
        const named = /^\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i + 1))
        if (named !== null) {
          const group = this.#pattern.compiled.regex.groupNames.get(named[1]!)
          if (group === undefined) throw illegalArgument(`No group with name {${named[1]}}`)
          out += match.group(group) ?? ''
          i += named[0].length
          continue
        }
        if (i + 1 === replacement.length) throw illegalArgument('Illegal group reference: group index is missing')
        let digits = /^\d/.exec(replacement.slice(i + 1))?.[0]
        if (digits === undefined) throw illegalArgument('Illegal group reference')
        while (
          /^\d$/.test(replacement[i + 1 + digits.length] ?? '') &&
          Number(digits + replacement[i + 1 + digits.length]) <= this.groupCount_0()
        )
          digits += replacement[i + 1 + digits.length]
        if (Number(digits) > this.groupCount_0()) throw indexOutOfBounds(`No group ${digits}`)
        out += match.group(Number(digits)) ?? ''
        i += digits.length
      } else out += c
    }
    return out
  }

  override toString_0(): string {
    const last = this.#match?.group() ?? ''
    return `java.util.regex.Matcher[pattern=${this.#pattern.pattern_0()} region=${this.#regionStart},${this.#regionEnd} lastmatch=${last}]`
  }
}

/** Shifts the offsets of a match by `by` characters. */
function shifted(match: RegexMatch, by: number, text: string): RegexMatch {
  const moved = Object.create(match) as RegexMatch
  moved.start = (group = 0) => (match.start(group) < 0 ? -1 : match.start(group) + by)
  moved.end = (group = 0) => (match.end(group) < 0 ? -1 : match.end(group) + by)
  moved.group = (group = 0) => (match.start(group) < 0 ? undefined : text.slice(moved.start(group), moved.end(group)))
  return moved
}

export const pattern = (compiled: CompiledRegex): JPattern => new JPattern(compiled)
export const regexFind = (text: string, own: JPattern): boolean => own.matcher_1(text).find_0()
export const regexMatches = (text: string, own: JPattern): boolean => own.matcher_1(text).matches_0()

const quote = (text: string) => `\\Q${text.replaceAll('\\E', '\\E\\\\E\\Q')}\\E`

registerStatics('java.util.regex.Pattern', { quote_1: quote })
registerFields('java.util.regex.Pattern', {
  CANON_EQ: 128,
  CASE_INSENSITIVE: 2,
  COMMENTS: 4,
  DOTALL: 32,
  LITERAL: 16,
  MULTILINE: 8,
  UNICODE_CASE: 64,
  UNICODE_CHARACTER_CLASS: 256,
  UNIX_LINES: 1,
})
registerStatics('java.util.regex.Matcher', {
  quoteReplacement_1: (text: string) => text.replace(/[\\$]/g, '\\$&'),
})

/** `text.replaceAll(/re/, m -> …)`: the function receives a matcher positioned at the match. */
function replaceWith(text: string, own: JPattern, map: JFunction, once: boolean): string {
  const matcher = own.matcher_1(text)
  return matcher.replaceWith(() => {
    const piece: string | null = checkInstance(map.call(matcher), 'java.lang.String')
    if (piece === null) throw nullPointer('Cannot invoke "String.indexOf(int)" because "s" is null')
    return piece
  }, once)
}

registerPrimitive('java.lang.String', {
  replaceAll_2: (text: string, own: JPattern, map: JFunction) => replaceWith(text, own, map, false),
  replaceFirst_2: (text: string, own: JPattern, map: JFunction) => replaceWith(text, own, map, true),
})
