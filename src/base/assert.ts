/**
 * Assertions: checks of what only a mistake in this code can break. Input of users is never checked by them; it gets an error.
 *
 * They are on in tests and off otherwise. A check that costs something is made where `ASSERTIONS` is set:
 *
 *     if (ASSERTIONS) assertAscending(docs, count, 'documents of a term')
 */

/** Node's test runner sets the variable for the processes of tests; threads and processes they start inherit it. */
export const ASSERTIONS: boolean =
  process.env['NODE_TEST_CONTEXT'] !== undefined || process.env['SANDPIPER_ASSERTIONS'] === '1'

export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
}

/** Throws where the assumption is broken. `message` names the assumption, not the failure. */
export function assert(condition: boolean, message: string): asserts condition {
  if (ASSERTIONS && !condition) throw new AssertionFailure(`broken assumption: ${message}`)
}

/** The first `count` numbers of a list rise, without repeats. */
export function assertAscending(list: ArrayLike<number>, count: number, what: string): void {
  for (let i = 1; i < count; i++) {
    assert(list[i - 1]! < list[i]!, `${what} ascend, but ${list[i - 1]} comes before ${list[i]}`)
  }
}
