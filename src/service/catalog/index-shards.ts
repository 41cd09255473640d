/** The shards of the indices: opens and closes them with their index, and tracks the failed ones. */
import { dirname, join } from 'node:path'
import { metadataNotWritten } from '../../base/errors/index-errors.ts'
import type { FolderOwner } from '../../base/files/folder-owner.ts'
import type { Log } from '../../base/log.ts'
import { diskFacts } from '../../engine/store/directory.ts'
import { diskStorage } from '../../engine/store/disk-storage.ts'
import type { Storage } from '../../engine/store/storage.ts'
import type { IndexMetadata } from '../metadata/metadata.ts'
import type { LazyHost } from '../shards/lazy-host.ts'
import type { ShardConfig, ShardCopySource, ShardHost, ShardKey } from '../shards/shard-host.ts'
import { shardIdOf } from '../shards/shard-id.ts'

/** The file that marks a folder as an index folder and names its index. */
export const INDEX_MARKER = '.sandpiper-index'
/** Holds folders of deleted indices; its contents may be removed at any time. */
const DELETED = 'deleted'
/** Holds folders of indices that the metadata does not know. They are never removed. */
export const UNKNOWN = 'unknown'

/** How often a shard is opened again that did not fit onto a full disk. */
const OPEN_AGAIN_MS = 5_000
const FULL_DISK = /\b(?:ENOSPC|EDQUOT)\b/

export class IndexShards {
  readonly #host: ShardHost
  readonly #folder: string | undefined
  readonly #storage: Storage
  readonly #owner: FolderOwner | undefined
  readonly #log: Log
  readonly #failures = new Map<string, Map<number, string>>()
  readonly #keys = new WeakMap<IndexMetadata, readonly ShardKey[]>()
  readonly #underWay = new Map<string, Promise<void>>()
  /** The newest configuration of a shard; undefined if its index is gone or closed. */
  configOfKey: (key: ShardKey) => ShardConfig | undefined = () => undefined
  readonly #openAgain = new Map<string, ShardKey>()
  #openAgainTimer: NodeJS.Timeout | undefined
  /** Flushes that found nothing to write, by index and shard. */
  readonly #idleFlushes = new Map<string, Map<number, number>>()

  /** `folder` contains one folder per index; undefined keeps shards in memory. */
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

  keys(index: IndexMetadata): readonly ShardKey[] {
    let keys = this.#keys.get(index)
    if (keys === undefined) {
      keys = Array.from({ length: index.shardCount }, (_, shard) => ({ indexUuid: index.uuid, shard }))
      this.#keys.set(index, keys)
    }
    return keys
  }

  /** Keys of the open shards that have not failed. */
  usableKeys(index: IndexMetadata): readonly ShardKey[] {
    const failed = this.#failures.get(index.uuid)
    return failed === undefined ? this.keys(index) : this.keys(index).filter(({ shard }) => !failed.has(shard))
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
    if (this.failure(key) === reason) return
    const known = this.#failures.get(key.indexUuid) ?? new Map<number, string>()
    known.set(key.shard, reason)
    this.#failures.set(key.indexUuid, known)
    const index = this.configOfKey(key)?.indexName ?? key.indexUuid
    this.#log.error('a shard failed', { index, shard: key.shard, reason })
    if (!FULL_DISK.test(reason)) return
    this.#openAgain.set(shardIdOf(key), key)
    this.#openAgainTimer ??= setInterval(() => void this.#openFullAgain(), OPEN_AGAIN_MS).unref()
  }

