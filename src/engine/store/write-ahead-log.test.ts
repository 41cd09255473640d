import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from './directory.ts'
import { FaultyDirectory } from './faulty-directory.ts'
import { OP_DELETE, OP_INDEX } from './log-format.ts'
import { CorruptLogError, LogReader, logGenerations } from './log-reader.ts'
import { MemoryDirectory } from './memory-directory.ts'
import { NOTHING_SYNCED, readSyncedLength, SYNCED_FILE, SyncedLengthFile } from './synced-length.ts'
import { LogClosedError, type LogRejection, PROBE_FILE, WriteAheadLog } from './write-ahead-log.ts'

const encode = (text: string) => new TextEncoder().encode(text)

async function open(directory: Directory, nextGeneration = 1): Promise<WriteAheadLog> {
  const synced = await SyncedLengthFile.create(directory, NOTHING_SYNCED)
  return new WriteAheadLog(directory, { primaryTerm: 1, read: [], nextGeneration, synced })
}

function append(log: WriteAheadLog, seqNo: number, text = `{"n":${seqNo}}`): void {
  log.append(
    OP_INDEX,
    seqNo,
    1,
    seqNo + 1,
    encode(`id-${seqNo}`),
    seqNo % 2 === 0 ? undefined : 'röuting',
    encode(text),
  )
}

function seqNos(directory: Directory, fromGeneration = 1): number[] {
  const found: number[] = []
  const reader = new LogReader(directory, fromGeneration, directory.list(), readSyncedLength(directory))
  for (const { seqNo } of reader.records()) {
    if (found.length > 0 && seqNo !== found.at(-1)! + 1) throw reader.gap(found.at(-1)!, seqNo)
    found.push(seqNo)
  }
  return found
}

test('a log record reads back as it was appended', async () => {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  log.append(OP_INDEX, 7, 3, 2 ** 40, encode('ä'), 'röuting', encode('{"a":1}'))
  log.append(OP_DELETE, 8, 3, 5, encode('b'), undefined)
  await log.sync()
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const found: unknown[] = []
  for (const record of new LogReader(directory, 1, directory.list(), readSyncedLength(directory)).records()) {
    found.push({ ...record, idBytes: text(record.idBytes), source: text(record.source) })
  }
  assert.deepEqual(found, [
    { op: OP_INDEX, seqNo: 7, primaryTerm: 3, version: 2 ** 40, idBytes: 'ä', routing: 'röuting', source: '{"a":1}' },
    { op: OP_DELETE, seqNo: 8, primaryTerm: 3, version: 5, idBytes: 'b', routing: undefined, source: '' },
  ])
})

// Goal: concurrent requests share fsyncs. Method: 64 writers with 20 appends each; count the syncs.
test('requests that arrive while a batch is written share the next batch', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  let writes = 0
  directory.beforeWrite = () => writes++
  let seqNo = 0
  const writer = async () => {
    for (let i = 0; i < 20; i++) {
      append(log, seqNo++)
      await log.sync()
    }
  }
  await Promise.all(Array.from({ length: 64 }, writer))
  assert.ok(writes < 64, `${writes} writes for 1280 appends`)
  assert.deepEqual(seqNos(directory.powerCut('lost')), [...Array(1280).keys()])
})

test('a rotation separates the operations before it from those after it, synced or not', async () => {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  append(log, 0)
  await log.sync()
  append(log, 1)
  const generation = log.rotate()
  append(log, 2)
  await log.sync()
  assert.deepEqual(seqNos(directory), [0, 1, 2])
  assert.deepEqual(seqNos(directory, generation), [2])
  log.trim(generation)
  assert.deepEqual(logGenerations(directory.list()), [generation])
  assert.equal(log.operations, 1)
  await log.close({ sync: true })
})

/** A log of three batches with two operations each, and the end of each batch. */
async function threeBatches() {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  const ends: number[] = [32]
  for (let seqNo = 0; seqNo < 6; seqNo += 2) {
    append(log, seqNo)
    append(log, seqNo + 1)
    await log.sync()
    ends.push(directory.size('log-1')!)
  }
  return { whole: readWhole(directory, 'log-1'), ends }
}

