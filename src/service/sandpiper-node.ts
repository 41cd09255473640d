/**
 * A node: opens the data folder, connects the services, and closes them in order. The layers above (HTTP, the testing
 * entry, the commands) use these services and nothing below.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ApiError, toErrorData } from '../base/api-error.ts'
import { type Clock, systemClock } from '../base/clock.ts'
import { FolderLock } from '../base/files/folder-lock.ts'
import { type Log, silentLog } from '../base/log.ts'
import type { Directory } from '../engine/store/directory.ts'
import { diskStorage } from '../engine/store/disk-storage.ts'
import type { Storage } from '../engine/store/storage.ts'
import { AliasService } from './aliases/alias-service.ts'
import { AnalysisFiles } from './catalog/analysis-files.ts'
import { type IndexContext, resolverOf } from './catalog/index-context.ts'
import { IndexMappings } from './catalog/index-mappings.ts'
import { IndexShards } from './catalog/index-shards.ts'
import { SearchContexts } from './contexts/search-contexts.ts'
import { DataStreamService } from './data-streams/data-stream-service.ts'
import { RolloverService } from './data-streams/rollover.ts'
import { DocumentService, type LimitedGet } from './documents/document-service.ts'
import { ChangeService } from './history/change-service.ts'
import { AnalyzeService } from './indices/analyze-service.ts'
import { IndexCreator } from './indices/index-creator.ts'
import { IndexService } from './indices/index-service.ts'
import { MappingService } from './indices/mapping-service.ts'
import { ResizeService } from './indices/resize-service.ts'
import { SettingsService } from './indices/settings-service.ts'
import { ShardOperations } from './indices/shard-operations.ts'
import { WriteTargets } from './indices/write-targets.ts'
import { IngestService } from './ingest/ingest-service.ts'
import { LifecycleService } from './lifecycle/lifecycle-service.ts'
import type { FlatSettings, IndexMetadata } from './metadata/metadata.ts'
import type { MetadataState } from './metadata/metadata-state.ts'
import { MetadataStore } from './metadata/metadata-store.ts'
import { MissingMetadataError, NODE_FILE, NodeFile } from './metadata/node-file.ts'
import { resolveDateMath } from './names/date-math-name.ts'
import type { NameResolver } from './names/name-resolver.ts'
import { scriptSettings } from './scripts/script-environment.ts'
import { StoredScripts } from './scripts/stored-scripts.ts'
import { AsyncSearches } from './search/async/async-searches.ts'
import { ContextService } from './search/contexts/context-service.ts'
import { ScriptTrials } from './search/script-trials.ts'
import { SearchService } from './search/search-service.ts'
import { limitedGet } from './search/shards/limited-get.ts'
import { TermsEnumService } from './search/terms-enum.ts'
import { applyBreakerSettings } from './settings/breaker-settings.ts'
import { ClusterSettingsService } from './settings/cluster-settings-service.ts'
import { listOf } from './settings/flat-settings.ts'
import { createInlineHost } from './shards/create-inline-host.ts'
import { LazyHost } from './shards/lazy-host.ts'
import type {
  HostCallbacks,
  MainCallbacks,
  ShardConfig,
  ShardHost,
  ShardKey,
  WriteTarget,
} from './shards/shard-host.ts'
import type { WriteDecision } from './shards/write-authorization.ts'
import { logSlowSearch } from './slow-log/write-slow-log.ts'
import { Repositories } from './snapshots/repositories.ts'
import { RestoreService } from './snapshots/restore-service.ts'
import { SnapshotService } from './snapshots/snapshot-service.ts'
import { FieldUsageStats } from './stats/field-usage-stats.ts'
import { IndexStats } from './stats/index-stats.ts'
import { SearchStatistics } from './stats/search-counters.ts'
import { StoredTasks } from './tasks/stored-tasks.ts'
import { TaskRegistry } from './tasks/task-registry.ts'
import { TemplateService } from './templates/template-service.ts'

export interface NodeOptions {
  /** The data folder; without it everything is in memory and lost at the end. */
  readonly dataFolder?: string | undefined
  /** The folder for files of other parts of the process, such as users, beside a node in memory. */
  readonly sideFolder?: string | undefined
  readonly clock?: Clock
  readonly log?: Log
  readonly nodeName?: string
  readonly clusterName?: string
  /** Settings from the command line or a file: the initial values of cluster settings. */
  readonly settings?: FlatSettings
  /** The storage of the data folder; the disk by default. */
  readonly storage?: Storage
  /** The initial metadata of an in-memory node; empty when absent. */
  readonly initialState?: MetadataState | undefined
  /** Creates the shard host; by default shards live in the calling thread. */
  readonly createHost?: (callbacks: MainCallbacks) => ShardHost
}

