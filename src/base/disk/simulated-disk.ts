/**
 * An in-memory disk for durability tests. It fails calls on request. After a power failure it keeps what was synced,
 * and a seed decides which part of the rest survives.
 *
 * `process()` returns the disk as one process sees it. After that process is killed all its calls fail, and the next
 * process gets a view of its own.
 */
import { dirname } from 'node:path'
import type { Disk, DiskFile, DiskFileStatus } from './disk.ts'

/** The outcome of a call: a system error, a short read or write, a killed process, or a power failure. */
export type Fault = 'EIO' | 'ENOSPC' | 'EMFILE' | 'short' | 'kill' | 'power'

interface Change {
  readonly position: number
  /** Undefined for a truncation to `position`. */
  readonly bytes: Buffer | undefined
}

/** The content of a file: what reads return, what has reached the platter, and the changes in between. */
interface Content {
  seen: Buffer
  durable: Buffer
  changes: Change[]
}

type FolderChange =
  | { readonly kind: 'link'; readonly path: string; readonly content: Content }
  | { readonly kind: 'unlink'; readonly path: string }
  | { readonly kind: 'rename'; readonly from: string; readonly to: string }

/** Thrown by calls of a process that was killed. */
export class KilledError extends Error {}

export class SimulatedDisk {
  readonly #random: () => number
  #names = new Map<string, Content>()
  #durableNames = new Map<string, Content>()
  #folderChanges: FolderChange[] = []
  readonly #folders = new Set<string>()
  #process = 0
  calls = 0
  /** Called before every disk call with its number; the returned fault is injected. */
  faultAt: ((call: number, name: string) => Fault | undefined) | undefined
  /** Called when a fault ends the process. */
  onEnd: (() => void) | undefined

  /** `random` returns numbers from 0 up to 1. */
  constructor(random: () => number) {
    this.#random = random
  }