/** A directory with the given log file, whose recorded synced length covers the first batches. */
async function found(bytes: Uint8Array, ends: readonly number[], syncedBatches: number): Promise<MemoryDirectory> {
  const directory = new MemoryDirectory()
  directory.write('log-1', bytes)
  await SyncedLengthFile.create(directory, {
    ...NOTHING_SYNCED,
    generation: syncedBatches === 0 ? 0 : 1,
    bytes: syncedBatches === 0 ? 0 : ends[syncedBatches]!,
    maxSeqNo: syncedBatches * 2 - 1,
  })
  return directory
}

// Goal: whatever a crash leaves of the last batch, everything synced before it is read back and nothing fails. Method:
// truncate the file at every byte, and leave garbage or zeros from every byte on. The recorded synced length is that of
// the batches that end before that byte, or a shorter one, as a power failure may leave it.
test('a log torn at any byte beyond its synced length keeps every synced operation', async () => {
  const { whole, ends } = await threeBatches()
  for (let size = 0; size <= whole.length; size++) {
    const synced = Math.max(0, ends.filter((end) => end <= size).length - 1)
    const tails = { cut: 0, zeros: 100, garbage: 100 }
    for (const [kind, length] of Object.entries(tails)) {
      const bytes = new Uint8Array(size + length)
      bytes.set(whole.subarray(0, size))
      if (kind === 'garbage') for (let i = size; i < bytes.length; i++) bytes[i] = (i * 197) & 0xff
      for (const noted of new Set([0, synced])) {
        const torn = await found(bytes, ends, noted)
        const read = seqNos(torn)
        assert.ok(read.length >= synced * 2, `${kind} at ${size}`)
        assert.deepEqual(read, [...Array(read.length).keys()], `${kind} at ${size}`)
        // A repaired log reads the same again, even if newer generations follow.
        assert.deepEqual(seqNos(torn), read, `${kind} at ${size}, second reading`)
      }
    }
  }
})

// Goal: damage to synced data is never taken for a torn tail, even in the last batch.
test('reading a log writes the data beyond its synced length again', async () => {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  append(log, 0)
  await log.sync()
  const olderLength = readWhole(directory, SYNCED_FILE)
  const syncedBytes = directory.size('log-1')!
  append(log, 1)
  await log.sync()
  await log.close({ sync: true })
  directory.write(SYNCED_FILE, olderLength)

  const written: { offset: number; bytes: number }[] = []
  const openFile = directory.open.bind(directory)
  directory.open = (name) => {
    const file = openFile(name)
    const writeSync = file.writeSync.bind(file)
    file.writeSync = (bytes, start, end, offset) => {
      written.push({ offset, bytes: end - start })
      writeSync(bytes, start, end, offset)
    }
    return file
  }
  assert.deepEqual(seqNos(directory), [0, 1])
  assert.deepEqual(written, [{ offset: syncedBytes, bytes: directory.size('log-1')! - syncedBytes }])
})

test('a flipped bit or missing byte within the synced length of a log is reported as damage', async () => {
  const { whole, ends } = await threeBatches()
  const intact = await found(whole, ends, 3)
  const withLog = (bytes: Uint8Array) => {
    const directory = new MemoryDirectory()
    directory.write('log.synced', readWhole(intact, 'log.synced'))
    directory.write('log-1', bytes)
    return directory
  }
  for (let at = 0; at < whole.length; at++) {
    const flipped = whole.slice()
    flipped[at]! ^= 0x10
    // Four bytes of the file's header are unused.
    if (at < 12 || at >= 16) assert.throws(() => seqNos(withLog(flipped)), CorruptLogError, `byte ${at} flipped`)
    assert.throws(() => seqNos(withLog(whole.slice(0, at))), CorruptLogError, `cut at ${at}`)
  }
  const last = whole.slice()
  last[whole.length - 1]! ^= 1
  assert.throws(() => seqNos(withLog(last)), /log-1 is damaged at byte \d+: .* and the first \d+ bytes were synced/)
})

