import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATS_SECTIONS } from '../../../service/stats/stats-sections.ts'
import { statisticsCells, statisticsColumns } from './cat-statistics.ts'
import { Bytes, Milliseconds } from './cat-table.ts'

test('cat statistics show members of _stats as counts, sizes and times', () => {
  const sections = {
    flush: { total: 3, total_time_in_millis: 12 },
    merges: { total_size_in_bytes: 2048 },
  }
  const row = statisticsCells('i', sections)
  assert.deepEqual(row, {
    'flush.total': 3,
    'flush.total_time': new Milliseconds(12),
    'merges.total_size': new Bytes(2048),
  })
})

test('cat statistics have unique names in each table, and only sections that _stats prints', () => {
  for (const table of ['i', 'n', 's'] as const) {
    const names = statisticsColumns(table).map(({ name }) => name)
    assert.equal(new Set(names).size, names.length)
    const own = ['seq_no', 'path', 'memory', 'script', 'suggest']
    const unknown = names
      .map((name) => name.split('.')[0]!)
      .filter((name) => !(name in STATS_SECTIONS) && !own.includes(name))
    assert.deepEqual(unknown, [])
  }
})
