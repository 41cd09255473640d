/** Puts the indices of the cluster into the shadow: their metadata and empty shards. */
import { routingShardCount } from '../../base/murmur3.ts'
import { putIndex, removeIndex } from '../../service/catalog/index-context.ts'
import { INDEX_VERSION } from '../../service/indices/index-builder.ts'
import type { FlatSettings, IndexMetadata, JsonObject, SettingValue } from '../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { fromClusterMapping } from '../rewrite/field-types.ts'
import { fromClusterSettings } from '../rewrite/settings.ts'
import type { ClusterIndex } from './cluster-metadata.ts'

export class ShadowIndices {
  readonly #node: SandpiperNode
  /** What was applied, by name. */
  readonly #applied = new Map<string, { readonly mark: string; readonly metadata: IndexMetadata }>()
  /** Mappings as the cluster has them. */
  readonly #clusterMappings = new Map<string, JsonObject>()
  /** Indices whose definition the shadow does not understand, with the reason. It knows their names only. */
  readonly #opaque = new Map<string, string>()

  constructor(node: SandpiperNode) {
    this.#node = node
  }

  /** Whether the shadow knows the mapping of an index. */
  isKnown(name: string): boolean {
    return !this.#opaque.has(name)
  }

  get opaque(): ReadonlyMap<string, string> {
    return this.#opaque
  }

  /** The mapping of an index as the cluster has it, with what gateways keep in it. */
  clusterMapping(name: string): JsonObject {
    return this.#clusterMappings.get(name) ?? {}
  }

  /** Documents were written into these indices of the shadow, or their metadata was changed: they are made again. */
  forget(names: Iterable<string>): void {
    for (const name of names) this.#applied.delete(name)
  }

  /** Indices whose metadata is not what was applied. */
  changed(): string[] {
    const { state } = this.#node
    const names = [...state.indices.keys()].filter((name) => state.index(name) !== this.#applied.get(name)?.metadata)
    return [...names, ...[...this.#applied.keys()].filter((name) => state.index(name) === undefined)]
  }

  async apply(indices: ReadonlyMap<string, ClusterIndex>): Promise<void> {
    const { state } = this.#node
    for (const name of [...state.indices.keys()]) if (!indices.has(name)) await this.#remove(name)
    for (const index of indices.values()) {
      const applied = this.#applied.get(index.name)
      if (applied?.mark === index.mark && applied.metadata === state.index(index.name)) continue
      await this.#replace(index)
    }
  }

  async #remove(name: string): Promise<void> {
    const { store, shards } = this.#node.indexContext
    const index = store.state.index(name)
    this.#applied.delete(name)
    this.#opaque.delete(name)
    this.#clusterMappings.delete(name)
    if (index === undefined) return
    await store.update(() => [removeIndex(name)])
    await shards.remove(index)
  }

  async #replace(index: ClusterIndex): Promise<void> {
    await this.#remove(index.name)
    this.#clusterMappings.set(index.name, index.mapping)
    const { store, shards, mappings } = this.#node.indexContext
    const settings = fromClusterSettings(index.settings, index.mapping)
    let metadata: IndexMetadata
    try {
      metadata = this.#metadata(index, settings, fromClusterMapping(index.mapping))
    } catch (error) {
      this.#opaque.set(index.name, (error as Error).message)
      metadata = this.#metadata(index, withoutAnalysis(settings), {})
    }
    if (metadata.state === 'open') await shards.create(metadata)
    await store.update(() => [putIndex(metadata)])
    mappings.forget(metadata)
    this.#applied.set(index.name, { mark: index.mark, metadata })
  }

  /** Throws if the shadow does not know a field type, an analyzer or a setting. */
  #metadata(index: ClusterIndex, settings: FlatSettings, mapping: JsonObject): IndexMetadata {
    const { mappings } = this.#node.indexContext
    const all: Record<string, SettingValue> = { ...settings, 'index.version.created': INDEX_VERSION }
    const parsed = mappings.parse(all, mapping)
    const shardCount = Number(all['index.number_of_shards'] ?? 1)
    return {
      name: index.name,
      uuid: index.uuid,
      state: index.state,
      settings: all,
      mapping: parsed.toJson(),
      mappingVersion: 1,
      settingsVersion: 1,
      aliasesVersion: 1,
      aliases: index.aliases,
      creationDate: Number(all['index.creation_date'] ?? 0),
      shardCount,
      routingShards: index.routingShards ?? routingShardCount(shardCount),
    }
  }
}

function withoutAnalysis(settings: FlatSettings): FlatSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('index.analysis.')))
}
