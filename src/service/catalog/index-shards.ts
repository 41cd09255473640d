/** The shards of the indices: opening and closing them with their index, and which of them cannot be used. */
import { dirname, join } from 'node:path'
import { metadataNotWritten } from '../../base/errors/index-errors.ts'
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import type { Log } from '../../base/log.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import type { Storage } from '../../engine/store/storage.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { LazyHost } from '../shards/lazy-host.ts'
import type { ShardConfig, ShardHost, ShardKey } from '../shards/shard-host.ts'

/** The file that marks a folder as an index folder and names its index. */
export const INDEX_MARKER = '.sandpiper-index'
/** Folders of indices that were deleted; what is in it may be removed at any time. */
const DELETED = 'deleted'
/** Folders of indices that the metadata does not know. They are never removed. */
export const UNKNOWN = 'unknown'

export class IndexShards {
  readonly #host: ShardHost
  readonly #folder: string | undefined
  readonly #storage: Storage
  readonly #owner: FolderOwner | undefined
  readonly #log: Log
  readonly #failures = new Map<string, Map<number, string>>()
  readonly #underWay = new Map<string, Promise<void>>()
  /** Flushes that found nothing to write, by index and shard. */
  readonly #idleFlushes = new Map<string, Map<number, number>>()

  /** `folder` holds one folder per index; undefined keeps shards in memory. */
  constructor(
    host: ShardHost,
    folder: string | undefined,
    log: Log,
    storage: Storage = diskStorage,
    owner?: FolderOwner | undefined,
  ) {
    this.#owner = owner
    this.#host = host
    this.#folder = folder
    this.#storage = storage
    this.#log = log
  }

  get host(): ShardHost {
    return this.#host
  }

  keys(index: IndexMetadata): ShardKey[] {
    return Array.from({ length: index.shardCount }, (_, shard) => ({ indexUuid: index.uuid, shard }))
  }

  /** Keys of the shards that are open and have not failed. */
  usableKeys(index: IndexMetadata): ShardKey[] {
    const failed = this.#failures.get(index.uuid)
    return this.keys(index).filter(({ shard }) => failed?.has(shard) !== true)
  }

  countIdleFlush({ indexUuid, shard }: ShardKey): void {
    const counts = this.#idleFlushes.get(indexUuid) ?? new Map<number, number>()
    counts.set(shard, (counts.get(shard) ?? 0) + 1)
    this.#idleFlushes.set(indexUuid, counts)
  }

  idleFlushes({ indexUuid, shard }: ShardKey): number {
    return this.#idleFlushes.get(indexUuid)?.get(shard) ?? 0
  }

  failure(key: ShardKey): string | undefined {
    return this.#failures.get(key.indexUuid)?.get(key.shard)
  }

  markFailed(key: ShardKey, reason: string): void {
    const known = this.#failures.get(key.indexUuid) ?? new Map<number, string>()
    known.set(key.shard, reason)
    this.#failures.set(key.indexUuid, known)
    this.#log.error('a shard failed', { index: key.indexUuid, shard: key.shard, reason })
  }

