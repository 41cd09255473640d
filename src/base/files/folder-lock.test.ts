import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { FolderLock, FolderLockedError } from './folder-lock.ts'

function inFolder(work: (folder: string) => void | Promise<void>): () => Promise<void> {
  return async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-lock-'))
    try {
      await work(folder)
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

test(
  'a folder is locked once, and free after the release',
  inFolder((folder) => {
    const lock = FolderLock.acquire(folder)
    assert.throws(() => FolderLock.acquire(folder), FolderLockedError)
    lock.release()
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)

test(
  'another living process is named, and its lock is taken over after a kill',
  inFolder(async (folder) => {
    const module = new URL(`./folder-lock${extname(import.meta.url)}`, import.meta.url)
    const script = `import(${JSON.stringify(module.href)}).then(({ FolderLock }) => {
      FolderLock.acquire(process.argv[1])
      console.log('locked')
      setInterval(() => {}, 1000)
    })`
    const child = spawn(process.execPath, [...process.execArgv, '-e', script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    assert.throws(() => FolderLock.acquire(folder), new RegExp(`in use by process ${child.pid};`))
    child.kill('SIGKILL')
    await once(child, 'exit')
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)

test(
  'a pid that was used again does not hold the lock of its predecessor',
  inFolder((folder) => {
    for (const pid of [process.pid, process.ppid]) {
      writeFileSync(join(folder, 'node.lock'), JSON.stringify({ pid, started: 'another boot/1', token: 'abc' }))
      assert.doesNotThrow(() => FolderLock.acquire(folder).release())
    }
  }),
)

test(
  'a take-over that died half way does not block the next one',
  inFolder((folder) => {
    const dead = (token: string) => JSON.stringify({ pid: 2 ** 22 + 7, started: 'x', token })
    writeFileSync(join(folder, 'node.lock'), dead('first'))
    writeFileSync(join(folder, 'node.lock.after-first'), dead('second'))
    writeFileSync(join(folder, 'node.lock.after-second'), '')
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)
