import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../base/api-error.ts'
import { readWhole } from '../store/directory.ts'
import { FaultyDirectory } from '../store/faulty-directory.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { NO_CONDITION } from './operations.ts'
import { ShardFixture } from './shard-fixture.ts'

const external = (version: number) => ({ ...NO_CONDITION, version, versionType: 'external' as const })
const externalGte = (version: number) => ({ ...NO_CONDITION, version, versionType: 'external_gte' as const })
const ifSeqNo = (seqNo: number, term = 1) => ({ ...NO_CONDITION, ifSeqNo: seqNo, ifPrimaryTerm: term })

function conflict(reason: string) {
  return (error: unknown) => {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status, 409)
    assert.equal(error.message, reason)
    assert.deepEqual(error.details, { index_uuid: 'test-uuid', shard: '0', index: 'test' })
    return true
  }
}

test('a document is found by id before any refresh, and in views only after it', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory())
  const result = shard.index('1', { n: 1 }, { routing: 'r' })
  assert.deepEqual(result, { existed: false, version: 1, seqNo: 0, primaryTerm: 1 })
  assert.deepEqual(shard.source('1'), { n: 1 })
  assert.equal(shard.get('1')!.routing, 'r')
  assert.equal(shard.get('1', false), undefined)
  await shard.shard.refresh()
  assert.deepEqual(shard.source('1', false), { n: 1 })
  assert.equal(shard.get('1', false)!.routing, 'r')
  shard.index('1', { n: 2 })
  assert.deepEqual([shard.source('1'), shard.source('1', false)], [{ n: 2 }, { n: 1 }])
  shard.delete('1')
  assert.deepEqual([shard.source('1'), shard.source('1', false)], [undefined, { n: 1 }])
  await shard.shard.close()
})

// The expected results are those of Elasticsearch 8.19 for the same operations.
test('versions and conflicts behave as in Elasticsearch', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory())
  const version = (id: string, condition = NO_CONDITION) => shard.index(id, {}, { condition }).version
  assert.equal(version('1'), 1)
  assert.equal(version('1', external(10)), 10)
  const higherOrEqual = (id: string, current: number, given: number) =>
    conflict(
      `[${id}]: version conflict, current version [${current}] is higher or equal to the one provided [${given}]`,
    )
  assert.throws(() => version('1', external(9)), higherOrEqual('1', 10, 9))
  assert.throws(() => version('1', external(10)), higherOrEqual('1', 10, 10))
  assert.throws(
    () => version('1', externalGte(9)),
    conflict('[1]: version conflict, current version [10] is higher than the one provided [9]'),
  )
  assert.equal(version('1', externalGte(10)), 10)
  assert.throws(() => shard.delete('1', external(10)), higherOrEqual('1', 10, 10))
  const seqNo = shard.get('1')!.seqNo
  assert.throws(
    () => shard.delete('1', ifSeqNo(0)),
    conflict(
      `[1]: version conflict, required seqNo [0], primary term [1]. current document has seqNo [${seqNo}] and primary term [1]`,
    ),
  )
  const notFound = conflict('[none]: version conflict, required seqNo [0], primary term [1]. but no document was found')
  assert.throws(() => shard.delete('none', ifSeqNo(0)), notFound)
  assert.deepEqual([shard.delete('nope', external(5)).existed, shard.get('nope')], [false, undefined])
  assert.throws(() => version('nope', external(5)), higherOrEqual('nope', 5, 5))
  assert.equal(version('nope', external(6)), 6)
  assert.equal(shard.delete('1', external(11)).version, 11)
  assert.equal(shard.index('1', {}, { create: true }).version, 12)
  assert.throws(
    () => shard.index('1', {}, { create: true }),
    conflict('[1]: version conflict, document already exists (current version [12])'),
  )
  assert.deepEqual(
    [shard.delete('1').version, shard.delete('1')].flatMap((x) => (typeof x === 'number' ? x : x.version)),
    [13, 14],
  )
  assert.throws(() => shard.delete('1', external(2)), higherOrEqual('1', 14, 2))
  assert.equal(version('1'), 15)
  await shard.shard.close()
})

