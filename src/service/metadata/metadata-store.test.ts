import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiError } from '../../base/api-error.ts'
import { crc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { FaultyDirectory } from '../../engine/store/faulty-directory.ts'
import { MemoryDirectory } from '../../engine/store/memory-directory.ts'
import { NOTHING_SYNCED, SyncedLengthFile } from '../../engine/store/synced-length.ts'
import type { Change } from './metadata.ts'
import { CorruptMetadataError } from './metadata-log.ts'
import { MetadataStore } from './metadata-store.ts'

const policy = (name: string, version: number): Change => ({
  section: 'lifecyclePolicies',
  name,
  value: { version, modifiedMs: 0, policy: { big: 9007199254740993n } as never },
})

const stored = (store: MetadataStore) =>
  [...store.state.sections.lifecyclePolicies].map(([name, { version }]) => `${name}=${version}`).sort()

/** A copy of the files, truncated or changed by `edit`, as a crash may leave them. */
function copyOf(
  directory: Directory,
  edit: (name: string, bytes: Uint8Array) => Uint8Array = (_, b) => b,
): MemoryDirectory {
  const copy = new MemoryDirectory()
  for (const name of directory.list()) copy.write(name, edit(name, readWhole(directory, name)))
  return copy
}

test('acknowledged metadata exists after a restart, with exact 64-bit integers', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  await Promise.all([1, 2, 3].map((n) => store.update(() => [policy(`p${n}`, n)])))
  await store.update(() => [{ section: 'lifecyclePolicies', name: 'p2', value: undefined }])

  const again = MetadataStore.open(copyOf(directory))
  assert.deepEqual(stored(again), ['p1=1', 'p3=3'])
  assert.equal(again.state.sections.lifecyclePolicies.get('p1')!.policy['big'], 9007199254740993n)
})

test('a restart writes a new generation and keeps the old contents', async () => {
  const directory = new MemoryDirectory()
  for (let life = 1; life <= 4; life++) {
    const store = MetadataStore.open(directory)
    await store.update(() => [policy(`life${life}`, life)])
    await store.close()
  }
  assert.deepEqual(stored(MetadataStore.open(directory)), ['life1=1', 'life2=2', 'life3=3', 'life4=4'])
  assert.deepEqual(directory.list(), ['checkpoint-4', 'log-4', 'log.synced'])
})

/** A store with four changes, the length of the log after each, and the recorded synced lengths. */
async function fourChanges() {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  const ends: number[] = []
  const notes = [await noteOfEmptyLog()]
  for (let n = 1; n <= 4; n++) {
    await store.update(() => [policy('p', n)])
    ends.push(directory.size('log-1')!)
    notes.push(readWhole(directory, 'log.synced'))
  }
  return { directory, ends, notes }
}

async function noteOfEmptyLog(): Promise<Uint8Array> {
  const directory = new MemoryDirectory()
  await SyncedLengthFile.create(directory, { ...NOTHING_SYNCED, generation: 1, commitGeneration: 1 })
  return readWhole(directory, 'log.synced')
}

test('a change that a killed process did not sync survives a power failure once a start has shown it', async () => {
  const { directory, ends, notes } = await fourChanges()
  const killed = new FaultyDirectory()
  for (const name of directory.list()) {
    const bytes = readWhole(directory, name)
    killed.write(name, name === 'log-1' ? bytes.subarray(0, ends[0]) : name === 'log.synced' ? notes[1]! : bytes)
    await killed.sync(name)
  }
  // The process was killed between the write of the second record and its sync.
  killed.open('log-1').writeSync(readWhole(directory, 'log-1'), ends[0]!, ends[1]!, ends[0]!)
  assert.deepEqual(stored(MetadataStore.open(killed)), ['p=2'])
  assert.deepEqual(stored(MetadataStore.open(killed.powerCut('lost'))), ['p=2'])
})

