/**
 * Regular expressions with the syntax and semantics of `java.util.regex`, safe for patterns written by users.
 *
 *     const regex = compileJavaRegex('(?<year>\\d{4})-(\\d\\d)', CASE_INSENSITIVE)   // throws PatternSyntaxError
 *     const budget = new StepBudget(10_000_000)                                     // may be shared by many matches
 *     const match = regex.find(text, 0, budget)                                     // Matcher.find from a position
 *     regex.matches(text, budget)                                                   // Matcher.matches: the whole text
 *     regex.lookingAt(text, budget)                                                 // Matcher.lookingAt: from its beginning
 *     match.start(); match.end(1); match.group(2); match.named('year')
 *
 * A group that did not match has -1 as start and end, and undefined as text. A match that needs more steps than the
 * budget has left throws the budget's error. A pattern runs as a native expression if its work is bounded by the length
 * of the text and JavaScript gives it the same meaning. All other patterns run on a backtracking matcher that counts
 * its steps and records failures, so that most of them take time proportional to the text.
 */
import { CANON_EQ } from './flags.ts'
import { growthOf } from './harmless.ts'
import { nativeSource } from './native-source.ts'
import { type ParsedRegex, parseJavaRegex } from './parse-java-regex.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'
import { children, type RegexNode } from './regex-tree.ts'
import type { StepBudget } from './step-budget.ts'
import { TreeSearch } from './tree-search.ts'

export { PatternSyntaxError } from './pattern-syntax-error.ts'
export { StepBudget } from './step-budget.ts'

/** Maximum characters of a pattern. Java has no limit, but a longer pattern was not written by a person. */
const MAX_PATTERN = 100_000
/** Maximum work per character of the text for a pattern that runs natively. */
const MAX_NATIVE_WORK = 512
const MAX_NATIVE_WAYS = 64

/** A match: the start and end of the match and of its groups. */
export class RegexMatch {
  readonly text: string
  private readonly places: Int32Array
  private readonly names: ReadonlyMap<string, number>

  constructor(text: string, places: Int32Array, names: ReadonlyMap<string, number>) {
    this.text = text
    this.places = places
    this.names = names
  }

  get groupCount(): number {
    return this.places.length / 2 - 1
  }

  start(group = 0): number {
    return this.places[2 * group]!
  }

  end(group = 0): number {
    return this.places[2 * group + 1]!
  }

  /** The text of a group; undefined when the group did not match or does not exist. */
  group(group = 0): string | undefined {
    const start = this.places[2 * group]
    return start === undefined || start < 0 ? undefined : this.text.slice(start, this.end(group))
  }

  /** Whether the pattern has a group of this name. */
  hasGroup(name: string): boolean {
    return this.names.has(name)
  }

  named(name: string): string | undefined {
    const group = this.names.get(name)
    return group === undefined ? undefined : this.group(group)
  }
}

export class JavaRegex {
  readonly source: string
  readonly flags: number
  readonly groupCount: number
  readonly groupNames: ReadonlyMap<string, number>
  private readonly parsed: ParsedRegex
  private readonly nativeDegree: number
  private readonly needsAscii: boolean
  private readonly native: RegExp | undefined
  private nativeWithPlaces: RegExp | undefined
  private treeSearch: TreeSearch | undefined

  constructor(source: string, flags: number) {
    if (source.length > MAX_PATTERN) {
      throw new PatternSyntaxError(`Patterns of more than ${MAX_PATTERN} characters are not supported`, '', -1)
    }
    if ((flags & CANON_EQ) !== 0) throw new PatternSyntaxError('The flag CANON_EQ is not supported', source, -1)
    this.source = source
    this.flags = flags
    this.parsed = parseJavaRegex(source, flags)
    this.groupCount = this.parsed.groupCount
    this.groupNames = this.parsed.groupNames
    const { root } = this.parsed
    const growth = growthOf(root)
    const isSmall = growth.ways <= MAX_NATIVE_WAYS && growth.ways * growth.size <= MAX_NATIVE_WORK
    this.nativeDegree = isSmall ? growth.degree : Number.POSITIVE_INFINITY
    const native = this.nativeDegree < Number.POSITIVE_INFINITY ? nativeSource(root) : undefined
    this.native = native === undefined ? undefined : nativeExpression(native, 'vg')
    this.needsAscii = asksForWords(root)
  }

  /** The next match at or after `from`. `lastEnd` is the end of the previous match, for `\G`. */
  find(text: string, from: number, budget: StepBudget, lastEnd = from): RegexMatch | undefined {
    if (from > text.length) return undefined
    if (this.runsNatively(text)) return this.findNatively(text, from)
    return this.matchOf(text, this.search().find(text, from, budget, lastEnd))
  }

  /** A match at the beginning of the text. */
  lookingAt(text: string, budget: StepBudget): RegexMatch | undefined {
    return this.matchOf(text, this.search().attemptAtBegin(text, false, budget))
  }

  /** A match of the whole text. */
  matches(text: string, budget: StepBudget): RegexMatch | undefined {
    return this.matchOf(text, this.search().attemptAtBegin(text, true, budget))
  }

  private matchOf(text: string, places: Int32Array | undefined): RegexMatch | undefined {
    return places === undefined ? undefined : new RegexMatch(text, places, this.groupNames)
  }

  /** Created on first use, because most patterns run natively. */
  private search(): TreeSearch {
    this.treeSearch ??= new TreeSearch(this.parsed.root, this.groupCount, this.source)
    return this.treeSearch
  }

  private runsNatively(text: string): boolean {
    if (this.native === undefined) return false
    if (this.nativeDegree > 0 && text.length ** this.nativeDegree > MAX_NATIVE_WORK) return false
    // Java and JavaScript advance through surrogate pairs differently after an empty match.
    return !(this.needsAscii ? NOT_ASCII : SURROGATE).test(text)
  }

  private findNatively(text: string, from: number): RegexMatch | undefined {
    const native = this.native!
    native.lastIndex = from
    if (this.groupCount === 0) {
      const found = native.exec(text)
      if (found === null) return undefined
      return new RegexMatch(text, Int32Array.of(found.index, native.lastIndex), this.groupNames)
    }
    this.nativeWithPlaces ??= new RegExp(native.source, 'vgd')
    const places = this.nativeWithPlaces
    places.lastIndex = from
    const found = places.exec(text)
    if (found === null) return undefined
    const numbers = new Int32Array(2 * (this.groupCount + 1)).fill(-1)
    for (const [i, range] of found.indices!.entries()) {
      if (range === undefined) continue
      numbers[2 * i] = range[0]
      numbers[2 * i + 1] = range[1]
    }
    return new RegexMatch(text, numbers, this.groupNames)
  }
}

const NOT_ASCII = /[^\0-\x7f]/
const SURROGATE = /[\ud800-\udfff]/

/** Compiles a pattern in Java's syntax. `flags` are those of `java.util.regex.Pattern` (see flags.ts). */
export function compileJavaRegex(source: string, flags = 0): JavaRegex {
  return new JavaRegex(source, flags)
}

function nativeExpression(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags)
  } catch {
    // The pattern is too large for the native engine, or contains a set that JavaScript cannot express.
    return undefined
  }
}

/**
 * Whether the pattern depends on word boundaries. Java counts combining marks as parts of words, JavaScript does not.
 */
function asksForWords(node: RegexNode): boolean {
  if (node.kind === 'assertion') return node.assertion.endsWith('word-boundary')
  return children(node).some(asksForWords)
}
