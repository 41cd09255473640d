import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import fc from 'fast-check'
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Disk, type DiskFile, systemDisk } from '../../base/disk/disk.ts'
import { type Log, silentLog } from '../../base/log.ts'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { PersistedQueue, type PersistedQueueSettings } from './persisted-queue.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-queue-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function settings(changes: Partial<PersistedQueueSettings> = {}): PersistedQueueSettings {
  return {
    folder,
    pageBytes: 1000,
    bytesMax: 1_000_000,
    eventsMax: 0,
    checkpointWrites: 10,
    checkpointAcks: 1,
    checkpointIntervalMs: 10_000,
    drains: false,
    memoryCountMax: 5,
    log: silentLog,
    ...changes,
  }
}

function open(changes: Partial<PersistedQueueSettings> = {}): PersistedQueue {
  return new PersistedQueue(settings(changes))
}

function events(from: number, count: number): Event[] {
  return Array.from({ length: count }, (_, i) => Event.ofMessage(`m${from + i}`, new Timestamp(1000)))
}

async function takeAll(queue: PersistedQueue, count: number): Promise<string[]> {
  const messages: string[] = []
  while (messages.length < count) {
    const batch = (await queue.take(Math.min(4, count - messages.length), 0))!
    messages.push(...batch.events.map((event) => String(event.get('message'))))
    batch.acknowledge()
  }
  return messages
}

/** A short pause in place of a second. */
const soon = () => new Promise<void>((resolve) => setTimeout(resolve, 1))

const numbered = (from: number, count: number) => Array.from({ length: count }, (_, i) => `m${from + i}`)

// Goal: order is kept and nothing is lost when workers fall behind the memory limit. Method: many more events than
// memory and pages hold, taken in small batches.
test('events beyond the memory limit are read back from the pages in order', async () => {
  const queue = open()
  for (let i = 0; i < 100; i += 7) queue.push(events(i, Math.min(7, 100 - i)))
  assert.deepEqual(await takeAll(queue, 100), numbered(0, 100))
  assert.equal(queue.count, 0)
  await queue.release()
})

// Goal: unacknowledged events are delivered after a crash, acknowledged ones are not. Method: abandon a queue without
// releasing it, as a killed process does, and reopen its folder.
test('a restart delivers the unacknowledged events', async () => {
  const killed = open()
  killed.push(events(0, 50))
  await takeAll(killed, 20)
  await killed.take(4, 0)
  const next = open()
  assert.equal(next.count, 30)
  next.push(events(50, 5))
  assert.deepEqual(await takeAll(next, 35), numbered(20, 35))
  await next.release()
  const last = open()
  assert.equal(last.count, 0)
  await last.release()
})

test('batches acknowledged out of order advance the checkpoint only without gaps', async () => {
  const queue = open()
  queue.push(events(0, 12))
  const [first, second, third] = [await queue.take(4, 0), await queue.take(4, 0), await queue.take(4, 0)]
  third!.acknowledge()
  first!.acknowledge()
  assert.equal(queue.count, 8)
  second!.acknowledge()
  assert.equal(queue.count, 0)
  await queue.release()
})

test('a partial record ends its page', async () => {
  const killed = open()
  killed.push(events(0, 3))
  const [page] = readdirSync(folder).filter((name) => name.startsWith('page.'))
  appendFileSync(join(folder, page!), Buffer.from([0, 0, 1, 0, 1, 2, 3]))
  const next = open()
  next.push(events(3, 2))
  assert.deepEqual(await takeAll(next, 5), numbered(0, 5))
  await next.release()
})

test('a page is removed when all its events are acknowledged', async () => {
  const queue = open({ pageBytes: 200 })
  for (let i = 0; i < 40; i++) queue.push(events(i, 1))
  const pagesBefore = readdirSync(folder).length
  await takeAll(queue, 40)
  assert.ok(readdirSync(folder).length < pagesBefore / 4)
  await queue.release()
})

test('a full queue blocks the input until there is room', async () => {
  const queue = open({ pageBytes: 400, bytesMax: 400 })
  let waiting: Promise<void> | undefined
  let count = 0
  while (waiting === undefined) waiting = queue.push(events(count++, 1))
  let isOver = false
  void waiting.then(() => {
    isOver = true
  })
  await takeAll(queue, count - 1)
  assert.equal(isOver, false)
  await takeAll(queue, 1)
  await waiting
  await queue.release()
})

