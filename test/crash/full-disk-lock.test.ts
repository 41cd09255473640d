/** The lock of a data folder on a full disk, on which no file can be written. */
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { FolderLock } from '../../src/base/files/folder-lock.ts'
import { isOwned } from '../../src/base/files/folder-owner.ts'
import { KernelLock } from '../../src/base/files/kernel-lock.ts'

test('the record of a dead owner is used again, if the kernel says that it is dead', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'sandpiper-full-lock-'))
  const path = join(folder, 'node.lock')
  const write = fs.writeFileSync
  const record = (members: object) =>
    write(path, JSON.stringify({ pid: 2 ** 30, started: '', token: 'dead', ...members }))
  const onFullDisk = (work: () => void) => {
    fs.writeFileSync = () => {
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
    }
    syncBuiltinESMExports()
    try {
      work()
    } finally {
      fs.writeFileSync = write
      syncBuiltinESMExports()
    }
  }
  try {
    const probe = KernelLock.acquire(join(folder, 'probe'))
    if (typeof probe === 'string') return
    probe.lock.release()
    record({ hasKernelLock: true, padding: 'x'.repeat(500) })
    onFullDisk(() => {
      const lock = FolderLock.acquire(folder)
      assert.equal(JSON.parse(fs.readFileSync(path, 'utf8')).pid, process.pid)
      assert.ok(isOwned(lock.owner))
      assert.throws(() => FolderLock.acquire(folder), /in use by this process/)
      lock.release()
    })
    assert.deepEqual(fs.readdirSync(folder), [])
    record({ hasKernelLock: false })
    onFullDisk(() => assert.throws(() => FolderLock.acquire(folder), /ENOSPC/))
    assert.deepEqual(fs.readdirSync(folder), ['node.lock'])
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
