/**
 * The history of a shard: its operations in order, deletes included, for a client that copies the index elsewhere and
 * follows its changes.
 *
 * The write-ahead log has these operations until a commit trims it. While a lease is held, trimmed generations from the
 * leased operation on are renamed to `history-N` instead of being deleted. A lease ends when it is released or not
 * renewed in time.
 */
import { resourceNotFound } from '../../../base/api-error.ts'
import type { ShardLabel } from '../../../base/errors/shard-errors.ts'
import type { Log } from '../../../base/log.ts'
import type { Directory } from '../../store/directory.ts'
import { logFileName } from '../../store/log-format.ts'
import type { LogRecord } from '../../store/log-reader.ts'
import type { OperationLog } from '../../store/operation-log.ts'
import { type HistoryLease, LEASES_FILE, readLeases, writeLeases } from './history-leases.ts'
import { type HistoryFile, HistoryReader } from './history-reader.ts'

export interface ShardHistoryOptions {
  readonly label: ShardLabel
  readonly directory: Directory
  readonly log: () => OperationLog
  readonly nowMs: () => number
  readonly report: Log
}

/** A lease on disk is renewed when less than this part of its time is left. */
const RENEWAL_PART = 0.75
const TIMER_MAX_MS = 2 ** 31 - 1

const historyFileName = (generation: number) => `history-${generation}`

function historyGeneration(name: string): number | undefined {
  const match = /^history-(\d{1,15})$/.exec(name)
  return match === null ? undefined : Number(match[1])
}

/** The kept generations among the files of a shard. */
export function historyFiles(directory: Directory, names: readonly string[]): { name: string; file: HistoryFile }[] {
  return names.flatMap((name) => {
    const generation = historyGeneration(name)
    if (generation === undefined) return []
    return [{ name, file: { name, generation, bytes: directory.size(name) ?? 0 } }]
  })
}

export class ShardHistory {
  readonly #options: ShardHistoryOptions
  readonly #reader: HistoryReader
  readonly #leases: Map<string, HistoryLease>
  /** The expiry of each lease as it is on disk. */
  readonly #written = new Map<string, number>()
  /** Generations that are no longer part of the log, oldest first. */
  #kept: HistoryFile[]
  /** The file of leases is damaged: nothing is deleted until it is written again. */
  #isUnreadable: boolean
  /** Whether damage was reported. */
  #isDamaged = false
  #writing: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined

