/**
 * The lock of a data folder: one process works in it, a second one is told who does.
 *
 * Three things make it one, because none of them is there everywhere:
 *
 * 1. A lock that the kernel holds (`kernel-lock.ts`), where there is one. It knows no pids, so it also parts two containers.
 * 2. The owner record, a file that says which process made it. A process killed with SIGKILL leaves it behind, so an owner is
 *    believed only while it runs. In our own pid namespace its pid tells: it is alive and, where the system tells, was started at
 *    the noted time (pids are used again, in containers at every start). An owner in another namespace, be it on another machine,
 *    lives when it had the kernel lock that we did not get, or when it goes on touching its record.
 * 3. `FolderOwner`: before a process acknowledges anything it looks whether the record is still its own. One that was stopped for
 *    long enough to be taken for dead finds out when it goes on.
 *
 * Taking over a dead owner's record must not be won by two: the right to replace record X is itself a file that only one
 * process can create, named after X's token. If its maker dies too, the right to replace *it* is taken the same way.
 */
import { randomBytes } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type FolderOwner, isOwned, ownerOf } from './folder-owner.ts'
import { KernelLock } from './kernel-lock.ts'

interface Holder {
  readonly pid: number
  /** When the process began, in a form that only has to be compared; empty where the system does not tell. */
  readonly started: string
  readonly token: string
  /** What the pid means something in: machine and pid namespace. */
  readonly namespace?: string
  /** The owner has the kernel lock as well. */
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
  /** How often the record is touched. */
  readonly heartbeatMs?: number
  /** For tests: what takes kernel locks. */
  readonly kernelLock?: typeof KernelLock.acquire
}

const HEARTBEAT_MS = 2000
/** An owner elsewhere that misses so many heartbeats counts as dead. */
const MISSED_HEARTBEATS = 4

/** Locks of this very process: after a pid was used again, only this tells our own from a dead one's. */
const ownTokens = new Set<string>()

export class FolderLock {
  readonly owner: FolderOwner
  /** Without it, owners in other containers are known by their heartbeats only. */
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
    mkdirSync(folder, { recursive: true, mode: 0o700 })
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
      // A heartbeat that is missed is followed by others.
    }
  }
}

/** False when the folder changed under our hands and the attempt has to begin again. */
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

  // We hold the right to replace the dead ones, provided they are still what we judged.
  const unchanged = seen.every((dead) => readHolder(dead.path)?.token === dead.token)
  if (unchanged) {
    const own = `${path}.${self.token}`
    writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
    renameSync(own, path)
  }
  for (const claim of unchanged ? claims : claims.slice(-1)) rmSync(claim, { force: true })
  return unchanged
}

/** Makes the file, with its content at once, unless it is there. */
function createHolder(path: string, self: Holder): boolean {
  const own = `${path}.${self.token}`
  writeFileSync(own, JSON.stringify(self), { mode: 0o600 })
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
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

/** It was released this moment, or a power cut took its content: then nobody holds it. */
function removeUnreadable(path: string): false {
  if (readHolder(path) === undefined) rmSync(path, { force: true })
  return false
}

function isAlive(holder: Holder): boolean {
  if (holder.pid === process.pid) return ownTokens.has(holder.token)
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // EPERM: it runs, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  return startOf(holder.pid) === holder.started
}

/** Its pid says nothing here. With the kernel lock in our hands, one that had it is dead; else its heartbeats tell. */
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

/** Nothing else can begin before the folder is ours. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

const ownNamespace = namespaceOf()

/** Machine and pid namespace; without /proc the machine alone. */
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
 * When a process was started, as boot and ticks since then, from /proc; empty where there is none. One that has ended
 * and waits for its parent to take notice (a zombie) still has a pid, but holds nothing.
 */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in parentheses may hold blanks and parentheses itself. Behind it come the state and, as 20th word, the
    // start time.
    const words = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (words[0] === 'Z' || words[0] === 'X') return ENDED
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${words[19]}`
  } catch {
    return ''
  }
}
