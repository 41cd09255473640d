/**
 * The lock of a data folder. One process works in the folder; a second one gets an error that names the first.
 *
 * The lock consists of three parts, because none of them exists everywhere:
 *
 * 1. A kernel lock (`kernel-lock.ts`) where the system has one. It does not depend on pids, so it also separates
 *    containers.
 * 2. The owner record, a file that identifies the process that created it. A process killed with SIGKILL leaves it
 *    behind, so an owner counts only while it runs. In our own pid namespace the owner is identified by its pid and,
 *    where the system provides it, its start time (pids are reused, in containers at every start). An owner in another
 *    namespace or on another machine is alive if it holds the kernel lock that we did not get, or if it keeps touching
 *    its record.
 * 3. `FolderOwner`: before a process acknowledges anything, it checks that the record is still its own. A process that
 *    was suspended long enough to count as dead notices this when it resumes.
 *
 * Two processes must not both take over a dead owner's record. The right to replace record X is itself a file that only
 * one process can create, named after X's token. If that process dies too, the right to replace its file is acquired in
 * the same way.
 */
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  ftruncateSync,
  linkSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isDiskFull } from '../disk/disk-full.ts'
import { type FolderOwner, isOwned, ownerOf } from './folder-owner.ts'
import { KernelLock } from './kernel-lock.ts'
import { makeFolder } from './make-folder.ts'

interface Holder {
  readonly pid: number
  /** An opaque start time, only ever compared; empty where the system does not provide it. */
  readonly started: string
  readonly token: string
  /** The scope of the pid: machine and pid namespace. */
  readonly namespace?: string
  /** Whether the owner also holds the kernel lock. */
  readonly hasKernelLock?: boolean
}

export class FolderLockedError extends Error {
  readonly folder: string

  constructor(folder: string, pid: number | undefined, isForeign = false) {
    const elsewhere = isForeign ? ' of another container or machine' : ''
    const who =
      pid === undefined
        ? 'another process'
        : pid === process.pid && !isForeign
          ? 'this process'
          : `process ${pid}${elsewhere}`
    super(`the data folder ${folder} is in use by ${who}; stop it or choose another folder`)
    this.name = 'FolderLockedError'
    this.folder = folder
  }
}

export interface FolderLockOptions {
  /** Interval at which the record is touched. */
  readonly heartbeatMs?: number
  /** Acquires the kernel lock; replaced in tests. */
  readonly kernelLock?: typeof KernelLock.acquire
}

const HEARTBEAT_MS = 2000
/** An owner in another namespace that misses this many heartbeats counts as dead. */
const MISSED_HEARTBEATS = 4

/**
 * Tokens of locks held by this process. They distinguish our own record from that of a dead process whose pid we reuse.
 */
const ownTokens = new Set<string>()

export class FolderLock {
  readonly owner: FolderOwner
  /** Without the kernel lock, owners in other containers are detected by their heartbeats only. */
  readonly hasKernelLock: boolean
  readonly #path: string
  readonly #token: string
  readonly #kernelLock: KernelLock | undefined
  readonly #heartbeat: NodeJS.Timeout

  private constructor(path: string, token: string, kernelLock: KernelLock | undefined, heartbeatMs: number) {
    this.#path = path
    this.#token = token
    this.#kernelLock = kernelLock
    this.hasKernelLock = kernelLock !== undefined
    this.owner = ownerOf(path)
    this.#heartbeat = setInterval(() => this.#touch(), heartbeatMs).unref()
  }

  /** Throws `FolderLockedError` when another living process, or this one, holds the folder. */
  static acquire(folder: string, fileName = 'node.lock', options: FolderLockOptions = {}): FolderLock {
    makeFolder(folder, 0o700)
    const path = join(folder, fileName)
    const { heartbeatMs = HEARTBEAT_MS } = options
    const attempt = (options.kernelLock ?? KernelLock.acquire)(`${path}.held`)
    if (attempt === 'busy') {
      const holder = readHolder(path)
      throw new FolderLockedError(folder, holder?.pid, holder?.namespace !== ownNamespace)
    }
    const kernelLock = attempt === 'unavailable' ? undefined : attempt.lock
    const self: Holder = {
      pid: process.pid,
      started: startOf(process.pid),
      token: randomBytes(12).toString('hex'),
      namespace: ownNamespace,
      hasKernelLock: kernelLock !== undefined,
    }
    ownTokens.add(self.token)
    try {
      while (!tryAcquire(folder, path, self, heartbeatMs)) {}
    } catch (error) {
      if (isDiskFull(error) && reuseRecord(path, self)) return new FolderLock(path, self.token, kernelLock, heartbeatMs)
      ownTokens.delete(self.token)
      kernelLock?.release()
      throw error
    }
    return new FolderLock(path, self.token, kernelLock, heartbeatMs)
  }

