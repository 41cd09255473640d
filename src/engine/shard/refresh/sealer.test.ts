import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { LateSealer, ShardFixture } from '../shard-fixture.ts'
import { BackgroundSealer, type SealJob } from './sealer.ts'

const folder = mkdtempSync(join(tmpdir(), 'sealer-'))
after(() => rmSync(folder, { recursive: true, force: true }))

// Goal: another thread writes the same segment as this one would, during writes, deletes and gets. Method: an on-disk
// shard with the real thread; documents are replaced and deleted between the cut and its end.
test('a buffer is sealed in another thread while its documents change', async () => {
  const sealer = new BackgroundSealer()
  const directory = new DiskDirectory(join(folder, 'changing'))
  const indexSort = [{ field: 'n', descending: true, missingFirst: false, mode: 'max' as const }]
  const fixture = await ShardFixture.open(directory, { sealer, indexSort, asideBytesMin: 1 })
  for (let i = 0; i < 500; i++) fixture.index(`id-${i}`, { n: i % 7, k: `k${i % 3}`, t: `word${i}`, c: [{ n: i }] })
  const refreshed = fixture.shard.refresh()
  for (let i = 0; i < 100; i++) fixture.delete(`id-${i}`)
  for (let i = 100; i < 200; i++) fixture.index(`id-${i}`, { n: -1 })
  assert.equal(fixture.source('id-50'), undefined)
  assert.deepEqual(fixture.source('id-150'), { n: -1 })
  assert.deepEqual(fixture.source('id-300'), { n: 6, k: 'k0', t: 'word300', c: [{ n: 300 }] })
  await refreshed
  assert.equal(fixture.visible().size, 500, 'the moment of the cut')
  assert.equal(fixture.source('id-50'), undefined)
  assert.deepEqual(fixture.source('id-150'), { n: -1 })
  await fixture.shard.refresh()
  assert.equal(fixture.visible().size, 400)
  assert.equal(fixture.visible().get('id-150'), 2)
  await fixture.shard.close()

  const again = await ShardFixture.open(new DiskDirectory(join(folder, 'changing')), { indexSort })
  assert.equal(again.visible().size, 400)
  assert.deepEqual(again.source('id-300'), { n: 6, k: 'k0', t: 'word300', c: [{ n: 300 }] })
  await again.shard.close()
  await sealer.close()
})

test('a sealer whose thread has ended accepts the next buffer', async () => {
  const sealer = new BackgroundSealer()
  const fixture = await ShardFixture.open(new DiskDirectory(join(folder, 'ending')), { sealer, asideBytesMin: 1 })
  fixture.index('a', { n: 1 })
  await fixture.shard.refresh()
  const ended = sealer.close()
  fixture.index('b', { n: 2 })
  await fixture.shard.refresh()
  await ended
  assert.equal(fixture.visible().size, 2)
  await fixture.shard.close()
  await sealer.close()
})

class FailingSealer extends LateSealer {
  failures = 1

  override async run(job: SealJob) {
    if (this.failures-- > 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    return await super.run(job)
  }
}

test('a buffer that could not be written is kept, answers gets, and is written by the next refresh', async () => {
  const directory = new DiskDirectory(join(folder, 'failing'))
  const fixture = await ShardFixture.open(directory, { sealer: new FailingSealer(), asideBytesMin: 1 })
  fixture.index('a', { n: 1 })
  fixture.index('b', { n: 2 })
  await assert.rejects(fixture.shard.refresh(), { status: 429 })
  assert.equal(fixture.visible().size, 0)
  assert.deepEqual(fixture.source('a'), { n: 1 })
  fixture.delete('b')
  fixture.index('c', { n: 3 })
  await fixture.shard.refresh()
  assert.deepEqual([...fixture.visible().keys()].sort(), ['a', 'c'])
  await fixture.shard.close()
})

// Goal: closing a shard while its buffer is being written leaves no caller waiting and no file behind.
test('a shard can be closed while a buffer is being written', async () => {
  const directory = new DiskDirectory(join(folder, 'closing'))
  const fixture = await ShardFixture.open(directory, { sealer: new LateSealer(), asideBytesMin: 1 })
  fixture.index('a', { n: 1 })
  const refreshed = assert.rejects(fixture.shard.refresh())
  const waited = fixture.shard.waitForRefresh()
  await fixture.shard.close({ commit: false })
  await refreshed
  await waited
  assert.deepEqual(
    directory.list().filter((name) => name.startsWith('seg-')),
    [],
  )
})
