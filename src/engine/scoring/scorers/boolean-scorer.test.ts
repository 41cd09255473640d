import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { BooleanScorer } from './boolean-scorer.ts'
import { Scorer } from './scorer.ts'

/** Matches one document, but has the same score bound for all windows, like postings whose last block has no bound. */
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

// Goal: a search whose floor no window exceeds ends with the last document and not with the largest document number.
// Method: clauses with endless bounds; the number of calls they receive.
test('uncompetitive windows are skipped up to the last document', () => {
  const part = new EndlessPromise()
  const scorer = new BooleanScorer({ must: [], filter: [], should: [part, part], mustNot: [] }, 1)
  assert.equal(scorer.nextAbove(0, 5), NO_MORE_DOCS)
  assert.ok(part.asked < 100)
  assert.equal(scorer.nextAbove(0, 1), 0)
})