test('versions of deleted documents continue across refreshes until they expire', async () => {
  let nowMs = 1000
  const shard = await ShardFixture.open(new MemoryDirectory(), { nowMs: () => nowMs })
  shard.index('1', {})
  await shard.shard.refresh()
  assert.equal(shard.delete('1').version, 2)
  await shard.shard.refresh()
  nowMs += 59_000
  await shard.shard.refresh()
  assert.equal(shard.delete('1').version, 3)
  nowMs += 61_000
  await shard.shard.refresh()
  assert.deepEqual(shard.index('1', {}), { existed: false, version: 1, seqNo: 3, primaryTerm: 1 })
})

test('a reopened shard has all synced documents, under the same numbers and a new term', async () => {
  const directory = new FaultyDirectory()
  const first = await ShardFixture.open(directory)
  first.index('1', { n: 1 })
  first.index('2', { n: 2 }, { routing: 'r' })
  await first.shard.flush()
  first.index('1', { n: 3, c: [{ n: 1 }, { n: 2 }] })
  first.delete('2')
  first.index('3', { n: 4 })
  await first.shard.sync()

  const second = await ShardFixture.open(directory.powerCut('lost'))
  assert.deepEqual(
    second.visible(),
    new Map([
      ['1', 2],
      ['3', 1],
    ]),
  )
  assert.deepEqual(second.source('1'), { n: 3, c: [{ n: 1 }, { n: 2 }] })
  assert.deepEqual([second.shard.maxSeqNo, second.get('3')!.seqNo, second.get('3')!.primaryTerm], [4, 4, 1])
  assert.deepEqual(second.index('2', {}), { existed: false, version: 3, seqNo: 5, primaryTerm: 2 })
})

test('closing commits, so that the next start has nothing to replay', async () => {
  const directory = new MemoryDirectory()
  const first = await ShardFixture.open(directory)
  for (let i = 0; i < 50; i++) first.index(`${i % 20}`, { n: i })
  first.delete('3')
  await first.shard.close()
  const second = await ShardFixture.open(directory)
  assert.equal(second.shard.stats().translogOperations, 0)
  assert.equal(second.shard.stats().uncommittedOperations, 0)
  assert.equal(second.visible().size, 19)
  await second.shard.close()
})

test('segment files are removed when no view, commit or merge needs them', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  const { shard } = fixture
  for (let i = 0; i < 4; i++) {
    fixture.index(`${i}`, { n: i })
    await shard.refresh()
  }
  const files = () => directory.list().filter((name) => name.startsWith('seg-')).length
  const held = shard.holdView()
  await shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  assert.equal(files(), 5)
  assert.equal(held.segments[2]!.reader.id(0), '2')
  held.release()
  assert.equal(files(), 1)
  assert.equal(shard.stats().segmentCount, 1)
  await shard.close()
})

// Goal: documents have the same numbers as in Elasticsearch, where the same batches were recorded. Method: batches of
// given sizes with a refresh after each; the view's ids name their batches.
test("merges join segments in Elasticsearch's order", async () => {
  const batchesAfter = async (sizes: readonly number[], maxSegments: number) => {
    const fixture = await ShardFixture.open(new MemoryDirectory())
    for (const [batch, size] of sizes.entries()) {
      for (let i = 0; i < size; i++) fixture.index(`${batch}-${i}`, { n: i })
      await fixture.shard.refresh()
    }
    await fixture.shard.forceMerge({ maxSegments, onlyExpungeDeletes: false })
    const batches = [...fixture.visible().keys()].map((id) => Number.parseInt(id, 10))
    await fixture.shard.close()
    return batches.filter((batch, i) => batch !== batches[i - 1])
  }
  assert.deepEqual(await batchesAfter([3, 4], 1), [0, 1])
  assert.deepEqual(await batchesAfter([3, 9, 5, 7, 2], 1), [4, 0, 3, 1, 2])
  assert.deepEqual(await batchesAfter([2, 9, 8, 3, 4, 1, 7], 3), [0, 6, 5, 3, 4, 1, 2])
  assert.deepEqual(await batchesAfter([3, 9, 5, 7, 2, 4, 8, 1, 6, 10, 12], 5), [9, 1, 6, 3, 8, 2, 5, 0, 4, 7, 10])
})

// Goal: Elasticsearch accepts any number; below one its policy decides, which finds nothing to do for a few segments.
test('a forced merge to less than one segment leaves the choice to the policy', async () => {
  const fixture = await ShardFixture.open(new MemoryDirectory())
  const { shard } = fixture
  for (let i = 0; i < 3; i++) {
    fixture.index(`${i}`, { n: i })
    await shard.refresh()
  }
  for (const maxSegments of [0, -1, -7]) {
    await shard.forceMerge({ maxSegments, onlyExpungeDeletes: false })
    assert.equal(shard.stats().segmentCount, 3)
  }
  await shard.close()
})

