import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { crc32, tableCrc32 } from '../../base/bytes/crc32.ts'
import { type Directory, readWhole } from './directory.ts'
import { DiskDirectory } from './disk-directory.ts'
import { FaultyDirectory } from './faulty-directory.ts'
import { MemoryDirectory } from './memory-directory.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (directory: Directory, name: string) => new TextDecoder().decode(readWhole(directory, name))

// Goal: code that works in memory works on disk. Method: the same steps in each kind of directory.
async function exercise(directory: Directory): Promise<void> {
  assert.equal(directory.size('a'), undefined)
  directory.write('b', bytes('one '), bytes('two'))
  directory.write('a', bytes('short'))
  assert.deepEqual(directory.list(), ['a', 'b'])
  assert.equal(text(directory, 'b'), 'one two')
  directory.write('b', bytes('again'))
  assert.equal(text(directory, 'b'), 'again')

  const part = new Uint8Array(3)
  directory.read('b', 1, part)
  assert.equal(new TextDecoder().decode(part), 'gai')
  assert.throws(() => directory.read('b', 3, part), /ends at 5, wanted 6/)
  assert.throws(() => directory.read('nothing', 0, part))

  const file = directory.create('c')
  await file.write(bytes('xhellox'), 1, 6, 0)
  file.writeSync(bytes('world'), 0, 5, 5)
  await file.sync()
  file.truncate(7)
  file.truncate(9)
  file.close()
  assert.equal(text(directory, 'c'), 'hellowo\0\0')
  assert.throws(() => file.writeSync(bytes('x'), 0, 1, 0), { code: 'EBADF' })
  assert.throws(() => file.truncate(0), { code: 'EBADF' })
  assert.throws(() => file.syncSync(), { code: 'EBADF' })
  await assert.rejects(file.write(bytes('x'), 0, 1, 0), { code: 'EBADF' })
  await assert.rejects(file.sync(), { code: 'EBADF' })
  assert.equal(text(directory, 'c'), 'hellowo\0\0')
  const again = directory.open('c')
  again.writeSync(bytes('J'), 0, 1, 0)
  again.syncSync()
  again.close()
  assert.equal(text(directory, 'c'), 'Jellowo\0\0')

  await directory.sync('c')
  directory.rename('c', 'a')
  await directory.syncFolder()
  assert.equal(text(directory, 'a'), 'Jellowo\0\0')
  directory.delete('a')
  directory.delete('a')
  assert.deepEqual(directory.list(), ['b'])
  directory.close()
}

test('a memory directory returns what was written', () => exercise(new MemoryDirectory()))
test('a faulty directory without faults behaves like a memory directory', () => exercise(new FaultyDirectory()))
test('a disk directory behaves like a memory directory', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-directory-'))
  await exercise(new DiskDirectory(join(folder, 'deep', 'er')))
  rmSync(folder, { recursive: true })
})

// Goal: the number of a closed descriptor is reused for the next file, which must not receive writes and syncs of the
// old one.
test('a file closed during writes and syncs receives all of its bytes, and the next file none', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-directory-'))
  const directory = new DiskDirectory(folder)
  const file = directory.create('one')
  const written = [file.write(bytes('hello'), 0, 5, 0), file.sync()]
  file.close()
  const next = directory.create('two')
  await Promise.all(written)
  assert.equal(text(directory, 'one'), 'hello')
  next.writeSync(bytes('J'), 0, 1, 0)
  assert.equal(text(directory, 'two'), 'J')
  await assert.rejects(file.sync(), { code: 'EBADF' })
  assert.throws(() => file.truncate(0), { code: 'EBADF' })
  assert.throws(() => file.writeSync(bytes('hello'), 0, 5, 0), { code: 'EBADF' })
  assert.equal(text(directory, 'two'), 'J')
  next.close()
  directory.close()
  rmSync(folder, { recursive: true })
})

test('both checksum implementations agree', () => {
  assert.equal(tableCrc32(bytes('123456789')), 0xcbf43926)
  for (let length = 0; length < 300; length++) {
    const data = Uint8Array.from({ length }, (_, i) => (i * 31 + length) & 0xff)
    assert.equal(tableCrc32(data), crc32(data))
    assert.equal(tableCrc32(data, 12345), crc32(data, 12345))
  }
})