  constructor(options: ShardHistoryOptions, names: readonly string[]) {
    const { directory, label, report } = options
    this.#options = options
    this.#reader = new HistoryReader(directory)
    const leases = names.includes(LEASES_FILE) ? readLeases(directory) : new Map<string, HistoryLease>()
    this.#isUnreadable = leases === undefined
    if (leases === undefined) report.error(`${LEASES_FILE} is damaged; the history is kept`, { ...label })
    this.#leases = leases ?? new Map()
    for (const [id, { expiresAtMs }] of this.#leases) this.#written.set(id, expiresAtMs)
    this.#kept = names
      .flatMap((name) => historyGeneration(name) ?? [])
      .sort((a, b) => a - b)
      .map((generation) => this.#fileOf(generation))
  }

  /** Removes a generation from the log, whose operations a commit point contains. */
  retire(generation: number): void {
    const { directory } = this.#options
    const name = logFileName(generation)
    if (this.#neededFrom() === Number.POSITIVE_INFINITY) directory.delete(name)
    else {
      directory.rename(name, historyFileName(generation))
      this.#kept.push(this.#fileOf(generation))
    }
    this.prune()
  }

  /** Whether operations must reach the log before a commit trims it. */
  get isLeased(): boolean {
    return this.#leases.size > 0
  }

  /** Deletes generations that no lease needs. Damage in one of them keeps the others. */
  prune(): void {
    try {
      this.#prune()
    } catch (error) {
      const { report, label } = this.#options
      if (!this.#isDamaged)
        report.error('the history is damaged and kept', { ...label, error: (error as Error).message })
      this.#isDamaged = true
    }
  }

  #prune(): void {
    const { directory, log } = this.#options
    const needed = this.#neededFrom()
    const files = this.#files()
    while (this.#kept.length > 0) {
      const [oldest] = this.#kept
      const next = files.slice(1).find((file) => this.#reader.firstSeqNo(file) !== undefined)
      const end = next === undefined ? log().durableSeqNo + 1 : this.#reader.firstSeqNo(next)!
      if (end > needed) break
      directory.delete(oldest!.name)
      this.#reader.forget(oldest!.generation)
      this.#kept.shift()
      files.shift()
    }
  }

  /**
   * Keeps the operations from `from` on, by default those that are not durable yet, for `keepAliveMs`. Replaces an
   * earlier lease of the same id. Resolves when the lease would survive a power failure.
   */
  async lease(id: string, from: number | undefined, keepAliveMs: number): Promise<HistoryLease> {
    const { nowMs, log } = this.#options
    const fromSeqNo = from ?? log().durableSeqNo + 1
    this.#checkKept(fromSeqNo)
    const lease = { fromSeqNo, expiresAtMs: nowMs() + keepAliveMs }
    this.#leases.set(id, lease)
    const writtenUntil = this.#written.get(id)
    if (writtenUntil === undefined || writtenUntil - nowMs() < keepAliveMs * RENEWAL_PART) await this.#write()
    this.prune()
    this.#watch()
    return lease
  }

  async release(id: string): Promise<boolean> {
    if (!this.#leases.delete(id)) return false
    await this.#write()
    this.prune()
    return true
  }

  /** Passes durable operations from `from` on to `take` until it returns false; returns the first that is left. */
  read(from: number, take: (record: LogRecord) => boolean): number {
    this.#checkKept(from)
    return this.#reader.read(this.#files(), from, take)
  }

  stop(): void {
    clearTimeout(this.#timer)
  }

  /** Resolves when no lease is being written. */
  async settled(): Promise<void> {
    await this.#writing.catch(() => {})
  }

  /** The first operation that a lease needs; infinite if there is no lease. */
  #neededFrom(): number {
    if (this.#isUnreadable) return 0
    const nowMs = this.#options.nowMs()
    let needed = Number.POSITIVE_INFINITY
    for (const [id, { fromSeqNo, expiresAtMs }] of this.#leases) {
      if (expiresAtMs > nowMs) needed = Math.min(needed, fromSeqNo)
      else this.#leases.delete(id)
    }
    return needed
  }

  /** Throws if the operation `from` is not there, and is not the next one either. */
  #checkKept(from: number): void {
    const { log, label } = this.#options
    const next = log().durableSeqNo + 1
    if (from === next) return
    const oldest = this.#files()
      .map((file) => this.#reader.firstSeqNo(file))
      .find((first) => first !== undefined)
    if (from < next && oldest !== undefined && oldest <= from) return
    const kept =
      oldest === undefined ? `the next operation is [${next}]` : `operations [${oldest}] to [${next - 1}] are`
    throw resourceNotFound(
      `operation [${from}] of [${label.index}][${label.shard}] is not kept; ${kept}. A lease keeps operations from the moment ` +
        'it is taken until it expires',
    )
  }

  #files(): HistoryFile[] {
    const current = this.#options
      .log()
      .files.map(({ generation, bytes }) => ({ name: logFileName(generation), generation, bytes }))
    return [...this.#kept, ...current]
  }

  #fileOf(generation: number): HistoryFile {
    const name = historyFileName(generation)
    return { name, generation, bytes: this.#options.directory.size(name) ?? 0 }
  }

  /** Writes follow each other, and each writes the newest state. */
  #write(): Promise<void> {
    const write = async () => {
      this.#neededFrom()
      const leases = new Map(this.#leases)
      await writeLeases(this.#options.directory, leases)
      this.#isUnreadable = false
      this.#written.clear()
      for (const [id, { expiresAtMs }] of leases) this.#written.set(id, expiresAtMs)
    }
    this.#writing = this.#writing.then(write, write)
    return this.#writing
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const expiries = [...this.#leases.values()].map(({ expiresAtMs }) => expiresAtMs)
    if (expiries.length === 0) return
    const waitMs = Math.min(...expiries) - this.#options.nowMs() + 1
    this.#timer = setTimeout(
      () => {
        this.prune()
        this.#watch()
      },
      Math.min(Math.max(waitMs, 1), TIMER_MAX_MS),
    )
    this.#timer.unref()
  }
}