// Goal: a log truncated at any byte opens with a prefix of the changes, including all complete ones. Method: the synced
// length is the newest possible: that of the last change whose record is complete.
test('a log truncated after its synced length yields the changes before the truncation', async () => {
  const { directory, ends, notes } = await fourChanges()
  for (let cut = 0; cut <= ends.at(-1)!; cut++) {
    const whole = ends.filter((end) => end <= cut).length
    const torn = copyOf(directory, (name, bytes) =>
      name === 'log-1' ? bytes.subarray(0, cut) : name === 'log.synced' ? notes[whole]! : bytes,
    )
    assert.deepEqual(stored(MetadataStore.open(torn)), whole === 0 ? [] : [`p=${whole}`], `cut at ${cut}`)
  }
})

test('a copy of the checkpoint under a newer name is reported and hides no changes', async () => {
  const { directory } = await fourChanges()
  const copy = copyOf(directory)
  copy.write('checkpoint-2', readWhole(directory, 'checkpoint-1'))
  assert.throws(() => MetadataStore.open(copy), /checkpoint-2 is damaged at byte 0: it was written as checkpoint-1/)
})

// Goal: damage is never read as "there is no such index".
test('a flipped bit or missing byte in the synced log or the checkpoint is reported with its file', async () => {
  const { directory } = await fourChanges()
  const again = MetadataStore.open(directory)
  await again.update(() => [policy('q', 1)])
  for (const file of ['log-2', 'checkpoint-2']) {
    for (let at = 0; at < directory.size(file)!; at++) {
      const change = (edit: (bytes: Uint8Array) => Uint8Array) =>
        copyOf(directory, (name, bytes) => (name === file ? edit(bytes) : bytes))
      const flipped = change((bytes) => {
        bytes[at]! ^= 4
        return bytes
      })
      assert.throws(
        () => MetadataStore.open(flipped),
        new RegExp(`metadata file ${file} is damaged`),
        `${file} at ${at}`,
      )
      const cut = change((bytes) => bytes.subarray(0, at))
      assert.throws(
        () => MetadataStore.open(cut),
        new RegExp(`metadata file ${file} is damaged`),
        `${file} cut at ${at}`,
      )
    }
  }
})

test('a missing log, checkpoint or synced length is reported with advice', async () => {
  const { directory } = await fourChanges()
  for (const file of ['log-1', 'checkpoint-1', 'log.synced']) {
    const left = copyOf(directory)
    left.delete(file)
    assert.throws(
      () => MetadataStore.open(left),
      new RegExp(`metadata file ${file} is damaged at byte 0: the file is missing`),
    )
    assert.throws(() => MetadataStore.open(left), /Nothing was changed. Run sandpiper doctor/)
  }
})

test('metadata written before synced lengths existed opens, and has one after its first change', async () => {
  const { directory } = await fourChanges()
  const old = copyOf(directory, (name, bytes) => {
    if (name !== 'checkpoint-1') return bytes
    const header = Buffer.from(bytes.subarray(0, 12))
    const format = Buffer.from('{"format":1}')
    const rest = bytes.subarray(12 + header.readUInt32LE(4))
    header.writeUInt32LE(format.length, 4)
    header.writeUInt32LE(crc32(format), 8)
    return Buffer.concat([header, format, rest])
  })
  old.delete('log.synced')
  const store = MetadataStore.open(old)
  assert.deepEqual(stored(store), ['p=4'])
  await store.update(() => [policy('q', 1)])
  assert.deepEqual(old.list(), ['checkpoint-2', 'log-2', 'log.synced'])
  assert.deepEqual(stored(MetadataStore.open(old)), ['p=4', 'q=1'])
})

