/**
 * The index or field names that an entry of a role covers: shell patterns with `*` and `?`, or Lucene regular
 * expressions between slashes. The whole name must match, and case matters.
 */
import { ALL_FLAGS, LuceneRegExp } from '../query/multi-term/lucene-regexp.ts'

export interface NameSet {
  readonly coversAll: boolean
  has(name: string): boolean
  /** Whether every name that `pattern` matches is in the set. */
  covers(pattern: string): boolean
  /** Whether the set may have a name that begins with `prefix`. */
  reaches(prefix: string): boolean
}

export function nameSet(patterns: readonly string[]): NameSet {
  const tests = patterns.map((pattern) => ({ pattern, ...nameTest(pattern) }))
  return {
    coversAll: patterns.includes('*'),
    has: (name) => tests.some(({ matches }) => matches(name)),
    covers: (asked) => tests.some(({ covers }) => covers(asked)),
    reaches: (prefix) => tests.some(({ reaches }) => reaches(prefix)),
  }
}

export const isPattern = (text: string) => /[*?]/.test(text) || isRegExp(text)

const isRegExp = (text: string) => text.length > 1 && text.startsWith('/') && text.endsWith('/')

interface NameTest {
  matches(name: string): boolean
  covers(pattern: string): boolean
  reaches(prefix: string): boolean
}

function nameTest(pattern: string): NameTest {
  if (!isPattern(pattern)) {
    return {
      matches: (name) => name === pattern,
      covers: (asked) => asked === pattern,
      reaches: (prefix) => pattern.startsWith(prefix),
    }
  }
  if (isRegExp(pattern)) {
    const expression = new LuceneRegExp(pattern.slice(1, -1), ALL_FLAGS, false)
    const matches = (name: string) => expression.matches(name)
    const covers = (asked: string) => asked === pattern || (!isPattern(asked) && matches(asked))
    return { matches, covers, reaches: () => true }
  }
  return {
    matches: (name) => matchesShell(pattern, name, false),
    covers: (asked) => (isRegExp(asked) ? pattern === '*' : matchesShell(pattern, asked, true)),
    reaches: (prefix) => reachesShell(pattern, prefix),
  }
}

/** Whether a name that the pattern matches begins with `prefix`. A `*` can stand for the rest of any prefix. */
function reachesShell(pattern: string, prefix: string): boolean {
  for (let i = 0; i < prefix.length; i++) {
    if (pattern[i] === '*') return true
    if (pattern[i] === undefined || (pattern[i] !== '?' && pattern[i] !== prefix[i])) return false
  }
  return true
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
