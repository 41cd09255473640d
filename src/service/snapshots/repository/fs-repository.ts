/**
 * A repository in a folder. Content is in blobs that are named by their hash, so that snapshots share equal content. A
 * snapshot exists if the newest `index-N` lists it. Everything before that step can be lost without harm, and a cleanup
 * removes files that no list refers to. Files with other names are not touched.
 */
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_MODE, FOLDER_MODE } from '../../../engine/store/disk-directory.ts'
import { DamagedFileError, decodeChecked, encodeChecked } from './checked-json.ts'
import { blobPath, type StoredFile } from './copy-file.ts'
import type { FileCopier } from './file-copier.ts'
import type { BlobReference, RepositoryIndex, SnapshotInfo, SnapshotManifest } from './repository-format.ts'

const INDEX_NAME = /^index-(\d{1,15})$/
const MANIFEST_NAME = /^snap-([0-9a-f-]{36})$/
const TEMPORARY_NAME = /^tmp-[0-9a-f-]{36}$/
const BLOB_NAME = /^[0-9a-f]{64}$/
const BLOB_FOLDER = /^[0-9a-f]{2}$/

/**
 * The number of a list that was durable once, written after it. A lower number is harmless: it is a lower bound, so that
 * a lost list is noticed and an older one is not taken for the newest.
 */
const LATEST = 'index.latest'

const EMPTY: RepositoryIndex = { uuid: '', generation: 0, snapshots: [] }

/** Another process changed the repository at the same time. */
export class RepositoryChangedError extends Error {
  constructor() {
    super('the repository was changed by another process at the same time')
    this.name = 'RepositoryChangedError'
  }
}

export class FsRepository {
  readonly folder: string
  readonly #copier: FileCopier
  /** Changes are sequential. */
  #changing: Promise<unknown> = Promise.resolve()

  constructor(folder: string, copier: FileCopier) {
    this.folder = folder
    this.#copier = copier
  }