  release(): void {
    clearInterval(this.#heartbeat)
    if (readHolder(this.#path)?.token === this.#token) rmSync(this.#path, { force: true })
    ownTokens.delete(this.#token)
    this.#kernelLock?.release()
  }

  #touch(): void {
    try {
      if (isOwned(this.owner)) utimesSync(this.#path, new Date(), new Date())
    } catch {
      // A missed heartbeat is harmless: the next one follows.
    }
  }
}

/** Returns false when the folder changed during the attempt, which then has to start over. */
function tryAcquire(folder: string, path: string, self: Holder, heartbeatMs: number): boolean {
  const claims: string[] = []
  const seen: { path: string; token: string }[] = []
  let target = path
  for (;;) {
    if (createHolder(target, self)) break
    const holder = readHolder(target)
    if (holder === undefined) return removeUnreadable(target)
    const isForeign = holder.namespace !== undefined && holder.namespace !== ownNamespace
    const alive = isForeign ? isForeignAlive(target, holder, self, heartbeatMs) : isAlive(holder)
    if (alive) throw new FolderLockedError(folder, holder.pid, isForeign)
    seen.push({ path: target, token: holder.token })
    target = `${path}.after-${holder.token}`
    claims.push(target)
  }
  if (claims.length === 0) return true

  // We hold the right to replace the dead owners' records, provided the records have not changed since we read them.
  const unchanged = seen.every((dead) => readHolder(dead.path)?.token === dead.token)
  if (unchanged) {
    const own = `${path}.${self.token}`
    writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
    renameSync(own, path)
  }
  for (const claim of unchanged ? claims : claims.slice(-1)) rmSync(claim, { force: true })
  return unchanged
}

/** Creates the file with its content in one step. Returns false if it exists. */
function createHolder(path: string, self: Holder): boolean {
  const own = `${path}.${self.token}`
  try {
    writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/**
 * On a full disk there is no room for another file, but for other contents of the record of a dead owner. Its inode stays, so that an
 * owner that was only suspended would not notice: only the kernel lock tells for certain that the owner is dead.
 */
function reuseRecord(path: string, self: Holder): boolean {
  const dead = readHolder(path)
  if (dead?.hasKernelLock !== true || self.hasKernelLock !== true) return false
  const bytes = Buffer.from(JSON.stringify(self))
  const file = openSync(path, 'r+')
  try {
    writeSync(file, bytes, 0, bytes.length, 0)
    ftruncateSync(file, bytes.length)
    return true
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}

function readHolder(path: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(path, 'utf8'))
    return typeof holder.pid === 'number' && typeof holder.token === 'string' ? holder : undefined
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Removes a record that cannot be read: it was just released, or a power failure destroyed its content. Nobody holds
 * it.
 */
function removeUnreadable(path: string): false {
  if (readHolder(path) === undefined) rmSync(path, { force: true })
  return false
}

function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return ownTokens.has(holder.token)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // EPERM means that the process runs as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(holder.pid) === holder.started
}

/**
 * Whether an owner in another namespace is alive. If we hold the kernel lock, an owner that had it is dead. Otherwise
 * its heartbeats decide.
 */
function isForeignAlive(path: string, holder: Holder, self: Holder, heartbeatMs: number): boolean {
  if (holder.hasKernelLock === true && self.hasKernelLock === true) return false
  const touchedMs = () => statSync(path, { throwIfNoEntry: false })?.mtimeMs
  const before = touchedMs()
  for (let waitedMs = 0; waitedMs < heartbeatMs * MISSED_HEARTBEATS; waitedMs += heartbeatMs / 4) {
    sleep(heartbeatMs / 4)
    if (touchedMs() !== before) return true
  }
  return false
}

/** Blocks the thread. Nothing else can start before the folder is locked. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const ownNamespace = namespaceOf()

/** Machine and pid namespace. Without /proc, the machine alone. */
function namespaceOf(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot}/${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

const ENDED = 'ended'

/**
 * The start time of a process as boot id and ticks, from /proc; empty where there is none. A zombie still has a pid but
 * holds no lock.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The process name in parentheses may itself contain spaces and parentheses. After it come the state and, as the
    // 20th word, the start time.
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (words[0] === 'Z' || words[0] === 'X') return ENDED
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${words[19]}`
  } catch {
    return ''
  }
}
