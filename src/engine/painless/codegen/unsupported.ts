/** A class or method that scripts may use according to the allow-list and that this engine does not have. */
import { illegalArgument } from '../errors/java-throwable.ts'

export function unsupported(what: string, at: number) {
  const error = illegalArgument(`[${what}] is not supported`)
  error.offset = at
  return error
}