// Goal: deleted documents affect scores and keep their numbers as long as in Elasticsearch: until their operations are
// committed and the retention lease, renewed every 30 seconds, has moved on. Recorded there.
test('merges keep deleted documents whose operations are uncommitted or younger than the retention lease', async () => {
  let nowMs = 0
  const fixture = await ShardFixture.open(new MemoryDirectory(), { nowMs: () => nowMs })
  const { shard } = fixture
  const counts = () => [shard.stats().docs, shard.stats().deleted, shard.stats().segmentCount]
  const merge = (options = {}) => shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false, ...options })
  const expunge = () => merge({ onlyExpungeDeletes: true })
  for (const id of ['a', 'b', 'c']) fixture.index(id, { n: 1, c: [{ n: 2 }] })
  await shard.refresh()
  fixture.index('b', { n: 2 })
  fixture.delete('c')
  await expunge()
  assert.deepEqual(counts(), [3, 5, 2], 'nothing to expunge: b and c with a nested document each, and the delete')
  await merge()
  assert.deepEqual(counts(), [3, 5, 1])
  await merge()
  assert.deepEqual(counts(), [3, 5, 1], 'committed, but the lease is older')
  nowMs += 30_000
  fixture.index('b', { n: 3 })
  fixture.index('b', { n: 4 })
  await merge({ flush: false })
  assert.deepEqual(counts(), [3, 1, 1], 'the last but one b came after the last commit')
  nowMs += 30_000
  await merge()
  assert.deepEqual(counts(), [3, 1, 1], 'it is committed by this merge only')
  await expunge()
  assert.deepEqual(counts(), [3, 0, 1])
  assert.deepEqual(
    [fixture.source('a'), fixture.source('b'), fixture.source('c')],
    [{ n: 1, c: [{ n: 2 }] }, { n: 4 }, undefined],
  )
  await shard.close()
})

// Goal: documents deleted before they are visible count too, and are removed when nothing of their segment is retained.
test('a segment without a live document stays until its operations need not be retained', async () => {
  let nowMs = 0
  const fixture = await ShardFixture.open(new MemoryDirectory(), { nowMs: () => nowMs })
  const { shard } = fixture
  const counts = () => [shard.stats().docs, shard.stats().deleted, shard.stats().segmentCount]
  fixture.index('a', { n: 1 })
  await shard.refresh()
  fixture.index('b', { n: 1 })
  fixture.delete('b')
  await shard.flush()
  assert.deepEqual(counts(), [1, 2, 2])
  nowMs += 30_000
  fixture.index('c', { n: 1 })
  await shard.refresh()
  assert.deepEqual(counts(), [2, 0, 2])
  await shard.close()
})

test('scheduled refreshes make changes visible, and requests can wait for them', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory(), { settings: { 'index.refresh_interval': '5ms' } })
  await shard.shard.waitForRefresh()
  shard.index('1', { n: 1 })
  assert.equal(shard.visible().size, 0)
  await shard.shard.waitForRefresh()
  assert.equal(shard.visible().size, 1)
  await shard.shard.close()
})

test('a search idle index is refreshed by the next search', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let nowMs = 0
  const settings = { 'index.search.idle.after': '1ms' }
  const shard = await ShardFixture.open(new MemoryDirectory(), { settings, nowMs: () => nowMs })
  nowMs = 100
  shard.index('1', { n: 1 })
  await shard.shard.sync()
  t.mock.timers.tick(1000)
  assert.equal(shard.visible().size, 0)
  assert.ok(shard.shard.noteSearch() !== undefined)
  assert.equal(shard.visible().size, 1)
  assert.equal(shard.shard.noteSearch(), undefined)
  await shard.shard.close()
})

test('a full buffer becomes a segment that searches do not see yet', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory(), { bufferBytesMax: 1 })
  for (let i = 0; i < 300; i++) shard.index(`${i}`, { n: i, k: `key ${i}` })
  assert.equal(shard.shard.segments().length, 1)
  assert.equal(shard.visible().size, 0)
  assert.deepEqual(shard.source('7'), { n: 7, k: 'key 7' })
  assert.equal(shard.index('7', {}).version, 2)
  await shard.shard.refresh()
  assert.equal(shard.visible().size, 300)
  await shard.shard.close()
})

