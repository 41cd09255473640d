import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Directory, readWhole } from './directory.ts'
import { FaultyDirectory } from './faulty-directory.ts'
import { OP_DELETE, OP_INDEX } from './log-format.ts'
import { CorruptLogError, LogReader, logGenerations } from './log-reader.ts'
import { MemoryDirectory } from './memory-directory.ts'
import { WriteAheadLog } from './write-ahead-log.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function open(directory: Directory, nextGeneration = 1): WriteAheadLog {
  return new WriteAheadLog(directory, { primaryTerm: 1, read: [], nextGeneration })
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
  for (const record of new LogReader(directory, fromGeneration).records()) found.push(record.seqNo)
  return found
}

test('a record comes back as it was appended', async () => {
  const directory = new MemoryDirectory()
  const log = open(directory)
  log.append(OP_INDEX, 7, 3, 2 ** 40, encode('ä'), 'röuting', encode('{"a":1}'))
  log.append(OP_DELETE, 8, 3, 5, encode('b'), undefined)
  await log.sync()
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
  const found: unknown[] = []
  for (const record of new LogReader(directory, 1).records()) {
    found.push({ ...record, idBytes: text(record.idBytes), source: text(record.source) })
  }
  assert.deepEqual(found, [
    { op: OP_INDEX, seqNo: 7, primaryTerm: 3, version: 2 ** 40, idBytes: 'ä', routing: 'röuting', source: '{"a":1}' },
    { op: OP_DELETE, seqNo: 8, primaryTerm: 3, version: 5, idBytes: 'b', routing: undefined, source: '' },
  ])
})

// Goal: concurrent requests share fsyncs. Method: 64 writers of 20 appends each; count the syncs.
test('requests that come while a batch is written share the next one', async () => {
  const directory = new FaultyDirectory()
  const log = open(directory)
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

test('a rotation parts the operations before it from those after it, synced or not', async () => {
  const directory = new MemoryDirectory()
  const log = open(directory)
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

// Goal: whatever a crash leaves of the last batch, everything synced before it is read back and nothing fails.
// Method: cut the file at every byte, leave garbage or zeros from every byte on, and flip single bytes of the last batch.
test('a log torn at any byte keeps every operation that was synced before', async () => {
  const directory = new MemoryDirectory()
  const log = open(directory)
  const sizes: number[] = [32]
  for (let seqNo = 0; seqNo < 6; seqNo += 2) {
    append(log, seqNo)
    append(log, seqNo + 1)
    await log.sync()
    sizes.push(directory.size('log-1')!)
  }
  const whole = readWhole(directory, 'log-1')
  for (let size = 0; size <= whole.length; size++) {
    const synced = sizes.filter((end) => end <= size).length - 1
    const tails = { cut: 0, zeros: 100, garbage: 100 }
    for (const [kind, length] of Object.entries(tails)) {
      const torn = new MemoryDirectory()
      const bytes = new Uint8Array(size + length)
      bytes.set(whole.subarray(0, size))
      if (kind === 'garbage') for (let i = size; i < bytes.length; i++) bytes[i] = (i * 197) & 0xff
      torn.write('log-1', bytes)
      const found = seqNos(torn)
      assert.ok(found.length >= synced * 2, `${kind} at ${size}`)
      assert.deepEqual(found, [...Array(found.length).keys()], `${kind} at ${size}`)
      // What the reader repaired reads the same again, also when newer generations follow.
      open(torn, 2)
      assert.deepEqual(seqNos(torn), found, `${kind} at ${size}, second reading`)
    }
  }
})

test('a damaged record with a sound batch behind it is reported with file and place', async () => {
  const directory = new MemoryDirectory()
  const log = open(directory)
  append(log, 0)
  await log.sync()
  const firstEnd = directory.size('log-1')!
  append(log, 1)
  await log.sync()
  const whole = readWhole(directory, 'log-1')
  for (let at = 32; at < firstEnd; at++) {
    const damaged = new MemoryDirectory()
    const bytes = whole.slice()
    bytes[at]! ^= 0x10
    damaged.write('log-1', bytes)
    assert.throws(() => seqNos(damaged), CorruptLogError, `byte ${at}`)
  }
  const damaged = new MemoryDirectory()
  whole[firstEnd - 1]! ^= 1
  damaged.write('log-1', whole)
  assert.throws(() => seqNos(damaged), /log-1 is damaged at byte 56: the record is cut short or its checksum/)
})

test('a missing generation and a torn older one are damage', async () => {
  const directory = new MemoryDirectory()
  const log = open(directory)
  append(log, 0)
  log.rotate()
  append(log, 1)
  log.rotate()
  append(log, 2)
  await log.sync()
  const middle = readWhole(directory, 'log-2')
  directory.write('log-2', middle.subarray(0, middle.length - 1))
  assert.throws(() => seqNos(directory), /log-2 is damaged at byte \d+: .* a sound batch follows in log-3/)
  directory.delete('log-2')
  assert.throws(() => seqNos(directory), /log-2 is damaged at byte 0: the file is missing/)
})

// Goal: a full disk fails the requests and loses nothing that was acknowledged; the log goes on when there is room.
test('a full disk is survived', async () => {
  const directory = new FaultyDirectory()
  const log = open(directory)
  append(log, 0)
  await log.sync()
  directory.bytesFree = 30
  append(log, 1)
  const first = log.sync()
  append(log, 2)
  const second = log.sync()
  await assert.rejects(first, /ENOSPC/)
  await assert.rejects(second, /ENOSPC/)
  await assert.rejects(log.sync(), /ENOSPC/)
  assert.throws(() => log.recover(), /ENOSPC/)
  assert.deepEqual(seqNos(directory.powerCut('kept')), [0])

  directory.bytesFree = Number.POSITIVE_INFINITY
  log.recover()
  append(log, 3)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0, 1, 2, 3])
})

test('a failed fsync fails its requests, and the batch is written again', async () => {
  const directory = new FaultyDirectory()
  const log = open(directory)
  append(log, 0)
  directory.failingSyncs = 1
  await assert.rejects(log.sync(), /EIO/)
  log.recover()
  append(log, 1)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0, 1])
})

test('with async durability a request does not wait, and closing still writes everything', async () => {
  const directory = new FaultyDirectory()
  const log = open(directory)
  log.setDurability({ mode: 'async', syncIntervalMs: 60_000 })
  append(log, 0)
  await log.sync()
  assert.deepEqual(seqNos(directory.powerCut('kept')), [])
  await log.close({ sync: true })
  assert.deepEqual(seqNos(directory.powerCut('lost')), [0])
})
