import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { test } from 'node:test'
import { FolderLock, FolderLockedError } from './folder-lock.ts'
import { assertOwned, FolderTakenError } from './folder-owner.ts'
import { KernelLock } from './kernel-lock.ts'

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

/**
 * Starts a process that locks the folder and keeps running. `before` is a command prefix, such as one that creates a
 * pid namespace.
 */
function holderOf(folder: string, before: readonly string[]) {
  const module = new URL(`./folder-lock${extname(import.meta.url)}`, import.meta.url)
  const script = `import(${JSON.stringify(module.href)}).then(({ FolderLock }) => {
    FolderLock.acquire(process.argv[1], 'node.lock', { heartbeatMs: 100 })
    console.log('locked')
    setInterval(() => {}, 1000)
  })`
  const [command, ...args] = [...before, process.execPath, ...process.execArgv, '-e', script, folder]
  return spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

test(
  'a folder can be locked only once, and again after its release',
  inFolder((folder) => {
    const lock = FolderLock.acquire(folder)
    assert.throws(() => FolderLock.acquire(folder), FolderLockedError)
    lock.release()
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)

test(
  'locking a folder held by a living process names that process, and succeeds after it is killed',
  inFolder(async (folder) => {
    const child = holderOf(folder, [])
    await once(child.stdout, 'data')
    assert.throws(() => FolderLock.acquire(folder), new RegExp(`in use by process ${child.pid};`))
    child.kill('SIGKILL')
    await once(child, 'exit')
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)

test(
  'a process that reuses the pid of a dead owner does not hold its lock',
  inFolder((folder) => {
    for (const pid of [process.pid, process.ppid]) {
      writeFileSync(join(folder, 'node.lock'), JSON.stringify({ pid, started: 'another boot/1', token: 'abc' }))
      assert.doesNotThrow(() => FolderLock.acquire(folder).release())
    }
  }),
)

test(
  'a takeover that died half way does not block the next takeover',
  inFolder((folder) => {
    const dead = (token: string) => JSON.stringify({ pid: 2 ** 22 + 7, started: 'x', token })
    writeFileSync(join(folder, 'node.lock'), dead('first'))
    writeFileSync(join(folder, 'node.lock.after-first'), dead('second'))
    writeFileSync(join(folder, 'node.lock.after-second'), '')
    FolderLock.acquire(folder).release()
    assert.deepEqual(readdirSync(folder), [])
  }),
)

const IN_OWN_NAMESPACE = ['unshare', '--pid', '--mount-proc', '--fork', '--kill-child']
const hasNamespaces = spawnSync(IN_OWN_NAMESPACE[0]!, [...IN_OWN_NAMESPACE.slice(1), 'true']).status === 0
const noKernelLock = (() => 'unavailable') as typeof KernelLock.acquire

// Models two containers that share a volume: here the owner's pid belongs to no process, or to another one.
test(
  'an owner in another pid namespace holds the folder as long as it lives',
  { skip: hasNamespaces ? false : 'this system lets us make no pid namespace' },
  inFolder(async (folder) => {
    const child = holderOf(folder, IN_OWN_NAMESPACE)
    await once(child.stdout, 'data')
    assert.throws(() => FolderLock.acquire(folder), /in use by process \d+ of another container or machine/)
    assert.throws(
      () => FolderLock.acquire(folder, 'node.lock', { kernelLock: noKernelLock, heartbeatMs: 500 }),
      /in use by process \d+ of another container or machine/,
    )
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The process in the namespace ends a moment after the process that created it.
    for (let isHeld = true; isHeld; ) {
      await new Promise((resolve) => setTimeout(resolve, 10))
      try {
        FolderLock.acquire(folder).release()
        isHeld = false
      } catch (error) {
        if (!(error instanceof FolderLockedError)) throw error
      }
    }
  }),
)

const FOREIGN = { pid: 1, started: 'x', token: 'foreign', namespace: 'another machine', hasKernelLock: false }

test(
  'an owner in another namespace without a kernel lock holds the folder while it touches its record, and is taken over afterwards',
  inFolder((folder) => {
    const path = join(folder, 'node.lock')
    const options = { heartbeatMs: 40, kernelLock: noKernelLock }
    writeFileSync(path, JSON.stringify(FOREIGN))
    // Acquiring the lock blocks this process, so a child process writes the heartbeat.
    const script = `const { utimesSync } = require('node:fs')
      console.log('beats')
      setInterval(() => utimesSync(process.argv[1], new Date(), new Date()), 10)`
    const beating = spawn(process.execPath, ['-e', script, path], { stdio: ['ignore', 'pipe', 'inherit'] })
    return once(beating.stdout!, 'data').then(async () => {
      assert.throws(() => FolderLock.acquire(folder, 'node.lock', options), FolderLockedError)
      beating.kill('SIGKILL')
      await once(beating, 'exit')
      const lock = FolderLock.acquire(folder, 'node.lock', options)
      assert.equal(lock.hasKernelLock, false)
      lock.release()
      assert.deepEqual(readdirSync(folder), [])
    })
  }),
)

test(
  'an owner in another namespace that had the kernel lock is dead once the lock is free',
  inFolder((folder) => {
    writeFileSync(join(folder, 'node.lock'), JSON.stringify({ ...FOREIGN, hasKernelLock: true }))
    const held = { lock: { release: () => undefined } as KernelLock }
    FolderLock.acquire(folder, 'node.lock', { heartbeatMs: 1e6, kernelLock: () => held }).release()
  }),
)

test(
  'an owner notices that its folder was taken over or its record removed',
  inFolder((folder) => {
    const path = join(folder, 'node.lock')
    const lock = FolderLock.acquire(folder)
    assert.doesNotThrow(() => assertOwned(lock.owner))
    utimesSync(path, 1, 1)
    assert.doesNotThrow(() => assertOwned(lock.owner))
    writeFileSync(`${path}.new`, JSON.stringify(FOREIGN))
    renameSync(`${path}.new`, path)
    assert.throws(() => assertOwned(lock.owner), FolderTakenError)
    lock.release()
    assert.deepEqual(readdirSync(folder), ['node.lock'], 'the record of the new owner stays')
    rmSync(path)
    assert.throws(() => assertOwned(lock.owner), FolderTakenError)
  }),
)

test(
  'a kernel lock is exclusive, released with its file, and unavailable without the flock command',
  {
    skip: process.platform === 'linux' && spawnSync('flock', ['--version']).error !== undefined ? 'no flock(1)' : false,
  },
  inFolder((folder) => {
    const path = join(folder, 'held')
    const first = KernelLock.acquire(path)
    assert.ok(typeof first === 'object')
    assert.equal(KernelLock.acquire(path), 'busy')
    first.lock.release()
    const second = KernelLock.acquire(path)
    assert.ok(typeof second === 'object')
    second.lock.release()
    assert.equal(KernelLock.acquire(path, 'linux', 'there-is-no-such-command'), 'unavailable')
  }),
)