test('a full disk answers 429, keeps acknowledged writes, leaves no trace of others, and recovers when there is room', async () => {
  const directory = new FaultyDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.sync()
  directory.bytesFree = 20
  shard.index('2', { n: 2 })
  const is429 = (error: ApiError) => error.status === 429 && error.type === 'cluster_block_exception'
  await assert.rejects(shard.shard.sync(), is429)
  assert.throws(() => shard.index('3', { n: 3 }), is429)
  await assert.rejects(shard.shard.flush(), is429)
  assert.deepEqual([shard.source('1'), shard.source('2'), shard.source('3')], [{ n: 1 }, undefined, undefined])
  directory.bytesFree = Number.POSITIVE_INFINITY
  shard.index('4', { n: 4 })
  await shard.shard.sync()
  const again = await ShardFixture.open(directory.powerCut('lost'))
  assert.deepEqual([...again.visible().keys()].sort(), ['1', '4'])
})

// Goal: a write that fails never happened. Method: an update, a delete and a new document fail with the disk, while the
// old documents are buffered, in a committed segment, or in an uncommitted one.
for (const before of ['buffered', 'refreshed', 'flushed'] as const) {
  for (const trouble of ['full', 'failing fsync'] as const) {
    test(`a write rejected by a disk (${trouble}) leaves no trace in a shard that was ${before}`, async () => {
      const directory = new FaultyDirectory()
      const shard = await ShardFixture.open(directory)
      for (const id of ['1', '2', '3']) shard.index(id, { n: 1, k: 'old' })
      shard.delete('3')
      await shard.shard.sync()
      if (before === 'refreshed') await shard.shard.refresh()
      if (before === 'flushed') await shard.shard.flush()
      const held = shard.shard.holdView()
      if (trouble === 'full') directory.bytesFree = 40
      else directory.failingSyncs = 1
      const { primaryTerm } = shard.index('1', { n: 2 })
      shard.delete('2')
      shard.index('3', { n: 2 })
      await Promise.all([assert.rejects(shard.shard.refresh()), assert.rejects(shard.shard.sync())])

      const old = { n: 1, k: 'old' }
      const sources = () => ['1', '2', '3'].map((id) => shard.source(id))
      assert.deepEqual(sources(), [old, old, undefined])
      const killed = await ShardFixture.open(directory.powerCut('kept'))
      assert.deepEqual(
        ['1', '2', '3'].map((id) => killed.source(id)),
        [old, old, undefined],
      )

      directory.bytesFree = Number.POSITIVE_INFINITY
      const next = shard.index('1', { n: 3 })
      assert.equal(next.version, 2)
      assert.ok(next.primaryTerm > primaryTerm)
      await shard.shard.sync()
      assert.ok(shard.shard.isSafe(next))
      assert.ok(!shard.shard.isSafe({ ...next, primaryTerm }))
      await shard.shard.refresh()
      assert.deepEqual([...shard.visible()].sort(), [
        ['1', 2],
        ['2', 1],
      ])
      held.release()
      await shard.shard.flush()
      // Segments are listed under Lucene's numbers, which begin at 0; files at 1.
      const segments = shard.shard.segments().map(({ generation }) => `seg-${generation + 1}`)
      await shard.shard.close()
      assert.deepEqual(
        directory.list().filter((name) => name.startsWith('seg-')),
        segments,
      )
      const again = await ShardFixture.open(directory.powerCut('lost'))
      assert.deepEqual([...again.visible()].sort(), [
        ['1', 2],
        ['2', 1],
      ])
    })
  }
}

test('a get waits for the sync of the write it would show, and does not show it if the disk fails', async () => {
  const directory = new FaultyDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.sync()
  const read = async (id: string) =>
    JSON.parse(String(Buffer.from((await shard.shard.getSafe(Buffer.from(id)))!.source!)))
  shard.index('1', { n: 2 })
  const [seen] = await Promise.all([read('1'), shard.shard.sync()])
  assert.deepEqual(seen, { n: 2 })
  directory.failingSyncs = 1
  shard.index('1', { n: 3 })
  const [notSeen] = await Promise.all([read('1'), assert.rejects(shard.shard.sync())])
  assert.deepEqual(notSeen, { n: 2 })
  await shard.shard.close()
})

