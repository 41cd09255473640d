import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BoostMode,
  combineBlock,
  combineScores,
  type FunctionScoreSettings,
  foldFunctions,
  type ScoreMode,
} from './combine-functions.ts'
import type { DocFunction } from './score-functions.ts'

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

test('functions that are added or averaged count as 1 where all their weights are 0', () => {
  const functions = [0, 0].map((weight) => ({ weight, value: { value: () => 7 } as unknown as DocFunction }))
  const fold = (scoreMode: ScoreMode) => foldFunctions(functions, scoreMode, 0, 1, () => true)
  assert.deepEqual((['sum', 'avg', 'multiply', 'first', 'max', 'min'] as const).map(fold), [1, 1, 0, 0, 0, 0])
})