  /**
   * Runs `work` when everything asked before for the same index is over. Opening, closing and deleting take several steps
   * each; requests that arrive together must not mix them.
   */
  serially<T>(indexUuid: string, work: () => Promise<T>): Promise<T> {
    const before = this.#underWay.get(indexUuid) ?? Promise.resolve()
    const done = before.then(work, work)
    const settled = done.then(
      () => {},
      () => {},
    )
    this.#underWay.set(indexUuid, settled)
    settled.then(() => {
      if (this.#underWay.get(indexUuid) === settled) this.#underWay.delete(indexUuid)
    })
    return done
  }

  /** Opens all shards of a new index; when one fails the others are taken back. */
  async create(index: IndexMetadata): Promise<void> {
    const folder = this.#indexFolder(index.uuid)
    try {
      if (folder !== undefined) {
        const directory = this.#storage.directory(folder)
        directory.write(INDEX_MARKER, Buffer.from(`${index.name}\n`))
        await directory.sync(INDEX_MARKER)
      }
      await Promise.all(this.keys(index).map((key) => this.#host.openShard(this.#config(index, key))))
      await this.#syncFolders(folder)
    } catch (error) {
      await this.remove(index)
      throw isSystemError(error) ? metadataNotWritten(error) : error
    }
  }

  /** The shards sync their files; the names of the folders around them are ours to sync. */
  async #syncFolders(folder: string | undefined): Promise<void> {
    if (folder === undefined || this.#folder === undefined) return
    for (const path of [folder, this.#folder, dirname(this.#folder)]) await this.#storage.directory(path).syncFolder()
  }

  /** Opens the shards of an index that exists. A shard that cannot be opened is marked, the rest goes on. */
  async open(index: IndexMetadata): Promise<void> {
    this.#failures.delete(index.uuid)
    await Promise.all(
      this.keys(index).map(async (key) => {
        try {
          await this.#host.openShard(this.#config(index, key, index.hasSyncedLengths === true))
        } catch (error) {
          this.markFailed(key, error instanceof Error ? error.message : String(error))
        }
      }),
    )
  }

  /** As `open`, but each shard is opened when it is first needed, as the metadata is then. */
  openLater(host: LazyHost, index: IndexMetadata, newest: (uuid: string) => IndexMetadata | undefined): void {
    for (const key of this.keys(index)) {
      host.register(key, () => this.#config(newest(index.uuid) ?? index, key, index.hasSyncedLengths === true))
    }
  }

  /** Opens those of the shards that are opened when they are first needed, and are not open yet. */
  async wake(keys: readonly ShardKey[]): Promise<void> {
    for (const key of keys) {
      const opening = this.#host.wake?.(key)
      if (opening !== undefined) await opening
    }
  }

  async close(index: IndexMetadata): Promise<void> {
    await this.#closeAll(index, false)
  }

  /**
   * Closes the shards and deletes their files. The folder is moved first, so that a start which finds the rest of it knows that it was
   * deleted on purpose.
   */
  async remove(index: IndexMetadata): Promise<void> {
    await this.#closeAll(index, true)
    const folder = this.#indexFolder(index.uuid)
    if (folder === undefined) return
    try {
      if (!this.#storage.folders(this.#folder!).includes(index.uuid)) return
      const deleted = join(dirname(this.#folder!), DELETED)
      await this.#storage.move(folder, join(deleted, index.uuid))
      await this.#storage.remove(join(deleted, index.uuid))
    } catch (error) {
      // The index is gone whatever becomes of its files; the next start moves them aside.
      this.#log.warn('cannot remove the files of a deleted index', { folder, error: String(error) })
    }
  }

  /** Takes away the shards of indices that are no longer in the metadata. */
  async removeAll(indices: readonly IndexMetadata[]): Promise<void> {
    await Promise.all(indices.map((index) => this.serially(index.uuid, () => this.remove(index))))
  }

  /** Folders that were made for indices. */
  foldersOnDisk(): string[] {
    if (this.#folder === undefined) return []
    const folder = this.#folder
    return this.#storage
      .folders(folder)
      .filter((name) => this.#storage.names(join(folder, name)).includes(INDEX_MARKER))
  }

  /**
   * Moves folders of indices that the metadata does not know aside. A crash while an index was made or deleted leaves one; so would
   * a bug or a damaged disk, and then they may be all that is left of it.
   */
  async setUnknownAside(isKnown: (uuid: string) => boolean): Promise<void> {
    if (this.#folder === undefined) return
    const dataFolder = dirname(this.#folder)
    await this.#storage.remove(join(dataFolder, DELETED))
    for (const name of this.foldersOnDisk()) {
      if (isKnown(name)) continue
      const taken = this.#storage.folders(join(dataFolder, UNKNOWN))
      let free = name
      for (let copy = 2; taken.includes(free); copy++) free = `${name}-${copy}`
      await this.#storage.move(join(this.#folder, name), join(dataFolder, UNKNOWN, free))
      const hint = 'run sandpiper doctor to see what is in it, and remove it when it is of no use'
      this.#log.warn('moved a folder of no known index aside', { folder: join(UNKNOWN, free), hint })
    }
  }

  #config(index: IndexMetadata, key: ShardKey, expectsSyncedLength = false): ShardConfig {
    const folder = this.#indexFolder(index.uuid)
    return {
      ...key,
      expectsSyncedLength: expectsSyncedLength && folder !== undefined,
      owner: this.#owner,
      indexName: index.name,
      folder: folder === undefined ? undefined : join(folder, String(key.shard)),
      settings: index.settings,
      mapping: index.mapping,
      mappingVersion: index.mappingVersion,
      shardCount: index.shardCount,
    }
  }

  async #closeAll(index: IndexMetadata, deleteFiles: boolean): Promise<void> {
    const results = await Promise.allSettled(this.keys(index).map((key) => this.#host.closeShard(key, deleteFiles)))
    this.#failures.delete(index.uuid)
    this.#idleFlushes.delete(index.uuid)
    for (const result of results) {
      if (result.status === 'rejected') this.#log.warn('a shard did not close', { reason: String(result.reason) })
    }
  }

  #indexFolder(uuid: string): string | undefined {
    return this.#folder === undefined ? undefined : join(this.#folder, uuid)
  }
}

const isSystemError = (error: unknown) => typeof (error as NodeJS.ErrnoException).code === 'string'
