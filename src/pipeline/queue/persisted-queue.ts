/**
 * The persistent queue: pushed events survive a crash and are delivered again until they are acknowledged.
 *
 * Records are in pages (queue-pages.ts), the number of the first unacknowledged record in `checkpoint`
 * (checkpoint-file.ts). Workers that keep up receive the events from memory; only workers that fall behind read pages.
 *
 * Inputs are notified after the next sync (every `checkpointWrites` events, or a second later). If the disk fails,
 * inputs and workers wait: the operation is retried, and nothing is skipped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Disk, systemDisk } from '../../base/disk/disk.ts'
import type { Log } from '../../base/log.ts'
import type { Event } from '../event/event.ts'
import type { Batch, EventQueue, QueueState } from '../plugin/event-queue.ts'
import { CheckpointFile } from './checkpoint-file.ts'
import { DeliveredPosition } from './delivered-position.ts'
import { QueuePages } from './queue-pages.ts'
import { decodeEvent, encodeEvent } from './stored-event.ts'

const RETRY_MS = 1000
/** Attempts to open the queue before the pipeline is rejected. */
const OPEN_TRIES = 5

export interface PersistedQueueSettings {
  readonly folder: string
  readonly pageBytes: number
  readonly bytesMax: number
  /** 0 for no limit. */
  readonly eventsMax: number
  readonly checkpointWrites: number
  readonly checkpointAcks: number
  readonly checkpointIntervalMs: number
  /** Whether all events are processed before the pipeline stops. */
  readonly drains: boolean
  /** Maximum events held in memory in addition to the disk. */
  readonly memoryCountMax: number
  readonly log: Log
  readonly disk?: Disk
  /** The pause before a failed disk operation is retried; one second by default. */
  pause?(): Promise<void>
}

interface Receipt {
  readonly end: number
  readonly done: () => void
}

export class PersistedQueue implements EventQueue {
  readonly #settings: PersistedQueueSettings
  readonly #checkpoint: CheckpointFile
  readonly #pages: QueuePages
  /** The number of the next record to hand out, and of the first unacknowledged one. */
  #nextRead: number
  #firstOpen: number
  /** The events from `#nextRead` on, as far as they are in memory. */
  #fresh: Event[] = []
  readonly #delivered: DeliveredPosition
  #receipts: Receipt[] = []
  #unsynced = 0
  #ackedSinceCheckpoint = 0
  /** The number after the last synced record, and as the checkpoint has it. */
  #synced = 0
  #writtenSynced = 0
  #syncing: Promise<void> | undefined
  #isFailing = false
  readonly #timer: NodeJS.Timeout
  #isReleased = false
  #isClosed = false
  #isStopping = false
  #roomWaiters: (() => void)[] = []
  #eventWaiters: (() => void)[] = []

