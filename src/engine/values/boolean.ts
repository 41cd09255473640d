/** Booleans in text: exactly `true` or `false`, in lower case and without spaces. */
import { notTrueOrFalse } from '../../base/errors/value-errors.ts'

export function parseBoolean(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw notTrueOrFalse(text)
}