  /** Opens shards that failed because of a full disk: there may be space by now. */
  async #openFullAgain(): Promise<void> {
    for (const [shardId, key] of [...this.#openAgain]) {
      await this.serially(key.indexUuid, async () => {
        const config = this.configOfKey(key)
        const isStillFull = FULL_DISK.test(this.failure(key) ?? '')
        try {
          if (config !== undefined && isStillFull) await this.#host.openShard(config)
          this.#openAgain.delete(shardId)
          if (isStillFull) this.markRecovered(key)
        } catch (error) {
          const { message } = error as Error
          if (FULL_DISK.test(message)) return
          this.#openAgain.delete(shardId)
          this.markFailed(key, message)
        }
      })
    }
    if (this.#openAgain.size > 0) return
    clearInterval(this.#openAgainTimer)
    this.#openAgainTimer = undefined
  }

  /** No shard is opened any more. */
  stop(): void {
    clearInterval(this.#openAgainTimer)
    this.#openAgain.clear()
  }

  /** A shard that had failed is open again. */
  markRecovered(key: ShardKey): void {
    const failed = this.#failures.get(key.indexUuid)
    if (failed?.delete(key.shard) !== true) return
    if (failed.size === 0) this.#failures.delete(key.indexUuid)
    const index = this.configOfKey(key)?.indexName ?? key.indexUuid
    this.#log.info('a shard was recovered', { index, shard: key.shard })
  }

  /** A search found damage in the files of a shard. */
  reportDamage(key: ShardKey, reason: string): void {
    if (this.failure(key) !== undefined) return
    this.markFailed(key, reason)
    this.#host.failShard?.(key, reason)
  }

  /**
   * Runs `work` after all previous work on the same index. Opening, closing and deleting take several steps each, and
   * the steps of concurrent requests must not interleave.
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

  /**
   * Opens all shards of a new index, which start with copies of the shards that `copyFrom` names. If one fails, the
   * others are removed again.
   */
  async create(index: IndexMetadata, copyFrom?: (shard: number) => ShardCopySource): Promise<void> {
    const folder = this.#indexFolder(index.uuid)
    const directory = folder === undefined ? undefined : this.#storage.directory(folder)
    try {
      if (directory !== undefined) {
        directory.write(INDEX_MARKER, Buffer.from(`${index.name}\n`))
        await directory.sync(INDEX_MARKER)
      }
      await Promise.all(
        this.keys(index).map((key) =>
          this.#host.openShard({ ...this.#config(index, key), copyFrom: copyFrom?.(key.shard) }),
        ),
      )
      await this.#syncFolders(folder)
    } catch (error) {
      const disk = directory && diskFacts(directory)
      await this.remove(index)
      throw isSystemError(error) ? metadataNotWritten(error, disk) : error
    }
  }

  /** The shards sync their own files. This syncs the folders around them. */
  async #syncFolders(folder: string | undefined): Promise<void> {
    if (folder === undefined || this.#folder === undefined) return
    for (const path of [folder, this.#folder, dirname(this.#folder)]) await this.#storage.directory(path).syncFolder()
  }

  /** Opens the shards of an existing index. A shard that cannot be opened is marked as failed; the others continue. */
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

  /** Like `open`, but each shard is opened on first use, with the metadata of that moment. */
  openLater(host: LazyHost, index: IndexMetadata, newest: (uuid: string) => IndexMetadata | undefined): void {
    for (const key of this.keys(index)) {
      host.register(key, () => this.#config(newest(index.uuid) ?? index, key, index.hasSyncedLengths === true))
    }
  }

  /** Opens the shards that are registered for opening on first use. Undefined if all of them are open, as usual. */
  wake(keys: readonly ShardKey[]): Promise<void> | undefined {
    for (let i = 0; i < keys.length; i++) {
      const opening = this.#host.wake?.(keys[i]!)
      if (opening !== undefined) return this.#wakeFrom(keys, i + 1, opening)
    }
    return undefined
  }

  /** One shard after the other, because there may be thousands. */
  async #wakeFrom(keys: readonly ShardKey[], next: number, opening: Promise<void>): Promise<void> {
    await opening
    for (const key of keys.slice(next)) await this.#host.wake?.(key)
  }

  async close(index: IndexMetadata): Promise<void> {
    await this.#closeAll(index, false)
  }

  /**
   * Closes the shards and deletes their files. The folder is moved first, so that a restart recognizes its remains as
   * deleted.
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
      // The index is gone even if its files cannot be removed; the next start moves them aside.
      this.#log.warn('cannot remove the files of a deleted index', { folder, error: String(error) })
    }
  }

  /** Removes the shards of indices that are no longer in the metadata. */
  async removeAll(indices: readonly IndexMetadata[]): Promise<void> {
    await Promise.all(indices.map((index) => this.serially(index.uuid, () => this.remove(index))))
  }

  /** Folders that were created for indices. */
  foldersOnDisk(): string[] {
    if (this.#folder === undefined) return []
    const folder = this.#folder
    return this.#storage
      .folders(folder)
      .filter((name) => this.#storage.names(join(folder, name)).includes(INDEX_MARKER))
  }

  /**
   * Moves folders of unknown indices aside. A crash while an index was created or deleted leaves such a folder. A bug
   * or a damaged disk could too, and then the folder may be all that is left of the index.
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
      this.#log.warn('moved a folder that belongs to no index', { folder: join(UNKNOWN, free), hint })
    }
  }

  /** The configuration of a shard that exists, for opening it again. */
  configOf(index: IndexMetadata, key: ShardKey): ShardConfig {
    return this.#config(index, key, index.hasSyncedLengths === true)
  }

  /** The folder of a shard; undefined if it is in memory. */
  folderOf({ indexUuid, shard }: ShardKey): string | undefined {
    const folder = this.#indexFolder(indexUuid)
    return folder === undefined ? undefined : join(folder, String(shard))
  }

  #config(index: IndexMetadata, key: ShardKey, expectsSyncedLength = false): ShardConfig {
    const folder = this.#indexFolder(index.uuid)
    return {
      ...key,
      expectsSyncedLength: expectsSyncedLength && folder !== undefined,
      owner: this.#owner,
      indexName: index.name,
      folder: this.folderOf(key),
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