/** Maximum shards opened at startup, because more would make it slow. */
const SHARDS_AT_START = 100

export class SandpiperNode {
  readonly name: string
  readonly clusterName: string
  readonly startedAtMs: number
  readonly dataFolder: string | undefined
  /** `path.repo`: the folders below which snapshot repositories may be. */
  readonly repositoryFolders: readonly string[]
  readonly metadata: MetadataStore
  readonly mappingCache: IndexMappings
  readonly shards: IndexShards
  readonly indices: IndexService
  readonly mappings: MappingService
  readonly indexSettings: SettingsService
  readonly aliases: AliasService
  readonly operations: ShardOperations
  readonly templates: TemplateService
  readonly dataStreams: DataStreamService
  readonly rollover: RolloverService
  /** `_clone`, `_shrink`, `_split`. */
  readonly resizing: ResizeService
  readonly analysis: AnalyzeService
  /** Search counters, filled by the search service. */
  readonly searchStatistics: SearchStatistics
  readonly fieldUsage: FieldUsageStats
  readonly stats: IndexStats
  readonly tasks: TaskRegistry
  readonly clusterSettings: ClusterSettingsService
  readonly writeTargets: WriteTargets
  readonly documents: DocumentService
  /** The history of indices. */
  readonly changes: ChangeService
  readonly search: SearchService
  /** Points in time and scrolls. */
  readonly contexts: ContextService
  readonly openContexts: SearchContexts
  readonly termsEnum: TermsEnumService
  readonly scripts: StoredScripts
  /** Ingest pipelines. */
  readonly ingest: IngestService
  readonly snapshots: SnapshotService
  readonly restores: RestoreService
  readonly scriptTrials: ScriptTrials
  /** Lifecycle policies and the lifecycles of data streams. */
  readonly lifecycle: LifecycleService
  readonly asyncSearches: AsyncSearches
  /** The context that all index services share. */
  readonly indexContext: IndexContext
  readonly #lock: FolderLock | undefined
  readonly #log: Log
  readonly #lazyHost: LazyHost | undefined
  readonly #storage: Storage
  readonly #sideFolder: string | undefined

