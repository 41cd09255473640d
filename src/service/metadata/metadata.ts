/**
 * The metadata of the node: indices, templates, data streams, settings. It is plain immutable data, so that a reader
 * can keep a snapshot and the log can write any part of it as JSON.
 */

/** Settings are strings on the wire; a few are lists (`index.sort.field`, stop words). */
export type SettingValue = string | readonly string[]
export type FlatSettings = Readonly<Record<string, SettingValue>>
export type JsonObject = Record<string, unknown>

export interface AliasMetadata {
  readonly filter?: JsonObject
  readonly indexRouting?: string
  readonly searchRouting?: string
  readonly isWriteIndex?: boolean
  readonly isHidden?: boolean
}

export interface RestoredFrom {
  readonly repository: string
  readonly snapshot: string
  readonly index: string
  /** What was copied for each shard of the snapshot. Absent for indices that were restored before this was recorded. */
  readonly copies?: readonly ShardCopy[]
}

/** The files of a shard that were copied, and when. */
export interface ShardCopy {
  readonly shard: number
  readonly startMs: number
  readonly stopMs: number
  readonly files: number
  readonly bytes: number
}

export interface IndexMetadata {
  readonly name: string
  /** 22 characters; also the name of the index's folder, because a name can be reused after a delete. */
  readonly uuid: string
  readonly state: 'open' | 'close'
  readonly settings: FlatSettings
  /** Settings that the request or a template set to null when the index was created. They have no effect, but are shown. */
  readonly unsetSettings?: readonly string[]
  /** The contents of `mappings`, as `GET _mapping` shows it. */
  readonly mapping: JsonObject
  readonly mappingVersion: number
  readonly settingsVersion: number
  readonly aliasesVersion: number
  readonly aliases: Readonly<Record<string, AliasMetadata>>
  readonly creationDate: number
  readonly shardCount: number
  readonly routingShards: number
  /**
   * The shards that share a routing value. Absent means 1, also for indices made when `index.routing_partition_size` had no
   * effect, whose documents are where a size of 1 puts them.
   */
  readonly routingPartition?: number | undefined
  /** Whether its shards always had a synced length next to their logs. Such a shard without one has lost its files. */
  readonly hasSyncedLengths?: boolean
  /** The snapshot that the index was restored from. */
  readonly restoredFrom?: RestoredFrom
  /** The index that the shards of this one were copied from by `_clone`, `_shrink` or `_split`. */
  readonly resizedFrom?: { readonly name: string; readonly uuid: string }
  /** How far the index is in its lifecycle policy. */
  readonly lifecycle?: IndexLifecycle
  /** When the lifecycle of its data stream merged the index. */
  readonly mergedAtMs?: number
  /** The conditions that were met when an alias or data stream rolled over from this index. */
  readonly rolledOver?: { readonly alias: string; readonly conditions: JsonObject; readonly timeMs: number }
}

/** The place of an index in its policy: which step of which action of which phase it is at. */
export interface IndexLifecycle {
  readonly policy: string
  readonly phase: string
  readonly phaseTimeMs: number
  readonly action: string
  readonly actionTimeMs: number
  readonly step: string
  readonly stepTimeMs: number
  /** The phase as it was when the index entered it; changes of the policy do not touch it. */
  readonly definition?: { readonly version: number; readonly modifiedMs: number; readonly phase: JsonObject }
  /** The step that failed, why, and how often it was tried again. */
  readonly failure?: { readonly step: string; readonly info: JsonObject; readonly retries: number }
}

/** `_lifecycle` of a data stream. */
export interface StreamLifecycle {
  readonly enabled: boolean
  readonly dataRetention?: string
}

/** `_options` of a data stream. Absent members are those of the cluster's settings. */
export interface StreamOptions {
  readonly failureStore?: { readonly enabled?: boolean; readonly lifecycle?: StreamLifecycle }
}