test('inputs are notified after a sync, before the outputs have written the events', async () => {
  const queue = open({ checkpointWrites: 2 })
  await new Promise<void>((resolve) => queue.push(events(0, 2), resolve))
  assert.equal(queue.count, 2)
  await queue.release()
})

test('after stop the rest stays on disk, unless the queue is drained', async () => {
  const stays = open()
  stays.push(events(0, 10))
  stays.stop()
  stays.close()
  assert.equal(await stays.take(4, 0), undefined)
  await stays.release()
  const drains = open({ drains: true })
  drains.stop()
  drains.close()
  assert.deepEqual(await takeAll(drains, 10), numbered(0, 10))
  assert.equal(await drains.take(4, 0), undefined)
  await drains.release()
})

// Goal: wherever a crash truncates the last page, the records before survive and no others appear. Method: truncate the
// page at every kind of place and open it.
test('a truncated page yields a prefix of the written records', async () => {
  await fc.assert(
    fc.asyncProperty(fc.double({ min: 0, max: 1, noNaN: true }), async (where) => {
      const own = mkdtempSync(join(folder, 'cut-'))
      const killed = open({ folder: own, pageBytes: 100_000 })
      killed.push(events(0, 20))
      const page = join(own, 'page.1')
      truncateSync(page, Math.floor(statSync(page).size * where))
      const next = open({ folder: own })
      const messages = await takeAll(next, next.count)
      assert.deepEqual(messages, numbered(0, messages.length))
      await next.release()
    }),
    { numRuns: 30 },
  )
})

/** Changes some bytes of a page in a folder. */
function damage(name: string, at: (bytes: Buffer) => number): void {
  const bytes = readFileSync(join(folder, name))
  bytes[at(bytes)]! ^= 0x01
  writeFileSync(join(folder, name), bytes)
}

async function leave(count: number): Promise<void> {
  const queue = open({ pageBytes: 2000, memoryCountMax: 0 })
  queue.push(events(0, count))
  queue.close()
  await queue.release()
}

// Goal: damage loses only the record it hits, and the damaged page can still be inspected.
test('a page damaged in the middle is set aside, and its other events are delivered', async () => {
  await leave(10)
  damage('page.1', (bytes) => bytes.indexOf('m4'))
  const queue = open()
  const messages = await takeAll(queue, 9)
  assert.deepEqual(
    messages.sort(),
    numbered(0, 10).filter((message) => message !== 'm4'),
  )
  assert.ok(existsSync(join(folder, 'page.1.damaged')))
  await queue.release()
})

test('a page with a damaged header is set aside, and its events are delivered', async () => {
  await leave(10)
  damage('page.1', () => 6)
  const queue = open()
  assert.deepEqual((await takeAll(queue, 10)).sort(), numbered(0, 10))
  assert.ok(existsSync(join(folder, 'page.1.damaged')))
  await queue.release()
})

test('a page with a damaged last record stays on disk after the others were delivered', async () => {
  await leave(10)
  damage('page.1', (bytes) => bytes.length - 3)
  const queue = open()
  assert.deepEqual(await takeAll(queue, 9), numbered(0, 9))
  queue.push(events(20, 30))
  await takeAll(queue, 30)
  await queue.release()
  assert.ok(readdirSync(folder).some((name) => name === 'page.1.damaged' || name === 'page.1'))
})

/** A log that keeps what was reported. */
function recordingLog(): { log: Log; errors: string[] } {
  const errors: string[] = []
  return { log: { ...silentLog, error: (message) => errors.push(message) }, errors }
}

/** Leaves 100 events in several pages. */
async function leavePages(): Promise<void> {
  const queue = open({ pageBytes: 2000, memoryCountMax: 0 })
  for (let i = 0; i < 100; i += 10) queue.push(events(i, 10))
  queue.close()
  await queue.release()
}

const pageNames = () =>
  readdirSync(folder)
    .filter((name) => /^page\.\d+$/.test(name))
    .sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)))

test('pages whose names were swapped deliver all their events', async () => {
  await leavePages()
  const [one, two] = pageNames().map((name) => join(folder, name))
  const content = readFileSync(one!)
  writeFileSync(one!, readFileSync(two!))
  writeFileSync(two!, content)
  const queue = open()
  assert.deepEqual((await takeAll(queue, 100)).sort(), numbered(0, 100).sort())
  await queue.release()
})

