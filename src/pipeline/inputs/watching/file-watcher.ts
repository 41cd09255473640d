/**
 * The loop of the file input: discovers files, checks each in every round, and reads new content.
 *
 * It polls, because network mounts send no notifications. After rotation by renaming, the path leads to another file;
 * the old file stays open and is read until it has been quiet for some rounds, because its writer may not have switched
 * yet. After rotation by truncation, the file is shorter than its position, or other bytes precede the position.
 */
import { appendFileSync, type BigIntStats, read as readCallback, statSync, unlinkSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expandGlob } from '../../../base/files/glob.ts'
import type { Event } from '../../event/event.ts'
import type { Codec } from '../../plugin/codec-plugin.ts'
import type { Input, InputSink } from '../../plugin/input-plugin.ts'
import type { PluginContext } from '../../plugin/plugin-context.ts'
import { isArchive, readArchive } from './archive.ts'
import { fileDecoration } from './file-decoration.ts'
import { showProgress } from './progress-line.ts'
import { type FileIdentity, identityOf, type Sincedb } from './sincedb.ts'
import { MEMORY_BYTES, WatchedFile } from './watched-file.ts'

const read = promisify(readCallback)

/** Maximum files that are logged individually at startup. */
const TOLD_MAX = 20
const WARN_AGAIN_MS = 300_000
/** Rounds without new bytes after which a renamed or deleted file is closed. */
const QUIET_ROUNDS = 10
/** Attempts to read the positions at startup. */
const LOAD_TRIES = 5

export interface WatchSettings {
  readonly paths: readonly string[]
  isExcluded(name: string): boolean
  readonly isRead: boolean
  readonly fromBeginning: boolean
  /** Whether stored positions are ignored for files found at startup. */
  readonly ignoresPositions: boolean
  readonly roundMs: number
  readonly discoverRounds: number
  readonly closeAfterMs: number
  readonly ignoreAfterMs: number | undefined
  readonly delimiter: string
  readonly openMax: number
  readonly chunkBytes: number
  readonly chunkCount: number
  readonly sortBy: 'last_modified' | 'path'
  readonly isDescending: boolean
  readonly deletesCompleted: boolean
  readonly completedLog: string | undefined
  readonly exitsAfterRead: boolean
  readonly checksArchives: boolean
}

export class FileWatcher implements Input {
  readonly #settings: WatchSettings
  readonly #codec: Codec
  readonly #sincedb: Sincedb
  readonly #context: PluginContext
  readonly #files = new Map<FileIdentity, WatchedFile>()
  readonly #warned = new Map<string, number>()
  readonly #stopping = new AbortController()
  readonly #decorate: (event: Event, path: string) => void
  readonly #buffer: Buffer
  #told = 0
  /** The total bytes to read in read mode, for the progress line. */
  #totalBytes = 0
  #readBytes = 0

  constructor(settings: WatchSettings, codec: Codec, sincedb: Sincedb, context: PluginContext) {
    this.#settings = settings
    this.#codec = codec
    this.#sincedb = sincedb
    this.#context = context
    this.#decorate = fileDecoration(context)
    this.#buffer = Buffer.allocUnsafe(settings.chunkBytes + MEMORY_BYTES)
  }

  async start(): Promise<void> {
    const { path, isForgetful } = this.#sincedb
    await this.#loadPositions()
    const where = isForgetful ? 'positions are not remembered (sincedb_path is the null device)' : `positions: ${path}`
    this.#context.log.info(`Watching ${this.#settings.paths.join(', ')}; ${where}, ${this.#sincedb.size} files known`)
  }

