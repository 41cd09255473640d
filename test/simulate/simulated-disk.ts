/**
 * A disk in memory with faults that are determined by a seed: calls fail, take long, or take effect in another order; a
 * power failure loses, tears and reorders unsynced writes; bits flip.
 *
 * Calls that return promises take effect when the simulation selects them among the calls in flight.
 */
import { closedFile } from '../../src/base/disk/closed-file.ts'
import type { SeededRandom } from '../../src/base/seeded-random.ts'
import type { Directory, WritableFile } from '../../src/engine/store/directory.ts'
import type { Storage } from '../../src/engine/store/storage.ts'
import { SimulatedFile } from './simulated-file.ts'

/** The fault of a call. `short` writes a part and then reports a full disk. */
export type Fault = 'EIO' | 'ENOSPC' | 'EMFILE' | 'short'

/** `grow` is a write that makes the file longer. */
export type CallKind = 'read' | 'open' | 'write' | 'grow' | 'sync' | 'names'

/** Selects the fault of each call by its number. */
export type FaultPlan = (call: number, kind: CallKind, path: string) => Fault | undefined

/** The calling process has ended: its calls have no effect and get no response. */
class ProcessEnded extends Error {}

/** The names in a folder: as the process sees them, as they are durable, and the changes in between. */
class Folder {
  names = new Map<string, SimulatedFile>()
  safe = new Map<string, SimulatedFile>()
  unsafe: ReadonlyMap<string, SimulatedFile | undefined>[] = []

  change(change: ReadonlyMap<string, SimulatedFile | undefined>): void {
    this.unsafe.push(change)
    apply(this.names, change)
  }
}

function apply(names: Map<string, SimulatedFile>, change: ReadonlyMap<string, SimulatedFile | undefined>): void {
  for (const [name, file] of change) {
    if (file === undefined) names.delete(name)
    else names.set(name, file)
  }
}

export class SimulatedDisk implements Storage {
  calls = 0
  faultPlan: FaultPlan = () => undefined
  /** The faults so far, for the report of a failing seed. */
  readonly faults: string[] = []
  /** The first file that was used after it had been closed, which is always a defect. */
  usedWhenClosed: string | undefined
  /** Called for every disk call, to trace a failing seed. */
  onCall: ((call: string) => void) | undefined
  readonly #random: SeededRandom
  #folders = new Map<string, Folder>()
  /** The calls in flight. */
  #waiting: (() => void)[] = []
  #epoch = 0

  constructor(random: SeededRandom) {
    this.#random = random
  }

  // --- interface of the simulation ---

  get isBusy(): boolean {
    return this.#waiting.length > 0
  }

  /** Lets one of the calls in flight take effect. */
  step(): void {
    const [next] = this.#waiting.splice(this.#random.below(this.#waiting.length), 1)
    next?.()
  }