  /** Opens the queue of a folder. A disk error is retried a few times and then rejects; nothing is lost. */
  static async open(settings: PersistedQueueSettings): Promise<PersistedQueue> {
    for (let tries = 1; ; tries++) {
      try {
        return new PersistedQueue(settings)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code === undefined) throw error
        if (tries === OPEN_TRIES) throw new Error(`The queue in ${settings.folder} cannot be read: ${message}`)
        settings.log.warn(`The queue in ${settings.folder} cannot be read, trying again: ${message}`)
        await (settings.pause?.() ?? sleep(RETRY_MS))
      }
    }
  }

  constructor(settings: PersistedQueueSettings) {
    this.#settings = settings
    const { folder, pageBytes, log, disk = systemDisk } = settings
    checkRoom(settings, disk)
    this.#checkpoint = new CheckpointFile(folder, disk, log)
    const { firstOpen, synced } = this.#checkpoint.read()
    this.#pages = new QueuePages({ folder, pageBytes, disk, log }, firstOpen, synced)
    this.#firstOpen = Math.max(firstOpen, this.#pages.firstRecord)
    this.#nextRead = this.#firstOpen
    if (this.count > 0) log.info(`${this.count} events of the last run wait in ${folder}`)
    this.#delivered = new DeliveredPosition((position) => this.#acknowledged(position))
    this.#timer = setInterval(() => void this.#sync(), settings.checkpointIntervalMs)
    this.#timer.unref()
  }

  /** Events that were pushed but not acknowledged. */
  get count(): number {
    return this.#pages.nextWrite - this.#firstOpen
  }

  get state(): QueueState {
    return { type: 'persisted', events: this.count, bytes: this.bytes, bytesMax: this.#settings.bytesMax }
  }

  get bytes(): number {
    return this.#pages.bytes
  }

  get #waiting(): number {
    return this.#pages.nextWrite - this.#nextRead
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
    for (;;) {
      while (this.#waiting === 0 || (this.#isStopping && !this.#settings.drains)) {
        if (this.#isClosed) return undefined
        await new Promise<void>((resolve) => this.#eventWaiters.push(resolve))
      }
      if (this.#waiting < countMax && !this.#isClosed) await this.#waitForMore(countMax, delayMs)
      try {
        const events = this.#cut(countMax)
        if (events.length > 0) return { events, acknowledge: this.#delivered.expect(this.#nextRead) }
      } catch (error) {
        this.#failing('read', error as Error)
        await this.#pause()
      }
    }
  }

  close(): void {
    this.#isClosed = true
    this.#wake(this.#eventWaiters)
  }

  /** The pipeline is stopping: events on disk may wait for the next start. */
  stop(): void {
    this.#isStopping = true
  }

  async release(): Promise<void> {
    clearInterval(this.#timer)
    // A running sync may have started before the last events were pushed.
    await this.#sync()
    await this.#sync()
    this.#isReleased = true
    this.#pages.close()
    this.#checkpoint.write({ firstOpen: this.#firstOpen, synced: this.#synced })
    if (this.count > 0) {
      this.#settings.log.info(`${this.count} events wait in ${this.#settings.folder} for the next start`)
    }
  }

  #append(events: readonly Event[], texts: readonly string[], onAcknowledged: (() => void) | undefined): void {
    const isCaughtUp = this.#nextRead + this.#fresh.length === this.#pages.nextWrite
    this.#pages.append(texts)
    if (isCaughtUp && this.#fresh.length < this.#settings.memoryCountMax) {
      for (let i = 0; i < events.length; i++) this.#fresh.push(events[i]!)
    }
    if (onAcknowledged !== undefined) this.#receipts.push({ end: this.#pages.nextWrite, done: onAcknowledged })
    this.#unsynced += events.length
    // An input that waits for its acknowledgement should not wait for the timer.
    if (onAcknowledged !== undefined || this.#unsynced >= this.#settings.checkpointWrites) void this.#sync()
    this.#wake(this.#eventWaiters)
  }

  /** The disk failed: the input waits while the write is retried. */
  async #appendLater(
    events: readonly Event[],
    texts: readonly string[],
    onAcknowledged: (() => void) | undefined,
    first: Error,
  ): Promise<void> {
    this.#failing('written', first)
    for (;;) {
      await this.#pause()
      try {
        this.#append(events, texts, onAcknowledged)
      } catch (error) {
        this.#failing('written', error as Error)
        continue
      }
      this.#isFailing = false
      return this.#waitForRoom()
    }
  }

  /** Logs a continuing failure once. */
  #failing(what: 'read' | 'written' | 'synced', error: Error): void {
    if (!this.#isFailing) this.#settings.log.error(`The queue cannot be ${what}, trying again: ${error.message}`)
    this.#isFailing = true
  }

  async #pause(): Promise<void> {
    await (this.#settings.pause?.() ?? sleep(RETRY_MS))
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
    while (this.#waiting < countMax && !this.#isClosed) {
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
    while (this.#waiting > 0) {
      const { texts, next } = this.#pages.read(this.#nextRead, countMax)
      const events = texts.map(decodeEvent)
      this.#nextRead = next
      if (events.length > 0) return events
    }
    return []
  }

  #acknowledged(position: number): void {
    this.#ackedSinceCheckpoint += position - this.#firstOpen
    this.#firstOpen = position
    // All events are acknowledged, but the current page occupies the remaining room.
    if (this.#firstOpen === this.#pages.nextWrite && this.#isFull) this.#turnPage()
    // A page that is removed must not look like a lost one.
    const isDue = this.#ackedSinceCheckpoint >= this.#settings.checkpointAcks
    if (isDue || this.#pages.holdsReleased(this.#firstOpen)) this.#writeCheckpoint()
    this.#pages.release(this.#firstOpen)
    if (!this.#isFull) this.#wake(this.#roomWaiters)
  }

  #turnPage(): void {
    try {
      this.#pages.turnPage()
    } catch (error) {
      this.#failing('written', error as Error)
    }
  }

  #writeCheckpoint(): void {
    const synced = this.#synced
    if (!this.#checkpoint.write({ firstOpen: this.#firstOpen, synced })) return
    this.#ackedSinceCheckpoint = 0
    this.#writtenSynced = synced
  }

  #sync(): Promise<void> {
    this.#syncing ??= this.#syncNow().then((isSynced) => {
      this.#syncing = undefined
      // Events pushed meanwhile need a sync of their own.
      if (isSynced && this.#receipts.length > 0) void this.#sync()
    })
    return this.#syncing
  }

  async #syncNow(): Promise<boolean> {
    if (this.#ackedSinceCheckpoint > 0 || this.#writtenSynced !== this.#synced) this.#writeCheckpoint()
    const end = this.#pages.nextWrite
    this.#unsynced = 0
    try {
      await this.#pages.sync()
    } catch (error) {
      this.#failing('synced', error as Error)
      this.#retrySync()
      return false
    }
    this.#isFailing = false
    this.#synced = end
    while (this.#receipts.length > 0 && this.#receipts[0]!.end <= end) this.#receipts.shift()!.done()
    return true
  }

  #retrySync(): void {
    void this.#pause().then(() => {
      if (!this.#isReleased) void this.#sync()
    })
  }

  #wake(waiters: (() => void)[]): void {
    for (const wake of waiters.splice(0)) wake()
  }
}

function checkRoom({ pageBytes, bytesMax, folder }: PersistedQueueSettings, disk: Disk): void {
  if (pageBytes > bytesMax) throw new Error('queue.page_capacity must be less than or equal to queue.max_bytes')
  disk.makeFolder(folder)
  if (disk.freeBytes(folder) < pageBytes) {
    throw new Error(`The disk of ${folder} has no room for one page of the queue (${pageBytes} bytes)`)
  }
}
