/**
 * Assertions check assumptions that only a bug in this code can violate. User input is never checked by an assertion;
 * bad input gets an error response.
 *
 * `ensure` and `broken` are always on. A request that violates one fails with a 500 and a log entry instead of an answer that may be
 * wrong. They stand where a check costs nothing in comparison: once per request, segment, page or block, never per document.
 *
 * `assert` is on in tests only. Guard a check that costs something with `ASSERTIONS`:
 *
 *     if (ASSERTIONS) assertAscending(docs, count, 'documents of a term')
 */

/** Node's test runner sets this variable for test processes. Threads and child processes inherit it. */
export const ASSERTIONS: boolean =
  process.env['NODE_TEST_CONTEXT'] !== undefined || process.env['SANDPIPER_ASSERTIONS'] === '1'

export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'

  constructor(assumption: string) {
    super(`broken assumption: ${assumption}`)
  }
}

/** Throws when the condition is false, always. `assumption` states what should be true, not the failure. */
export function ensure(condition: boolean, assumption: string): asserts condition {
  if (!condition) throw new AssertionFailure(assumption)
}

/** Throws. For assumptions whose text costs something to build. */
export function broken(assumption: string): never {
  throw new AssertionFailure(assumption)
}

/** Throws when the condition is false, in tests. */
export function assert(condition: boolean, assumption: string): asserts condition {
  if (ASSERTIONS && !condition) throw new AssertionFailure(assumption)
}

/** Asserts, in tests, that the first `count` numbers of a list are strictly ascending. */
export function assertAscending(list: ArrayLike<number>, count: number, what: string): void {
  for (let i = 1; i < count; i++) {
    assert(list[i - 1]! < list[i]!, `${what} ascend, but ${list[i - 1]} comes before ${list[i]}`)
  }
}

const PAIRS_MAX = 100

/**
 * Throws when elements of a list are not in order, always. `follows` says whether the element at a position may follow the one before it. All
 * pairs of a short list are compared, and of a long one some from end to end.
 */
export function ensureOrdered(length: number, follows: (position: number) => boolean, assumption: string): void {
  const last = length - 1
  const step = Math.max(1, (last - 1) / (PAIRS_MAX - 1))
  for (let position = last; position > 0.5; position -= step) ensure(follows(Math.round(position)), assumption)
}