  /** Creates the folder if it is missing, and checks that files can be written and read in it. */
  async verify(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: FOLDER_MODE })
    const name = temporaryName()
    const content = Buffer.from(name)
    await this.#writeSafely(name, content)
    const found = await readFile(join(this.folder, name))
    await rm(join(this.folder, name))
    if (!found.equals(content)) throw new Error('a file that was written cannot be read')
  }

  /** The newest list of snapshots. Throws a DamagedFileError if it is damaged or missing. */
  async index(): Promise<RepositoryIndex> {
    const generation = Math.max(0, ...(await this.#generations()))
    const latest = await this.#latest()
    if (generation < latest)
      throw new DamagedFileError(`index-${latest}`, 'is missing: it is the list of its snapshots')
    if (generation === 0) return EMPTY
    const name = `index-${generation}`
    const index = decodeChecked(await readFile(join(this.folder, name)), name) as RepositoryIndex
    if (index.generation !== generation) throw new DamagedFileError(name, `is damaged: it is index-${index.generation}`)
    return index
  }

  async manifest(uuid: string): Promise<SnapshotManifest> {
    const name = `snap-${uuid}`
    const manifest = decodeChecked(await readFile(join(this.folder, name)), name) as SnapshotManifest
    if (manifest.uuid !== uuid) throw new DamagedFileError(name, `is damaged: it is snap-${manifest.uuid}`)
    return manifest
  }

  /**
   * Stores a file and returns its reference. A segment is verified, and compared with its checksum in the commit point
   * (`any` without one).
   */
  async store(source: string, segment?: number | 'any'): Promise<StoredFile> {
    const temporary = temporaryName()
    return await this.#copier.store({ kind: 'store', source, repository: this.folder, temporary, segment })
  }

  async storeBytes(bytes: Uint8Array): Promise<StoredFile> {
    const name = temporaryName()
    await this.#writeSafely(name, bytes)
    try {
      return await this.store(join(this.folder, name))
    } finally {
      await rm(join(this.folder, name), { force: true })
    }
  }

  /** Writes the content to `target`, completely and synced, or fails. */
  async fetch({ sha256, bytes }: BlobReference, target: string): Promise<void> {
    await this.#copier.fetch({ kind: 'fetch', repository: this.folder, sha256, bytes, target })
  }

  async has({ sha256, bytes }: BlobReference): Promise<boolean> {
    const found = await stat(join(this.folder, blobPath(sha256))).catch(() => undefined)
    return found?.size === bytes
  }

  /** Adds a snapshot whose blobs are all stored. */
  async add(manifest: SnapshotManifest, infoOf: () => SnapshotInfo): Promise<SnapshotInfo> {
    const name = temporaryName()
    await this.#writeSafely(name, encodeChecked(manifest))
    await rename(join(this.folder, name), join(this.folder, `snap-${manifest.uuid}`))
    await this.#syncFolder()
    const info = infoOf()
    await this.change((snapshots) => [...snapshots, info])
    return info
  }

  /** Removes snapshots from the list, and then the content that no other snapshot uses. */
  async remove(uuids: ReadonlySet<string>): Promise<void> {
    await this.#serially(async () => {
      const before = await this.index()
      const removed = before.snapshots.filter(({ uuid }) => uuids.has(uuid))
      if (removed.length === 0) return
      const manifests = await Promise.all(removed.map(({ uuid }) => this.manifest(uuid).catch(() => undefined)))
      const kept = before.snapshots.filter(({ uuid }) => !uuids.has(uuid))
      await this.#writeIndex(before, kept)
      const used = await this.#blobsOf(kept)
      for (const { uuid } of removed) await rm(join(this.folder, `snap-${uuid}`), { force: true })
      for (const sha256 of new Set(
        manifests.flatMap((manifest) => (manifest === undefined ? [] : blobsOf(manifest))),
      )) {
        if (!used.has(sha256)) await rm(join(this.folder, blobPath(sha256)), { force: true })
      }
    })
  }

  /**
   * Removes the remains of interrupted operations: blobs and manifests that no snapshot uses, temporary files, old
   * lists.
   */
  async cleanup(): Promise<{ bytes: number; blobs: number }> {
    return await this.#serially(async () => {
      const index = await this.index()
      const used = await this.#blobsOf(index.snapshots)
      const known = new Set(index.snapshots.map(({ uuid }) => uuid))
      let bytes = 0
      let blobs = 0
      const remove = async (path: string) => {
        bytes += (await stat(path)).size
        blobs++
        await rm(path)
      }
      const names = await readdir(this.folder)
      if (index.generation === 0 && names.some((name) => MANIFEST_NAME.test(name))) {
        throw new DamagedFileError('index-N', 'is missing, although there are snapshots; nothing was removed')
      }
      for (const name of names) {
        const manifest = MANIFEST_NAME.exec(name)?.[1]
        const generation = INDEX_NAME.exec(name)?.[1]
        const isOldList = generation !== undefined && Number(generation) < index.generation - 1
        if (TEMPORARY_NAME.test(name) || isOldList || (manifest !== undefined && !known.has(manifest))) {
          await remove(join(this.folder, name))
        }
      }
      for (const path of await this.#blobFiles()) {
        if (!used.has(path.slice(-64))) await remove(path)
      }
      return { bytes, blobs }
    })
  }

  /** Replaces the list of snapshots; `compute` may throw. */
  async change(compute: (snapshots: readonly SnapshotInfo[]) => readonly SnapshotInfo[]): Promise<void> {
    await this.#serially(async () => {
      const before = await this.index()
      await this.#writeIndex(before, compute(before.snapshots))
    })
  }

  async #writeIndex(before: RepositoryIndex, snapshots: readonly SnapshotInfo[]): Promise<void> {
    const generation = before.generation + 1
    const uuid = before.uuid === '' ? randomUUID() : before.uuid
    const name = temporaryName()
    await this.#writeSafely(name, encodeChecked({ uuid, generation, snapshots } satisfies RepositoryIndex))
    await this.#publish(name, `index-${generation}`)
    await this.#writeLatest(generation)
    for (const old of await this.#generations()) {
      if (old < generation - 1) await rm(join(this.folder, `index-${old}`), { force: true })
    }
  }

  async #latest(): Promise<number> {
    try {
      const { generation } = decodeChecked(await readFile(join(this.folder, LATEST)), LATEST) as { generation: number }
      return generation
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw error
    }
  }

  /** The list is published already, so an older number must do if the disk is full. */
  async #writeLatest(generation: number): Promise<void> {
    const name = temporaryName()
    try {
      await this.#writeSafely(name, encodeChecked({ generation }))
      await rename(join(this.folder, name), join(this.folder, LATEST))
      await this.#syncFolder()
    } catch {
      await rm(join(this.folder, name), { force: true })
    }
  }

  /** Publishes by a link, which cannot replace a file: if two processes write the same list, one of them fails. */
  async #publish(temporary: string, name: string): Promise<void> {
    const from = join(this.folder, temporary)
    const to = join(this.folder, name)
    try {
      await link(from, to)
      await rm(from)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EEXIST') {
        await rm(from, { force: true })
        throw new RepositoryChangedError()
      }
      // Fallback for file systems without links.
      await rename(from, to)
    }
    await this.#syncFolder()
  }

  async #generations(): Promise<number[]> {
    const names = await readdir(this.folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    })
    return names
      .map((name) => INDEX_NAME.exec(name)?.[1])
      .filter((digits) => digits !== undefined)
      .map(Number)
  }

  async #blobsOf(snapshots: readonly SnapshotInfo[]): Promise<Set<string>> {
    const used = new Set<string>()
    for (const { uuid } of snapshots) for (const sha256 of blobsOf(await this.manifest(uuid))) used.add(sha256)
    return used
  }

  async #blobFiles(): Promise<string[]> {
    const root = join(this.folder, 'blobs')
    const folders = await readdir(root).catch(() => [] as string[])
    const files: string[] = []
    for (const folder of folders.filter((name) => BLOB_FOLDER.test(name))) {
      for (const name of await readdir(join(root, folder))) {
        if (BLOB_NAME.test(name)) files.push(join(root, folder, name))
      }
    }
    return files
  }

  async #writeSafely(name: string, bytes: Uint8Array): Promise<void> {
    const handle = await open(join(this.folder, name), 'w', FILE_MODE)
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  async #syncFolder(): Promise<void> {
    const handle = await open(this.folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work, work)
    this.#changing = done.catch(() => {})
    return done
  }
}

const temporaryName = (): string => `tmp-${randomUUID()}`

export const blobsOf = ({ indices }: SnapshotManifest): string[] =>
  indices.flatMap(({ shards }) =>
    shards.flatMap(({ segments, commit }) => [...segments.map(({ sha256 }) => sha256), commit.sha256]),
  )
