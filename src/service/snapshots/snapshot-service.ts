/**
 * Creates, lists, deletes and clones snapshots. The files of shards are copied while the indices are being written. A
 * snapshot appears in the list of its repository when it is complete. Operations on one repository are sequential.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { repositoryError, snapshotMissing, snapshotNameInUse } from '../../base/errors/snapshot-errors.ts'
import type { Log } from '../../base/log.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { ELASTICSEARCH_VERSION } from '../../base/version.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { DataStream, IndexMetadata, JsonObject, Section } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { EXPAND_HIDDEN, withParameters } from '../names/indices-options.ts'
import { printSnapshot, printStatus } from './print-snapshot.ts'
import { type Repositories, type Repository, repositoryProblem } from './repositories.ts'
import type {
  GlobalState,
  IndexManifest,
  SegmentBlob,
  ShardFailure,
  SnapshotInfo,
  SnapshotManifest,
} from './repository/repository-format.ts'
import { snapshotShard } from './shard-snapshot.ts'
import { checkExisting, checkSnapshotName, snapshotSelection } from './snapshot-names.ts'
import type { CreateSnapshotRequest } from './snapshot-requests.ts'

/** The sections of the metadata that form the global state of a snapshot. */
export const GLOBAL_SECTIONS: readonly Section[] = [
  'clusterSettings',
  'legacyTemplates',
  'indexTemplates',
  'componentTemplates',
  'lifecyclePolicies',
  'storedScripts',
  'ingestPipelines',
]

/** A snapshot in progress. */
interface RunningSnapshot {
  readonly repository: string
  info: SnapshotInfo
  isAborted: boolean
  /** Shards whose files are in the repository. */
  doneShards: number
  readonly done: Promise<SnapshotInfo>
}

const printRunning = ({ repository, info, doneShards }: RunningSnapshot) =>
  printStatus(repository, info, undefined, doneShards)

export interface SnapshotSurroundings {
  readonly context: IndexContext
  readonly repositories: Repositories
  /** Undefined for an in-memory node, which has no files to copy. */
  readonly dataFolder: string | undefined
  readonly log: Log
}

export class SnapshotService {
  readonly #around: SnapshotSurroundings
  readonly #running = new Map<string, RunningSnapshot>()
  readonly #queues = new Map<string, Promise<unknown>>()

  constructor(around: SnapshotSurroundings) {
    this.#around = around
  }

  get repositories(): Repositories {
    return this.#around.repositories
  }

  /** How many snapshots are being taken. */
  get runningCount(): number {
    return this.#running.size
  }

