import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { BooleanScorer } from './boolean-scorer.ts'
import { Scorer } from './scorer.ts'

/** Has one document, and promises a score for all windows, as postings do whose last block says nothing. */
class EndlessPromise extends Scorer {
  readonly cost = 1
  asked = 0

  override next(target: number): number {
    return target <= 10 ? 10 : NO_MORE_DOCS
  }

  override match(): void {}

  override matchScored(): void {}

  override maxScore(): number {
    this.asked++
    return 1
  }
}

// Goal: a search whose floor no window beats ends where the documents do, not where document numbers do.
// Method: clauses whose bounds have no end; how often they are asked.
test('windows that cannot win are passed over up to the last document', () => {
  const part = new EndlessPromise()
  const scorer = new BooleanScorer({ must: [], filter: [], should: [part, part], mustNot: [] }, 1)
  assert.equal(scorer.nextAbove(0, 5), NO_MORE_DOCS)
  assert.ok(part.asked < 100)
  assert.equal(scorer.nextAbove(0, 1), 0)
})