test('a page that was removed is reported with the numbers of its events', async () => {
  await leavePages()
  const pages = pageNames()
  assert.ok(pages.length > 2)
  rmSync(join(folder, pages[1]!))
  const { log, errors } = recordingLog()
  const queue = open({ log })
  assert.match(errors.join(), /\d+ events of the queue in .* are missing \(numbers \d+ to \d+\)/)
  await queue.release()
})

test('events that were synced and are cut off the last page are reported', async () => {
  await leave(10)
  const [page] = pageNames()
  const path = join(folder, page!)
  const bytes = readFileSync(path)
  // Exactly after a record, as if the page had never been longer.
  truncateSync(path, bytes.lastIndexOf('{"fields"') - 8)
  const { log, errors } = recordingLog()
  const queue = open({ log })
  assert.match(errors.join(), /1 events of the queue in .* are missing \(numbers 9 to 9\)/)
  assert.deepEqual(await takeAll(queue, 9), numbered(0, 9))
  await queue.release()
})

test('the checkpoint of another queue is not believed', async () => {
  await leave(10)
  const other = mkdtempSync(join(folder, 'other-'))
  const ahead = open({ folder: other })
  ahead.push(events(0, 50))
  await takeAll(ahead, 50)
  await ahead.release()
  writeFileSync(join(folder, 'checkpoint'), readFileSync(join(other, 'checkpoint')))
  const queue = open()
  assert.deepEqual(await takeAll(queue, 10), numbered(0, 10))
  await queue.release()
})

test('the checkpoint of an earlier version is read', async () => {
  await leave(10)
  writeFileSync(join(folder, 'checkpoint'), `4 ${crc32(Buffer.from('4'))}\n`)
  const { log, errors } = recordingLog()
  const queue = open({ log })
  assert.deepEqual(await takeAll(queue, 6), numbered(4, 6))
  assert.deepEqual(errors, [])
  await queue.release()
})

test('no loss is reported after a kill at any moment, nor after damage that was set aside', async () => {
  const { log, errors } = recordingLog()
  let next = 0
  for (let run = 0; run < 6; run++) {
    const killed = open({ log, pageBytes: 300, checkpointAcks: 7 })
    killed.push(events(next, 20))
    next += 20
    await takeAll(killed, 3 + run * 3)
    const [first] = pageNames()
    if (run === 3) damage(first!, () => 40)
  }
  assert.deepEqual(
    errors.filter((error) => / are missing /.test(error)),
    [],
  )
})

for (const code of ['EIO', 'EMFILE']) {
  test(`${code} while opening pages is retried and deletes nothing`, async () => {
    await leave(10)
    let failures = 2
    const disk: Disk = {
      ...systemDisk,
      open(path, mode) {
        if (mode === 'read' && path.includes('page.') && failures-- > 0) throw Object.assign(new Error(code), { code })
        return systemDisk.open(path, mode)
      },
    }
    const queue = await PersistedQueue.open({ ...settings(), disk, pause: soon })
    assert.deepEqual(await takeAll(queue, 10), numbered(0, 10))
    await queue.release()
  })

  test(`persistent ${code} rejects the queue and keeps its pages`, async () => {
    await leave(10)
    const disk: Disk = {
      ...systemDisk,
      open(path, mode) {
        if (path.includes('page.')) throw Object.assign(new Error(code), { code })
        return systemDisk.open(path, mode)
      },
    }
    await assert.rejects(PersistedQueue.open({ ...settings(), disk, pause: soon }), /cannot be read/)
    const queue = open()
    assert.deepEqual(await takeAll(queue, 10), numbered(0, 10))
    await queue.release()
  })
}

