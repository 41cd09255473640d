/**
 * Assertions check assumptions that only a bug in this code can violate. User input is never checked by an assertion;
 * bad input gets an error response.
 *
 * Assertions are enabled in tests only. Guard a check that costs something with `ASSERTIONS`:
 *
 *     if (ASSERTIONS) assertAscending(docs, count, 'documents of a term')
 */

/** Node's test runner sets this variable for test processes. Threads and child processes inherit it. */
export const ASSERTIONS: boolean =
  process.env['NODE_TEST_CONTEXT'] !== undefined || process.env['SANDPIPER_ASSERTIONS'] === '1'

export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
}

/** Throws when the condition is false. `message` states the assumption, not the failure. */
export function assert(condition: boolean, message: string): asserts condition {
  if (ASSERTIONS && !condition) throw new AssertionFailure(`broken assumption: ${message}`)
}

/** Asserts that the first `count` numbers of a list are strictly ascending. */
export function assertAscending(list: ArrayLike<number>, count: number, what: string): void {
  for (let i = 1; i < count; i++) {
    assert(list[i - 1]! < list[i]!, `${what} ascend, but ${list[i - 1]} comes before ${list[i]}`)
  }
}
