/**
 * The names an entry of a role covers: shell patterns with `*` and `?`, or Lucene regular expressions between slashes. The whole
 * name must match, and case matters.
 */
import { ALL_FLAGS, LuceneRegExp } from '../../engine/query/multi-term/lucene-regexp.ts'

export interface NameSet {
  readonly coversAll: boolean
  has(name: string): boolean
  /** Whether every name that `pattern` matches is in the set. */
  covers(pattern: string): boolean
}

export function nameSet(patterns: readonly string[]): NameSet {
  const tests = patterns.map((pattern) => ({ pattern, ...nameTest(pattern) }))
  return {
    coversAll: patterns.includes('*'),
    has: (name) => tests.some(({ matches }) => matches(name)),
    covers: (asked) => tests.some(({ covers }) => covers(asked)),
  }
}

export const isPattern = (text: string) => /[*?]/.test(text) || isRegExp(text)

const isRegExp = (text: string) => text.length > 1 && text.startsWith('/') && text.endsWith('/')

interface NameTest {
  matches(name: string): boolean
  covers(pattern: string): boolean
}

function nameTest(pattern: string): NameTest {
  if (!isPattern(pattern)) return { matches: (name) => name === pattern, covers: (asked) => asked === pattern }
  if (isRegExp(pattern)) {
    const expression = new LuceneRegExp(pattern.slice(1, -1), ALL_FLAGS, false)
    const matches = (name: string) => expression.matches(name)
    return { matches, covers: (asked) => asked === pattern || (!isPattern(asked) && matches(asked)) }
  }
  return {
    matches: (name) => matchesShell(pattern, name, false),
    covers: (asked) => (isRegExp(asked) ? pattern === '*' : matchesShell(pattern, asked, true)),
  }
}

/**
 * Matches without backtracking further than the last `*`. With `asPattern` the text is a pattern too: its `*` is met by `*` alone, its
 * `?` by any wildcard.
 */
function matchesShell(pattern: string, text: string, asPattern: boolean): boolean {
  let p = 0
  let t = 0
  let star = -1
  let retry = 0
  while (t < text.length) {
    const wanted = pattern[p]
    const given = text[t]!
    if (wanted === '*') {
      star = p++
      retry = t
    } else if (wanted !== undefined && meets(wanted, given, asPattern)) {
      p++
      t++
    } else if (star >= 0) {
      p = star + 1
      t = ++retry
    } else return false
  }
  while (pattern[p] === '*') p++
  return p === pattern.length
}

function meets(wanted: string, given: string, asPattern: boolean): boolean {
  if (asPattern && given === '*') return false
  if (wanted === '?') return true
  return wanted === given && !(asPattern && given === '?')
}
