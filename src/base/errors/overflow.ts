/**
 * Overflows that a client causes by the size of its input. The engine of JavaScript reports them as a RangeError, like faults of this
 * code: an endless recursion, a negative length. So each place that the input of a client may overflow names itself by one of these
 * functions, and every other RangeError is a fault of this code, with status 500 and a log entry.
 */
import { growsTooLarge, nestedTooDeeply } from './http-errors.ts'

export const isStackOverflow = (error: unknown): boolean =>
  error instanceof RangeError && /call stack/.test(error.message)

const isTextOverflow = (error: unknown): boolean =>
  (error instanceof RangeError && /string length/.test(error.message)) ||
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_STRING_TOO_LONG'

/** Runs work that calls itself for each level of a client's input. */
export function nestedByClient<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isStackOverflow(error) ? nestedTooDeeply() : error
  }
}

/** Runs work that builds a text as long as a client's input asks for. */
export function sizedByClient<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isTextOverflow(error) ? growsTooLarge() : error
  }
}
