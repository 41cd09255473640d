/**
 * Pauses the building of segments on a full disk. A segment that cannot be stored is thrown away, and building it again every
 * second would take all the time of the thread. It is built again when the disk has room for it. Where the room is unknown, and
 * under quotas, background work waits for growing pauses instead.
 *
 * The log says once that the disk is full, with the folder and what to do, and once that it no longer is.
 */

import { formatByteSize } from '../../../base/byte-size.ts'
import { isDiskFull } from '../../../base/disk/disk-full.ts'
import type { Log } from '../../../base/log.ts'
import type { Directory } from '../../store/directory.ts'

const PAUSE_MIN_MS = 1_000
const PAUSE_MAX_MS = 30_000
/** A segment and the files around it need more than the content of the buffer. */
const ROOM_MIN_BYTES = 256 * 1024

/** All shards of a thread share a disk, so one of them reports it. */
const reported = new Set<DiskRoom>()

export class DiskRoom {
  readonly #directory: Directory
  readonly #report: Log
  readonly #nowMs: () => number
  #error: Error | undefined
  #pauseMs = 0
  #untilMs = 0

  constructor(directory: Directory, report: Log, nowMs: () => number = () => performance.now()) {
    this.#directory = directory
    this.#report = report
    this.#nowMs = nowMs
  }

  /** Whether background work should wait. */
  isShort(neededBytes: number): boolean {
    if (this.#error === undefined) return false
    const free = this.#directory.freeBytes?.()
    return (free !== undefined && free < neededBytes + ROOM_MIN_BYTES) || this.#nowMs() < this.#untilMs
  }

  /** Throws if a segment was too large for the disk, and still would be. */
  assertRoom(neededBytes: number): void {
    if (this.#error === undefined) return
    const free = this.#directory.freeBytes?.()
    if (free !== undefined && free < neededBytes + ROOM_MIN_BYTES) throw this.#error
  }

  failed(error: Error): void {
    if (!isDiskFull(error)) return
    this.#error = error
    this.#pauseMs = Math.min(Math.max(this.#pauseMs * 2, PAUSE_MIN_MS), PAUSE_MAX_MS)
    this.#untilMs = this.#nowMs() + this.#pauseMs
    if (reported.size === 0) {
      const free = this.#directory.freeBytes?.()
      this.#report.error('the disk is full: writes are refused, and new documents are not searchable', {
        folder: this.#directory.folder,
        free: free === undefined ? undefined : formatByteSize(free),
        error: error.message,
        hint: 'free space or enlarge the disk; the node continues by itself, without a restart',
      })
    }
    reported.add(this)
  }

  succeeded(): void {
    if (this.#error === undefined) return
    this.#error = undefined
    this.#pauseMs = 0
    this.close()
  }

  close(): void {
    if (reported.delete(this) && reported.size === 0) {
      this.#report.info('the disk has room again', { folder: this.#directory.folder })
    }
  }
}