  isInUse(repository: string): boolean {
    return [...this.#running.values()].some((running) => running.repository === repository)
  }

  /** Resolves when the snapshot has started; `done` of the result resolves when it has ended. */
  async create(
    repositoryName: string,
    expression: string,
    request: CreateSnapshotRequest,
  ): Promise<{ done: Promise<SnapshotInfo> }> {
    const repository = this.#writable(repositoryName, 'cannot create snapshot in a readonly repository')
    const name = resolveDateMath(expression, this.#around.context.clock.nowMs())
    checkSnapshotName(repositoryName, name)
    if (this.#around.dataFolder === undefined) {
      throw illegalArgument('a node without a data folder has no files to make snapshots of; start it with --data')
    }
    const { state } = this.#around.context.store
    const indices = this.#indices(request, state)
    await this.#checkUnused(repository, name)
    const startMs = this.#around.context.clock.nowMs()
    const names = new Set(indices.map((index) => index.name))
    const streams = [...state.dataStreams.values()].filter((stream) =>
      stream.indices.every((index) => names.has(index)),
    )
    const info: SnapshotInfo = {
      name,
      uuid: randomUUID(),
      state: 'IN_PROGRESS',
      indices: [...names].sort(),
      dataStreams: streams.map((stream) => stream.name),
      includeGlobalState: request.includeGlobalState,
      ...(request.metadata === undefined ? {} : { metadata: request.metadata }),
      startMs,
      endMs: startMs,
      version: ELASTICSEARCH_VERSION,
      totalShards: indices.reduce((sum, index) => sum + index.shardCount, 0),
      failures: [],
      totalFiles: 0,
      totalBytes: 0,
      newFiles: 0,
      newBytes: 0,
    }
    const globalState = request.includeGlobalState ? globalStateOf(state) : undefined
    const key = `${repositoryName}/${name}`
    const running = { repository: repositoryName, info, isAborted: false, doneShards: 0 } as RunningSnapshot
    this.#running.set(key, running)
    const done = this.#serially(repository, () =>
      this.#run(repository, running, indices, streams, globalState, request),
    )
      .catch((error: unknown) => {
        throw repositoryProblem(repositoryName, error)
      })
      .finally(() => this.#running.delete(key))
    ;(running as { done: Promise<SnapshotInfo> }).done = done
    done.catch((error: Error) =>
      this.#around.log.warn('a snapshot failed', { repository: repositoryName, snapshot: name, reason: error.message }),
    )
    return { done }
  }

  /** The snapshots of a repository, including those in progress. */
  async list(repositoryName: string): Promise<SnapshotInfo[]> {
    const repository = this.repositories.open(repositoryName)
    const { snapshots } = await this.#readIndex(repository)
    const running = this.#runningIn(repositoryName).map(({ info }) => info)
    return [...snapshots, ...running]
  }

  /**
   * The snapshots that match the names. A missing name without wildcards is an error unless `ignoresMissing` is set.
   */
  async get(repositoryName: string, names: readonly string[], ignoresMissing: boolean): Promise<SnapshotInfo[]> {
    const all = await this.list(repositoryName)
    if (!ignoresMissing)
      checkExisting(
        repositoryName,
        names,
        all.map(({ name }) => name),
      )
    if (names.length === 1 && names[0] === '_current') return all.filter(({ state }) => state === 'IN_PROGRESS')
    const isMeant = snapshotSelection(names)
    return all.filter(({ name }) => isMeant(name))
  }

  /** `_status` of snapshots; without names, of those in progress. */
  async status(
    repositoryName: string | undefined,
    names: readonly string[] | undefined,
    ignoresMissing: boolean,
  ): Promise<JsonObject[]> {
    if (repositoryName === undefined || repositoryName === '_all') {
      return [...this.#running.values()].map(printRunning)
    }
    const repository = this.repositories.open(repositoryName)
    if (names === undefined) {
      return this.#runningIn(repositoryName).map(printRunning)
    }
    const found = await this.get(repositoryName, names, ignoresMissing)
    return await Promise.all(
      found.map(async (info) => {
        if (info.state !== 'IN_PROGRESS')
          return printStatus(repositoryName, info, await this.manifest(repository, info), undefined)
        const running = this.#runningIn(repositoryName).find((other) => other.info.uuid === info.uuid)
        return printStatus(repositoryName, info, undefined, running?.doneShards)
      }),
    )
  }

  async manifest(repository: Repository, { uuid }: SnapshotInfo): Promise<SnapshotManifest> {
    try {
      return await repository.files.manifest(uuid)
    } catch (error) {
      throw repositoryProblem(repository.name, error)
    }
  }

  /** Deletes snapshots. A snapshot in progress is aborted first. */
  async delete(repositoryName: string, names: readonly string[]): Promise<void> {
    const repository = this.#writable(repositoryName, 'cannot delete snapshot from a readonly repository')
    const all = await this.list(repositoryName)
    checkExisting(
      repositoryName,
      names,
      all.map(({ name }) => name),
    )
    const isMeant = snapshotSelection(names)
    for (const running of this.#runningIn(repositoryName)) {
      if (!isMeant(running.info.name)) continue
      running.isAborted = true
      await running.done.catch(() => {})
    }
    await this.#serially(repository, async () => {
      const { snapshots } = await repository.files.index()
      const uuids = new Set(snapshots.filter(({ name }) => isMeant(name)).map(({ uuid }) => uuid))
      await repository.files.remove(uuids)
    }).catch((error: unknown) => {
      throw repositoryProblem(repositoryName, error)
    })
  }

  async cleanup(repositoryName: string): Promise<{ bytes: number; blobs: number }> {
    const repository = this.#writable(repositoryName, 'cannot run cleanup on readonly repository')
    return await this.#serially(repository, () => repository.files.cleanup()).catch((error: unknown) => {
      throw repositoryProblem(repositoryName, error)
    })
  }

  /**
   * Creates a snapshot with some of the indices of another one. Nothing is copied, because both refer to the same
   * content.
   */
  async clone(repositoryName: string, source: string, target: string, patterns: readonly string[]): Promise<void> {
    const repository = this.#writable(repositoryName, 'cannot create snapshot in a readonly repository')
    checkSnapshotName(repositoryName, target)
    const found = (await this.list(repositoryName)).find(
      ({ name, state }) => name === source && state !== 'IN_PROGRESS',
    )
    if (found === undefined) throw snapshotMissing(repositoryName, source)
    await this.#checkUnused(repository, target)
    const manifest = await this.manifest(repository, found)
    const indices = selectIndices(patterns, manifest.indices)
    const names = new Set(indices.map(({ metadata }) => metadata.name))
    const dataStreams = manifest.dataStreams.filter((stream) => stream.indices.every((index) => names.has(index)))
    const nowMs = this.#around.context.clock.nowMs()
    const copy: SnapshotManifest = { ...manifest, uuid: randomUUID(), indices, dataStreams }
    const info: SnapshotInfo = {
      ...found,
      name: target,
      uuid: copy.uuid,
      indices: [...names].sort(),
      dataStreams: dataStreams.map(({ name }) => name),
      startMs: nowMs,
      endMs: nowMs,
      totalShards: indices.reduce((sum, { metadata }) => sum + metadata.shardCount, 0),
      failures: found.failures.filter(({ index }) => names.has(index)),
      newFiles: 0,
      newBytes: 0,
    }
    await this.#serially(repository, () => repository.files.add(copy, () => info)).catch((error: unknown) => {
      throw repositoryProblem(repositoryName, error)
    })
  }

  print(repository: string, info: SnapshotInfo): JsonObject {
    return printSnapshot(repository, info)
  }

  /** Waits for operations in progress, so that the node can close. */
  async close(): Promise<void> {
    for (const running of this.#running.values()) running.isAborted = true
    await Promise.allSettled([...this.#running.values()].map(({ done }) => done))
    await this.repositories.close()
  }

  async #run(
    repository: Repository,
    running: RunningSnapshot,
    indices: readonly IndexMetadata[],
    dataStreams: readonly DataStream[],
    globalState: GlobalState | undefined,
    request: CreateSnapshotRequest,
  ): Promise<SnapshotInfo> {
    const known = await this.#knownSegments(repository)
    const failures: ShardFailure[] = []
    const manifests: IndexManifest[] = []
    for (const index of indices) {
      const shards: IndexManifest['shards'][number][] = []
      for (let shard = 0; shard < index.shardCount; shard++) {
        if (running.isAborted) throw repositoryError(repository.name, 'the snapshot was aborted')
        try {
          const copy = await this.#shard(repository, index, shard, known.get(`${index.uuid}/${shard}`) ?? new Map())
          shards.push(copy.manifest)
          running.doneShards++
          const { info } = running
          running.info = {
            ...info,
            totalFiles: info.totalFiles + copy.files,
            totalBytes: info.totalBytes + copy.bytes,
            newFiles: info.newFiles + copy.newFiles,
            newBytes: info.newBytes + copy.newBytes,
          }
        } catch (error) {
          failures.push({ index: index.name, shard, reason: (error as Error).message })
        }
      }
      manifests.push({ metadata: index, shards })
    }
    if (running.isAborted) throw repositoryError(repository.name, 'the snapshot was aborted')
    const manifest: SnapshotManifest = {
      uuid: running.info.uuid,
      indices: manifests,
      dataStreams,
      ...(globalState === undefined ? {} : { globalState }),
    }
    return await repository.files.add(manifest, () => ({
      ...running.info,
      state: failures.length === 0 ? 'SUCCESS' : request.isPartial ? 'PARTIAL' : 'FAILED',
      failures,
      endMs: this.#around.context.clock.nowMs(),
    }))
  }

  async #shard(repository: Repository, index: IndexMetadata, shard: number, known: ReadonlyMap<string, SegmentBlob>) {
    const { context, dataFolder } = this.#around
    const { shards } = context
    const key = { indexUuid: index.uuid, shard }
    await shards.wake([key])
    const failure = shards.failure(key)
    if (failure !== undefined) throw new Error(failure)
    const folder = join(dataFolder!, 'indices', index.uuid, String(shard))
    const copy = () => snapshotShard({ host: shards.host, folder, key, index, known }, repository.files)
    // A closed index must not be opened or deleted while its files are read.
    return index.state === 'close' ? await shards.serially(index.uuid, copy) : await copy()
  }

  /** Segments never change and their names are never reused, so segments of earlier snapshots need not be read. */
  async #knownSegments(repository: Repository): Promise<Map<string, Map<string, SegmentBlob>>> {
    const known = new Map<string, Map<string, SegmentBlob>>()
    const { snapshots } = await repository.files.index()
    for (const { uuid } of snapshots.slice(-KNOWN_SNAPSHOTS)) {
      const manifest = await repository.files.manifest(uuid)
      for (const { metadata, shards } of manifest.indices) {
        for (const { shard, segments } of shards) {
          const key = `${metadata.uuid}/${shard}`
          const ofShard = known.get(key) ?? new Map<string, SegmentBlob>()
          for (const segment of segments) ofShard.set(segment.name, segment)
          known.set(key, ofShard)
        }
      }
    }
    return known
  }

  #indices(request: CreateSnapshotRequest, state: MetadataState): IndexMetadata[] {
    const { context } = this.#around
    const names = request.indices === undefined || request.indices.length === 0 ? ['*'] : request.indices
    const found = resolverOf(context, state).indices(names, withParameters(EXPAND_HIDDEN, request))
    const chosen = new Map(found.map((index) => [index.name, index]))
    // The failure store of a data stream belongs to it.
    for (const { indices, failureIndices = [] } of state.dataStreams.values()) {
      if (!indices.every((name) => chosen.has(name))) continue
      for (const name of failureIndices) chosen.set(name, state.index(name)!)
    }
    return [...chosen.values()]
  }

  async #checkUnused(repository: Repository, name: string): Promise<void> {
    if (this.#runningIn(repository.name).some(({ info }) => info.name === name)) {
      throw snapshotNameInUse(repository.name, name, 'snapshot with the same name is already in-progress')
    }
    const { snapshots } = await this.#readIndex(repository)
    if (snapshots.some((other) => other.name === name)) {
      throw snapshotNameInUse(repository.name, name, 'snapshot with the same name already exists')
    }
  }

  async #readIndex(repository: Repository) {
    try {
      return await repository.files.index()
    } catch (error) {
      throw repositoryProblem(repository.name, error)
    }
  }

  #runningIn(repository: string): RunningSnapshot[] {
    return [...this.#running.values()].filter((running) => running.repository === repository)
  }

  #writable(name: string, problem: string): Repository {
    const repository = this.repositories.open(name)
    if (repository.isReadOnly) throw repositoryError(name, problem)
    return repository
  }

  #serially<T>({ files }: Repository, work: () => Promise<T>): Promise<T> {
    const before = this.#queues.get(files.folder) ?? Promise.resolve()
    const done = before.then(work, work)
    this.#queues.set(
      files.folder,
      done.catch(() => {}),
    )
    return done
  }
}

