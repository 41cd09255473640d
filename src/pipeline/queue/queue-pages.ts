/**
 * The records of a persistent queue: pages `page.1`, `page.2`, … (see page-file.ts) in one folder.
 *
 * A restart never appends to an old page. A page is removed when all its records are acknowledged. Unreadable data is
 * never deleted: a damaged page is renamed to `page.N.damaged` after its readable records were appended to the queue
 * again. System errors are thrown and change nothing, so that the caller can retry.
 */
import { join } from 'node:path'
import type { Disk } from '../../base/disk/disk.ts'
import type { Log } from '../../base/log.ts'
import { DamagedPageError, PageReader, PageWriter } from './page-file.ts'

const READ_AT_ONCE = 1000

export interface QueuePagesSettings {
  readonly folder: string
  readonly pageBytes: number
  readonly disk: Disk
  readonly log: Log
}

interface Page {
  readonly number: number
  readonly firstRecord: number
  /** The number after the last record. */
  end: number
  bytes: number
  /** Whether invalid bytes follow the records: the file is then kept when its records are no longer needed. */
  readonly hasRest: boolean
}

export class QueuePages {
  readonly #settings: QueuePagesSettings
  readonly #pages: Page[] = []
  #writer: PageWriter | undefined
  #lastPage = 0
  /** Whether the newest page of the last run was damaged. */
  #endsSetAside = false
  #reader: { page: number; file: PageReader; next: number } | undefined
  #nextWrite: number
  /** The last records not yet confirmed by a sync. If a sync fails, they are written to a new page. */
  #unsynced: string[] = []

