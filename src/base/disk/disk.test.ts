import assert from 'node:assert/strict'
import { pbkdf2 } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemDisk } from './disk.ts'

// Goal: a descriptor number that was closed belongs to the next file that is opened, and must not be synced for the old one.
// Method: the threads that run syncs are kept busy, so that the file is closed before its sync begins.
test('a file that is closed while a sync waits for its turn stays open until the sync is done', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-disk-'))
  try {
    const file = systemDisk.open(join(folder, 'one'), 'create')
    file.write(Buffer.from('text'), 0)
    const busy = Array.from(
      { length: 8 },
      () => new Promise((resolve) => pbkdf2('a', 'b', 20_000, 64, 'sha512', resolve)),
    )
    const synced = file.syncLater()
    file.close()
    const other = systemDisk.open(join(folder, 'two'), 'create')
    await synced
    assert.equal(other.write(Buffer.from('text'), 0), 4)
    await assert.rejects(file.syncLater(), { code: 'EBADF' })
    other.close()
    await Promise.all(busy)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