  /** Kills the process. Its writes stay, synced or not. Calls in flight may have taken effect. */
  kill(): void {
    for (const call of this.#waiting) if (this.#random.chance(0.5)) call()
    this.#waiting = []
    this.#epoch++
  }

  powerCut(): void {
    this.kill()
    const files = new Map<SimulatedFile, SimulatedFile>()
    const found = (file: SimulatedFile) => {
      const known = files.get(file) ?? file.afterPowerCut(this.#random)
      files.set(file, known)
      return known
    }
    for (const folder of this.#folders.values()) {
      const names = new Map(folder.safe)
      for (const change of folder.unsafe) if (this.#random.chance(0.5)) apply(names, change)
      for (const [name, file] of names) names.set(name, found(file))
      folder.names = names
      folder.safe = new Map(names)
      folder.unsafe = []
    }
  }

  /** Flips a bit of a file and returns the path of the file. */
  flipBit(): string | undefined {
    const paths = [...this.#folders].flatMap(([path, { names }]) => [...names.keys()].map((name) => ({ path, name })))
    if (paths.length === 0) return undefined
    const { path, name } = this.#random.pick(paths)
    return this.#folders.get(path)!.names.get(name)!.flipBit(this.#random) ? `${path}/${name}` : undefined
  }

  // --- the storage ---

  directory(path: string): Directory {
    if (!this.#folders.has(path)) this.#folders.set(path, new Folder())
    return new SimulatedDirectory(this, path, this.#epoch)
  }

  folders(path: string): string[] {
    const names = new Set<string>()
    for (const folder of this.#folders.keys()) {
      if (folder.startsWith(`${path}/`)) names.add(folder.slice(path.length + 1).split('/')[0]!)
    }
    return [...names].sort()
  }

  names(path: string): string[] {
    return [...(this.#folders.get(path)?.names.keys() ?? []), ...this.folders(path)]
  }

  async move(from: string, to: string): Promise<void> {
    this.begin(this.#epoch, 'names', from)
    for (const path of this.#under(from)) {
      this.#folders.set(to + path.slice(from.length), this.#folders.get(path)!)
      this.#folders.delete(path)
    }
  }

  async remove(path: string): Promise<void> {
    this.begin(this.#epoch, 'names', path)
    for (const folder of this.#under(path)) this.#folders.delete(folder)
  }

  #under(path: string): string[] {
    return [...this.#folders.keys()].filter((folder) => folder === path || folder.startsWith(`${path}/`))
  }

  // --- interface of directories and files ---

  folder(path: string): Folder {
    const folder = this.#folders.get(path)
    if (folder === undefined) throw systemError('ENOENT', 'open', path)
    return folder
  }

  /** Starts a call. It may fail, and a call of a killed process never returns. */
  begin(epoch: number, kind: CallKind, path: string): Fault | undefined {
    if (epoch !== this.#epoch) throw new ProcessEnded()
    const fault = this.faultPlan(++this.calls, kind, path)
    this.onCall?.(`${this.calls} ${kind} ${path}${fault === undefined ? '' : ` ${fault}`}`)
    if (fault === undefined) return undefined
    this.faults.push(`call ${this.calls}: ${fault} (${kind} ${path})`)
    if (fault === 'short' && kind === 'grow') return fault
    throw systemError(fault === 'short' ? 'EIO' : fault, kind === 'sync' ? 'fsync' : kind, path)
  }

  /** A call that completes later. A call of a killed process never completes. */
  later(epoch: number, effect: () => void): Promise<void> {
    if (epoch !== this.#epoch) return new Promise(() => undefined)
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          effect()
        } catch (error) {
          if (epoch === this.#epoch) reject(error)
          return
        }
        if (epoch === this.#epoch) resolve()
      })
    })
  }

  get random(): SeededRandom {
    return this.#random
  }
}

class SimulatedDirectory implements Directory {
  readonly #disk: SimulatedDisk
  readonly #path: string
  readonly #epoch: number

  constructor(disk: SimulatedDisk, path: string, epoch: number) {
    this.#disk = disk
    this.#path = path
    this.#epoch = epoch
  }

  list(): string[] {
    this.#begin('names', '')
    return [...this.#folder.names.keys()].sort()
  }

  size(name: string): number | undefined {
    return this.#folder.names.get(name)?.size
  }

  read(name: string, offset: number, target: Uint8Array): void {
    this.#begin('read', name)
    const { bytes } = this.#file(name)
    if (offset + target.length > bytes.length) throw new Error(`${name} ends at ${bytes.length}`)
    target.set(bytes.subarray(offset, offset + target.length))
  }

  write(name: string, ...pieces: readonly Uint8Array[]): void {
    this.#begin('open', name)
    const file = new SimulatedFile()
    this.#folder.change(new Map([[name, file]]))
    const bytes = Buffer.concat(pieces)
    writeOrFail(this.#disk, this.#epoch, `${this.#path}/${name}`, file, 0, bytes)
  }

  create(name: string): WritableFile {
    this.#begin('open', name)
    const file = new SimulatedFile()
    this.#folder.change(new Map([[name, file]]))
    return this.#handle(name, file)
  }

  open(name: string): WritableFile {
    this.#begin('open', name)
    return this.#handle(name, this.#file(name))
  }

  rename(from: string, to: string): void {
    this.#begin('names', to)
    this.#folder.change(
      new Map<string, SimulatedFile | undefined>([
        [to, this.#file(from)],
        [from, undefined],
      ]),
    )
  }

  delete(name: string): void {
    this.#begin('names', name)
    if (this.#folder.names.has(name)) this.#folder.change(new Map([[name, undefined]]))
  }

  async sync(name: string): Promise<void> {
    await syncLater(this.#disk, this.#epoch, `${this.#path}/${name}`, this.#file(name))
  }

  async syncFolder(): Promise<void> {
    const path = this.#path
    await this.#disk.later(this.#epoch, () => {
      this.#disk.begin(this.#epoch, 'sync', path)
      const folder = this.#folder
      folder.safe = new Map(folder.names)
      folder.unsafe = []
    })
  }

  assertOwned(): void {}

  close(): void {}

  get #folder(): Folder {
    return this.#disk.folder(this.#path)
  }

  #file(name: string): SimulatedFile {
    const file = this.#folder.names.get(name)
    if (file === undefined) throw systemError('ENOENT', 'open', `${this.#path}/${name}`)
    return file
  }

  #begin(kind: CallKind, name: string): void {
    this.#disk.begin(this.#epoch, kind, `${this.#path}/${name}`)
  }

  #handle(name: string, file: SimulatedFile): WritableFile {
    const disk = this.#disk
    const epoch = this.#epoch
    const path = `${this.#path}/${name}`
    let isClosed = false
    const assertOpen = () => {
      if (!isClosed) return
      disk.usedWhenClosed ??= path
      throw closedFile()
    }
    return {
      write: async (bytes, start, end, offset) => {
        assertOpen()
        await disk.later(epoch, () => writeOrFail(disk, epoch, path, file, offset, bytes.subarray(start, end)))
      },
      writeSync: (bytes, start, end, offset) => {
        assertOpen()
        writeOrFail(disk, epoch, path, file, offset, bytes.subarray(start, end))
      },
      sync: async () => {
        assertOpen()
        await syncLater(disk, epoch, path, file)
      },
      syncSync: () => {
        assertOpen()
        syncOrFail(disk, epoch, path, file)
      },
      truncate: (size) => {
        assertOpen()
        disk.begin(epoch, 'write', path)
        file.truncate(size)
      },
      close: () => {
        isClosed = true
      },
    }
  }
}

function writeOrFail(
  disk: SimulatedDisk,
  epoch: number,
  path: string,
  file: SimulatedFile,
  offset: number,
  bytes: Uint8Array,
): void {
  const kind = offset + bytes.length > file.size ? 'grow' : 'write'
  if (disk.begin(epoch, kind, path) === undefined) {
    file.write(offset, bytes)
    return
  }
  file.write(offset, bytes.subarray(0, disk.random.below(bytes.length)))
  throw systemError('ENOSPC', 'write', path)
}

function syncOrFail(disk: SimulatedDisk, epoch: number, path: string, file: SimulatedFile): void {
  try {
    disk.begin(epoch, 'sync', path)
  } catch (error) {
    file.loseSome(disk.random)
    throw error
  }
  file.sync()
}

function syncLater(disk: SimulatedDisk, epoch: number, path: string, file: SimulatedFile): Promise<void> {
  return disk.later(epoch, () => syncOrFail(disk, epoch, path, file))
}

function systemError(code: string, syscall: string, path: string): Error {
  return Object.assign(new Error(`${code}: simulated, ${syscall} '${path}'`), { code, syscall })
}