test('a missing log file and a missing synced length are reported', async () => {
  const { whole, ends } = await threeBatches()
  const withoutLog = await found(whole, ends, 3)
  withoutLog.delete('log-1')
  assert.throws(
    () => seqNos(withoutLog),
    /log-1 is damaged at byte 0: the file is missing, and \d+ bytes of it were synced/,
  )
  const withoutNote = await found(whole, ends, 3)
  withoutNote.delete('log.synced')
  assert.throws(() => seqNos(withoutNote), /the file log.synced is missing: it says how much of log-1 was safe/)
})

test('a log written before synced lengths existed is read, and its torn tail is truncated', async () => {
  const { whole, ends } = await threeBatches()
  const old = whole.slice()
  new DataView(old.buffer).setUint32(8, 1, true)
  new DataView(old.buffer).setUint32(28, crc32(old.subarray(0, 28)), true)
  const directory = new MemoryDirectory()
  directory.write('log-1', old.subarray(0, ends[2]! + 30))
  assert.deepEqual(seqNos(directory), [0, 1, 2, 3])
})

test('either slot of the synced length may be torn, and if both are the file is damaged', async () => {
  const { whole, ends } = await threeBatches()
  for (const slots of [[0], [512], [0, 512]]) {
    const directory = await found(whole, ends, 3)
    const bytes = readWhole(directory, 'log.synced')
    for (const slot of slots) bytes[slot + 33]! ^= 1
    directory.write('log.synced', bytes)
    if (slots.length === 1) assert.deepEqual(seqNos(directory), [0, 1, 2, 3, 4, 5])
    else assert.throws(() => seqNos(directory), /log.synced is damaged/)
  }
})

test('a missing generation and a torn older one are damage', async () => {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  append(log, 0)
  log.rotate()
  append(log, 1)
  log.rotate()
  append(log, 2)
  await log.sync()
  const middle = readWhole(directory, 'log-2')
  directory.write('log-2', middle.subarray(0, middle.length - 1))
  assert.throws(() => seqNos(directory), /log-2 is damaged at byte \d+: .* and the file was synced/)
  directory.delete('log-2')
  assert.throws(() => seqNos(directory), /log-2 is damaged at byte 0: the file is missing/)
})

// Goal: a full disk fails requests and loses nothing acknowledged; the log continues when there is room.
test('the log survives a full disk and does not contain rejected operations', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  append(log, 0)
  await log.sync()
  directory.bytesFree = 30
  append(log, 1)
  const first = log.sync()
  append(log, 2)
  const second = log.sync()
  await assert.rejects(first, /ENOSPC/)
  await assert.rejects(second, /ENOSPC/)
  assert.throws(() => log.recover(), /ENOSPC/)
  assert.deepEqual(seqNos(directory.powerCut('kept')), [0])

  directory.bytesFree = Number.POSITIVE_INFINITY
  log.recover()
  append(log, 1)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0, 1])
})

// Goal: the test whether the disk works again never leaves bytes in the log. A deleted file may be back after a power
// failure, because its deletion was not synced.
test('the bytes that test a failing disk are not written to a file of the log', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  append(log, 0)
  await log.sync()
  append(log, 1)
  directory.failingSyncs = 1
  await assert.rejects(log.sync(), /EIO/)
  const written: string[] = []
  directory.beforeWrite = (name) => written.push(name)
  directory.failingSyncs = 1
  assert.throws(() => log.recover(), /EIO/)
  log.recover()
  assert.deepEqual(new Set(written), new Set([PROBE_FILE]))
  assert.deepEqual(directory.list(), ['log-1', 'log.synced'])
})

test('a failed fsync fails the requests of its batch and leaves nothing of them in the log', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  append(log, 0)
  directory.failingSyncs = 1
  await assert.rejects(log.sync(), /EIO/)
  assert.deepEqual(seqNos(directory.powerCut('kept')), [])
  log.recover()
  append(log, 0)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0])
})

