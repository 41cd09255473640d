/**
 * How the stock patterns are written down. Most of them exist in two sets that differ in the names of their fields
 * only, so both names stand in one
 * text: `%{INT:bytes|[http][response][bytes]:int}` is `bytes` in the legacy set and an integer in ECS. An empty side
 * captures nothing there.
 * Where the sets differ in more, a pattern is a pair.
 */
export type PatternSet = 'legacy' | 'ecs'

/** The text of both sets, or [legacy, ECS]; undefined on a side means the set has no such name. */
export type PatternText = string | readonly [string | undefined, string | undefined]

export type PatternTable = Readonly<Record<string, PatternText>>

/** The pattern as one set has it. */
export function inSet(text: PatternText, set: PatternSet): string | undefined {
  const own = typeof text === 'string' ? text : text[set === 'legacy' ? 0 : 1]
  return own?.replace(/%\{(\w+):([^|}]*)\|([^}]*)\}/g, (_whole, name: string, legacy: string, ecs: string) => {
    const field = set === 'legacy' ? legacy : ecs
    return field === '' ? `%{${name}}` : `%{${name}:${field}}`
  })
}

/** A value, or the dash logs write for none. */
export const orDash = (pattern: string): string => `(?:-|${pattern})`

/** Any of some patterns of the library. */
export const anyOf = (names: readonly string[]): string => `(?:${names.map((name) => `%{${name}}`).join('|')})`
