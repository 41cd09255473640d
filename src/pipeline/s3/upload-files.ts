/**
 * The temporary files of the s3 output: one per prefix, which grows until its size or age is reached, and is then uploaded and
 * deleted. The path of a file below its folder is the key of the object, so that files of a run that was killed can be uploaded.
 */
import { randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'

const gzip = promisify(gzipCallback)

export interface UploadFilesSettings {
  readonly folder: string
  readonly isGzip: boolean
  readonly tags: readonly string[]
  nowMs(): number
  /** Whether a file of this size and age is to be uploaded. */
  isFull(bytes: number, ageMs: number): boolean
}

export interface UploadFile {
  readonly path: string
  readonly key: string
}

interface OpenFile extends UploadFile {
  readonly prefix: string
  readonly handle: FileHandle
  readonly startedMs: number
  bytes: number
}

/** Folders that outputs of this process write to: their files are not leftovers. */
const foldersInUse = new Set<string>()

export class UploadFiles {
  readonly #settings: UploadFilesSettings
  readonly #folder: string
  readonly #open = new Map<string, OpenFile>()
  /** The number of files created per prefix. */
  readonly #parts = new Map<string, number>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(settings: UploadFilesSettings) {
    this.#settings = settings
    this.#folder = join(settings.folder, randomUUID())
    foldersInUse.add(this.#folder)
  }

  async start(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
  }

  /** Appends to the file of a prefix. Returns the file if it is to be uploaded now. */
  append(prefix: string, bytes: Buffer): Promise<UploadFile | undefined> {
    return this.#inTurn(async () => {
      const file = this.#open.get(prefix) ?? (await this.#begin(prefix))
      // A gzip file may consist of several members, so that every batch is complete by itself.
      const content = this.#settings.isGzip ? await gzip(bytes) : bytes
      await writeWhole(file, content)
      return this.#settings.isFull(file.bytes, this.#age(file)) ? this.#end(file) : undefined
    })
  }

  /** Ends the files that are old enough, or all of them. */
  endFiles(isAll: boolean): Promise<UploadFile[]> {
    return this.#inTurn(async () => {
      const ended: UploadFile[] = []
      for (const file of [...this.#open.values()]) {
        if (isAll || this.#settings.isFull(file.bytes, this.#age(file))) ended.push(await this.#end(file))
      }
      return ended
    })
  }

  /** Files that an earlier run left behind. Empty ones are deleted. */
  async leftovers(): Promise<UploadFile[]> {
    const found: UploadFile[] = []
    const runs = await readdir(this.#settings.folder, { withFileTypes: true }).catch(() => [])
    for (const run of runs) {
      const root = join(this.#settings.folder, run.name)
      if (!run.isDirectory() || !/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(run.name)) continue
      if (foldersInUse.has(root)) continue
      for (const path of await filesBelow(root)) {
        if ((await stat(path)).size > 0) found.push({ path, key: keyOf(relative(root, path)) })
        else await this.remove(path)
      }
    }
    return found
  }

  /** Deletes a file and the folders that are empty after it. In turn, because a new file may be about to go into them. */
  remove(path: string): Promise<void> {
    return this.#inTurn(async () => {
      await rm(path, { force: true })
      for (let folder = dirname(path); folder.startsWith(this.#settings.folder + sep); folder = dirname(folder)) {
        const isGone =
          folder !== this.#folder &&
          (await rmdir(folder).then(
            () => true,
            () => false,
          ))
        if (!isGone) return
      }
    })
  }

  async close(): Promise<void> {
    await this.#inTurn(async () => {})
    foldersInUse.delete(this.#folder)
    await rmdir(this.#folder).catch(() => {})
  }

  #age(file: OpenFile): number {
    return this.#settings.nowMs() - file.startedMs
  }

  async #begin(prefix: string): Promise<OpenFile> {
    const { tags, isGzip } = this.#settings
    const startedMs = this.#settings.nowMs()
    const part = this.#parts.get(prefix) ?? 0
    this.#parts.set(prefix, part + 1)
    const minute = localMinute(startedMs)
    const tagged = tags.length === 0 ? '' : `.tag_${tags.join('.')}`
    const name = `ls.s3.${randomUUID()}.${minute}${tagged}.part${part}.${isGzip ? 'txt.gz' : 'txt'}`
    const key = prefix === '' ? name : `${prefix.replaceAll(/^\/|\/$/g, '')}/${name}`
    const path = join(this.#folder, pathOf(key))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const file = { prefix, key, path, handle: await open(path, 'a', 0o600), startedMs, bytes: 0 }
    this.#open.set(prefix, file)
    return file
  }

  async #end(file: OpenFile): Promise<UploadFile> {
    this.#open.delete(file.prefix)
    await file.handle.close()
    return { path: file.path, key: file.key }
  }

  /** One write at a time, so that batches of several workers do not mix. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work)
    this.#last = done.catch(() => {})
    return done
  }
}

/** Writes everything or nothing: the caller tries again with the same bytes. */
async function writeWhole(file: OpenFile, content: Uint8Array): Promise<void> {
  try {
    await file.handle.appendFile(content)
  } catch (error) {
    await file.handle.truncate(file.bytes).catch(() => {})
    throw error
  }
  file.bytes += content.length
}

/** Parts of keys that no file can be named after are escaped. */
function pathOf(key: string): string {
  const name = (part: string) => {
    if (part === '') return '%'
    return /^\.+$/.test(part) ? part.replaceAll('.', '%2E') : encodeURIComponent(part)
  }
  return key.split('/').map(name).join(sep)
}

function keyOf(path: string): string {
  const part = (name: string) => (name === '%' ? '' : decodeURIComponent(name))
  return path.split(sep).map(part).join('/')
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath ?? entry.path, entry.name))
}

/** `2026-01-31T09.05` in the zone of the machine. */
function localMinute(timeMs: number): string {
  const time = new Date(timeMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}.${two(time.getMinutes())}`
}
