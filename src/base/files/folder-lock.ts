/**
 * The lock of a data folder: one process works in it, a second one is told who does.
 *
 * The lock is a file that says which process made it. A process killed with SIGKILL leaves it behind, so a holder is
 * believed only while it runs: its pid is alive and, where the system tells, was started at the noted time (pids are
 * used again, in containers at every start).
 *
 * Taking over a dead holder's lock must not be won by two: the right to replace lock X is itself a file that only one
 * process can create, named after X's token. If its maker dies too, the right to replace *it* is taken the same way.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface Holder {
  readonly pid: number
  /** When the process began, in a form that only has to be compared; empty where the system does not tell. */
  readonly started: string
  readonly token: string
}

export class FolderLockedError extends Error {
  readonly folder: string

  constructor(folder: string, pid: number) {
    const who = pid === process.pid ? 'this process' : `process ${pid}`
    super(`the data folder ${folder} is in use by ${who}; stop it or choose another folder`)
    this.name = 'FolderLockedError'
    this.folder = folder
  }
}

/** Locks of this very process: after a pid was used again, only this tells our own from a dead one's. */
const ownTokens = new Set<string>()

export class FolderLock {
  readonly #path: string
  readonly #token: string

  private constructor(path: string, token: string) {
    this.#path = path
    this.#token = token
  }

  /** Throws `FolderLockedError` when another living process, or this one, holds the folder. */
  static acquire(folder: string, fileName = 'node.lock'): FolderLock {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const path = join(folder, fileName)
    const self: Holder = { pid: process.pid, started: startOf(process.pid), token: randomBytes(12).toString('hex') }
    ownTokens.add(self.token)
    try {
      while (!tryAcquire(folder, path, self)) {}
    } catch (error) {
      ownTokens.delete(self.token)
      throw error
    }
    return new FolderLock(path, self.token)
  }

  release(): void {
    if (readHolder(this.#path)?.token === this.#token) rmSync(this.#path, { force: true })
    ownTokens.delete(this.#token)
  }
}

/** False when the folder changed under our hands and the attempt has to begin again. */
function tryAcquire(folder: string, path: string, self: Holder): boolean {
  const claims: string[] = []
  const seen: { path: string; token: string }[] = []
  let target = path
  for (;;) {
    if (createHolder(target, self)) break
    const holder = readHolder(target)
    if (holder === undefined) return removeUnreadable(target)
    if (isAlive(holder)) throw new FolderLockedError(folder, holder.pid)
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
