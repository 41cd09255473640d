/** Booleans in text: `true` and `false` and nothing else, with no other case and no blanks. */
import { illegalArgument } from '../../base/api-error.ts'

export function parseBoolean(text: string): boolean {
  if (text === 'true') return true
  if (text === 'false') return false
  throw illegalArgument(`Failed to parse value [${text}] as only [true] or [false] are allowed.`)
}
