/**
 * The checkpoint of a persistent queue: one line with the number of the first unacknowledged record and its checksum.
 *
 * An outdated checkpoint is harmless, because it only causes more redelivery. It is therefore written without a sync.
 */
import { join } from 'node:path'
import { crc32 } from '../../base/bytes/crc32.ts'
import type { Disk } from '../../base/disk/disk.ts'
import { readWhole, writeWhole } from '../../base/disk/replace-file.ts'
import type { Log } from '../../base/log.ts'

export class CheckpointFile {
  readonly #path: string
  readonly #disk: Disk
  readonly #log: Log

  constructor(folder: string, disk: Disk, log: Log) {
    this.#path = join(folder, 'checkpoint')
    this.#disk = disk
    this.#log = log
  }

  /** 0 without a valid checkpoint. Throws if the file cannot be read. */
  read(): number {
    let line: string
    try {
      line = readWhole(this.#disk, this.#path).toString('utf8')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
    const [number, checksum] = line.trim().split(' ')
    if (number !== undefined && Number(checksum) === crc32(Buffer.from(number))) return Number(number)
    this.#log.warn('The checkpoint of the queue is damaged: all events in it are delivered again')
    return 0
  }

  /** Returns false, after logging, if the file could not be written. */
  write(firstOpen: number): boolean {
    const text = String(firstOpen)
    const temporary = `${this.#path}.new`
    try {
      const file = this.#disk.open(temporary, 'replace')
      try {
        writeWhole(file, Buffer.from(`${text} ${crc32(Buffer.from(text))}\n`), 0)
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
}