for (const failing of ['write', 'sync', 'sync and cut'] as const) {
  test(`a change rejected because of its ${failing} does not reappear after a restart`, async () => {
    const directory = new FaultyDirectory()
    const store = MetadataStore.open(directory)
    await store.update(() => [policy('kept', 1)])
    if (failing === 'write') directory.bytesFree = 40
    else directory.failingSyncs = failing === 'sync' ? 1 : 2
    await assert.rejects(store.update(() => [policy('rejected', 1)]))
    assert.deepEqual(stored(store), ['kept=1'])
    assert.deepEqual(stored(MetadataStore.open(directory.powerCut('kept'))), ['kept=1'])
    directory.bytesFree = Number.POSITIVE_INFINITY
    directory.failingSyncs = 0
    await store.update(() => [policy('later', 1)])
    assert.deepEqual(stored(MetadataStore.open(directory.powerCut('kept'))), ['kept=1', 'later=1'])
  })
}

test('damage in the middle is reported with its position and never skipped', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  for (let n = 1; n <= 3; n++) await store.update(() => [policy('p', n)])
  const damaged = copyOf(directory, (name, bytes) => {
    if (name === 'log-1') bytes[20]! ^= 1
    return bytes
  })
  assert.throws(() => MetadataStore.open(damaged), CorruptMetadataError)
  assert.throws(() => MetadataStore.open(damaged), /log-1 is damaged at byte 0: the checksum does not match/)

  const cutCheckpoint = copyOf(directory, (name, bytes) => (name === 'checkpoint-1' ? bytes.subarray(0, 5) : bytes))
  assert.throws(() => MetadataStore.open(cutCheckpoint), /checkpoint-1 is damaged/)
})

test('a change that cannot be made durable is reverted, and later ones succeed', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  await store.update(() => [policy('kept', 1)])
  const create = directory.create.bind(directory)
  let full = true
  directory.create = (name) => {
    if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    return create(name)
  }
  const onDisk = Object.assign(directory, { folder: '/data', freeBytes: () => 7 })
  // A new generation is due when the process restarts.
  const again = MetadataStore.open(onDisk)
  await assert.rejects(
    again.update(() => [policy('lost', 1)]),
    (error: ApiError) => {
      assert.match(error.message, /no space/)
      assert.deepEqual([error.help?.['folder'], error.help?.['free_bytes']], ['/data', 7])
      return true
    },
  )
  assert.deepEqual(stored(again), ['kept=1'])
  full = false
  await again.update(() => [policy('later', 1)])
  assert.deepEqual(stored(MetadataStore.open(copyOf(directory))), ['kept=1', 'later=1'])
})

// Goal: a response never depends on a change that was rejected. Method: a request that finds its change already made by
// another one whose write then fails.
test('an update without changes fails if the change that made it unnecessary cannot be made durable', async () => {
  const directory = new FaultyDirectory()
  const store = MetadataStore.open(directory)
  await store.update(() => [policy('p', 1)])
  directory.failingSyncs = 1
  const first = assert.rejects(store.update(() => [policy('p', 2)]))
  const second = assert.rejects(
    store.update((state) => {
      assert.equal(state.sections.lifecyclePolicies.get('p')!.version, 2)
      return []
    }),
  )
  await Promise.all([first, second])
  assert.deepEqual(stored(store), ['p=1'])
  await store.update(() => [])
  await Promise.all([store.update(() => [policy('p', 3)]), store.update(() => [])])
  assert.deepEqual(stored(store), ['p=3'])
  assert.deepEqual(stored(MetadataStore.open(directory.powerCut('lost'))), ['p=3'])
})

test('a change sees the changes accepted before it, readers see only durable ones', async () => {
  const store = MetadataStore.open(new MemoryDirectory())
  const first = store.update(() => [policy('a', 1)])
  assert.deepEqual(stored(store), [])
  let seen: number | undefined
  const second = store.update((state) => {
    seen = state.sections.lifecyclePolicies.get('a')?.version
    return []
  })
  assert.equal(seen, 1)
  await Promise.all([first, second])
  assert.deepEqual(stored(store), ['a=1'])
})

test('a rejected change leaves nothing behind', async () => {
  const store = MetadataStore.open(undefined)
  await assert.rejects(
    store.update(() => {
      throw new Error('no')
    }),
    /no/,
  )
  assert.equal(store.state.sections.lifecyclePolicies.size, 0)
})
