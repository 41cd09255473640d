/**
 * The checkpoint of a persistent queue: one line with the number of the first unacknowledged record, the number after
 * the last record that was synced, and a checksum of both and the name of the queue's folder, so that the file of
 * another queue is not believed. Earlier versions wrote the first number and its checksum.
 *
 * An outdated checkpoint is harmless, because it only causes more redelivery. It is therefore written without a sync.
 */
import { basename, join } from 'node:path'
import { crc32 } from '../../base/bytes/crc32.ts'
import type { Disk } from '../../base/disk/disk.ts'
import { readWhole, writeWhole } from '../../base/disk/replace-file.ts'
import type { Log } from '../../base/log.ts'

export interface Checkpoint {
  readonly firstOpen: number
  readonly synced: number
}

const NOTHING: Checkpoint = { firstOpen: 0, synced: 0 }

export class CheckpointFile {
  readonly #queue: string
  readonly #path: string
  readonly #disk: Disk
  readonly #log: Log

  constructor(folder: string, disk: Disk, log: Log) {
    this.#queue = basename(folder)
    this.#path = join(folder, 'checkpoint')
    this.#disk = disk
    this.#log = log
  }

  /** Zeros without a valid checkpoint. Throws if the file cannot be read. */
  read(): Checkpoint {
    let line: string
    try {
      line = readWhole(this.#disk, this.#path).toString('utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NOTHING
      throw error
    }
    const [firstOpen = '', second = '', checksum] = line.trim().split(' ')
    const isOld = checksum === undefined && Number(second) === crc32(Buffer.from(firstOpen))
    if (isOld && firstOpen !== '') return { firstOpen: Number(firstOpen), synced: 0 }
    const synced = Number(second)
    if (checksum !== undefined && Number(checksum) === this.#checksum(`${firstOpen} ${second}`)) {
      return { firstOpen: Number(firstOpen), synced }
    }
    this.#log.warn('The checkpoint of the queue is damaged: all events in it are delivered again')
    return NOTHING
  }

  /** Returns false, after logging, if the file could not be written. */
  write({ firstOpen, synced }: Checkpoint): boolean {
    const text = `${firstOpen} ${synced}`
    const temporary = `${this.#path}.new`
    try {
      const file = this.#disk.open(temporary, 'replace')
      try {
        writeWhole(file, Buffer.from(`${text} ${this.#checksum(text)}\n`), 0)
      } finally {
        file.close()
      }
      this.#disk.rename(temporary, this.#path)
      return true
    } catch (error) {
      this.#log.error(`The checkpoint of the queue cannot be written: ${(error as Error).message}`)
      return false
    }
  }

  #checksum(numbers: string): number {
    return crc32(Buffer.from(`${numbers} ${this.#queue}`))
  }
}
