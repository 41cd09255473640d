import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BoostMode, combineBlock, combineScores, type FunctionScoreSettings } from './combine-functions.ts'

const BASE = 4096
const docs = Int32Array.of(BASE + 1, BASE + 2, BASE + 7, BASE + 9)
const values = Float64Array.of(0.1, 3, 1e30, Number.NaN)

for (const boostMode of ['multiply', 'replace', 'sum', 'avg', 'max', 'min'] satisfies BoostMode[]) {
  test(`scores combined in a block with mode ${boostMode} are those combined one by one`, () => {
    const settings: FunctionScoreSettings = {
      functions: [],
      scoreMode: 'first',
      boostMode,
      maxBoost: 1e20,
      minScore: undefined,
    }
    const own = Float32Array.from({ length: 12 }, (_, i) => i / 3)
    const scores = own.slice()
    combineBlock(scores, BASE, docs, docs.length, values, 1.5, settings)
    const expected = own.slice()
    for (const [i, doc] of docs.entries()) {
      expected[doc - BASE] = combineScores(own[doc - BASE]!, values[i]! * 1.5, settings)
    }
    assert.deepEqual(scores, expected)
  })
}
