import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MemoryDirectory } from '../../store/memory-directory.ts'
import type { Shard } from '../shard.ts'
import { ShardFixture } from '../shard-fixture.ts'
import { LEASES_FILE } from './history-leases.ts'

const MINUTE_MS = 60_000

/** The operations from `from` on: `+id@seqNo` for a document, `-id@seqNo` for a delete. */
async function read(shard: Shard, from: number, size = 1000): Promise<string[]> {
  const operations: string[] = []
  await shard.readHistory(from, ({ op, idBytes, seqNo }) => {
    if (operations.length === size) return false
    operations.push(`${op === 1 ? '+' : '-'}${Buffer.from(idBytes).toString()}@${seqNo}`)
    return true
  })
  return operations
}

const historyFiles = (directory: MemoryDirectory) => directory.list().filter((name) => name.startsWith('history-'))

async function writeAndFlush(fixture: ShardFixture, ...ids: string[]): Promise<void> {
  for (const id of ids) fixture.index(id, { n: 1 })
  await fixture.shard.sync()
  await fixture.shard.flush()
}

test('a leased shard returns all operations in order after flushes, merges and deletes', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  await writeAndFlush(fixture, 'before')
  const { fromSeqNo } = await fixture.shard.leaseHistory('copy', undefined, MINUTE_MS)
  assert.equal(fromSeqNo, 1)
  await writeAndFlush(fixture, 'a', 'b')
  fixture.delete('a')
  await writeAndFlush(fixture, 'b')
  await fixture.shard.forceMerge({ maxSegments: 1, onlyExpungeDeletes: false })
  fixture.index('c', { n: 2 }, { routing: 'r' })
  await fixture.shard.sync()
  assert.deepEqual(await read(fixture.shard, fromSeqNo), ['+a@1', '+b@2', '-a@3', '+b@4', '+c@5'])
  assert.deepEqual(await read(fixture.shard, 2, 2), ['+b@2', '-a@3'])
  assert.deepEqual(await read(fixture.shard, 4, 1), ['+b@4'])
  assert.deepEqual(await read(fixture.shard, 6), [])
  await fixture.shard.close()
})

test('a shard without a lease keeps no trimmed operations and rejects reading them', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  await writeAndFlush(fixture, 'a')
  await writeAndFlush(fixture, 'b')
  assert.deepEqual(historyFiles(directory), [])
  await assert.rejects(read(fixture.shard, 0), /operation \[0\] of \[test\]\[0\] is not kept/)
  await assert.rejects(read(fixture.shard, 9), /operation \[9\] of \[test\]\[0\] is not kept/)
  assert.deepEqual(await read(fixture.shard, 2), [])
  await fixture.shard.close()
})

test('a lease survives a restart, and its history too', async () => {
  const directory = new MemoryDirectory()
  const first = await ShardFixture.open(directory)
  await first.shard.leaseHistory('copy', undefined, MINUTE_MS)
  await writeAndFlush(first, 'a')
  first.delete('a')
  await first.shard.sync()
  await first.shard.close()
  const second = await ShardFixture.open(directory)
  await writeAndFlush(second, 'b')
  assert.deepEqual(await read(second.shard, 0), ['+a@0', '-a@1', '+b@2'])
  await second.shard.close()
})

test('an expired or released lease lets go of its history', async () => {
  let nowMs = 1_000_000
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory, { nowMs: () => nowMs })
  await fixture.shard.leaseHistory('short', undefined, MINUTE_MS)
  await fixture.shard.leaseHistory('long', undefined, 10 * MINUTE_MS)
  await writeAndFlush(fixture, 'a')
  assert.equal(historyFiles(directory).length, 1)
  nowMs += 2 * MINUTE_MS
  await writeAndFlush(fixture, 'b')
  assert.deepEqual(await read(fixture.shard, 0), ['+a@0', '+b@1'])
  assert.equal(await fixture.shard.releaseHistory('short'), false)
  assert.equal(await fixture.shard.releaseHistory('long'), true)
  assert.deepEqual(historyFiles(directory), [])
  await fixture.shard.close()
})

test('a renewed lease moves forward and frees what lies before it', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  await fixture.shard.leaseHistory('copy', undefined, MINUTE_MS)
  await writeAndFlush(fixture, 'a')
  await writeAndFlush(fixture, 'b')
  await fixture.shard.leaseHistory('copy', 1, MINUTE_MS)
  assert.equal(historyFiles(directory).length, 1)
  await assert.rejects(read(fixture.shard, 0), /is not kept/)
  assert.deepEqual(await read(fixture.shard, 1), ['+b@1'])
  await fixture.shard.close()
})

test('a damaged file of leases keeps the history until a lease is taken', async () => {
  const directory = new MemoryDirectory()
  const first = await ShardFixture.open(directory)
  await first.shard.leaseHistory('copy', undefined, MINUTE_MS)
  await writeAndFlush(first, 'a')
  await first.shard.close()
  const bytes = new Uint8Array(directory.size(LEASES_FILE)!)
  directory.read(LEASES_FILE, 0, bytes)
  bytes[bytes.length - 2]! ^= 1
  directory.write(LEASES_FILE, bytes)
  const second = await ShardFixture.open(directory)
  await writeAndFlush(second, 'b')
  assert.deepEqual(await read(second.shard, 0), ['+a@0', '+b@1'])
  await second.shard.leaseHistory('other', 2, MINUTE_MS)
  assert.deepEqual(historyFiles(directory), [])
  await second.shard.close()
})

test('a lease with asynchronous durability has operations that a flush committed before they were logged', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory, {
    settings: { 'index.refresh_interval': '-1', 'index.translog.durability': 'async' },
  })
  await fixture.shard.leaseHistory('copy', undefined, MINUTE_MS)
  fixture.index('a', { n: 1 })
  await fixture.shard.flush()
  fixture.index('b', { n: 1 })
  assert.deepEqual(await read(fixture.shard, 0), ['+a@0', '+b@1'])
  await fixture.shard.close()
})

test('a damaged number in a kept generation deletes nothing, and is reported', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  await fixture.shard.leaseHistory('copy', undefined, MINUTE_MS)
  for (const id of ['a', 'b', 'c']) await writeAndFlush(fixture, id)
  await fixture.shard.leaseHistory('copy', 1, MINUTE_MS)
  await fixture.shard.close()
  const kept = historyFiles(directory)
  assert.equal(kept.length, 2)
  // The number of the second one's operation: 1 instead of 2 would make the first one look unneeded.
  const bytes = new Uint8Array(directory.size(kept[1]!)!)
  directory.read(kept[1]!, 0, bytes)
  bytes[72]! ^= 3
  directory.write(kept[1]!, bytes)
  const again = await ShardFixture.open(directory)
  assert.deepEqual(historyFiles(directory).slice(0, 2), kept)
  await writeAndFlush(again, 'd')
  assert.deepEqual(historyFiles(directory).slice(0, 2), kept)
  await assert.rejects(read(again.shard, 1), /history-\d+ is damaged at byte 56/)
  await again.shard.close()
})

test('damage in a kept generation is reported with its position and not skipped', async () => {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory)
  await fixture.shard.leaseHistory('copy', undefined, MINUTE_MS)
  await writeAndFlush(fixture, 'a')
  const [name] = historyFiles(directory)
  const bytes = new Uint8Array(directory.size(name!)!)
  directory.read(name!, 0, bytes)
  bytes[bytes.length - 2]! ^= 1
  directory.write(name!, bytes)
  await assert.rejects(read(fixture.shard, 0), /history-1 is damaged at byte 56/)
  await fixture.shard.close()
})
