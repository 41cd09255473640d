import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WINDOW_SIZE, WINDOW_WORDS } from '../window.ts'
import { CheckedScorer } from './checked-scorer.ts'
import { Scorer } from './scorer.ts'

/** Matches the given documents, all with one score. */
class FixedScorer extends Scorer {
  readonly cost: number
  readonly #docs: readonly number[]
  readonly #score: number
  readonly #bound: number

  constructor(docs: readonly number[], score = 1, bound = Number.POSITIVE_INFINITY) {
    super()
    this.#docs = docs
    this.#score = score
    this.#bound = bound
    this.cost = docs.length
  }

  override get canList(): boolean {
    return true
  }

  override nextDocs(docs: Int32Array): number {
    docs.set(this.#docs)
    return this.#docs.length
  }

  override next(target: number): number {
    return this.#docs.find((doc) => doc >= target) ?? 0x7fffffff
  }

  override maxScore(): number {
    return this.#bound
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    for (const doc of this.#docs) {
      if (doc >= base && doc < limit) bits[(doc - base) >> 5]! |= 1 << ((doc - base) & 31)
    }
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.match(base, limit, bits)
    for (const doc of this.#docs) if (doc >= base && doc < limit) scores[doc - base] = this.#score
  }
}

const bits = () => new Uint32Array(WINDOW_WORDS)
const scores = () => new Float32Array(WINDOW_SIZE)

test('a scorer that keeps its contract is passed through unchanged', () => {
  const scorer = new CheckedScorer(new FixedScorer([3, 5000], 2, 2))
  assert.equal(scorer.next(4), 5000)
  const matched = bits()
  scorer.match(0, WINDOW_SIZE, matched)
  assert.equal(matched[0], 1 << 3)
  assert.equal(scorer.maxScore(WINDOW_SIZE, 2 * WINDOW_SIZE), 2)
  const scored = scores()
  scorer.matchScored(WINDOW_SIZE, 2 * WINDOW_SIZE, bits(), scored)
  assert.equal(scored[5000 - WINDOW_SIZE], 2)
})

test('requesting a window twice or out of order fails', () => {
  const scorer = new CheckedScorer(new FixedScorer([1]))
  scorer.match(WINDOW_SIZE, 2 * WINDOW_SIZE, bits())
  assert.throws(() => scorer.matchScored(WINDOW_SIZE, 2 * WINDOW_SIZE, bits(), scores()), /windows ascend/)
  assert.throws(() => scorer.match(0, WINDOW_SIZE, bits()), /windows ascend/)
})

test('documents are listed or requested by window, not both', () => {
  const byWindow = new CheckedScorer(new FixedScorer([1]))
  byWindow.match(0, WINDOW_SIZE, bits())
  assert.throws(() => byWindow.nextDocs(new Int32Array(8)), /takes the place of calls by window/)
  const listed = new CheckedScorer(new FixedScorer([1]))
  listed.nextDocs(new Int32Array(8))
  assert.throws(() => listed.match(0, WINDOW_SIZE, bits()), /once documents were listed/)
})

test('listed documents that do not ascend fail', () => {
  assert.throws(() => new CheckedScorer(new FixedScorer([7, 2])).nextDocs(new Int32Array(8)), /listed matches ascend/)
})

test('a score that is NaN or exceeds the bound of its window fails', () => {
  const broken = new CheckedScorer(new FixedScorer([1], Number.NaN))
  assert.throws(() => broken.matchScored(0, WINDOW_SIZE, bits(), scores()), /score of document 1 is a number/)
  const beyond = new CheckedScorer(new FixedScorer([1], 3, 2))
  beyond.maxScore(0, WINDOW_SIZE)
  assert.throws(() => beyond.matchScored(0, WINDOW_SIZE, bits(), scores()), /exceeds its bound 2/)
})