test('a file that cannot be truncated is recorded, so that the next start truncates it', async () => {
  const directory = new FaultyDirectory()
  const synced = await SyncedLengthFile.create(directory, NOTHING_SYNCED)
  let uncut: Error | undefined
  const onRejected = (rejection: LogRejection) => {
    uncut = rejection.uncut
  }
  const log = new WriteAheadLog(directory, { primaryTerm: 1, read: [], nextGeneration: 1, synced, onRejected })
  append(log, 0)
  await log.sync()
  append(log, 1)
  directory.failingSyncs = 2
  await assert.rejects(log.sync(), /EIO/)
  assert.match(uncut!.message, /EIO/)
  assert.deepEqual(seqNos(directory.powerCut('kept')), [0])
})

test('with async durability acknowledged operations are written again after a failure', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  log.setDurability({ mode: 'async', syncIntervalMs: 1 })
  append(log, 0)
  await log.sync()
  directory.failingSyncs = 1
  while (log.failure === undefined) await new Promise((resolve) => setTimeout(resolve, 1))
  log.recover()
  append(log, 1)
  await log.close({ sync: true })
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0, 1])
})

test('with async durability a request does not wait, and closing still writes everything', async () => {
  const directory = new FaultyDirectory()
  const log = await open(directory)
  log.setDurability({ mode: 'async', syncIntervalMs: 60_000 })
  append(log, 0)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('kept')), [])
  await log.close({ sync: true })
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0])
})

// Goal: an index may be deleted while a write to it is on its way to the log. Nothing may touch the closed files, whose
// descriptors belong to other files by then.
test('a log closed without a sync rejects operations that it has not begun to write', async () => {
  const directory = new FaultyDirectory()
  const synced = await SyncedLengthFile.create(directory, NOTHING_SYNCED)
  const rejections: LogRejection[] = []
  const onRejected = (rejection: LogRejection) => rejections.push(rejection)
  const log = new WriteAheadLog(directory, { primaryTerm: 1, read: [], nextGeneration: 1, synced, onRejected })
  append(log, 0)
  await log.sync()
  append(log, 1)
  const refused = assert.rejects(log.sync(), LogClosedError)
  await log.close({ sync: false })
  await refused
  const before = readWhole(directory, 'log-1')
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(readWhole(directory, 'log-1'), before)
  assert.deepEqual(
    rejections.map(({ safeSeqNo, uncut }) => ({ safeSeqNo, uncut })),
    [{ safeSeqNo: 0, uncut: undefined }],
  )
  assert.throws(() => log.recover(), LogClosedError)
  assert.deepEqual(seqNos(directory), [0])
})

test('a log closed without a sync completes the running batch and rejects those that wait behind it', async () => {
  const directory = new FaultyDirectory()
  const synced = await SyncedLengthFile.create(directory, NOTHING_SYNCED)
  const rejections: LogRejection[] = []
  const onRejected = (rejection: LogRejection) => rejections.push(rejection)
  const log = new WriteAheadLog(directory, { primaryTerm: 1, read: [], nextGeneration: 1, synced, onRejected })
  append(log, 0)
  const running = log.sync()
  let isWriting = false
  directory.beforeWrite = () => {
    isWriting = true
  }
  while (!isWriting) await new Promise((resolve) => setImmediate(resolve))
  append(log, 1)
  const refused = assert.rejects(log.sync(), LogClosedError)
  await log.close({ sync: false })
  await Promise.all([running, refused])
  assert.deepEqual(seqNos(directory), [0])
  assert.equal(rejections[0]!.safeSeqNo, 0)
})

test('a log closed without a sync before its first write creates no file', async () => {
  const directory = new MemoryDirectory()
  const log = await open(directory)
  append(log, 0)
  const refused = assert.rejects(log.sync(), LogClosedError)
  await log.close({ sync: false })
  await refused
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(logGenerations(directory.list()), [])
})