  private constructor(options: NodeOptions, store: MetadataStore, lock: FolderLock | undefined) {
    const clock = options.clock ?? systemClock
    const log = options.log ?? silentLog
    this.name = options.nodeName ?? 'sandpiper'
    this.clusterName = options.clusterName ?? 'sandpiper'
    this.startedAtMs = clock.nowMs()
    this.dataFolder = options.dataFolder
    this.repositoryFolders = listOf(options.settings?.['path.repo'])
    this.#sideFolder = options.sideFolder
    this.metadata = store
    const configFolder = options.dataFolder === undefined ? undefined : join(options.dataFolder, 'config')
    this.mappingCache = new IndexMappings(new AnalysisFiles(configFolder))
    this.#lock = lock
    this.#log = log

    const callbacks = this.#callbacks()
    const storage = options.storage ?? diskStorage
    this.#storage = storage
    const opening =
      options.createHost?.(callbacks) ?? createInlineHost(callbacks, { log, clock, storage: options.storage })
    this.#lazyHost =
      options.dataFolder === undefined
        ? undefined
        : new LazyHost(opening, {
            storage,
            onFailure: (key, reason) => this.shards.markFailed(key, reason),
            configOf: (key) => this.#configOf(key),
            onSleep: ({ indexUuid }) => {
              const index = this.state.indexByUuid(indexUuid)
              if (index !== undefined) this.mappingCache.forget(index)
            },
          })
    const host: ShardHost = this.#lazyHost ?? opening
    const folder = options.dataFolder === undefined ? undefined : join(options.dataFolder, 'indices')
    this.shards = new IndexShards(host, folder, log, storage, lock?.owner)
    this.shards.configOfKey = (key) => this.#configOf(key)
    const { mappingCache: mappings, shards, name: nodeName } = this
    const context: IndexContext = { store, mappings, shards, clock, nodeName }
    this.indexContext = context

    const creator = new IndexCreator(context)
    this.indices = new IndexService(context, creator)
    this.mappings = new MappingService(context)
    this.indexSettings = new SettingsService(context)
    this.aliases = new AliasService(context)
    this.operations = new ShardOperations(context)
    this.templates = new TemplateService(context)
    this.searchStatistics = new SearchStatistics(
      (slow) => logSlowSearch(log, slow),
      ({ key, reason }) => this.shards.reportDamage(key, reason),
    )
    this.stats = new IndexStats(context, this.searchStatistics, () => this.id)
    this.fieldUsage = new FieldUsageStats(context, this.searchStatistics, () => this.id)
    this.tasks = new TaskRegistry(clock, new StoredTasks(store))
    this.dataStreams = new DataStreamService(context, creator, this.stats)
    this.rollover = new RolloverService(context, creator, this.stats)
    this.resizing = new ResizeService(context, creator, this.stats)
    this.analysis = new AnalyzeService(context)
    this.openContexts = new SearchContexts({
      context,
      statistics: this.searchStatistics,
      setting: (name) => this.clusterSettings.value(name),
      directory: options.dataFolder === undefined ? undefined : storage.directory(join(options.dataFolder, 'contexts')),
      log,
    })
    this.contexts = new ContextService({ context, statistics: this.searchStatistics }, this.openContexts)
    this.search = new SearchService(context, this.searchStatistics, this.openContexts)
    this.scripts = new StoredScripts(store)
    this.clusterSettings = new ClusterSettingsService(store, options.settings ?? {}, (settings) => {
      scriptSettings(store)
      applyBreakerSettings((name) => settings.setValue(name))
    })
    store.offerBuiltIns(() => String(this.clusterSettings.value('stack.templates.enabled')) === 'true')
    this.ingest = new IngestService(
      store,
      host.ingest,
      configFolder === undefined ? undefined : join(configFolder, 'ingest-geoip'),
    )
    const repositories = new Repositories(store, this.repositoryFolders)
    const { dataFolder } = options
    this.snapshots = new SnapshotService({ context, repositories, dataFolder, log })
    this.restores = new RestoreService(context, this.snapshots, dataFolder)
    this.scriptTrials = new ScriptTrials(context)
    this.termsEnum = new TermsEnumService(context, this.searchStatistics)
    this.changes = new ChangeService(context)
    this.lifecycle = new LifecycleService({
      services: {
        context,
        indices: this.indices,
        settings: this.indexSettings,
        operations: this.operations,
        rollover: this.rollover,
        dataStreams: this.dataStreams,
      },
      setting: (name) => this.clusterSettings.value(name),
      log,
    })
    this.asyncSearches = new AsyncSearches({
      clock,
      tasks: this.tasks,
      nodeId: () => this.id,
      directory:
        options.dataFolder === undefined
          ? undefined
          : storage.directory(join(options.dataFolder, 'async-searches'), lock?.owner),
      log,
    })
    this.writeTargets = new WriteTargets(context, creator)
    store.onChange((state, previous) => this.#forgetRemoved(state, previous))
    const documentNames = {
      writeTarget: (...[name, how]: Parameters<HostCallbacks['writeTarget']>) => this.#writeTarget(name, how),
      failureTarget: (...[name, authorization]: Parameters<HostCallbacks['failureTarget']>) =>
        this.#failureTarget(name, authorization),
      readTarget: (name: string) => this.writeTargets.resolveRead(name),
      hasIndex: (uuid: string) => this.state.indexByUuid(uuid) !== undefined,
      ingestRoute: (name: string) => this.writeTargets.ingestRoute(name),
    }
    const reads = (...[get, limits]: Parameters<LimitedGet>) => limitedGet(context, get, limits)
    this.documents = new DocumentService(host, documentNames, reads, () => clock.nowMs())
  }

  /** Opens the folder, or rejects if another process uses it. Shards that cannot be opened are marked as failed. */
  static async open(options: NodeOptions): Promise<SandpiperNode> {
    const lock =
      options.dataFolder === undefined || options.storage !== undefined
        ? undefined
        : FolderLock.acquire(options.dataFolder)
    try {
      const directory =
        options.dataFolder === undefined
          ? undefined
          : (options.storage ?? diskStorage).directory(join(options.dataFolder, 'metadata'), lock?.owner)
      if (lock?.hasKernelLock === false) {
        const hint = 'install flock(1), or make sure that no other container uses this folder'
        options.log?.warn('this system has no file locks; owners in other containers are known by heartbeats only', {
          hint,
        })
      }
      const node = new SandpiperNode(options, openMetadata(directory, options.initialState), lock)
      await node.#start()
      return node
    } catch (error) {
      lock?.release()
      throw error
    }
  }

  async close(): Promise<void> {
    this.openContexts.stop()
    this.shards.stop()
    await this.lifecycle.stop()
    await this.snapshots.close()
    await this.shards.host.close()
    await this.metadata.close()
    this.#lock?.release()
  }

  /** A folder of the node's for files of another part of the process; undefined for a node in memory alone. */
  directory(name: string): Directory | undefined {
    const folder = this.dataFolder ?? this.#sideFolder
    return folder === undefined ? undefined : this.#storage.directory(join(folder, name), this.#lock?.owner)
  }

  /** The current metadata; keep it for the duration of a request. */
  get state(): MetadataState {
    return this.metadata.state
  }

  get id(): string {
    return this.state.sections.identity.get('nodeId')!
  }

  get clusterUuid(): string {
    return this.state.sections.identity.get('clusterUuid')!
  }

  get host(): ShardHost {
    return this.shards.host
  }

  get context(): IndexContext {
    return this.indexContext
  }

  /** Resolves names against the current metadata. */
  names(): NameResolver {
    return resolverOf(this.indexContext)
  }

  #configOf(key: ShardKey): ShardConfig | undefined {
    const index = this.state.indexByUuid(key.indexUuid)
    return index?.state === 'open' ? this.shards.configOf(index, key) : undefined
  }

