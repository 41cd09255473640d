/** The error for a class or method of the allow-list that this engine does not implement. */
import { illegalArgument } from '../errors/java-throwable.ts'

export function unsupported(what: string, at: number) {
  const error = illegalArgument(`[${what}] is not supported`)
  error.offset = at
  return error
}
