/** String concatenation. */
import { checkString } from '../limits.ts'

/** Joins parts that JavaScript prints like Java: strings, whole numbers, booleans and null. */
export function concat(...parts: readonly (string | number | bigint | boolean | null)[]): string {
  let text = ''
  for (const part of parts) text += part
  checkString(text.length)
  return text
}
