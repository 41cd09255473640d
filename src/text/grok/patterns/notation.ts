/**
 * The notation of the stock patterns. Most patterns exist in two sets that differ only in field names, so one text
 * holds both names: `%{INT:bytes|[http][response][bytes]:int}` captures `bytes` in the legacy set and an integer in
 * ECS. An empty side captures nothing. Where the sets differ in more than names, a pattern is a pair.
 */
export type PatternSet = 'legacy' | 'ecs'

/** One text for both sets, or [legacy, ECS]. Undefined on a side means that the set lacks the pattern. */
export type PatternText = string | readonly [string | undefined, string | undefined]

export type PatternTable = Readonly<Record<string, PatternText>>

/** The pattern in one set. */
export function inSet(text: PatternText, set: PatternSet): string | undefined {
  const own = typeof text === 'string' ? text : text[set === 'legacy' ? 0 : 1]
  return own?.replace(/%\{(\w+):([^|}]*)\|([^}]*)\}/g, (_whole, name: string, legacy: string, ecs: string) => {
    const field = set === 'legacy' ? legacy : ecs
    return field === '' ? `%{${name}}` : `%{${name}:${field}}`
  })
}

/** A value, or the dash that logs write for a missing one. */
export const orDash = (pattern: string): string => `(?:-|${pattern})`

/** Matches any of the named patterns. */
export const anyOf = (names: readonly string[]): string => `(?:${names.map((name) => `%{${name}}`).join('|')})`
