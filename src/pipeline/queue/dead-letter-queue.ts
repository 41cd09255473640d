/**
 * Events that could not be delivered and never will be, kept for a person (or the `dead_letter_queue` input) to look at.
 *
 * The folder holds segments `1.log`, `2.log`, … of records (see page-file.ts). The event of a record carries in
 * `[@metadata][dead_letter_queue]` who gave it up, when, and why. The last segment is never appended to again after a start.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import { Fields } from '../event/fields.ts'
import { Timestamp } from '../event/timestamp.ts'
import type { DeadLetters } from '../plugin/plugin-context.ts'
import { PageWriter } from './page-file.ts'
import { encodeEvent } from './stored-event.ts'

const SEGMENT_BYTES = 10 * 1024 * 1024

export interface DeadLetterSettings {
  readonly folder: string
  readonly bytesMax: number
  /** When full: refuse new letters, or make room by deleting the oldest. */
  readonly policy: 'drop_newer' | 'drop_older'
  /** Letters older than this are deleted with their segment; undefined keeps them. */
  readonly keepMs: number | undefined
  readonly log: Log
  readonly clock: Clock
}

export class DeadLetterQueue implements DeadLetters {
  readonly #settings: DeadLetterSettings
  #writer: PageWriter | undefined
  /** Known from the first letter on: a pipeline without any leaves no folder behind. */
  #lastSegment: number | undefined
  #dropped = 0

  constructor(settings: DeadLetterSettings) {
    this.#settings = settings
  }

  async write(event: Event, reason: string, plugin: { type: string; id: string }): Promise<void> {
    if (this.#lastSegment === undefined) {
      mkdirSync(this.#settings.folder, { recursive: true })
      this.#lastSegment = segmentsOf(this.#settings.folder).at(-1) ?? 0
    }
    if (!this.#makeRoom()) {
      if (this.#dropped++ === 0) {
        this.#settings.log.error(`The dead letter queue is full (${this.#settings.folder}): events are dropped`)
      }
      return
    }
    const letter = event.clone()
    letter.metadata['dead_letter_queue'] = Object.assign(new Fields(), {
      plugin_type: plugin.type,
      plugin_id: plugin.id,
      reason,
      entry_time: new Timestamp(this.#settings.clock.nowMs()).toString(),
    })
    if (this.#writer === undefined || this.#writer.bytes >= SEGMENT_BYTES) this.#startSegment()
    this.#writer!.append([encodeEvent(letter)])
  }

  close(): void {
    this.#writer?.close()
    this.#writer = undefined
  }

  #startSegment(): void {
    this.close()
    this.#deleteOld()
    this.#lastSegment = this.#lastSegment! + 1
    this.#writer = new PageWriter(join(this.#settings.folder, `${this.#lastSegment}.log`), 0)
  }

  #makeRoom(): boolean {
    const { folder, bytesMax, policy } = this.#settings
    const sizes = segmentsOf(folder).map((number) => ({ number, bytes: sizeOf(folder, number) }))
    let bytes = sizes.reduce((sum, segment) => sum + segment.bytes, 0)
    for (const segment of sizes) {
      if (bytes < bytesMax) return true
      if (policy === 'drop_newer' || segment.number === this.#lastSegment) return false
      rmSync(join(folder, `${segment.number}.log`), { force: true })
      bytes -= segment.bytes
    }
    return bytes < bytesMax
  }

  #deleteOld(): void {
    const { folder, keepMs, clock } = this.#settings
    if (keepMs === undefined) return
    for (const number of segmentsOf(folder)) {
      const path = join(folder, `${number}.log`)
      const status = statSync(path, { throwIfNoEntry: false })
      if (status !== undefined && clock.nowMs() - status.mtimeMs > keepMs) rmSync(path, { force: true })
    }
  }
}

/** Numbers of the segments of a folder, oldest first. */
export function segmentsOf(folder: string): number[] {
  return readdirSync(folder)
    .flatMap((name) => /^(\d+)\.log$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

function sizeOf(folder: string, number: number): number {
  return statSync(join(folder, `${number}.log`), { throwIfNoEntry: false })?.size ?? 0
}
