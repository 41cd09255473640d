/** Booleans in text: `true` and `false` and nothing else, with no other case and no blanks. */
import { notTrueOrFalse } from '../../base/errors/value-errors.ts'

export function parseBoolean(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw notTrueOrFalse(text)
}
