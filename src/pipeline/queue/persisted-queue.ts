/**
 * The queue on disk: what was pushed survives a crash and is handed out again until it is acknowledged.
 *
 * The folder holds pages (`page.1`, `page.2`, …, see page-file.ts) and `checkpoint`, one line with the number of the first record that
 * is not acknowledged yet and a checksum. A start never appends to an old page, so a half record at the end of one stays the end. A page
 * goes when all of its records are acknowledged. Workers that keep up get the events themselves; only those that fall behind read pages.
 *
 * Inputs are told that their events are safe after the next sync (every `checkpointWrites` events, or a second later).
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from '../../base/bytes/crc32.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { Batch, EventQueue, QueueState } from '../plugin/event-queue.ts'
import { DeliveredPosition } from './delivered-position.ts'
import { PageReader, PageWriter } from './page-file.ts'
import { decodeEvent, encodeEvent } from './stored-event.ts'

const RETRY_WRITE_MS = 1000

export interface PersistedQueueSettings {
  readonly folder: string
  readonly pageBytes: number
  readonly bytesMax: number
  /** 0 for no limit. */
  readonly eventsMax: number
  readonly checkpointWrites: number
  readonly checkpointAcks: number
  readonly checkpointIntervalMs: number
  /** On the operator's wish to end, everything goes through first. */
  readonly drains: boolean
  /** Events that wait in memory beside the disk. */
  readonly memoryCountMax: number
  readonly log: Log
}

interface Page {
  readonly number: number
  readonly firstRecord: number
  bytes: number
}

interface Receipt {
  readonly end: number
  readonly done: () => void
}

export class PersistedQueue implements EventQueue {
  readonly #settings: PersistedQueueSettings
  readonly #pages: Page[] = []
  #writer: PageWriter
  #lastPage = 0
  #reader: { page: number; file: PageReader } | undefined
  /** The record the reader stands at. */
  #readerNext = 0
  /** Numbers of the next record to write, to hand out, and of the first that is not acknowledged. */
  #nextWrite = 0
  #nextRead = 0
  #firstOpen = 0
  /** The events from `#nextRead` on, as far as they are in memory. */
  #fresh: Event[] = []
  readonly #delivered: DeliveredPosition
  #receipts: Receipt[] = []
  #unsynced = 0
  #ackedSinceCheckpoint = 0
  #syncing: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout
  #isClosed = false
  #isStopping = false
  #roomWaiters: (() => void)[] = []
  #eventWaiters: (() => void)[] = []

  constructor(settings: PersistedQueueSettings) {
    this.#settings = settings
    this.#checkRoom()
    this.#recover()
    this.#writer = this.#startPage()
    this.#delivered = new DeliveredPosition((position) => this.#acknowledged(position))
    this.#timer = setInterval(() => void this.#sync(), settings.checkpointIntervalMs)
    this.#timer.unref()
  }

  /** Events that were pushed and not acknowledged. */
  get count(): number {
    return this.#nextWrite - this.#firstOpen
  }

