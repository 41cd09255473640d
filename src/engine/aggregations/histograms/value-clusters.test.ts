import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AggregationMemory } from '../state/aggregation-memory.ts'
import { ValueClusters } from './value-clusters.ts'

test('every value is in one cluster and within its bounds, whatever the size of the first batch', () => {
  const values = fc.array(fc.integer({ min: -50, max: 1000 }), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(values, fc.integer({ min: 4, max: 12 }), fc.integer({ min: 3, max: 80 }), (all, most, first) => {
      const clusters = new ValueClusters(most, first, new AggregationMemory())
      const entries = all.map((value) => clusters.add(value, 2))
      clusters.finish()
      const byId = new Map(clusters.clusters.map((cluster) => [cluster.id, cluster]))
      const ids = clusters.idsOfEntries()
      for (const [i, value] of all.entries()) {
        const { min, max } = byId.get(ids[entries[i]!]!)!
        assert.ok(min <= value && value <= max)
      }
      assert.ok(clusters.clusters.length <= most)
      assert.equal(
        clusters.clusters.reduce((sum, { docCount }) => sum + docCount, 0),
        all.length * 2,
      )
    }),
  )
})

test('a value far from all means starts a cluster, a near one joins', () => {
  const clusters = new ValueClusters(8, 4, new AggregationMemory())
  for (const value of [1, 3, 44, 50, 900, 45]) clusters.add(value, 1)
  clusters.finish()
  assert.deepEqual(
    clusters.clusters.map(({ min, max }) => [min, max]),
    [
      [1, 1],
      [3, 3],
      [44, 45],
      [50, 50],
      [900, 900],
    ],
  )
})