test('a shard fails if rejected writes cannot be removed from its log', async () => {
  const directory = new FaultyDirectory()
  const reasons: string[] = []
  const shard = await ShardFixture.open(directory, { onFailure: (reason) => reasons.push(reason) })
  shard.index('1', { n: 1 })
  await shard.shard.sync()
  directory.failingSyncs = 2
  shard.index('2', { n: 2 })
  await assert.rejects(shard.shard.sync(), /cannot take rejected operations out of its log: EIO/)
  assert.throws(() => shard.index('3', {}), /shard has failed/)
  assert.match(reasons.join(), /EIO/)
  const again = await ShardFixture.open(directory.powerCut('kept'))
  assert.deepEqual([...again.visible().keys()], ['1'])
})

// Goal: a power failure may bring back the commit point before the newest one, as long as the name of the newest one is not
// durable, so the segments of both must exist. Method: a commit fails after its file was renamed, then a write fails.
test('a rollback to a commit point without a durable name keeps the segments of the one before it', async () => {
  const directory = new FaultyDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.flush()
  shard.index('2', { n: 2 })
  await shard.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false, flush: false })
  // The first sync of the folder is that of the merged segment.
  let syncs = 0
  const syncFolder = directory.syncFolder.bind(directory)
  directory.syncFolder = async () => {
    if (++syncs === 2) directory.failingFolderSyncs = 2
    await syncFolder()
  }
  await assert.rejects(shard.shard.flush(), /EIO/)
  assert.ok(directory.list().includes('commit-2'))
  directory.failingSyncs = 1
  shard.index('3', { n: 3 })
  await assert.rejects(shard.shard.sync(), /cannot be read again/)
  assert.ok(directory.list().includes('seg-1'), directory.list().join())
})

test('a shard closed for deletion rejects unsynced writes and does not count as failed', async () => {
  const reasons: string[] = []
  const shard = await ShardFixture.open(new FaultyDirectory(), { onFailure: (reason) => reasons.push(reason) })
  const kept = shard.index('1', { n: 1 })
  await shard.shard.sync()
  const lost = shard.index('2', { n: 2 })
  const refused = assert.rejects(shard.shard.sync(), { status: 503, message: /shard has failed: it is closed/ })
  await shard.shard.close({ commit: false })
  await refused
  assert.ok(shard.shard.isSafe(kept))
  assert.ok(!shard.shard.isSafe(lost))
  assert.ok(shard.shard.hasRolledBack(lost.primaryTerm))
  assert.match(shard.shard.rejection.message, /it is closed/)
  assert.deepEqual(reasons, [])
})

// Goal: another instance may open the folder as soon as `close` has resolved, so the old one must not read or delete
// files any more.
test('a shard whose last writes are rejected on close does not read its files again', async () => {
  const directory = new FaultyDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.flush()
  const lost = shard.index('2', { n: 2 })
  directory.bytesFree = 0
  const refused = assert.rejects(shard.shard.sync(), { status: 429 })
  await shard.shard.close()
  await refused
  directory.bytesFree = Number.POSITIVE_INFINITY
  const again = await ShardFixture.open(directory)
  again.index('3', { n: 3 })
  await again.shard.flush()
  const names = directory.list()
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(directory.list(), names)
  assert.ok(!shard.shard.isSafe(lost))
  assert.deepEqual([...again.visible().keys()].sort(), ['1', '3'])
})

test('a shard does not start without its commit point, its log, its synced length, or any of its files', async () => {
  const directory = new MemoryDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.flush()
  const flushed = directory.list()
  await assert.rejects(openWithout(flushed, /^commit-/), /the commit point commit-1 is missing/)
  await assert.rejects(openWithout(flushed, /^log.synced/), /the file log.synced is missing/)
  await assert.rejects(openWithout(flushed, /./), /the file log.synced is missing: the folder of the shard is empty/)
  shard.index('2', { n: 2 })
  await shard.shard.sync()
  await assert.rejects(openWithout(directory.list(), /^log-/), /log-2 is damaged at byte 0: the file is missing/)
  const whole = await openWithout(directory.list(), /^nothing/)
  assert.equal(whole.visible().size, 2)

  async function openWithout(names: readonly string[], gone: RegExp): Promise<ShardFixture> {
    const copy = new MemoryDirectory()
    for (const name of names) if (!gone.test(name)) copy.write(name, readWhole(directory, name))
    const left = copy.list()
    try {
      return await ShardFixture.open(copy, { expectsSyncedLength: true })
    } catch (error) {
      assert.deepEqual(copy.list(), left)
      throw error
    }
  }
})

