import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reducePhases } from './reduce-phases.ts'

test('num_reduce_phases counts batches, each of which starts with the previous result', () => {
  const phases = [2, 3, 4, 6, 7].map((batch) => reducePhases(7, batch))
  assert.deepEqual(phases, [6, 3, 2, 2, undefined])
  assert.deepEqual(
    [1, 2, 512, 513].map((shards) => reducePhases(shards)),
    [undefined, undefined, undefined, 2],
  )
})
