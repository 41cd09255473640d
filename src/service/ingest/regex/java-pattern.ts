/** Java regular expressions that users pass to processors, with a limit on the work for one value. */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { escapedCharacterMissing, illegalGroupReference, patternSyntax } from '../../../base/errors/value-errors.ts'
import {
  compileJavaRegex,
  type JavaRegex,
  PatternSyntaxError,
  StepBudget,
} from '../../../base/java-regex/java-regex.ts'
import type { IngestBudget } from '../document/ingest-budget.ts'

/** The maximum number of steps for one value. Tens of millions take about a second. */
const STEPS_MAX = 10_000_000

/** The steps of one search through a value; the document pays for them. */
class Steps extends StepBudget {
  readonly #most: number

  constructor(document: IngestBudget) {
    const most = Math.min(STEPS_MAX, document.left)
    super(most, (pattern) => {
      document.spend(most + 1)
      return illegalArgument(`The regular expression [${pattern.slice(0, 1_000)}] needs too many steps for this value`)
    })
    this.#most = most
  }

  get used(): number {
    return this.#most - this.remaining
  }
}

const UNITS_PER_MATCH = 20

/** Throws pattern_syntax_exception as an ApiError. */
export function userPattern(source: string): JavaRegex {
  try {
    return compileJavaRegex(source)
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error
    throw patternSyntax(error.message)
  }
}

/** Java's Matcher.replaceAll: `$1` and `${name}` in the replacement are groups, and a backslash escapes. */
export function replaceAll(pattern: JavaRegex, text: string, replacement: string, document: IngestBudget): string {
  const budget = new Steps(document)
  let out = ''
  let from = 0
  let copied = 0
  for (;;) {
    const match = pattern.find(text, from, budget, copied)
    if (match === undefined) break
    const written = expanded(replacement, match)
    document.spend(UNITS_PER_MATCH)
    document.text(match.start() - copied + written.length)
    out += text.slice(copied, match.start()) + written
    copied = match.end()
    from = match.end() === match.start() ? match.end() + 1 : match.end()
    if (from > text.length) break
  }
  document.spend(budget.used)
  return copied === 0 && out === '' ? text : out + text.slice(copied)
}

interface Groups {
  readonly groupCount: number
  group(group: number): string | undefined
  named(name: string): string | undefined
}

function expanded(replacement: string, match: Groups): string {
  if (!/[\\$]/.test(replacement)) return replacement
  let out = ''
  for (let i = 0; i < replacement.length; i++) {
    const char = replacement[i]!
    if (char === '\\') {
      if (++i === replacement.length) throw escapedCharacterMissing()
      out += replacement[i]
    } else if (char === '$') {
      const name = /^\{([a-zA-Z][a-zA-Z0-9]*)\}/.exec(replacement.slice(i + 1))
      if (name !== null) {
        out += match.named(name[1]!) ?? ''
        i += name[0].length
        continue
      }
      if (!/\d/.test(replacement[i + 1] ?? '')) throw illegalGroupReference()
      let group = Number(replacement[++i])
      if (group > match.groupCount) throw noGroup(group)
      while (/\d/.test(replacement[i + 1] ?? '') && group * 10 + Number(replacement[i + 1]) <= match.groupCount) {
        group = group * 10 + Number(replacement[++i])
      }
      out += match.group(group) ?? ''
    } else out += char
  }
  return out
}

const noGroup = (group: number) => new ApiError(400, 'index_out_of_bounds_exception', `No group ${group}`)

/**
 * Java's String.split. A limit of 0 omits trailing empty parts, a negative limit keeps them, and a positive limit is
 * the maximum number of parts.
 */
export function split(pattern: JavaRegex, text: string, limit: number, document: IngestBudget): string[] {
  const budget = new Steps(document)
  const parts: string[] = []
  let from = 0
  let start = 0
  while (limit <= 0 || parts.length < limit - 1) {
    const match = pattern.find(text, from, budget, start)
    if (match === undefined) break
    document.spend(UNITS_PER_MATCH)
    const isEmpty = match.end() === match.start()
    // An empty match at the start does not produce an empty part.
    if (!(isEmpty && match.start() === 0)) {
      parts.push(text.slice(start, match.start()))
      start = match.end()
    }
    from = isEmpty ? match.end() + 1 : match.end()
    if (from > text.length) break
  }
  document.spend(budget.used)
  if (start === 0 && parts.length === 0) return [text]
  parts.push(text.slice(start))
  if (limit === 0) while (parts.length > 0 && parts.at(-1) === '') parts.pop()
  return parts
}
