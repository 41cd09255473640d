import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryDirectory } from '../../store/memory-directory.ts'
import { ShardFixture } from '../shard-fixture.ts'
import type { PublishedView } from './published-view.ts'

/** The ids in a view, in its own order. */
function idsOf(view: PublishedView): string[] {
  const ids: string[] = []
  for (const { reader, live } of view.segments) {
    for (let doc = 0; doc < reader.docCount; doc++) {
      if (live === undefined || ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 1) ids.push(reader.id(doc))
    }
  }
  return ids
}

const segmentFiles = (directory: MemoryDirectory) => directory.list().filter((name) => name.startsWith('seg-'))

/** Some segments, some deletes, nothing committed. */
async function filled(directory: MemoryDirectory): Promise<ShardFixture> {
  const fixture = await ShardFixture.open(directory)
  for (let segment = 0; segment < 3; segment++) {
    for (let i = 0; i < 5; i++) fixture.index(`${segment}-${i}`, { n: i })
    await fixture.shard.refresh()
  }
  fixture.delete('1-2')
  await fixture.shard.refresh()
  return fixture
}

// Goal: a kept view is the same after a restart, whatever happened to the shard meanwhile, and its files are removed
// with it. Method: keep a view, change and merge everything, restart without a clean close, compare, drop.
test('a kept view survives changes, merges and an unclean restart', async () => {
  const directory = new MemoryDirectory()
  const before = await filled(directory)
  const view = before.shard.holdView()
  const expected = idsOf(view)
  const name = await before.shard.keepView(view.generation)
  view.release()

  for (let i = 0; i < 5; i++) before.index(`0-${i}`, { n: 100 + i })
  before.delete('2-0')
  await before.shard.sync()
  await before.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })

  const after = await ShardFixture.open(directory)
  const reopened = after.shard.reopenView(name)
  const again = after.shard.reopenView(name)
  assert.deepEqual(idsOf(again), expected)
  again.release()
  after.shard.dropView(name)
  assert.deepEqual(idsOf(reopened), expected)
  assert.equal(reopened.liveRoots, expected.length)
  assert.equal(after.visible().size, 13)

  await after.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  assert.deepEqual(idsOf(reopened), expected)
  reopened.release()
  assert.ok(segmentFiles(directory).length > 1, 'the files stay while the view is kept')
  after.shard.dropView(name)
  assert.equal(segmentFiles(directory).length, 1)
  await after.shard.close()
  await before.shard.close({ commit: false }).catch(() => {})
})

test('a view that is kept twice is written once and stays until both are dropped', async () => {
  const directory = new MemoryDirectory()
  const fixture = await filled(directory)
  const view = fixture.shard.holdView()
  const [first, second] = await Promise.all([
    fixture.shard.keepView(view.generation),
    fixture.shard.keepView(view.generation),
  ])
  assert.equal(first, second)
  view.release()
  await fixture.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  const while2 = segmentFiles(directory).length
  fixture.shard.dropView(first)
  assert.equal(segmentFiles(directory).length, while2)
  fixture.shard.dropView(second)
  assert.equal(segmentFiles(directory).length, 1)
  await fixture.shard.close()
})

test('unclaimed views of an earlier run are dropped with their files', async () => {
  const directory = new MemoryDirectory()
  const before = await filled(directory)
  await before.shard.keepView(before.shard.view.generation)
  await before.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  await before.shard.close()
  const after = await ShardFixture.open(directory)
  assert.ok(segmentFiles(directory).length > 1)
  after.shard.dropUnclaimedViews()
  assert.equal(segmentFiles(directory).length, 1)
  assert.equal(after.visible().size, 14)
  await after.shard.close()
})

// Goal: other threads identify views by shard and number; a reopened shard must not reuse numbers of held views.
test('views of a reopened shard have other numbers than those from before', async () => {
  const directory = new MemoryDirectory()
  const before = await ShardFixture.open(directory)
  before.index('a', { n: 1 })
  await before.shard.refresh()
  const held = before.shard.holdView()
  await before.shard.close()
  const after = await ShardFixture.open(directory)
  for (let i = 0; i < 5; i++) {
    assert.notEqual(after.shard.view.generation, held.generation)
    after.index(`b${i}`, { n: i })
    await after.shard.refresh()
  }
  held.release()
  await after.shard.close()
})
