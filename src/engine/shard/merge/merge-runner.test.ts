import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { ShardFixture } from '../shard-fixture.ts'

// Goal: a merge in its own thread does not block writes, and documents deleted meanwhile stay deleted. Method: on-disk
// segments too large for an inline merge; documents are changed while the forced merge runs.
test('writes during a background merge are kept', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-merge-'))
  const fixture = await ShardFixture.open(new DiskDirectory(folder))
  const { shard } = fixture
  const perSegment = 6000
  for (let i = 0; i < 3 * perSegment; i++) {
    fixture.index(`${i}`, { n: i, k: `a fairly long and unique key of document ${i * 7919}` })
    if (i % perSegment === perSegment - 1) await shard.refresh()
  }
  assert.equal(shard.stats().segmentCount, 3)
  const merged = shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  for (let i = 0; i < 100; i++) fixture.delete(`${i * 100}`)
  fixture.index('50', { n: -1 })
  assert.equal(fixture.get('100'), undefined)
  await merged
  await shard.refresh()
  assert.equal(fixture.visible().size, 3 * perSegment - 100)
  assert.deepEqual(fixture.source('50'), { n: -1 })
  assert.equal(fixture.get('200'), undefined)
  assert.ok(shard.stats().mergeTotal >= 1)
  await shard.close()

  const again = await ShardFixture.open(new DiskDirectory(folder))
  assert.equal(again.visible().size, 3 * perSegment - 100)
  await again.shard.close()
  rmSync(folder, { recursive: true })
})
