/** String concatenation. */
import { checkString } from '../limits.ts'

/** A text that generated code has joined from parts that JavaScript prints like Java. */
export function checkedText(text: string): string {
  checkString(text.length)
  return text
}