/** `PUT _template`: a legacy template, merged by `order`. */
export interface LegacyTemplate {
  readonly patterns: readonly string[]
  readonly order: number
  readonly version?: number
  readonly settings: FlatSettings
  /** Settings with the value null: they remove the value of templates with a lower order. */
  readonly unset?: readonly string[]
  readonly mappings: JsonObject
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

/** The `template` member of composable and component templates. An absent part contributes nothing. */
export interface TemplateContent {
  readonly settings?: FlatSettings
  /** Settings with the value null: they remove the value of a layer below. */
  readonly unset?: readonly string[]
  readonly mappings?: JsonObject
  readonly aliases?: Readonly<Record<string, AliasMetadata>>
  readonly lifecycle?: JsonObject
  /** null removes the options of the layers below. */
  readonly dataStreamOptions?: JsonObject | null
}

export interface ComponentTemplate {
  readonly template: TemplateContent
  readonly version?: number
  readonly meta?: JsonObject
  readonly deprecated?: boolean
}

export interface IndexTemplate {
  readonly patterns: readonly string[]
  readonly template?: TemplateContent
  readonly composedOf: readonly string[]
  readonly ignoreMissing?: readonly string[]
  readonly priority?: number
  readonly version?: number
  readonly meta?: JsonObject
  readonly dataStream?: { readonly hidden: boolean; readonly allowCustomRouting: boolean }
  readonly allowAutoCreate?: boolean
  readonly deprecated?: boolean
}

export interface DataStream {
  readonly name: string
  /** Names of the backing indices, oldest first; the last one is the write index. */
  readonly indices: readonly string[]
  readonly generation: number
  readonly hidden: boolean
  readonly allowCustomRouting: boolean
  readonly meta?: JsonObject
  readonly lifecycle?: StreamLifecycle
  readonly options?: StreamOptions
  /** Names of the indices of the failure store, oldest first; the last one is written to. */
  readonly failureIndices?: readonly string[]
  /** The next write to the stream, or to its failure store, rolls it over first. */
  readonly rolloverOnWrite?: true
  readonly failuresRolloverOnWrite?: true
  /** Settings of the stream, which take precedence over those of its template. */
  readonly settings?: FlatSettings
  /** Aliases of the data stream; new backing indices inherit them. */
  readonly aliases?: Readonly<Record<string, AliasMetadata>>
}

/** A stored script: `_scripts`. */
export interface StoredScript {
  readonly lang: string
  readonly source: string
  readonly options?: Readonly<Record<string, string>>
}

/** An ingest pipeline: its configuration as JSON text, in which decimals stay as they were written. */
export interface StoredPipeline {
  readonly config: string
}

/** A registered snapshot repository. */
export interface RepositoryDefinition {
  readonly type: string
  readonly settings: Readonly<Record<string, string>>
}

/** A finished task. Bodies are JSON text. */
export interface StoredTask {
  readonly action: string
  readonly description: string
  readonly startedAtMs: number
  readonly finishedAtMs: number
  readonly isCancelled: boolean
  readonly opaqueId?: string | undefined
  readonly status?: string | undefined
  readonly response?: string | undefined
  readonly error?: string | undefined
}

/** Everything that survives a restart. Each member is a section of the log: a map from name to value. */
export interface MetadataSections {
  readonly indices: ReadonlyMap<string, IndexMetadata>
  readonly legacyTemplates: ReadonlyMap<string, LegacyTemplate>
  readonly indexTemplates: ReadonlyMap<string, IndexTemplate>
  readonly componentTemplates: ReadonlyMap<string, ComponentTemplate>
  readonly dataStreams: ReadonlyMap<string, DataStream>
  readonly lifecyclePolicies: ReadonlyMap<string, { version: number; modifiedMs: number; policy: JsonObject }>
  readonly storedScripts: ReadonlyMap<string, StoredScript>
  readonly ingestPipelines: ReadonlyMap<string, StoredPipeline>
  readonly repositories: ReadonlyMap<string, RepositoryDefinition>
  /** Results of operations that clients did not wait for, by the number of the task. */
  readonly taskResults: ReadonlyMap<string, StoredTask>
  /** `persistent` holds the persistent cluster settings. */
  readonly clusterSettings: ReadonlyMap<'persistent', FlatSettings>
  /** Identity: `clusterUuid` and `nodeId`; and `lifecycleMode` once the lifecycle policies were stopped. */
  readonly identity: ReadonlyMap<string, string>
}

export type Section = keyof MetadataSections
type ValueOf<S extends Section> = MetadataSections[S] extends ReadonlyMap<string, infer V> ? V : never

/** Sets a member of a section, or removes it (`undefined`). */
export type Change = {
  [S in Section]: { readonly section: S; readonly name: string; readonly value: ValueOf<S> | undefined }
}[Section]

export const SECTIONS: readonly Section[] = [
  'indices',
  'legacyTemplates',
  'indexTemplates',
  'componentTemplates',
  'dataStreams',
  'lifecyclePolicies',
  'storedScripts',
  'ingestPipelines',
  'repositories',
  'taskResults',
  'clusterSettings',
  'identity',
]
