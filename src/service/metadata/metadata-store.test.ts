import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { MemoryDirectory } from '../../engine/store/memory-directory.ts'
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

/** A copy, cut or changed by `edit`: what a crash may leave behind. */
function copyOf(
  directory: Directory,
  edit: (name: string, bytes: Uint8Array) => Uint8Array = (_, b) => b,
): MemoryDirectory {
  const copy = new MemoryDirectory()
  for (const name of directory.list()) copy.write(name, edit(name, readWhole(directory, name)))
  return copy
}

test('what was acknowledged is there after a restart, with 64-bit integers exact', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  await Promise.all([1, 2, 3].map((n) => store.update(() => [policy(`p${n}`, n)])))
  await store.update(() => [{ section: 'lifecyclePolicies', name: 'p2', value: undefined }])

  const again = MetadataStore.open(copyOf(directory))
  assert.deepEqual(stored(again), ['p1=1', 'p3=3'])
  assert.equal(again.state.sections.lifecyclePolicies.get('p1')!.policy['big'], 9007199254740993n)
})

test('a second life writes a new generation and keeps what the first one left', async () => {
  const directory = new MemoryDirectory()
  for (let life = 1; life <= 4; life++) {
    const store = MetadataStore.open(directory)
    await store.update(() => [policy(`life${life}`, life)])
    await store.close()
  }
  assert.deepEqual(stored(MetadataStore.open(directory)), ['life1=1', 'life2=2', 'life3=3', 'life4=4'])
  assert.deepEqual(directory.list(), ['checkpoint-4', 'log-4'])
})

// Goal: a log cut at any byte opens with a prefix of the changes, and with all that were whole.
test('a log torn at any byte gives the changes before the tear', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  const ends: number[] = []
  for (let n = 1; n <= 4; n++) {
    await store.update(() => [policy('p', n)])
    ends.push(directory.size('log-1')!)
  }
  for (let cut = 0; cut <= ends.at(-1)!; cut++) {
    const torn = copyOf(directory, (name, bytes) => (name === 'log-1' ? bytes.subarray(0, cut) : bytes))
    const whole = ends.filter((end) => end <= cut).length
    assert.deepEqual(stored(MetadataStore.open(torn)), whole === 0 ? [] : [`p=${whole}`], `cut at ${cut}`)
  }
})

test('damage in the middle is reported with its place, never skipped', async () => {
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

test('a change that cannot be made durable is taken back, and later ones succeed', async () => {
  const directory = new MemoryDirectory()
  const store = MetadataStore.open(directory)
  await store.update(() => [policy('kept', 1)])
  const create = directory.create.bind(directory)
  let full = true
  directory.create = (name) => {
    if (full) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    return create(name)
  }
  // A new generation is due when the process starts again.
  const again = MetadataStore.open(directory)
  await assert.rejects(
    again.update(() => [policy('lost', 1)]),
    /no space/,
  )
  assert.deepEqual(stored(again), ['kept=1'])
  full = false
  await again.update(() => [policy('later', 1)])
  assert.deepEqual(stored(MetadataStore.open(copyOf(directory))), ['kept=1', 'later=1'])
})

test('a change sees those accepted before it, readers only what is durable', async () => {
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

test('a refused change leaves nothing behind', async () => {
  const store = MetadataStore.open(undefined)
  await assert.rejects(
    store.update(() => {
      throw new Error('no')
    }),
    /no/,
  )
  assert.equal(store.state.sections.lifecyclePolicies.size, 0)
})