// Goal: after a failed sync the system may have dropped unsynced data, so a second sync must not be trusted.
test('records whose sync failed are written to a new page before they count as safe', async () => {
  let failures = 1
  const disk: Disk = {
    ...systemDisk,
    open(path, mode) {
      const file = systemDisk.open(path, mode)
      const syncLater = async () => {
        if (failures-- > 0) throw Object.assign(new Error('EIO'), { code: 'EIO' })
        await file.syncLater()
      }
      return new Proxy(file, {
        get: (_, name: keyof DiskFile) => (name === 'syncLater' ? syncLater : file[name].bind(file)),
      })
    },
  }
  const queue = open({ disk, pause: soon, memoryCountMax: 0 })
  await new Promise<void>((resolve) => queue.push(events(0, 5), resolve))
  const pages = readdirSync(folder).filter((name) => name.startsWith('page.'))
  assert.deepEqual(pages.sort(), ['page.1', 'page.2'])
  assert.match(readFileSync(join(folder, 'page.2'), 'latin1'), /m0[\s\S]*m4/)
  assert.deepEqual(await takeAll(queue, 5), numbered(0, 5))
  await queue.release()
})

/** A disk on which syncs of page files end when `settle` is called, the oldest one first, with success or an error. */
function stallingDisk() {
  const waiting: ((error: Error | undefined) => void)[] = []
  const disk: Disk = {
    ...systemDisk,
    open(path, mode) {
      const file = systemDisk.open(path, mode)
      if (!path.includes('page.')) return file
      const syncLater = async () => {
        await file.syncLater()
        const error = await new Promise<Error | undefined>((resolve) => waiting.push(resolve))
        if (error !== undefined) throw error
      }
      return new Proxy(file, {
        get: (_, name: keyof DiskFile) => (name === 'syncLater' ? syncLater : file[name].bind(file)),
      })
    },
  }
  const settle = async (error?: Error) => {
    while (waiting.length === 0) await soon()
    waiting.shift()!(error)
    await soon()
  }
  return { disk, settle }
}

// Goal: the sync of a full page may fail after the writer moved to the next page, and the failure is still reported.
for (const outcome of ['fails', 'succeeds']) {
  test(`records of a page that is left while its sync runs are safe with the next page when that sync ${outcome}`, async () => {
    const { disk, settle } = stallingDisk()
    const queue = open({ disk, pause: soon, memoryCountMax: 0, checkpointWrites: 1000 })
    let safe = 0
    queue.push(events(0, 20), () => (safe += 20))
    await soon()
    // The page has reached its size: these begin the next one.
    queue.push(events(20, 5))
    await settle(outcome === 'fails' ? Object.assign(new Error('EIO'), { code: 'EIO' }) : undefined)
    assert.equal(safe, 0, 'the next page is not synced yet')
    assert.match(readFileSync(join(folder, 'page.2'), 'latin1'), /m0[\s\S]*m24/)
    await settle()
    while (safe === 0) await soon()
    assert.deepEqual(await takeAll(queue, 25), numbered(0, 25))
    await queue.release()
  })
}

// Goal: records that two pages hold are not lost when a power cut takes those of the later page.
test('a page keeps the records that were copied to the next page when that page lost them', async () => {
  await leave(10)
  const [page] = readdirSync(folder).filter((name) => name.startsWith('page.'))
  // The header of a page that begins with record 0, and nothing of its records.
  const header = readFileSync(join(folder, page!)).subarray(0, 16)
  writeFileSync(join(folder, 'page.99'), header)
  const queue = open()
  assert.equal(queue.count, 10)
  assert.deepEqual(await takeAll(queue, 10), numbered(0, 10))
  await queue.release()
})

// Goal: a reader that failed while it skipped delivered records does not continue in the middle of them.
test('a read error while delivered records are passed over leaves none of the others out', async () => {
  await leave(10)
  const before = open()
  await takeAll(before, 4)
  await before.release()
  let failing = false
  const disk: Disk = {
    ...systemDisk,
    open(path, mode) {
      const file = systemDisk.open(path, mode)
      let reads = 0
      const read: DiskFile['read'] = (into, position) => {
        // The first read of a file is its header.
        if (failing && path.includes('page.') && ++reads === 2) {
          failing = false
          throw Object.assign(new Error('EIO'), { code: 'EIO' })
        }
        return file.read(into, position)
      }
      return new Proxy(file, {
        get: (_, name: keyof DiskFile) => (name === 'read' ? read : file[name].bind(file)),
      })
    },
  }
  const queue = open({ disk, pause: soon, memoryCountMax: 0 })
  failing = true
  assert.deepEqual(await takeAll(queue, 6), numbered(4, 6))
  assert.equal(failing, false, 'the error came')
  await queue.release()
})
