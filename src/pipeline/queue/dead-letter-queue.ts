/**
 * The dead letter queue: events that can never be delivered, kept for inspection or for the `dead_letter_queue` input.
 *
 * The folder holds segments `1.log`, `2.log`, … of records (see page-file.ts). The event of a record states in
 * `[@metadata][dead_letter_queue]` which plugin gave it up, when, and why. A restart never appends to the segments of
 * an earlier run.
 *
 * A letter is as durable as a delivered event: `write` resolves after a sync, and retries while the disk fails.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../base/clock.ts'
import { type Disk, systemDisk } from '../../base/disk/disk.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { DeadLetters } from '../plugin/plugin-context.ts'
import { PageWriter } from './page-file.ts'
import { encodeEvent } from './stored-event.ts'

const SEGMENT_BYTES = 10 * 1024 * 1024
const RETRY_MS = 1000

export interface DeadLetterSettings {
  readonly folder: string
  readonly bytesMax: number
  /** When full: reject new letters, or delete the oldest. */
  readonly policy: 'drop_newer' | 'drop_older'
  /** Letters older than this are deleted with their segment; undefined keeps them. */
  readonly keepMs: number | undefined
  readonly log: Log
  readonly clock: Clock
  readonly disk?: Disk
  /** The pause before a failed write is retried; one second by default. */
  pause?(): Promise<void>
}

export class DeadLetterQueue implements DeadLetters {
  readonly #settings: DeadLetterSettings
  readonly #disk: Disk
  #writer: PageWriter | undefined
  /** Determined by the first letter: a pipeline without letters creates no folder. */
  #lastSegment: number | undefined
  #dropped = 0
  #isFailing = false

  constructor(settings: DeadLetterSettings) {
    this.#settings = settings
    this.#disk = settings.disk ?? systemDisk
  }

  /** Resolves when the letter is on disk, or when the queue is full and its policy drops the letter. */
  async write(event: Event, reason: string, plugin: { type: string; id: string }): Promise<void> {
    const letter = event.clone()
    letter.metadata['dead_letter_queue'] = Object.assign(new Fields(), {
      plugin_type: plugin.type,
      plugin_id: plugin.id,
      reason,
      entry_time: new Timestamp(this.#settings.clock.nowMs()).toString(),
    })
    const text = encodeEvent(letter)
    for (;;) {
      let writer: PageWriter | undefined
      try {
        writer = this.#append(text)
        await writer?.sync()
        this.#isFailing = false
        return
      } catch (error) {
        // After a failed sync the contents of the segment are unknown, so the letter is written again to a new one.
        if (writer === undefined || writer === this.#writer) this.#abandonSegment()
        if (!this.#isFailing) {
          this.#settings.log.error(`The dead letter queue cannot be written, trying again: ${(error as Error).message}`)
        }
        this.#isFailing = true
        await (this.#settings.pause?.() ?? sleep(RETRY_MS))
      }
    }
  }

  close(): void {
    const writer = this.#writer
    this.#writer = undefined
    writer?.close()
  }

  /** The segment that contains the letter; undefined if it was dropped for lack of room. */
  #append(text: string): PageWriter | undefined {
    const { folder, log } = this.#settings
    if (this.#lastSegment === undefined) {
      this.#disk.makeFolder(folder)
      this.#lastSegment = segmentsOf(folder, this.#disk).at(-1) ?? 0
    }
    if (!this.#makeRoom()) {
      if (this.#dropped++ === 0) log.error(`The dead letter queue is full (${folder}): events are dropped`)
      return undefined
    }
    if (this.#writer === undefined || this.#writer.bytes >= SEGMENT_BYTES) this.#startSegment()
    this.#writer!.append([text])
    return this.#writer
  }

  #startSegment(): void {
    this.close()
    this.#deleteOld()
    // Incremented before opening, so that a number that could not be used is not tried again.
    this.#lastSegment = this.#lastSegment! + 1
    const { folder } = this.#settings
    this.#writer = new PageWriter(join(folder, `${this.#lastSegment}.log`), 0, this.#disk)
    this.#disk.syncFolder(folder)
  }

  #abandonSegment(): void {
    this.#writer?.abandon()
    this.#writer = undefined
  }

  #makeRoom(): boolean {
    const { folder, bytesMax, policy } = this.#settings
    const sizes = segmentsOf(folder, this.#disk).map((number) => ({ number, bytes: this.#sizeOf(number) }))
    let bytes = sizes.reduce((sum, segment) => sum + segment.bytes, 0)
    for (const segment of sizes) {
      if (bytes < bytesMax) return true
      if (policy === 'drop_newer' || segment.number === this.#lastSegment) return false
      this.#disk.remove(this.#pathOf(segment.number))
      bytes -= segment.bytes
    }
    return bytes < bytesMax
  }

  #deleteOld(): void {
    const { folder, keepMs, clock } = this.#settings
    if (keepMs === undefined) return
    for (const number of segmentsOf(folder, this.#disk)) {
      const status = this.#disk.status(this.#pathOf(number))
      if (status !== undefined && clock.nowMs() - status.modifiedMs > keepMs) this.#disk.remove(this.#pathOf(number))
    }
  }

  #sizeOf(number: number): number {
    return this.#disk.status(this.#pathOf(number))?.bytes ?? 0
  }

  #pathOf(number: number): string {
    return join(this.#settings.folder, `${number}.log`)
  }
}

/** The segment numbers of a folder, oldest first. */
export function segmentsOf(folder: string, disk: Disk = systemDisk): number[] {
  return disk
    .list(folder)
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}
