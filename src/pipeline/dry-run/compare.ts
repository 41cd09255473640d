/** Differences between events in readable lines, one per field that differs. */

type Json = unknown

/**
 * The parts of `expected` that `actual` lacks. Fields that are not mentioned may exist; `null` requires a field to be
 * absent.
 */
export function missingFrom(expected: Json, actual: Json, path = ''): string[] {
  if (isObject(expected)) {
    if (!isObject(actual)) return [`${path || 'event'}: expected an object, got ${text(actual)}`]
    return Object.entries(expected).flatMap(([name, value]) => {
      const place = `${path}[${name}]`
      if (value === null && actual[name] === undefined) return []
      if (actual[name] === undefined) return [`${place}: missing, expected ${text(value)}`]
      return missingFrom(value, actual[name], place)
    })
  }
  return text(expected) === text(actual) ? [] : [`${path}: expected ${text(expected)}, got ${text(actual)}`]
}

/** A value that only the old event has (`-`) or only the new one (`+`). */
export interface Difference {
  readonly sign: '-' | '+'
  readonly path: string
  readonly value: string
}

export function differences(before: Json, after: Json, path = ''): Difference[] {
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)])
    return [...names].flatMap((name) => differences(before[name], after[name], `${path}[${name}]`))
  }
  if (text(before) === text(after)) return []
  const found: Difference[] = []
  if (before !== undefined) found.push({ sign: '-', path, value: text(before) })
  if (after !== undefined) found.push({ sign: '+', path, value: text(after) })
  return found
}

/** What lines that differ in the same way have in common: the fields, without their values. */
export function kindOf(found: readonly Difference[]): string {
  return found.map(({ sign, path }) => `${sign}${path}`).join(' ')
}

function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Names are sorted, so that their order never matters. */
function text(value: Json): string {
  const sorted = (_key: string, item: Json): Json =>
    isObject(item) ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))) : item
  return JSON.stringify(value, sorted) ?? 'nothing'
}
