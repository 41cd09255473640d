/** A shard on a full disk: starts, kills and returning space, in every order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Log } from '../../base/log.ts'
import { FaultyDirectory } from '../store/faulty-directory.ts'
import { DiskRoom } from './refresh/disk-room.ts'
import { ShardFixture } from './shard-fixture.ts'

/** A log that collects its messages. */
function collected(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const note = (message: string) => void lines.push(message)
  return { log: { error: note, warn: note, info: note, debug: note }, lines }
}

const DOCS = 40

/** A shard with a commit of the first half of its documents, and a log of the second. */
async function filled(): Promise<{ directory: FaultyDirectory; fixture: ShardFixture }> {
  const directory = new FaultyDirectory()
  const fixture = await ShardFixture.open(directory)
  for (let i = 0; i < DOCS; i++) {
    fixture.index(`${i}`, { n: i, k: `k${i}` })
    if (i === DOCS / 2 - 1) await fixture.shard.flush()
  }
  await fixture.shard.sync()
  return { directory, fixture }
}

const idsFound = ({ shard }: ShardFixture) =>
  Array.from({ length: DOCS }, (_, i) => `${i}`).filter((id) => shard.get(Buffer.from(id), true) !== undefined)

type Step = 'full' | 'restart' | 'kill' | 'space'
const ORDERS: readonly Step[][] = [
  ['full', 'kill', 'space'],
  ['full', 'restart', 'space'],
  ['full', 'kill', 'restart', 'space'],
  ['full', 'restart', 'kill', 'kill', 'space', 'restart'],
  ['kill', 'full', 'kill', 'space', 'full', 'restart', 'space', 'kill'],
  ['full', 'space', 'full', 'kill', 'space'],
]

for (const order of ORDERS) {
  test(`a shard keeps every document through ${order.join(', ')}, and takes writes when there is space`, async () => {
    let { directory, fixture } = await filled()
    const options = { log: collected().log }
    for (const step of order) {
      if (step === 'full') directory.bytesFree = 0
      if (step === 'space') directory.bytesFree = Number.POSITIVE_INFINITY
      if (step === 'restart' || step === 'kill') {
        await fixture.shard.close({ commit: step === 'restart' })
        const free = directory.bytesFree
        if (step === 'kill') directory = directory.powerCut('lost')
        directory.bytesFree = free
        fixture = await ShardFixture.open(directory, options)
      }
      assert.equal(idsFound(fixture).length, DOCS, step)
      assert.ok(fixture.shard.view.liveRoots >= DOCS / 2, step)
      if (directory.bytesFree > 0) continue
      await assert.rejects(
        async () => {
          fixture.index('new', { n: -1 })
          await fixture.shard.sync()
        },
        { status: 429 },
      )
      assert.equal(fixture.shard.get(Buffer.from('new'), true), undefined)
    }
    fixture.index('new', { n: -1 })
    await fixture.shard.sync()
    await fixture.shard.refresh()
    assert.equal(fixture.shard.view.liveRoots, DOCS + 1)
    await fixture.shard.close()
  })
}

test('a full disk is reported once, and its end too', async () => {
  const { directory, fixture } = await filled()
  await fixture.shard.close({ commit: false })
  const { log, lines } = collected()
  const found = directory.powerCut('lost')
  found.bytesFree = 0
  const { shard } = await ShardFixture.open(found, { log })
  for (let i = 0; i < 3; i++) await assert.rejects(shard.refresh(), { status: 429 })
  assert.deepEqual(lines, ['the disk is full: writes are refused, and new documents are not searchable'])
  found.bytesFree = Number.POSITIVE_INFINITY
  await shard.refresh()
  assert.equal(lines.at(-1), 'the disk has room again')
  assert.equal(lines.length, 2)
  await shard.close()
})

test('no segment is built for a disk without room for it, and background work waits for longer and longer', () => {
  let nowMs = 0
  let freeBytes: number | undefined = 100
  const directory = Object.assign(new FaultyDirectory(), { freeBytes: () => freeBytes })
  const room = new DiskRoom(directory, collected().log, () => nowMs)
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' })
  assert.equal(room.isShort(1_000_000), false)
  room.failed(full)
  assert.throws(() => room.assertRoom(1_000_000), full)
  nowMs = 100_000
  assert.ok(room.isShort(1_000_000))
  freeBytes = 10_000_000
  room.assertRoom(1_000_000)
  assert.equal(room.isShort(1_000_000), false)
  // A quota: there seems to be space.
  const pauses = [1, 2, 3, 4].map(() => {
    room.failed(full)
    const from = nowMs
    while (room.isShort(0)) nowMs += 500
    return nowMs - from
  })
  assert.deepEqual(pauses, [2000, 4000, 8000, 16_000])
  room.failed(Object.assign(new Error('EIO'), { code: 'EIO' }))
  assert.equal(room.isShort(0), false)
  room.succeeded()
})