test('a damaged log fails the start with file and position', async () => {
  const directory = new MemoryDirectory()
  const shard = await ShardFixture.open(directory)
  for (let i = 0; i < 3; i++) {
    shard.index(`${i}`, { n: i })
    await shard.shard.sync()
  }
  const file = directory.open('log-1')
  file.writeSync(new Uint8Array([255]), 0, 1, 70)
  await assert.rejects(ShardFixture.open(directory), /the log file log-1 is damaged at byte 56/)
})

test('an idle shard flushes itself', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const shard = await ShardFixture.open(new MemoryDirectory())
  shard.index('1', { n: 1 })
  await shard.shard.sync()
  t.mock.timers.tick(5 * 60_000)
  assert.equal(shard.shard.stats().uncommittedOperations, 1)
  t.mock.timers.tick(5 * 60_000)
  await shard.shard.flush()
  assert.deepEqual([shard.shard.stats().flushTotal, shard.shard.stats().uncommittedOperations], [1, 0])
  await shard.shard.close()
})

test('a start cleans up after a crash, and a failed start leaves everything', async () => {
  const directory = new MemoryDirectory()
  const shard = await ShardFixture.open(directory)
  shard.index('1', { n: 1 })
  await shard.shard.flush()
  shard.index('2', { n: 2 })
  await shard.shard.sync()
  shard.index('3', { n: 3 })
  await shard.shard.sync()
  const before = directory.list()
  for (const orphan of ['seg-9', 'commit-7.tmp']) directory.write(orphan, new Uint8Array(10))

  const logName = before.find((name) => name.startsWith('log-'))!
  const byte = new Uint8Array(1)
  directory.read(logName, 80, byte)
  const damage = directory.open(logName)
  damage.writeSync(
    byte.map((value) => value ^ 1),
    0,
    1,
    80,
  )
  await assert.rejects(ShardFixture.open(directory), /is damaged/)
  assert.deepEqual(directory.list(), [...before, 'seg-9', 'commit-7.tmp'].sort())

  damage.writeSync(byte, 0, 1, 80)
  const again = await ShardFixture.open(directory)
  assert.equal(again.visible().size, 3)
  assert.deepEqual(
    directory.list().filter((name) => name === 'seg-9' || name.endsWith('.tmp')),
    [],
  )
  assert.ok(!again.shard.segments().some(({ generation }) => generation === 8))
})

test('a document rejected by an analyzer leaves the shard and the older document unchanged', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory())
  const immense = { k: 'x', t: 'y'.repeat(40_000) }
  shard.index('1', { n: 1, t: 'fine' })
  const refused = /immense term in field="t" .* bytes can be at most 32766 in length; got 40000/
  assert.throws(() => shard.index('1', immense), refused)
  assert.throws(() => shard.index('2', { ...immense, c: [{ n: 1 }, { n: 2 }] }), refused)
  assert.deepEqual([shard.source('1'), shard.source('2')], [{ n: 1, t: 'fine' }, undefined])
  assert.equal(shard.index('3', { n: 3, c: [{ n: 1 }] }).seqNo, 1)
  await shard.shard.refresh()
  assert.deepEqual(
    shard.visible(),
    new Map([
      ['1', 1],
      ['3', 1],
    ]),
  )
  assert.throws(() => shard.index('1', immense), refused)
  await shard.shard.refresh()
  assert.deepEqual(shard.source('1'), { n: 1, t: 'fine' })
  await shard.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  assert.deepEqual(
    shard.visible(),
    new Map([
      ['1', 1],
      ['3', 1],
    ]),
  )
  assert.equal(shard.shard.stats().deleted, 0)
  await shard.shard.close()
})

test('_ignored lists the ignored fields before and after a refresh', async () => {
  const shard = await ShardFixture.open(new MemoryDirectory())
  shard.index('1', { ignored: ['b', 'a'] })
  shard.index('2', {})
  const ignored = () => [shard.get('1')!.ignored, shard.get('2')!.ignored]
  assert.deepEqual(ignored(), [['a', 'b'], []])
  await shard.shard.refresh()
  assert.deepEqual(ignored(), [['a', 'b'], []])
  shard.index('1', {})
  assert.deepEqual(ignored(), [[], []])
  await shard.shard.close()
})
