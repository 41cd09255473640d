/**
 * Restores the indices of a snapshot. The files of a shard are copied into the folder of a new index, verified by their
 * hashes and synced, together with a commit point. The complete folder is then moved to the other indices, the shards
 * are opened, and the index is added to the metadata. The next start removes the remains of an interrupted restore.
 */

import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { illegalArgument } from '../../base/api-error.ts'
import { UndecidedMetadataError } from '../../base/errors/index-errors.ts'
import { snapshotRestoreError } from '../../base/errors/snapshot-errors.ts'
import { patternSyntax } from '../../base/errors/value-errors.ts'
import { compileJavaRegex, PatternSyntaxError } from '../../base/java-regex/java-regex.ts'
import { copyMembers } from '../../base/json/members.ts'
import { FOLDER_MODE } from '../../engine/store/disk-directory.ts'
import { type IndexContext, putIndex } from '../catalog/index-context.ts'
import { newUuid } from '../indices/index-builder.ts'
import { checkShardLimit } from '../indices/shard-limit.ts'
import { IngestBudget } from '../ingest/document/ingest-budget.ts'
import { replaceAll } from '../ingest/regex/java-pattern.ts'
import type { Change, DataStream, FlatSettings, IndexMetadata, Section, ShardCopy } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { checkNewIndexName } from '../names/name-rules.ts'
import { checkEachSetting } from '../settings/update-settings.ts'
import { repositoryProblem } from './repositories.ts'
import type { FsRepository } from './repository/fs-repository.ts'
import type { BlobReference, IndexManifest, SnapshotInfo, SnapshotManifest } from './repository/repository-format.ts'
import type { RestoreRequest } from './snapshot-requests.ts'
import { GLOBAL_SECTIONS, type SnapshotService, selectIndices } from './snapshot-service.ts'

/** Settings that cannot be removed from a restored index. */
const UNREMOVABLE = ['index.number_of_shards', 'index.version.created', 'index.uuid', 'index.creation_date']
const UNMODIFIABLE = [...UNREMOVABLE, 'index.number_of_routing_shards']

/**
 * The folder of indices that are being copied from a repository. At a start its contents are remains of interrupted
 * restores.
 */
const RESTORING = 'restoring'

export interface RestoreResult {
  readonly indices: readonly string[]
  readonly shards: number
}

/** The progress of a restore. */
export interface RestoreProgress {
  readonly repository: string
  readonly snapshot: string
  readonly indices: readonly string[]
  state: 'running' | 'done' | 'failed'
  files: number
  readonly totalFiles: number
  bytes: number
  readonly totalBytes: number
  reason: string | undefined
}

/** Finished restores stay in the list for a while. */
const LISTED_MAX = 20

interface PlannedIndex {
  readonly manifest: IndexManifest
  readonly index: IndexMetadata
}

export class RestoreService {
  readonly #context: IndexContext
  readonly #snapshots: SnapshotService
  readonly #dataFolder: string | undefined
  readonly #listed: RestoreProgress[] = []

  constructor(context: IndexContext, snapshots: SnapshotService, dataFolder: string | undefined) {
    this.#context = context
    this.#snapshots = snapshots
    this.#dataFolder = dataFolder
  }

  /** Running and recently finished restores, the newest last. */
  list(): readonly RestoreProgress[] {
    return this.#listed
  }

  #listProgress(repository: string, snapshot: string, planned: readonly PlannedIndex[]): RestoreProgress {
    const blobs = planned.flatMap(({ manifest }) =>
      manifest.shards.flatMap(({ segments, commit }) => [...segments, commit]),
    )
    const progress: RestoreProgress = {
      repository,
      snapshot,
      indices: planned.map(({ index }) => index.name),
      state: 'running',
      files: 0,
      totalFiles: blobs.length,
      bytes: 0,
      totalBytes: blobs.reduce((sum, { bytes }) => sum + bytes, 0),
      reason: undefined,
    }
    this.#listed.push(progress)
    if (this.#listed.length > LISTED_MAX) this.#listed.shift()
    return progress
  }