  get state(): QueueState {
    return { type: 'persisted', events: this.count, bytes: this.bytes, bytesMax: this.#settings.bytesMax }
  }

  get bytes(): number {
    return this.#pages.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  push(events: Event[], onAcknowledged?: () => void): Promise<void> | undefined {
    if (events.length === 0) {
      onAcknowledged?.()
      return undefined
    }
    const texts = events.map(encodeEvent)
    try {
      this.#append(events, texts, onAcknowledged)
    } catch (error) {
      return this.#appendLater(events, texts, onAcknowledged, error as Error)
    }
    return this.#waitForRoom()
  }

  async take(countMax: number, delayMs: number): Promise<Batch | undefined> {
    while (this.#nextRead === this.#nextWrite || (this.#isStopping && !this.#settings.drains)) {
      if (this.#isClosed) return undefined
      await new Promise<void>((resolve) => this.#eventWaiters.push(resolve))
    }
    if (this.#nextWrite - this.#nextRead < countMax && !this.#isClosed) await this.#waitForMore(countMax, delayMs)
    const events = this.#cut(countMax)
    if (events.length === 0) return this.take(countMax, delayMs)
    return { events, acknowledge: this.#delivered.expect(this.#nextRead) }
  }

  close(): void {
    this.#isClosed = true
    this.#wake(this.#eventWaiters)
  }

  /** The operator wants to end: what is safe on disk may wait there for the next start. */
  stop(): void {
    this.#isStopping = true
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    // One may be under way that began before the last events came.
    await this.#sync()
    await this.#sync()
    this.#reader?.file.close()
    this.#writer.close()
    this.#writeCheckpoint()
    if (this.count > 0) {
      this.#settings.log.info(`${this.count} events wait in ${this.#settings.folder} for the next start`)
    }
  }

  #checkRoom(): void {
    const { pageBytes, bytesMax, folder } = this.#settings
    if (pageBytes > bytesMax) throw new Error('queue.page_capacity must be less than or equal to queue.max_bytes')
    mkdirSync(folder, { recursive: true })
    const { bavail, bsize } = statfsSync(folder)
    if (bavail * bsize < pageBytes) {
      throw new Error(`The disk of ${folder} has no room for one page of the queue (${pageBytes} bytes)`)
    }
  }

  /** Finds the pages of the last run and counts their records. */
  #recover(): void {
    const { folder, log } = this.#settings
    const numbers = readdirSync(folder)
      .flatMap((name) => /^page\.(\d+)$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
    const checkpoint = this.#readCheckpoint()
    let next: number | undefined
    for (const number of numbers) {
      let records: { first: number; count: number; bytes: number }
      try {
        records = countRecords(this.#pathOf(number), log)
      } catch (error) {
        log.error(`A page of the queue cannot be read, its events are lost: ${(error as Error).message}`)
        rmSync(this.#pathOf(number), { force: true })
        continue
      }
      next = records.first + records.count
      if (records.count === 0 || next <= checkpoint) rmSync(this.#pathOf(number), { force: true })
      else this.#pages.push({ number, firstRecord: records.first, bytes: records.bytes })
    }
    this.#nextWrite = Math.max(next ?? 0, checkpoint)
    this.#firstOpen = Math.max(checkpoint, this.#pages[0]?.firstRecord ?? this.#nextWrite)
    this.#nextRead = this.#firstOpen
    this.#lastPage = numbers.at(-1) ?? 0
    if (this.count > 0) log.info(`${this.count} events of the last run wait in ${folder}`)
  }

  #startPage(): PageWriter {
    const number = ++this.#lastPage
    const writer = new PageWriter(this.#pathOf(number), this.#nextWrite)
    this.#pages.push({ number, firstRecord: this.#nextWrite, bytes: writer.bytes })
    return writer
  }

  #append(events: readonly Event[], texts: readonly string[], onAcknowledged: (() => void) | undefined): void {
    if (this.#writer.bytes >= this.#settings.pageBytes) this.#turnPage()
    this.#writer.append(texts)
    this.#pages[this.#pages.length - 1]!.bytes = this.#writer.bytes
    const isCaughtUp = this.#nextRead + this.#fresh.length === this.#nextWrite
    if (isCaughtUp && this.#fresh.length < this.#settings.memoryCountMax) {
      for (let i = 0; i < events.length; i++) this.#fresh.push(events[i]!)
    }
    this.#nextWrite += events.length
    if (onAcknowledged !== undefined) this.#receipts.push({ end: this.#nextWrite, done: onAcknowledged })
    this.#unsynced += events.length
    // Somebody who waits to hear that it is safe should not wait for the clock.
    if (onAcknowledged !== undefined || this.#unsynced >= this.#settings.checkpointWrites) void this.#sync()
    this.#wake(this.#eventWaiters)
  }

  /** The disk refuses: the input waits, and it is tried again. */
  async #appendLater(
    events: readonly Event[],
    texts: readonly string[],
    onAcknowledged: (() => void) | undefined,
    first: Error,
  ): Promise<void> {
    this.#settings.log.error(`The queue cannot be written, trying again: ${first.message}`)
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, RETRY_WRITE_MS))
      try {
        this.#append(events, texts, onAcknowledged)
        return this.#waitForRoom()
      } catch {
        // Said once already.
      }
    }
  }

  #turnPage(): void {
    this.#writer.close()
    this.#writer = this.#startPage()
  }

  get #isFull(): boolean {
    const { bytesMax, eventsMax } = this.#settings
    return this.bytes >= bytesMax || (eventsMax > 0 && this.count >= eventsMax)
  }

  #waitForRoom(): Promise<void> | undefined {
    return this.#isFull ? new Promise((resolve) => this.#roomWaiters.push(resolve)) : undefined
  }

  async #waitForMore(countMax: number, delayMs: number): Promise<void> {
    const deadline = performance.now() + delayMs
    while (this.#nextWrite - this.#nextRead < countMax && !this.#isClosed) {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        timer = setTimeout(resolve, leftMs)
        this.#eventWaiters.push(resolve)
      })
      clearTimeout(timer)
    }
  }

  #cut(countMax: number): Event[] {
    if (this.#fresh.length > 0) {
      const events = this.#fresh.splice(0, countMax)
      this.#nextRead += events.length
      return events
    }
    return this.#readPages(countMax)
  }

  #readPages(countMax: number): Event[] {
    while (this.#nextRead < this.#nextWrite) {
      const at = this.#pageOf(this.#nextRead)
      const page = this.#pages[at]!
      const reader = this.#readerOf(page)
      const texts = reader.read(countMax)
      if (texts.length > 0) {
        this.#nextRead += texts.length
        this.#readerNext = this.#nextRead
        return texts.map(decodeEvent)
      }
      // Damaged in the middle: the records up to the next page are gone.
      const next = this.#pages[at + 1]?.firstRecord ?? this.#nextWrite
      this.#settings.log.error(`${next - this.#nextRead} events of ${reader.path} are damaged and lost`)
      this.#nextRead = next
    }
    return []
  }

  #readerOf(page: Page): PageReader {
    if (this.#reader?.page === page.number && this.#readerNext === this.#nextRead) return this.#reader.file
    this.#reader?.file.close()
    const file = new PageReader(this.#pathOf(page.number))
    // Records before the first open one were delivered by an earlier run, or from memory.
    let skip = this.#nextRead - page.firstRecord
    while (skip > 0) {
      const skipped = file.read(skip).length
      if (skipped === 0) break
      skip -= skipped
    }
    this.#reader = { page: page.number, file }
    this.#readerNext = this.#nextRead
    return file
  }

  #pageOf(record: number): number {
    let at = this.#pages.length - 1
    while (at > 0 && this.#pages[at]!.firstRecord > record) at--
    return at
  }

  #acknowledged(position: number): void {
    this.#ackedSinceCheckpoint += position - this.#firstOpen
    this.#firstOpen = position
    // Everything is through, but the page that is written to takes the room of others.
    if (this.#firstOpen === this.#nextWrite && this.#isFull) this.#turnPage()
    while (this.#pages.length > 1 && this.#pages[1]!.firstRecord <= this.#firstOpen) {
      const { number } = this.#pages.shift()!
      if (this.#reader?.page === number) {
        this.#reader.file.close()
        this.#reader = undefined
      }
      rmSync(this.#pathOf(number), { force: true })
    }
    if (this.#ackedSinceCheckpoint >= this.#settings.checkpointAcks) this.#writeCheckpoint()
    if (!this.#isFull) this.#wake(this.#roomWaiters)
  }

  #sync(): Promise<void> {
    this.#syncing ??= this.#syncNow().then((isSynced) => {
      this.#syncing = undefined
      // What was pushed meanwhile waits for a sync of its own.
      if (isSynced && this.#receipts.length > 0) void this.#sync()
    })
    return this.#syncing
  }

  async #syncNow(): Promise<boolean> {
    if (this.#ackedSinceCheckpoint > 0) this.#writeCheckpoint()
    if (this.#unsynced === 0) return true
    const end = this.#nextWrite
    const writer = this.#writer
    const count = this.#unsynced
    this.#unsynced = 0
    try {
      await writer.sync()
    } catch (error) {
      // A page that was turned meanwhile was synced when it was closed.
      if (writer === this.#writer) {
        this.#unsynced += count
        this.#settings.log.error(`The queue cannot be synced, trying again: ${(error as Error).message}`)
        return false
      }
    }
    while (this.#receipts.length > 0 && this.#receipts[0]!.end <= end) this.#receipts.shift()!.done()
    return true
  }

  #writeCheckpoint(): void {
    this.#ackedSinceCheckpoint = 0
    const text = String(this.#firstOpen)
    const path = join(this.#settings.folder, 'checkpoint')
    try {
      writeFileSync(`${path}.new`, `${text} ${crc32(Buffer.from(text))}\n`)
      renameSync(`${path}.new`, path)
    } catch (error) {
      this.#settings.log.error(`The checkpoint of the queue cannot be written: ${(error as Error).message}`)
    }
  }

  /** The first record that is not acknowledged; 0 without a checkpoint that can be trusted: more is delivered again then. */
  #readCheckpoint(): number {
    let line: string
    try {
      line = readFileSync(join(this.#settings.folder, 'checkpoint'), 'utf8')
    } catch {
      return 0
    }
    const [number, checksum] = line.trim().split(' ')
    if (number !== undefined && Number(checksum) === crc32(Buffer.from(number))) return Number(number)
    this.#settings.log.warn('The checkpoint of the queue is damaged: all events in it are delivered again')
    return 0
  }

  #pathOf(number: number): string {
    return join(this.#settings.folder, `page.${number}`)
  }

  #wake(waiters: (() => void)[]): void {
    for (const wake of waiters.splice(0)) wake()
  }
}

function countRecords(path: string, log: Log): { first: number; count: number; bytes: number } {
  const page = new PageReader(path)
  try {
    let count = 0
    let bytes = 0
    for (let texts = page.read(1000); texts.length > 0; texts = page.read(1000)) {
      count += texts.length
      for (const text of texts) bytes += text.length
    }
    if (page.hasRest) log.warn(`${path} ends with a record that was not written to its end`)
    return { first: page.firstRecord, count, bytes }
  } finally {
    page.close()
  }
}
