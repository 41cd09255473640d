/**
 * A file lock that the kernel holds as long as this process lives, in whatever container it runs. Node has no call for
 * it:
 *
 * - Linux: `flock(1)` is started with our open file as its descriptor 3. It locks the open file description, which both
 *   processes share, and exits. The lock stays with our descriptor.
 * - macOS and the BSDs: `open` with the flag O_EXLOCK takes the lock.
 * - Windows: libuv opens the file exclusively, with its flag of the same name.
 */
import { spawnSync } from 'node:child_process'
import { closeSync, constants, fstatSync, openSync, rmSync, statSync } from 'node:fs'

const O_EXLOCK_BSD = 0x20
const O_EXLOCK_WINDOWS = 0x10000000
const MODE = 0o600
/** Exit status of `flock -n` when another process holds the lock. */
const BUSY_STATUS = 1

export type KernelLockAttempt = { readonly lock: KernelLock } | 'busy' | 'unavailable'

export class KernelLock {
  readonly #path: string
  readonly #descriptor: number

  private constructor(path: string, descriptor: number) {
    this.#path = path
    this.#descriptor = descriptor
  }

  static acquire(path: string, platform: NodeJS.Platform = process.platform, command = 'flock'): KernelLockAttempt {
    for (;;) {
      const descriptor = lockedDescriptor(path, platform, command)
      if (typeof descriptor === 'string') return descriptor
      // The previous owner removed the file on release. If the path now names another file, our lock is on the removed
      // one.
      if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(descriptor).ino) {
        return { lock: new KernelLock(path, descriptor) }
      }
      closeSync(descriptor)
    }
  }

  release(): void {
    // Windows cannot remove an open file, so the file stays there.
    if (process.platform !== 'win32') rmSync(this.#path, { force: true })
    closeSync(this.#descriptor)
  }
}

function lockedDescriptor(path: string, platform: NodeJS.Platform, command: string): number | 'busy' | 'unavailable' {
  const flags = constants.O_RDWR | constants.O_CREAT
  if (platform === 'win32') return openLocked(path, flags | O_EXLOCK_WINDOWS)
  if (platform !== 'linux') return openLocked(path, flags | O_EXLOCK_BSD | constants.O_NONBLOCK)
  const descriptor = openSync(path, flags, MODE)
  const { status, error } = spawnSync(command, ['-n', '-x', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] })
  if (status === 0) return descriptor
  closeSync(descriptor)
  // Any other status means that the file system does not support locks.
  return error === undefined && status === BUSY_STATUS ? 'busy' : 'unavailable'
}

function openLocked(path: string, flags: number): number | 'busy' | 'unavailable' {
  try {
    return openSync(path, flags, MODE)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EAGAIN' || code === 'EWOULDBLOCK' || code === 'EBUSY') return 'busy'
    if (code === 'EOPNOTSUPP' || code === 'ENOTSUP' || code === 'EINVAL') return 'unavailable'
    throw error
  }
}
