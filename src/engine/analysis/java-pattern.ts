/**
 * Regular expressions of settings, written for `java.util.regex`, applied to users' texts.
 *
 * All expressions of analysis share a budget of steps per turn of the event loop. While analysis runs, nothing else in
 * the thread does, and on the main thread that blocks the whole node. Each document of a bulk gets a new budget as long
 * as few documents need many steps.
 */
import { illegalArgument } from '../../base/api-error.ts'
import { escapedCharacterMissing, illegalGroupReference, patternSyntax } from '../../base/errors/value-errors.ts'
import { FLAGS_BY_NAME } from '../../base/java-regex/flags.ts'
import {
  compileJavaRegex,
  type JavaRegex,
  PatternSyntaxError,
  type RegexMatch,
  StepBudget,
} from '../../base/java-regex/java-regex.ts'

const STEPS = 2_000_000
/** Documents below this number of steps do not count as expensive. */
const FEW_STEPS = 20_000
/** Total steps that the expensive documents of one turn may use. */
const STEPS_OF_COSTLY_DOCUMENTS = 100_000_000

class AnalysisBudget extends StepBudget {
  private ofDocuments = STEPS_OF_COSTLY_DOCUMENTS
  private atBegin = STEPS
  private isRefillDue = false

  constructor() {
    super(STEPS, (pattern) =>
      illegalArgument(
        `The regular expression [${pattern.slice(0, 1_000)}] needs too many steps for the text that is analyzed`,
      ),
    )
  }

  override spend(steps: number, pattern: string): void {
    if (!this.isRefillDue) {
      this.isRefillDue = true
      setImmediate(() => this.refill()).unref()
    }
    super.spend(steps, pattern)
  }

  beginDocument(): void {
    if (!this.isRefillDue) return
    const used = this.atBegin - this.remaining
    if (used > FEW_STEPS) this.ofDocuments -= used
    this.atBegin = Math.max(0, Math.min(STEPS, this.ofDocuments))
    this.remaining = this.atBegin
  }

  private refill(): void {
    this.isRefillDue = false
    this.ofDocuments = STEPS_OF_COSTLY_DOCUMENTS
    this.atBegin = STEPS
    this.remaining = STEPS
  }
}

const budget = new AnalysisBudget()

/** Gives the expressions of analysis the step budget for one document. */
export const beginRegexesOfDocument = () => budget.beginDocument()

/** Flags in the form of settings: `CASE_INSENSITIVE|COMMENTS`. */
export function javaFlags(text: string | undefined): number {
  let flags = 0
  for (const name of text?.split('|') ?? []) {
    const flag = FLAGS_BY_NAME.get(name.trim())
    if (flag === undefined) throw illegalArgument(`Unknown regex flag [${name.trim()}]`)
    flags |= flag
  }
  return flags
}

/** A compiled pattern of a setting. */
export class JavaPattern {
  private readonly regex: JavaRegex

  constructor(regex: JavaRegex) {
    this.regex = regex
  }

  get groupCount(): number {
    return this.regex.groupCount
  }

  *matchesIn(text: string): Generator<RegexMatch, void> {
    let from = 0
    let lastEnd = 0
    for (;;) {
      const match = this.regex.find(text, from, budget, lastEnd)
      if (match === undefined) return
      yield match
      lastEnd = match.end()
      from = lastEnd === match.start() ? lastEnd + 1 : lastEnd
    }
  }

  matchesWhole(text: string): boolean {
    return this.regex.matches(text, budget) !== undefined
  }
}

export function javaPattern(pattern: string, flags = 0): JavaPattern {
  try {
    return new JavaPattern(compileJavaRegex(pattern, flags))
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error
    throw patternSyntax(error.message)
  }
}

/**
 * `$1` and `${name}` of Java replacements, with `\` as escape. As in Java, a reference takes as many digits as name a group of
 * the pattern, and one that names none is found when there is something to replace.
 */
export function javaReplacement(replacement: string): (match: RegexMatch) => string {
  const parts: (string | { digits: string } | { name: string })[] = []
  let text = ''
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement[i]!
    if (char === '\\') {
      if (++i === replacement.length) throw escapedCharacterMissing()
      text += replacement[i]
    } else if (char === '$') {
      parts.push(text)
      text = ''
      const named = /^\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i + 1))
      const numbered = /^\d+/.exec(replacement.slice(i + 1))
      if (named !== null) parts.push({ name: named[1]! })
      else if (numbered !== null) parts.push({ digits: numbered[0] })
      else throw illegalGroupReference()
      i += (named ?? numbered)![0].length
    } else text += char
  }
  parts.push(text)
  return (match) => {
    let replaced = ''
    for (const part of parts) {
      if (typeof part === 'string') replaced += part
      else if ('name' in part) replaced += namedGroup(match, part.name)
      else replaced += numberedGroup(match, part.digits)
    }
    return replaced
  }
}

function namedGroup(match: RegexMatch, name: string): string {
  if (!match.hasGroup(name)) throw illegalArgument(`No group with name {${name}}`)
  return match.named(name) ?? ''
}

function numberedGroup(match: RegexMatch, digits: string): string {
  let end = 1
  while (end < digits.length && Number(digits.slice(0, end + 1)) <= match.groupCount) end++
  const group = Number(digits.slice(0, end))
  if (group > match.groupCount) throw illegalArgument(`No group ${group}`)
  return (match.group(group) ?? '') + digits.slice(end)
}