  /** Removes the remains of interrupted restores. Must be called before anything is restored. */
  async removeInterrupted(): Promise<void> {
    if (this.#dataFolder !== undefined) await rm(join(this.#dataFolder, RESTORING), { recursive: true, force: true })
  }

  /** Resolves when the request is validated; `done` of the result resolves when the indices are restored. */
  async restore(
    repositoryName: string,
    name: string,
    request: RestoreRequest,
  ): Promise<{ done: Promise<RestoreResult> }> {
    const repository = this.#snapshots.repositories.open(repositoryName)
    const info = (await this.#snapshots.list(repositoryName)).find((other) => other.name === name)
    if (info === undefined || info.state === 'IN_PROGRESS') {
      throw snapshotRestoreError(`${repositoryName}:${name}`, 'snapshot does not exist')
    }
    const place = `${repositoryName}:${name}/${info.uuid}`
    if (this.#dataFolder === undefined) throw illegalArgument('a node without a data folder cannot restore snapshots')
    const manifest = await this.#snapshots.manifest(repository, info)
    checkRequest(request, info, manifest, place)
    const planned = this.#plan(manifest, request, place, `${repositoryName}:${name}`, info)
    const progress = this.#listProgress(repositoryName, name, planned)
    const done = this.#run(repository.files, manifest, planned, request, progress).then(
      (result) => {
        progress.state = 'done'
        return result
      },
      (error: unknown) => {
        const problem = repositoryProblem(repositoryName, error)
        progress.state = 'failed'
        progress.reason = problem.message
        throw problem
      },
    )
    done.catch(() => {})
    return { done }
  }

  #plan(
    manifest: SnapshotManifest,
    request: RestoreRequest,
    place: string,
    plainPlace: string,
    info: SnapshotInfo,
  ): PlannedIndex[] {
    const { state } = this.#context.store
    const patterns = request.indices === undefined || request.indices.length === 0 ? ['*'] : request.indices
    const streams = manifest.dataStreams
      .filter(({ name }) => patterns.includes(name))
      .flatMap(({ indices, failureIndices = [] }) => [...indices, ...failureIndices])
    const plain = patterns.filter((pattern) => !manifest.dataStreams.some(({ name }) => name === pattern))
    const chosen = selectIndices([...plain, ...streams], manifest.indices, request.ignoreUnavailable)
    const sources = new Map<string, string>()
    return chosen.map((one) => {
      const { metadata } = one
      const name = renamed(metadata.name, request)
      const other = sources.get(name)
      if (other !== undefined) {
        const reason = `indices [${other}] and [${metadata.name}] are renamed into the same index [${name}]`
        throw snapshotRestoreError(plainPlace, reason)
      }
      sources.set(name, metadata.name)
      this.#checkTarget(name, state, place)
      if (!request.isPartial && info.failures.length > 0 && one.shards.length < metadata.shardCount) {
        throw snapshotRestoreError(place, `index [${metadata.name}] wasn't fully snapshotted - cannot restore`)
      }
      const restoredFrom = {
        repository: plainPlace.slice(0, plainPlace.indexOf(':')),
        snapshot: info.name,
        index: metadata.name,
      }
      return { manifest: one, index: { ...this.#restoredIndex(name, metadata, request, place), restoredFrom } }
    })
  }

  /** Throws if an open index has the name. A closed index is replaced. */
  #checkTarget(name: string, state: MetadataState, place: string): void {
    const present = state.index(name)
    if (present === undefined) {
      checkNewIndexName(name, state)
      return
    }
    if (present.state === 'open') {
      throw snapshotRestoreError(
        place,
        `cannot restore index [${name}] because an open index with same name already exists in the cluster. Either close or delete ` +
          'the existing index or restore the index under a different name by providing a rename pattern and replacement name',
      )
    }
  }

  #restoredIndex(name: string, metadata: IndexMetadata, request: RestoreRequest, place: string): IndexMetadata {
    const uuid = newUuid()
    const settings: Record<string, string | readonly string[]> = copyMembers(metadata.settings)
    for (const pattern of request.ignoredSettings) {
      for (const setting of matchingSettings(pattern, settings)) {
        if (UNREMOVABLE.includes(setting)) {
          throw snapshotRestoreError(place, `cannot remove setting [${setting}] on restore`)
        }
        delete settings[setting]
      }
      if (UNREMOVABLE.includes(pattern))
        throw snapshotRestoreError(place, `cannot remove setting [${pattern}] on restore`)
    }
    for (const [setting, value] of Object.entries(request.indexSettings)) {
      if (UNMODIFIABLE.includes(setting)) {
        throw snapshotRestoreError(place, `cannot modify setting [${setting}] on restore`)
      }
      if (value === null) delete settings[setting]
      else settings[setting] = value
    }
    const given = Object.entries(request.indexSettings).filter(([, value]) => value !== null)
    checkEachSetting(Object.fromEntries(given) as FlatSettings)
    delete settings['index.verified_before_close']
    settings['index.uuid'] = uuid
    settings['index.provided_name'] = name
    const { rolledOver: _rolledOver, hasSyncedLengths: _synced, ...rest } = metadata
    return {
      ...rest,
      name,
      uuid,
      state: 'open',
      settings,
      aliases: request.includeAliases ? metadata.aliases : {},
      settingsVersion: metadata.settingsVersion + 1,
    }
  }

  async #run(
    files: FsRepository,
    manifest: SnapshotManifest,
    planned: readonly PlannedIndex[],
    request: RestoreRequest,
    progress: RestoreProgress,
  ): Promise<RestoreResult> {
    const { store, shards } = this.#context
    checkShardLimit(
      store,
      store.state,
      planned.map(({ index }) => index),
    )
    const made: IndexMetadata[] = []
    const restored: PlannedIndex[] = []
    try {
      for (const one of planned) {
        made.push(one.index)
        const copies = await this.#copyShards(files, one, progress)
        await shards.create(one.index)
        restored.push({ ...one, index: { ...one.index, restoredFrom: { ...one.index.restoredFrom!, copies } } })
      }
      const replaced: IndexMetadata[] = []
      await store.update((state) => {
        for (const { index } of planned) {
          const present = state.index(index.name)
          if (present === undefined) continue
          if (present.state === 'open')
            throw illegalArgument(`the index [${index.name}] was opened while it was being restored`)
          replaced.push(present)
        }
        return this.#changes(manifest, restored, request)
      })
      await shards.removeAll(replaced)
    } catch (error) {
      for (const index of made) {
        if (error instanceof UndecidedMetadataError) await shards.close(index)
        else await shards.remove(index)
        await rm(join(this.#dataFolder!, RESTORING, index.uuid), { recursive: true, force: true })
      }
      throw error
    }
    return {
      indices: planned.map(({ index }) => index.name),
      shards: planned.reduce((sum, { index }) => sum + index.shardCount, 0),
    }
  }

  async #copyShards(
    files: FsRepository,
    { manifest, index }: PlannedIndex,
    progress: RestoreProgress,
  ): Promise<ShardCopy[]> {
    const { clock } = this.#context
    const copies: ShardCopy[] = []
    const fetch = async (blob: BlobReference, target: string) => {
      await files.fetch(blob, target)
      progress.files++
      progress.bytes += blob.bytes
    }
    const staging = join(this.#dataFolder!, RESTORING, index.uuid)
    await mkdir(staging, { recursive: true, mode: FOLDER_MODE })
    for (const { shard, segments, commit } of manifest.shards) {
      const [startMs, filesBefore, bytesBefore] = [clock.nowMs(), progress.files, progress.bytes]
      const folder = join(staging, String(shard))
      await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
      for (const segment of segments) await fetch(segment, join(folder, segment.name))
      // The commit point is copied last, because it makes the shard complete.
      await fetch(commit, join(folder, 'commit-1'))
      const [copiedFiles, bytes] = [progress.files - filesBefore, progress.bytes - bytesBefore]
      copies.push({ shard, startMs, stopMs: clock.nowMs(), files: copiedFiles, bytes })
    }
    await mkdir(join(this.#dataFolder!, 'indices'), { recursive: true, mode: FOLDER_MODE })
    await rename(staging, join(this.#dataFolder!, 'indices', index.uuid))
    return copies
  }

  #changes(manifest: SnapshotManifest, planned: readonly PlannedIndex[], request: RestoreRequest): Change[] {
    const changes: Change[] = planned.map(({ index }) => putIndex(index))
    const newNames = new Map(planned.map(({ manifest: { metadata }, index }) => [metadata.name, index.name]))
    for (const stream of manifest.dataStreams) {
      if (!stream.indices.every((name) => newNames.has(name))) continue
      const value: DataStream = {
        ...stream,
        name: renamed(stream.name, request),
        indices: stream.indices.map((name) => newNames.get(name)!),
        failureIndices: (stream.failureIndices ?? [])
          .map((name) => newNames.get(name))
          .filter((name) => name !== undefined),
      }
      changes.push({ section: 'dataStreams', name: value.name, value })
    }
    if (!request.includeGlobalState) return changes
    for (const [section, values] of Object.entries(manifest.globalState ?? {})) {
      if (!GLOBAL_SECTIONS.includes(section as Section)) continue
      for (const [name, value] of Object.entries(values)) changes.push({ section, name, value } as Change)
    }
    return changes
  }
}

function checkRequest(request: RestoreRequest, info: SnapshotInfo, manifest: SnapshotManifest, place: string): void {
  if (request.includeGlobalState && manifest.globalState === undefined) {
    throw snapshotRestoreError(place, 'cannot restore global state since the snapshot was created without global state')
  }
  const features = (request.featureStates ?? []).filter((name) => name !== 'none')
  if (features.length > 0) {
    throw snapshotRestoreError(place, `requested feature states [[${features.join(', ')}]] are not present in snapshot`)
  }
  if (info.state === 'FAILED' && !request.isPartial) {
    throw snapshotRestoreError(place, 'unsupported snapshot state [FAILED]')
  }
}

function renamed(name: string, { renamePattern, renameReplacement }: RestoreRequest): string {
  if (renamePattern === undefined || renameReplacement === undefined) return name
  try {
    return replaceAll(compileJavaRegex(renamePattern), name, renameReplacement, new IngestBudget(name.length))
  } catch (error) {
    if (!(error instanceof PatternSyntaxError)) throw error
    throw patternSyntax(error.message)
  }
}

function matchingSettings(pattern: string, settings: Readonly<Record<string, unknown>>): string[] {
  const full = pattern.startsWith('index.') ? pattern : `index.${pattern}`
  if (!full.includes('*')) return Object.hasOwn(settings, full) ? [full] : []
  const regex = new RegExp(
    `^${full
      .split('*')
      .map((part) => part.replace(/[.\\+?^${}()|[\]]/g, '\\$&'))
      .join('.*')}$`,
  )
  return Object.keys(settings).filter((name) => regex.test(name) && !UNREMOVABLE.includes(name))
}