  /** Retries, because a temporary disk error must not make every file count as new. */
  async #loadPositions(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return this.#sincedb.load(Date.now())
      } catch (error) {
        const { message } = error as Error
        if (tries === LOAD_TRIES) throw new Error(`The positions in ${this.#sincedb.path} cannot be read: ${message}`)
        this.#context.log.warn(`The positions in ${this.#sincedb.path} cannot be read, trying again: ${message}`)
        await this.#pause()
      }
    }
  }

  async run(sink: InputSink): Promise<void> {
    this.#discover(true)
    const endProgress = this.#settings.isRead
      ? showProgress(() => ({ readBytes: this.#readBytes, totalBytes: this.#totalBytes }))
      : undefined
    for (let round = 1; !this.#isStopping; round++) {
      const hasMore = await this.#round(sink)
      if (this.#settings.exitsAfterRead && this.#isAllComplete()) break
      if (!hasMore) await this.#pause()
      if (round % this.#settings.discoverRounds === 0 && !this.#settings.exitsAfterRead) this.#discover(false)
    }
    endProgress?.()
    // The event that a codec holds back counts as complete. Incomplete lines wait for the next start.
    for (const file of this.#files.values()) await this.#flushCodec(file, sink)
  }

  stop(): void {
    this.#stopping.abort()
  }

  async close(): Promise<void> {
    for (const file of this.#files.values()) file.close()
    await this.#sincedb.close(Date.now())
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  #isAllComplete(): boolean {
    for (const file of this.#files.values()) if (!file.isComplete) return false
    return true
  }

  async #pause(): Promise<void> {
    await sleep(this.#settings.roundMs, undefined, { signal: this.#stopping.signal }).catch(() => {})
  }

  #discover(isFirst: boolean): void {
    const { paths, isExcluded, sortBy, isDescending, ignoreAfterMs } = this.#settings
    const found: { path: string; status: BigIntStats }[] = []
    for (const path of new Set(paths.flatMap(expandGlob))) {
      if (isExcluded(basename(path))) continue
      const status = statusOf(path)
      if (status?.isFile()) found.push({ path, status })
    }
    found.sort((a, b) => (sortBy === 'path' ? (a.path < b.path ? -1 : 1) : Number(a.status.mtimeMs - b.status.mtimeMs)))
    if (isDescending) found.reverse()
    for (const { path, status } of found) {
      const known = this.#files.get(identityOf(status))
      // The file was renamed. It continues at its position.
      if (known !== undefined) {
        if (known.path !== path && statusOf(known.path)?.ino !== status.ino) known.path = path
        continue
      }
      const isOld = ignoreAfterMs !== undefined && Date.now() - Number(status.mtimeMs) > ignoreAfterMs
      if (isOld && this.#settings.isRead) continue
      const startsAtEnd = isFirst && !this.#settings.fromBeginning && !this.#sincedb.isLost
      this.#add(path, status, isOld || startsAtEnd ? 'end' : 'start', isFirst)
    }
    if (isFirst && this.#told > TOLD_MAX) this.#context.log.info(`and ${this.#told - TOLD_MAX} files more`)
  }

  #add(path: string, status: BigIntStats, from: 'start' | 'end', tell: boolean): void {
    const identity = identityOf(status)
    const size = Number(status.size)
    const position = this.#startPosition(identity, path, size, from, tell)
    const file = new WatchedFile({
      path,
      identity,
      position,
      decoder: this.#codec.createDecoder(),
      delimiter: this.#settings.delimiter,
      joinsLines: this.#codec.name === 'multiline',
      onDelivered: (which, delivered) => this.#sincedb.set(which.identity, delivered, which.path, Date.now()),
    })
    file.lastReadMs = Date.now()
    this.#totalBytes += size
    this.#readBytes += position
    this.#files.set(identity, file)
    this.#sincedb.set(identity, position, path, Date.now())
  }

  #startPosition(identity: FileIdentity, path: string, size: number, from: 'start' | 'end', tell: boolean): number {
    if (tell && this.#settings.ignoresPositions) return 0
    const record = this.#sincedb.get(identity)
    const isSame = record !== undefined && (record.path === undefined || record.path === path)
    if (isSame && record.position <= size) {
      if (tell) this.#tell(`${path}: goes on at byte ${record.position} of ${size}, as remembered`)
      return record.position
    }
    if (isSame && tell) this.#tell(`${path}: shorter than remembered, so it is read from its start`)
    if (isSame || this.#settings.isRead || from === 'start') return 0
    if (tell && size > 0) {
      this.#tell(`${path}: new, starts at its end (byte ${size}); start_position => "beginning" reads it whole`)
    }
    return size
  }

  #tell(message: string): void {
    if (this.#told++ < TOLD_MAX) this.#context.log.info(message)
  }

  /** Returns whether some file has more to read immediately. */
  async #round(sink: InputSink): Promise<boolean> {
    let hasMore = false
    for (const file of [...this.#files.values()]) {
      if (this.#isStopping) return false
      try {
        if (await (this.#settings.isRead ? this.#readWhole(file, sink) : this.#visit(file, sink))) hasMore = true
      } catch (error) {
        file.close()
        // The file was deleted before its turn. Waiting for it would never end.
        const isGone = this.#settings.isRead && (error as NodeJS.ErrnoException).code === 'ENOENT'
        if (isGone) this.#files.delete(file.identity)
        this.#warn(file.path, error)
      }
    }
    return hasMore
  }

  async #visit(file: WatchedFile, sink: InputSink): Promise<boolean> {
    const status = statusOf(file.path)
    if (status === undefined || identityOf(status) !== file.identity) {
      if (status?.isFile() && !this.#files.has(identityOf(status))) {
        // The path leads to a new file: rotation. The old file is read to its end before the new one.
        await this.#visitMoved(file, sink)
        this.#add(file.path, status, 'start', false)
        return true
      }
      return this.#visitMoved(file, sink)
    }
    file.quietRounds = 0
    return this.#readNew(file, Number(status.size), sink)
  }

  /** Reads a file whose path leads elsewhere. Further writes to it arrive through the open handle. */
  async #visitMoved(file: WatchedFile, sink: InputSink): Promise<boolean> {
    const status = file.status()
    if (status !== undefined && status.size > file.position) {
      file.quietRounds = 0
      return this.#readNew(file, status.size, sink)
    }
    // Leaves time for a discovery to find the file under a new name, if the pattern covers it.
    if (++file.quietRounds <= QUIET_ROUNDS + this.#settings.discoverRounds) return false
    await this.#flushCodec(file, sink)
    // The file was deleted. The system may reuse its inode for another file, which must not inherit the position.
    if (status?.isDeleted) file.delivered.whenSettled(() => this.#sincedb.delete(file.identity))
    file.close()
    this.#files.delete(file.identity)
    return false
  }

  async #readNew(file: WatchedFile, size: number, sink: InputSink): Promise<boolean> {
    if (size < file.position) this.#truncated(file)
    file.sizeSeen = size
    if (size === file.position) {
      await this.#idle(file, sink)
      return false
    }
    this.#makeRoom(file)
    const handle = file.open()
    if (handle === undefined) return false
    const more = await this.#readTurn(file, handle, sink)
    file.lastReadMs = Date.now()
    return more
  }

  #truncated(file: WatchedFile): void {
    const unread = file.sizeSeen - file.position
    if (unread > 0) {
      this.#context.log.warn(`potential data loss, file truncate detected with ${unread} unread bytes`, {
        path: file.path,
      })
    }
    file.restart()
    this.#sincedb.set(file.identity, 0, file.path, Date.now())
  }

  /**
   * Reads on. A followed file yields after the time of a round, so that other files get their turn and rotations are
   * detected. In read mode a file is read to its end before the next.
   */
  async #readTurn(file: WatchedFile, handle: number, sink: InputSink): Promise<boolean> {
    const until = this.#settings.isRead ? Number.POSITIVE_INFINITY : performance.now() + this.#settings.roundMs
    for (let chunk = 0; chunk < this.#settings.chunkCount && performance.now() <= until; chunk++) {
      if (this.#isStopping) return false
      // The last bytes of the previous chunk are read again. If they differ, the file was truncated and rewritten.
      const again = file.memory.length
      const { bytesRead } = await read(handle, this.#buffer, 0, this.#buffer.length, file.position - again)
      if (bytesRead < again || !file.memory.equals(this.#buffer.subarray(0, again))) {
        this.#truncated(file)
        continue
      }
      if (bytesRead === again) return false
      this.#readBytes += bytesRead - again
      const events: Event[] = []
      file.take(this.#buffer.subarray(again, bytesRead), events)
      await this.#push(file, events, sink)
    }
    return true
  }

  #push(file: WatchedFile, events: Event[], sink: InputSink): Promise<void> | undefined {
    if (events.length === 0) return undefined
    for (let i = 0; i < events.length; i++) this.#decorate(events[i]!, file.path)
    return sink.push(events, file.delivered.expect(file.safeEnd))
  }

  async #idle(file: WatchedFile, sink: InputSink): Promise<void> {
    const quietMs = Date.now() - file.lastReadMs
    const { flushAfterMs, pending } = file.decoder
    if (pending && flushAfterMs !== undefined && quietMs >= flushAfterMs) await this.#flushCodec(file, sink)
    if (quietMs > this.#settings.closeAfterMs) file.close()
  }

  async #flushCodec(file: WatchedFile, sink: InputSink): Promise<void> {
    if (!file.decoder.pending) return
    const events: Event[] = []
    file.flush(events)
    await this.#push(file, events, sink)
  }

  /** Closes the least recently read file when too many are open. */
  #makeRoom(wanted: WatchedFile): void {
    if (wanted.isOpen) return
    let openCount = 0
    let oldest: WatchedFile | undefined
    for (const file of this.#files.values()) {
      if (!file.isOpen) continue
      openCount++
      if (oldest === undefined || file.lastReadMs < oldest.lastReadMs) oldest = file
    }
    if (openCount >= this.#settings.openMax) oldest!.close()
  }

  /** Read mode: reads the file from its position to its end, then performs the completed action. */
  async #readWhole(file: WatchedFile, sink: InputSink): Promise<boolean> {
    if (file.isComplete) return false
    const events: Event[] = []
    if (isArchive(file.path)) {
      if (!(await this.#readArchive(file, sink))) return false
      file.finish(events)
      file.position = Number(statusOf(file.path)?.size ?? 0)
      this.#readBytes += file.position
    } else {
      const handle = file.open()
      if (handle === undefined) {
        this.#files.delete(file.identity)
        return false
      }
      if (await this.#readTurn(file, handle, sink)) return true
      if (this.#isStopping) return false
      file.finish(events)
    }
    file.isComplete = true
    file.close()
    for (const event of events) this.#decorate(event, file.path)
    await sink.push(events, file.delivered.expect(file.position))
    file.delivered.whenSettled(() => this.#complete(file))
    return false
  }

  /** Returns false if the archive could not be read to its end. */
  async #readArchive(file: WatchedFile, sink: InputSink): Promise<boolean> {
    if (file.position > 0 && file.position === Number(statusOf(file.path)?.size)) return true
    file.restart()
    const forward = async (bytes: Buffer) => {
      const events: Event[] = []
      file.take(bytes, events)
      for (const event of events) this.#decorate(event, file.path)
      // Positions inside an archive are meaningless: only the whole archive counts as read.
      await sink.push(events, file.delivered.expect(0))
      return !this.#isStopping
    }
    try {
      return await readArchive(file.path, this.#settings.checksArchives, forward)
    } catch (error) {
      this.#context.log.warn(`Skipping an archive that is damaged: ${file.path}`, { error })
      file.isComplete = true
      return false
    }
  }

  #complete(file: WatchedFile): void {
    const { deletesCompleted, completedLog } = this.#settings
    this.#sincedb.set(file.identity, file.position, file.path, Date.now())
    try {
      if (completedLog !== undefined) appendFileSync(completedLog, `${file.path}\n`)
      if (!deletesCompleted) return
      unlinkSync(file.path)
      this.#sincedb.delete(file.identity)
      this.#files.delete(file.identity)
    } catch (error) {
      this.#warn(file.path, error)
    }
  }

  #warn(path: string, error: unknown): void {
    const now = Date.now()
    if (now - (this.#warned.get(path) ?? Number.NEGATIVE_INFINITY) < WARN_AGAIN_MS) return
    this.#warned.set(path, now)
    this.#context.log.warn(`Could not read ${path}, trying again`, { error })
  }
}

function statusOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
