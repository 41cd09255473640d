/** How answers differ from what is expected. */
import { isList, isObject, type Json, print } from './json.ts'

/** A difference: its class, which shrinking keeps, and what differs. */
export interface Difference {
  readonly kind: string
  readonly text: string
}

export class Differs extends Error {
  readonly kind: string
  constructor(kind: string, text: string) {
    super(text)
    this.kind = kind
  }
}

/** The first difference of two values, with numbers equal that differ in the last digits of a sum. */
export function aggregationsDiffer(shown: Json, expected: Json, at: string): string | undefined {
  if (isList(shown) && isList(expected)) {
    for (let i = 0; i < Math.max(shown.length, expected.length); i++) {
      if (i >= shown.length) return `${at}[${i}] is missing: ${print(expected[i]!).slice(0, 200)}`
      if (i >= expected.length) return `${at}[${i}] is one too many: ${print(shown[i]!).slice(0, 200)}`
      const difference = aggregationsDiffer(shown[i]!, expected[i]!, `${at}[${i}]`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  if (isObject(shown) && isObject(expected)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(shown)])) {
      const [left, right] = [shown[name], expected[name]]
      if (left === undefined || right === undefined)
        return `${at}.${name} is ${left === undefined ? 'missing' : 'one too many'}: ${print((left ?? right)!).slice(0, 200)}`
      const difference = aggregationsDiffer(left, right, `${at}.${name}`)
      if (difference !== undefined) return difference
    }
    return undefined
  }
  return isSame(shown, expected) ? undefined : `${at} is ${print(shown)} instead of ${print(expected)}`
}

function isSame(a: Json, b: Json): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
  if ((typeof a === 'bigint' || typeof b === 'bigint') && typeof a !== 'string' && typeof b !== 'string')
    return Number(a) === Number(b)
  return a === b
}