/** The number of the newest snapshots that are searched for segments that are already stored. */
const KNOWN_SNAPSHOTS = 10

function globalStateOf({ sections }: MetadataState): GlobalState {
  return Object.fromEntries(
    GLOBAL_SECTIONS.map((name) => [name, Object.fromEntries(sections[name] as ReadonlyMap<string, unknown>)]),
  )
}

/** The indices of a snapshot that match names and wildcards. A missing name without wildcards is an error. */
export function selectIndices(
  patterns: readonly string[],
  indices: readonly IndexManifest[],
  ignoresMissing = false,
): IndexManifest[] {
  const chosen = new Set<IndexManifest>()
  for (const pattern of patterns) {
    const isExcluded = pattern.startsWith('-') && chosen.size > 0
    const text = isExcluded ? pattern.slice(1) : pattern === '_all' ? '*' : pattern
    const matches = namePattern(text)
    const found = indices.filter(({ metadata }) => matches(metadata.name))
    if (found.length === 0 && !text.includes('*') && !isExcluded && !ignoresMissing) throw missingIndex(text)
    for (const index of found) {
      if (isExcluded) chosen.delete(index)
      else chosen.add(index)
    }
  }
  return [...chosen]
}

/** Elasticsearch reports the missing index of a snapshot with other members than a missing index of the cluster. */
function missingIndex(name: string): ApiError {
  const { status, type, message, details } = indexNotFound(name)
  const { 'resource.type': _type, 'resource.id': _id, ...rest } = details
  return new ApiError(status, type, message, { details: rest })
}