  /**
   * Finds the pages of the last run. `checkpoint` is the number of the first record still needed, `synced` the number
   * after the last one that is known to have been on disk.
   */
  constructor(settings: QueuePagesSettings, checkpoint: number, synced = 0) {
    this.#settings = settings
    this.#nextWrite = checkpoint
    const damaged = this.#recover(checkpoint)
    // Records of damaged pages are counted by no page.
    if (damaged.length === 0 && !this.#endsSetAside && synced > this.#nextWrite) this.#lost(this.#nextWrite, synced)
    for (const number of damaged) this.#salvage(number)
    this.#closeWriter()
  }

  /** The number of the next record to be written. */
  get nextWrite(): number {
    return this.#nextWrite
  }

  /** The number of the first record on disk. */
  get firstRecord(): number {
    return this.#pages[0]?.firstRecord ?? this.#nextWrite
  }

  get bytes(): number {
    let bytes = 0
    for (let i = 0; i < this.#pages.length; i++) bytes += this.#pages[i]!.bytes
    return bytes
  }

  append(texts: readonly string[]): void {
    if (this.#writer !== undefined && this.#writer.bytes >= this.#settings.pageBytes) this.#endPage()
    const writer = this.#writer ?? this.#startPage()
    writer.append(texts)
    this.#nextWrite += texts.length
    for (let i = 0; i < texts.length; i++) this.#unsynced.push(texts[i]!)
    this.#noteEnd(writer)
  }

  /** Resolves when everything appended before is on disk. After an error the next attempt writes it to a new page. */
  async sync(): Promise<void> {
    while (this.#unsynced.length > 0) {
      const end = this.#nextWrite
      const writer = this.#writer ?? this.#startPage()
      try {
        await writer.sync()
      } catch (error) {
        if (this.#writer === writer) this.#abandonWriter()
        else if (writer.isAbandoned) continue
        throw error
      }
      // An abandoned page counts for nothing: its unsynced records are in the next page, which has to be synced.
      if (writer.isAbandoned) continue
      const open = Math.min(this.#unsynced.length, this.#nextWrite - end)
      this.#unsynced = open === 0 ? [] : this.#unsynced.slice(-open)
      return
    }
  }

  /**
   * Up to `countMax` records from number `from` on, and the number after them. An empty list means that the records up
   * to that number are gone.
   */
  read(from: number, countMax: number): { texts: string[]; next: number } {
    const at = this.#pageOf(from)
    const page = this.#pages[at]
    const pageEnd = this.#pages[at + 1]?.firstRecord ?? this.#nextWrite
    if (page === undefined || from >= page.end) return { texts: [], next: pageEnd }
    const texts = this.#readFrom(page, from, Math.min(countMax, page.end - from))
    if (texts !== undefined) return { texts, next: from + texts.length }
    this.#replaceDamaged(page)
    // Continue with the next page: the one that replaced this page, if it was the last.
    return { texts: [], next: Math.max(from, this.#pages[at]?.firstRecord ?? pageEnd) }
  }

  /** Whether `release` would remove a page. */
  holdsReleased(before: number): boolean {
    return this.#pages.length > 1 && this.#pages[1]!.firstRecord <= before
  }

  /** Records before this number are no longer needed. */
  release(before: number): void {
    while (this.holdsReleased(before)) this.#dropPage(this.#pages.shift()!)
  }

  /** Ends the current page, so that it can be released. */
  turnPage(): void {
    this.#endPage()
    this.#startPage()
  }

  close(): void {
    this.#closeReader()
    this.#closeWriter()
  }

  /** Returns the numbers of pages that are damaged in the middle. */
  #recover(checkpoint: number): number[] {
    const { folder, disk, log } = this.#settings
    const names = disk.list(folder)
    const numbers = names
      .flatMap((name) => /^page\.(\d+)(?:\.damaged)?$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => a - b)
    this.#lastPage = numbers.at(-1) ?? 0
    this.#endsSetAside = names.includes(`page.${this.#lastPage}.damaged`)
    const setAside = names.flatMap((name) => /^page\.(\d+)\.damaged$/.exec(name)?.[1] ?? []).map(Number)
    const damaged: number[] = []
    for (const number of numbers) {
      const status = disk.status(this.#pathOf(number))
      if (status === undefined) continue
      if (status.bytes === 0) {
        // The last run ended while it created this page.
        this.#removeQuietly(number)
        continue
      }
      const page = this.#examine(number)
      if (page === undefined) damaged.push(number)
      else this.#pages.push(page)
    }
    // By records, not by names: pages that were swapped have all their records.
    this.#pages.sort((a, b) => a.firstRecord - b.firstRecord || a.number - b.number)
    this.#resolveOverlaps()
    this.#reportGaps(checkpoint, [...setAside, ...damaged])
    this.#nextWrite = Math.max(checkpoint, this.#pages.at(-1)?.end ?? 0)
    for (const page of this.#pages.filter(({ end }) => end <= checkpoint)) {
      this.#pages.splice(this.#pages.indexOf(page), 1)
      this.#dropPage(page)
    }
    for (const page of this.#pages) {
      if (page.hasRest) log.warn(`${this.#pathOf(page.number)} ends with a record that was not written to its end`)
    }
    return damaged
  }

  /**
   * The end of a page whose sync failed was written again to the next page. A power cut may have taken records of the next page that
   * the earlier page still has: then the earlier page counts.
   */
  #resolveOverlaps(): void {
    for (let i = 1; i < this.#pages.length; ) {
      const [previous, page] = [this.#pages[i - 1]!, this.#pages[i]!]
      if (page.end < previous.end) {
        this.#pages.splice(i, 1)
        this.#dropPage(page)
        continue
      }
      previous.end = Math.min(previous.end, page.firstRecord)
      i++
    }
  }

  /**
   * A page begins where the one before it ended, so a gap is a page that was removed. The records of a damaged page were
   * appended again, or will be, under other numbers.
   */
  #reportGaps(checkpoint: number, damaged: readonly number[]): void {
    for (let i = 1; i < this.#pages.length; i++) {
      const [previous, page] = [this.#pages[i - 1]!, this.#pages[i]!]
      const from = Math.max(previous.end, checkpoint)
      if (page.firstRecord <= from) continue
      if (damaged.some((number) => number > previous.number && number < page.number)) continue
      this.#lost(from, page.firstRecord)
    }
  }

  #lost(from: number, end: number): void {
    const { folder, log } = this.#settings
    log.error(
      `${end - from} events of the queue in ${folder} are missing (numbers ${from} to ${end - 1}): a page was removed, cut off, or damaged at its end. ` +
        'Stop the pipeline and bring the page back from a backup, or they are lost',
    )
  }

  /** Undefined for a page that is damaged before its last record. */
  #examine(number: number): Page | undefined {
    const path = this.#pathOf(number)
    let reader: ReturnType<typeof PageReader.open>
    try {
      reader = PageReader.open(path, this.#settings.disk)
    } catch (error) {
      if (error instanceof DamagedPageError) return undefined
      throw error
    }
    try {
      let count = 0
      let bytes = 0
      for (let texts = reader.read(READ_AT_ONCE); texts.length > 0; texts = reader.read(READ_AT_ONCE)) {
        count += texts.length
        for (const text of texts) bytes += text.length
      }
      if (reader.isDamaged) return undefined
      const { firstRecord, hasRest } = reader
      return { number, firstRecord, end: firstRecord + count, bytes, hasRest }
    } finally {
      reader.close()
    }
  }

  /** Appends the readable records of a damaged page to the queue again, and renames the page. */
  #salvage(number: number): void {
    const { disk, log } = this.#settings
    const path = this.#pathOf(number)
    let count = 0
    const reader = PageReader.salvage(path, disk)
    try {
      for (let texts = reader.read(READ_AT_ONCE); texts.length > 0; texts = reader.read(READ_AT_ONCE)) {
        this.append(texts)
        count += texts.length
      }
    } finally {
      reader.close()
    }
    // The records must be on disk before the page is set aside.
    this.#closeWriter()
    this.#putAside(number)
    log.error(
      `A page of the queue is damaged: the ${count} events in it that can be read are delivered (again), and it is kept as ${path}.damaged`,
    )
  }

  #putAside(number: number): void {
    const { disk, folder } = this.#settings
    disk.rename(this.#pathOf(number), `${this.#pathOf(number)}.damaged`)
    disk.syncFolder(folder)
  }

  #replaceDamaged(page: Page): void {
    if (page === this.#pages.at(-1)) this.#endPage()
    this.#closeReader()
    this.#salvage(page.number)
    this.#pages.splice(this.#pages.indexOf(page), 1)
  }

  #startPage(): PageWriter {
    const { disk, folder } = this.#settings
    const firstRecord = this.#nextWrite - this.#unsynced.length
    const number = ++this.#lastPage
    const writer = new PageWriter(this.#pathOf(number), firstRecord, disk)
    try {
      if (this.#unsynced.length > 0) writer.append(this.#unsynced)
      disk.syncFolder(folder)
    } catch (error) {
      // Its records are written again to the next page.
      writer.abandon()
      this.#removeQuietly(number)
      throw error
    }
    const previous = this.#pages.at(-1)
    if (previous !== undefined) previous.end = Math.min(previous.end, firstRecord)
    this.#pages.push({ number, firstRecord, end: this.#nextWrite, bytes: writer.bytes, hasRest: false })
    this.#writer = writer
    return writer
  }

  /** Closes the page. If that fails, its unsynced records are written to the next page. */
  #endPage(): void {
    const writer = this.#writer
    // A sync under way may still fail, so its records are written to the next page as well.
    if (writer?.isSyncing) {
      this.#abandonWriter()
      return
    }
    this.#writer = undefined
    try {
      writer?.close()
      this.#unsynced = []
    } catch (error) {
      this.#settings.log.error(
        `A page of the queue cannot be synced, a new one is written: ${(error as Error).message}`,
      )
    }
  }

  #closeWriter(): void {
    if (this.#writer === undefined) return
    if (this.#writer.isSyncing) {
      this.#abandonWriter()
      this.#startPage()
    }
    const writer = this.#writer
    this.#writer = undefined
    writer.close()
    this.#unsynced = []
  }

  #abandonWriter(): void {
    this.#writer?.abandon()
    this.#writer = undefined
  }

  #noteEnd(writer: PageWriter): void {
    const page = this.#pages[this.#pages.length - 1]!
    page.bytes = writer.bytes
    page.end = this.#nextWrite
  }

  /** Undefined if the page is damaged. */
  #readFrom(page: Page, from: number, countMax: number): string[] | undefined {
    const reader = this.#readerAt(page, from)
    if (reader === undefined) return undefined
    const texts = reader.file.read(countMax)
    if (texts.length === 0 || reader.file.isDamaged) return undefined
    reader.next = from + texts.length
    return texts
  }

  /** A reader positioned at a record. Earlier records were delivered by a previous run or from memory. */
  #readerAt(page: Page, from: number) {
    const known = this.#reader
    if (known?.page === page.number && known.next === from) return known
    this.#closeReader()
    let file: PageReader
    try {
      file = PageReader.open(this.#pathOf(page.number), this.#settings.disk)
    } catch (error) {
      if (error instanceof DamagedPageError) return undefined
      throw error
    }
    try {
      for (let skip = from - page.firstRecord; skip > 0; ) {
        const skipped = file.read(skip).length
        if (skipped === 0 || file.isDamaged) {
          file.close()
          return undefined
        }
        skip -= skipped
      }
    } catch (error) {
      // The reader is before the record, so the next attempt starts again.
      file.close()
      throw error
    }
    this.#reader = { page: page.number, file, next: from }
    return this.#reader
  }

  #closeReader(): void {
    this.#reader?.file.close()
    this.#reader = undefined
  }

  #pageOf(record: number): number {
    let at = this.#pages.length - 1
    while (at > 0 && this.#pages[at]!.firstRecord > record) at--
    return at
  }

  #dropPage({ number, hasRest }: Page): void {
    if (this.#reader?.page === number) this.#closeReader()
    if (!hasRest) {
      this.#removeQuietly(number)
      return
    }
    try {
      this.#putAside(number)
    } catch (error) {
      this.#settings.log.warn(`${this.#pathOf(number)} could not be renamed: ${(error as Error).message}`)
    }
  }

  /** A page that cannot be removed is below the checkpoint and will be removed at the next start. */
  #removeQuietly(number: number): void {
    try {
      this.#settings.disk.remove(this.#pathOf(number))
    } catch (error) {
      this.#settings.log.warn(`${this.#pathOf(number)} could not be removed: ${(error as Error).message}`)
    }
  }

  #pathOf(number: number): string {
    return join(this.#settings.folder, `page.${number}`)
  }
}
