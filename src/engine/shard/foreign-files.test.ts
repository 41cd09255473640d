import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../store/directory.ts'
import { MemoryDirectory } from '../store/memory-directory.ts'
import { ShardFixture } from './shard-fixture.ts'

/** Two shards whose files have the same names, sizes and numbers, and other contents. */
async function twins() {
  const own = await filled(0, 100)
  // The sizes of segments depend on the digits of their checksums.
  for (let salt = 100; ; salt++) {
    const other = await filled(1, salt)
    if (other.size('seg-1') === own.size('seg-1')) return [own, other] as const
  }
}

async function filled(i: number, salt: number): Promise<MemoryDirectory> {
  const directory = new MemoryDirectory()
  const fixture = await ShardFixture.open(directory, { label: label(i) })
  for (let n = 0; n < 6; n++) fixture.index(`${i}-${n}`, { k: `${i}${n}${salt}` })
  await fixture.shard.flush()
  for (let n = 6; n < 9; n++) fixture.index(`${i}-${n}`, { k: `${i}${n}${salt}` })
  await fixture.shard.sync()
  // Not closed: the last operations are in the log only.
  return directory
}

const label = (i: number) => ({ index: `twin-${i}`, indexUuid: `uuid-${i}`, shard: 0 })

function copyOf(from: MemoryDirectory): MemoryDirectory {
  const copy = new MemoryDirectory()
  for (const name of from.list()) copy.write(name, readWhole(from, name))
  return copy
}

test('a shard opens with its own files', async () => {
  for (const [i, directory] of (await twins()).entries()) {
    const fixture = await ShardFixture.open(copyOf(directory), { label: label(i), expectsSyncedLength: true })
    await fixture.shard.refresh()
    assert.deepEqual([...fixture.visible().keys()].sort()[0], `${i}-0`)
    assert.equal(fixture.visible().size, 9)
  }
})

for (const [pattern, problem] of [
  [/^seg-/, /segment \[seg-1\]: the file is that of another segment/],
  [/^log-/, /log-\d+ is damaged at byte 12: the file belongs to another shard/],
  [/^commit-/, /the commit point commit-1 belongs to another shard/],
  [/^log\.synced$/, /log\.synced belongs to another shard/],
] as const) {
  test(`a file ${pattern} of another shard is reported, and its documents do not appear`, async () => {
    const [own, other] = await twins()
    const names = own.list().filter((name) => pattern.test(name))
    assert.ok(names.length > 0)
    const mixed = copyOf(own)
    for (const name of names) mixed.write(name, readWhole(other, name))
    await assert.rejects(ShardFixture.open(mixed, { label: label(0), expectsSyncedLength: true }), problem)
  })
}

test('a segment with bytes behind its end is reported', async () => {
  const [own] = await twins()
  const longer = copyOf(own)
  longer.write('seg-1', Buffer.concat([readWhole(own, 'seg-1'), readWhole(own, 'seg-1')]))
  await assert.rejects(ShardFixture.open(longer, { label: label(0) }), /seg-1\]: it has \d+ bytes instead of \d+/)
})

test('the kept view of another shard is reported and not shown, although the segments have the same names', async () => {
  const directories: MemoryDirectory[] = []
  for (const i of [0, 1]) {
    const directory = new MemoryDirectory()
    const fixture = await ShardFixture.open(directory, { label: label(i) })
    for (let n = 0; n < 4; n++) fixture.index(`${i}-${n}`, { k: `${i}` })
    await fixture.shard.refresh()
    if (i === 1) fixture.delete('1-0')
    await fixture.shard.flush()
    const view = fixture.shard.holdView()
    assert.equal(await fixture.shard.keepView(view.generation), 'view-1')
    view.release()
    await assert.rejects(fixture.shard.keepView(view.generation + 1), { type: 'search_context_missing_exception' })
    directories.push(directory)
  }
  const mixed = copyOf(directories[0]!)
  mixed.write('view-1', readWhole(directories[1]!, 'view-1'))
  const after = await ShardFixture.open(mixed, { label: label(0) })
  assert.throws(() => after.shard.reopenView('view-1'), /the kept view view-1 is that of another shard/)
})

test('the file of another kept view is reported and not shown', async () => {
  const directory = new MemoryDirectory()
  const before = await ShardFixture.open(directory)
  const names: string[] = []
  for (const id of ['a', 'b']) {
    before.index(id, { n: 1 })
    await before.shard.refresh()
    const view = before.shard.holdView()
    names.push(await before.shard.keepView(view.generation))
    view.release()
  }
  const swapped = copyOf(directory)
  swapped.write(names[0]!, readWhole(directory, names[1]!))
  const after = await ShardFixture.open(swapped)
  assert.throws(() => after.shard.reopenView(names[0]!), /the kept view view-1 is damaged/)
  after.shard.reopenView(names[1]!).release()
})
