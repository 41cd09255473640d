/** String concatenation. */
import { checkString } from '../limits.ts'

/** The parts print as Java prints them: strings, whole numbers, booleans and null do so by themselves. */
export function concat(...parts: readonly (string | number | bigint | boolean | null)[]): string {
  let text = ''
  for (const part of parts) text += part
  checkString(text.length)
  return text
}
