/**
 * Goal: wherever a crash tears the log, the shard opens, has every operation acknowledged before that byte was written,
 * and has no operation twice or out of order. Method: write a run with updates, deletes and a flush, record the synced
 * length of the log after each operation, then open the shard once for every possible length of the last log file.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../store/directory.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { ShardFixture, type TestDocument } from './shard-fixture.ts'

interface Acknowledged {
  readonly logBytes: number
  /** The file `log.synced` at that time. */
  readonly synced: Uint8Array
  readonly state: ReadonlyMap<string, TestDocument>
}

test('a shard whose log is torn at any byte recovers every acknowledged write', async () => {
  const directory = new MemoryDirectory()
  const { shard, acknowledged, logName } = await smallRun(directory)
  const log = readWhole(directory, logName)
  // The shard stays open and flushes when it has been idle for a minute.
  const left = copyOf(directory)
  for (let size = 0; size <= log.length; size++) {
    const torn = copyOf(left)
    torn.write(logName, log.subarray(0, size))
    // The newest record possible when the byte was written: a power failure may leave an older one.
    const { synced } = acknowledged.findLast(({ logBytes }) => logBytes <= size)!
    torn.write('log.synced', synced)
    const opened = await ShardFixture.open(torn)
    const operations = opened.shard.maxSeqNo
    const least = acknowledged.findLastIndex(({ logBytes }) => logBytes <= size)
    // The operation after the last acknowledged one may have been written as well.
    const found = acknowledged.findIndex((_, i) => operations === shard.maxSeqNo - acknowledged.length + 1 + i)
    assert.ok(found >= least && found <= least + 1, `cut at ${size}: operation ${operations}`)
    const { state } = acknowledged[found]!
    assert.deepEqual([...opened.visible().keys()].sort(), [...state.keys()].sort(), `cut at ${size}`)
    for (const [id, document] of state) assert.deepEqual(opened.source(id), document, `cut at ${size}`)

    // The shard continues from there, even after another start.
    assert.equal(opened.index('later', { n: 1 }).seqNo, operations + 1)
    await opened.shard.sync()
    const again = await ShardFixture.open(torn)
    assert.equal(again.visible().size, state.size + 1)
  }
})

async function smallRun(directory: MemoryDirectory) {
  const fixture = await ShardFixture.open(directory)
  const { shard } = fixture
  for (let i = 0; i < 4; i++) fixture.index(`${i}`, { n: i })
  await shard.flush()
  // The first write after the flush creates it.
  const logName = 'log-2'
  const state = new Map<string, TestDocument>([0, 1, 2, 3].map((n) => [`${n}`, { n }]))
  const acknowledged: Acknowledged[] = []
  const acknowledge = () =>
    acknowledged.push({
      logBytes: directory.size(logName) ?? 0,
      synced: readWhole(directory, 'log.synced'),
      state: new Map(state),
    })
  acknowledge()
  for (let i = 0; i < 8; i++) {
    const id = `${(i * 5) % 6}`
    if (i % 3 === 2) {
      fixture.delete(id)
      state.delete(id)
    } else {
      const document = { k: `key ${i}`, c: [{ n: i }] }
      fixture.index(id, document)
      state.set(id, document)
    }
    await shard.sync()
    acknowledge()
  }
  return { shard, acknowledged, logName }
}

function copyOf(directory: MemoryDirectory): MemoryDirectory {
  const copy = new MemoryDirectory()
  for (const name of directory.list()) copy.write(name, readWhole(directory, name))
  return copy
}