  /** Drops the counters of deleted indices. */
  #forgetRemoved(state: MetadataState, previous: MetadataState): void {
    if (state.indices.size >= previous.indices.size) return
    for (const { uuid } of previous.indices.values()) {
      if (state.indexByUuid(uuid) !== undefined) continue
      this.searchStatistics.forget(uuid)
      this.stats.forget(uuid)
    }
  }

  async #start(): Promise<void> {
    const { metadata, shards, dataFolder } = this
    const directory = dataFolder === undefined ? undefined : this.#storage.directory(dataFolder, this.#lock?.owner)
    const nodeFile = directory && new NodeFile(directory, this.#log)
    if (metadata.state.sections.identity.size === 0) {
      const folders = shards.foldersOnDisk()
      if (folders.length > 0)
        throw new MissingMetadataError(this.dataFolder!, `the folders of ${folders.length} indices`)
      if (nodeFile?.exists === true) throw new MissingMetadataError(this.dataFolder!, `the file ${NODE_FILE} of a node`)
      await metadata.update(() => [
        { section: 'identity', name: 'nodeId', value: randomBytes(16).toString('base64url') },
        { section: 'identity', name: 'clusterUuid', value: randomBytes(16).toString('base64url') },
      ])
    }
    await nodeFile?.keep(this.id, dataFolder!)
    if (this.#lock !== undefined) await this.restores.removeInterrupted()
    await shards.setUnknownAside((uuid) => metadata.state.indexByUuid(uuid) !== undefined)
    const open = [...metadata.state.indices.values()].filter((index) => index.state === 'open')
    await Promise.all(this.#openAtStart(open).map((index) => shards.open(index)))
    await this.openContexts.recover()
    this.asyncSearches.recover()
    this.lifecycle.start()
    void this.#lazyHost?.lookAtAll()
  }

  /**
   * The newest indices are opened at startup, because they are used most. A node with many indices opens the others on
   * first use.
   */
  #openAtStart(open: readonly IndexMetadata[]): IndexMetadata[] {
    const host = this.#lazyHost
    if (host === undefined) return [...open]
    const atOnce: IndexMetadata[] = []
    let shards = 0
    for (const index of [...open].sort((a, b) => b.creationDate - a.creationDate)) {
      shards += index.shardCount
      if (shards <= SHARDS_AT_START) atOnce.push(index)
      else this.shards.openLater(host, index, (uuid) => this.state.indexByUuid(uuid))
    }
    return atOnce
  }

  #callbacks(): MainCallbacks {
    return {
      mappingUpdate: (uuid, update) => this.mappings.dynamicUpdate(uuid, update),
      writeTarget: (name, options) => this.#writeTarget(name, options),
      failureTarget: (name, authorization) => this.#failureTarget(name, authorization),
      ingestRoutes: async (names) => names.map((name) => this.writeTargets.ingestRoute(name)),
      findScript: async (id) => this.scripts.get(id),
      shardFailed: (key, reason) => this.shards.markFailed(key, reason),
      shardRecovered: (key) => this.shards.markRecovered(key),
      shardConfig: (key) => this.#configOf(key),
    }
  }

  /** Undefined where everything is allowed. */
  #refusedWrites(...[name, options]: Parameters<HostCallbacks['writeTarget']>): WriteDecision | undefined {
    const { authorization, isDelete } = options
    if (authorization === undefined) return undefined
    const authorize = this.documents.authorization(authorization)
    if (authorize === undefined) throw new Error('a bulk request continues after its end')
    const plain = resolveDateMath(name, this.indexContext.clock.nowMs())
    return authorize(plain, this.state.abstraction(plain) === undefined, isDelete)
  }

  async #writeTarget(...[name, options]: Parameters<HostCallbacks['writeTarget']>): Promise<WriteTarget> {
    try {
      const refused = this.#refusedWrites(name, options)
      if (refused?.error !== undefined) return { error: refused.error }
      const { index, target } = await this.writeTargets.resolve(name, options)
      const opening = this.shards.wake(this.shards.keys(index))
      if (opening !== undefined) await opening
      return refused === undefined ? target : { ...target, refused: refused.refused }
    } catch (error) {
      if (error instanceof ApiError) return { error: toErrorData(error) }
      throw error
    }
  }

  /** Whoever may write to a data stream may also leave failed documents in it. */
  async #failureTarget(
    ...[name, authorization]: Parameters<HostCallbacks['failureTarget']>
  ): ReturnType<HostCallbacks['failureTarget']> {
    try {
      const options = { requireAlias: false, requireDataStream: false, isDelete: false, authorization }
      const refused = this.#refusedWrites(name, options)
      const problem = refused?.error ?? refused?.refused?.create
      if (problem !== undefined) return { error: problem }
      const found = await this.writeTargets.resolveFailures(name)
      if (found === undefined || found === 'not_enabled') return found
      await this.shards.wake(this.shards.keys(found.index))
      return found.target
    } catch (error) {
      if (error instanceof ApiError) return { error: toErrorData(error) }
      throw error
    }
  }
}

function openMetadata(directory: Directory | undefined, initialState: MetadataState | undefined): MetadataStore {
  if (directory === undefined && initialState !== undefined) return MetadataStore.inMemory(initialState)
  return MetadataStore.open(directory)
}