  /** The disk for a new process. */
  process(): Disk {
    return new ProcessView(this, ++this.#process)
  }

  /** Kills the process. Data it wrote stays in the system's cache. */
  kill(): void {
    this.#process++
  }

  /** Cuts the power: unsynced changes are kept in part, in any order, and may be torn. */
  cutPower(): void {
    this.kill()
    // Folders behave like journals: a prefix of their changes is kept.
    const kept = Math.floor(this.#random() * (this.#folderChanges.length + 1))
    for (const change of this.#folderChanges.slice(0, kept)) applyTo(this.#durableNames, change)
    this.#folderChanges = []
    for (const content of new Set(this.#durableNames.values())) this.#settle(content)
    this.#names = new Map(this.#durableNames)
  }

  /**
   * Throws when the process is dead or the call has to fail. Returns whether the call has to transfer fewer bytes than
   * requested.
   */
  enter(process: number, name: string): boolean {
    if (process !== this.#process) throw new KilledError('this process is dead')
    const fault = this.faultAt?.(++this.calls, name)
    if (fault === undefined) return false
    if (fault === 'short') return true
    if (fault === 'kill' || fault === 'power') {
      if (fault === 'kill') this.kill()
      else this.cutPower()
      this.onEnd?.()
      throw new KilledError('this process is dead')
    }
    throw Object.assign(new Error(`${fault}: simulated`), { code: fault })
  }

  get names(): ReadonlyMap<string, Content> {
    return this.#names
  }

  makeFolder(path: string): void {
    this.#folders.add(path)
  }

  hasFolder(path: string): boolean {
    return this.#folders.has(path)
  }

  change(change: FolderChange): void {
    applyTo(this.#names, change)
    this.#folderChanges.push(change)
  }

  syncFolder(path: string): void {
    const isInside = (change: FolderChange) => dirname(change.kind === 'rename' ? change.to : change.path) === path
    for (const change of this.#folderChanges.filter(isInside)) applyTo(this.#durableNames, change)
    this.#folderChanges = this.#folderChanges.filter((change) => !isInside(change))
  }

  /** Each change since the last sync is kept, lost or torn. */
  #settle(content: Content): void {
    for (const { position, bytes } of content.changes) {
      if (this.#random() < 0.5) continue
      const part =
        bytes === undefined || this.#random() < 0.5 ? bytes : bytes.subarray(0, bytes.length * this.#random())
      content.durable = changed(content.durable, position, part)
    }
    content.changes = []
    content.seen = content.durable
  }
}

class ProcessView implements Disk {
  readonly #disk: SimulatedDisk
  readonly #process: number

  constructor(disk: SimulatedDisk, process: number) {
    this.#disk = disk
    this.#process = process
  }

  makeFolder(path: string): void {
    this.#enter('makeFolder')
    this.#disk.makeFolder(path)
  }

  list(folder: string): string[] {
    this.#enter('list')
    if (!this.#disk.hasFolder(folder)) throw missing(folder)
    const names: string[] = []
    for (const path of this.#disk.names.keys()) if (dirname(path) === folder) names.push(path.slice(folder.length + 1))
    return names
  }

  status(path: string): DiskFileStatus | undefined {
    this.#enter('status')
    const content = this.#disk.names.get(path)
    return content === undefined ? undefined : { bytes: content.seen.length, modifiedMs: 0, isFolder: false }
  }

  open(path: string, mode: 'read' | 'create' | 'replace'): DiskFile {
    this.#enter('open')
    let content = this.#disk.names.get(path)
    if (mode === 'create' && content !== undefined) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' })
    if (content === undefined) {
      if (mode === 'read') throw missing(path)
      content = { seen: Buffer.alloc(0), durable: Buffer.alloc(0), changes: [] }
      this.#disk.change({ kind: 'link', path, content })
    } else if (mode === 'replace') truncate(content, 0)
    return new OpenFile(content, (name) => this.#enter(name))
  }

  rename(from: string, to: string): void {
    this.#enter('rename')
    if (!this.#disk.names.has(from)) throw missing(from)
    this.#disk.change({ kind: 'rename', from, to })
  }

  remove(path: string): void {
    this.#enter('remove')
    if (this.#disk.names.has(path)) this.#disk.change({ kind: 'unlink', path })
  }

  syncFolder(path: string): void {
    this.#enter('syncFolder')
    this.#disk.syncFolder(path)
  }

  async syncFolderLater(path: string): Promise<void> {
    await Promise.resolve()
    this.syncFolder(path)
  }

  freeBytes(): number {
    this.#enter('freeBytes')
    return Number.MAX_SAFE_INTEGER
  }

  #enter(name: string): boolean {
    return this.#disk.enter(this.#process, name)
  }
}

class OpenFile implements DiskFile {
  readonly #content: Content
  readonly #enter: (name: string) => boolean

  constructor(content: Content, enter: (name: string) => boolean) {
    this.#content = content
    this.#enter = enter
  }

  read(into: Uint8Array, position: number): number {
    const isShort = this.#enter('read')
    const wanted = isShort ? Math.ceil(into.length / 2) : into.length
    const bytes = this.#content.seen.subarray(position, position + wanted)
    into.set(bytes)
    return bytes.length
  }

  write(bytes: Uint8Array, position: number): number {
    const isShort = this.#enter('write')
    const part = Buffer.from(isShort ? bytes.subarray(0, Math.ceil(bytes.length / 2)) : bytes)
    this.#content.changes.push({ position, bytes: part })
    this.#content.seen = changed(this.#content.seen, position, part)
    return part.length
  }

  bytes(): number {
    this.#enter('bytes')
    return this.#content.seen.length
  }

  truncate(bytes: number): void {
    this.#enter('truncate')
    truncate(this.#content, bytes)
  }

  sync(): void {
    try {
      this.#enter('sync')
    } catch (error) {
      // After a failed write-back the system drops the dirty pages: no later sync brings them to the disk.
      if (!(error instanceof KilledError)) this.#content.changes = []
      throw error
    }
    this.#content.durable = this.#content.changes.reduce(
      (content, { position, bytes }) => changed(content, position, bytes),
      this.#content.durable,
    )
    this.#content.changes = []
  }

  async syncLater(): Promise<void> {
    await Promise.resolve()
    this.sync()
  }

  close(): void {
    this.#enter('close')
  }
}

function applyTo(names: Map<string, Content>, change: FolderChange): void {
  if (change.kind === 'link') names.set(change.path, change.content)
  else if (change.kind === 'unlink') names.delete(change.path)
  else {
    const content = names.get(change.from)
    if (content === undefined) return
    names.delete(change.from)
    names.set(change.to, content)
  }
}

function truncate(content: Content, bytes: number): void {
  content.changes.push({ position: bytes, bytes: undefined })
  content.seen = changed(content.seen, bytes, undefined)
}

function changed(content: Buffer, position: number, bytes: Uint8Array | undefined): Buffer {
  if (bytes === undefined) {
    const cut = Buffer.alloc(position)
    content.copy(cut)
    return cut
  }
  const made = Buffer.alloc(Math.max(content.length, position + bytes.length))
  content.copy(made)
  made.set(bytes, position)
  return made
}

function missing(path: string): Error {
  return Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' })
}
