/** Runs the patterns of scripts on the engine's own implementation of Java regular expressions. */
import * as flags from '../../../../base/java-regex/flags.ts'
import {
  compileJavaRegex,
  type JavaRegex,
  type PatternSyntaxError,
  StepBudget,
} from '../../../../base/java-regex/java-regex.ts'
import { circuitBreaking } from '../../errors/java-throwable.ts'

export type RegexSyntaxError = PatternSyntaxError

const FLAG_LETTERS: Readonly<Record<string, number>> = {
  c: flags.CANON_EQ,
  i: flags.CASE_INSENSITIVE,
  l: flags.LITERAL,
  m: flags.MULTILINE,
  s: flags.DOTALL,
  U: flags.UNICODE_CHARACTER_CLASS,
  u: flags.UNICODE_CASE,
  x: flags.COMMENTS,
}

export interface CompiledRegex {
  regex: JavaRegex
  pattern: string
  flags: number
}

/** Compiles a pattern. Throws PatternSyntaxError. */
export function compileRegex(pattern: string, letters: string): CompiledRegex {
  let bits = 0
  for (const letter of letters) bits |= FLAG_LETTERS[letter] ?? 0
  return { regex: compileJavaRegex(pattern, bits), pattern, flags: bits }
}

/**
 * Java counts every read of a character. Our matcher counts steps, which are more for the same work on short texts, so
 * short texts get an allowance.
 */
const STEPS_PER_LOOK = 8
const ALLOWANCE = 2_000

/**
 * The limit factor of the node: the number of characters that a match may read per character of the text. 0 for no
 * limit.
 */
let limitFactor = 6

export function setRegexLimit(factor: number): void {
  limitFactor = factor
}

export function budgetFor(pattern: string, text: string): StepBudget {
  const limit = limitFactor * text.length
  const steps = limitFactor === 0 ? 50_000_000 : limit * STEPS_PER_LOOK + ALLOWANCE
  return new StepBudget(steps, () => {
    const error = circuitBreaking(
      `[scripting] Regular expression considered too many characters, pattern: [${shortened(pattern)}], limit factor: [${limitFactor}], ` +
        `char limit: [${limit}], count: [${limit + 1}], wrapped: [${shortened(text)}], this limit can be changed by changed by the ` +
        '[script.painless.regex.limit-factor] setting',
    )
    error.members = { bytes_wanted: 0, bytes_limit: 0, durability: 'TRANSIENT' }
    return error
  })
}

const SHOWN_MAX = 64

/** Shortens a long text to its two ends. */
function shortened(text: string): string {
  if (text.length <= SHOWN_MAX) return text
  return `${text.slice(0, 29)}...${text.slice(-29)}`
}
