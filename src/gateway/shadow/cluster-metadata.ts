/** Reads the metadata of the cluster: indices with mappings, settings and aliases, templates, data streams, settings. */

import type { AliasMetadata, FlatSettings, JsonObject } from '../../service/metadata/metadata.ts'
import { flattenSettings } from '../../service/settings/flat-settings.ts'
import type { Cluster } from '../upstream/cluster.ts'

export interface ClusterIndex {
  readonly name: string
  /** Changes when anything about the index changes. */
  readonly mark: string
  readonly uuid: string
  readonly state: 'open' | 'close'
  /** The number of virtual shards that documents are spread over; undefined for a cluster that does not tell. */
  readonly routingShards: number | undefined
  readonly settings: FlatSettings
  readonly mapping: JsonObject
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

export interface ClusterMetadata {
  readonly indices: ReadonlyMap<string, ClusterIndex>
  /** Definitions as their APIs take them, by kind and name. */
  readonly definitions: ReadonlyMap<string, DefinitionOf>
  readonly dataStreams: ReadonlyMap<string, { readonly indices: readonly string[]; readonly generation: number }>
  readonly persistentSettings: FlatSettings
  readonly transientSettings: FlatSettings
}

/** A template, script or pipeline: the path under which it is stored, and its body. */
export interface DefinitionOf {
  readonly path: string
  readonly body: string
}

interface StateAnswer {
  readonly metadata: {
    readonly indices?: Readonly<Record<string, IndexAnswer>>
    readonly templates?: Readonly<Record<string, JsonObject>>
    readonly index_template?: { readonly index_template?: Readonly<Record<string, JsonObject>> }
    readonly component_template?: { readonly component_template?: Readonly<Record<string, JsonObject>> }
    readonly data_stream?: {
      readonly data_stream?: Readonly<
        Record<string, { readonly indices: readonly { index_name: string }[]; readonly generation: number }>
      >
    }
    readonly stored_scripts?: Readonly<Record<string, JsonObject>>
    readonly ingest?: { readonly pipeline?: readonly { readonly id: string; readonly config: JsonObject }[] }
  }
}

interface IndexAnswer {
  readonly mapping_version: number
  readonly settings_version: number
  readonly aliases_version: number
  readonly routing_num_shards?: number
  readonly state: 'open' | 'close'
  readonly settings: JsonObject
  readonly mappings: { readonly _doc?: JsonObject }
  readonly aliases: readonly string[]
}

type AliasAnswer = Readonly<Record<string, { readonly aliases: Readonly<Record<string, JsonObject>> }>>

/** Identifies a version of the cluster's state. */
export async function stateMark(cluster: Cluster): Promise<string> {
  const state = await read<{ version?: number; state_uuid?: string }>(cluster, '/_cluster/state/version')
  return `${state.version}:${state.state_uuid}`
}

export async function readMetadata(cluster: Cluster): Promise<ClusterMetadata> {
  const [{ metadata }, aliases, settings] = await Promise.all([
    read<StateAnswer>(cluster, '/_cluster/state/metadata?expand_wildcards=all'),
    read<AliasAnswer>(cluster, '/_alias?expand_wildcards=all'),
    read<{ persistent: JsonObject; transient: JsonObject }>(cluster, '/_cluster/settings'),
  ])
  const indices = new Map<string, ClusterIndex>()
  for (const [name, index] of Object.entries(metadata.indices ?? {}))
    indices.set(name, readIndex(name, index, aliases[name]?.aliases ?? {}))
  const dataStreams = new Map(
    Object.entries(metadata.data_stream?.data_stream ?? {}).map(([name, stream]) => [
      name,
      { indices: stream.indices.map((index) => index.index_name), generation: stream.generation },
    ]),
  )
  return {
    indices,
    definitions: readDefinitions(metadata),
    dataStreams,
    persistentSettings: flattenSettings(settings.persistent) as FlatSettings,
    transientSettings: flattenSettings(settings.transient) as FlatSettings,
  }
}

function readIndex(name: string, index: IndexAnswer, aliases: Readonly<Record<string, JsonObject>>): ClusterIndex {
  const settings = flattenSettings(index.settings) as FlatSettings
  const uuid = String(settings['index.uuid'])
  const versions = [index.mapping_version, index.settings_version, index.aliases_version, index.state]
  return {
    name,
    mark: `${uuid}:${versions.join(':')}`,
    uuid,
    state: index.state,
    routingShards: index.routing_num_shards,
    settings,
    mapping: index.mappings._doc ?? {},
    aliases: Object.fromEntries(Object.entries(aliases).map(([alias, definition]) => [alias, readAlias(definition)])),
  }
}

function readAlias(definition: JsonObject): AliasMetadata {
  const { filter, index_routing, search_routing, is_write_index, is_hidden } = definition
  return {
    ...(filter === undefined ? {} : { filter: filter as JsonObject }),
    ...(index_routing === undefined ? {} : { indexRouting: String(index_routing) }),
    ...(search_routing === undefined ? {} : { searchRouting: String(search_routing) }),
    ...(is_write_index === undefined ? {} : { isWriteIndex: is_write_index === true }),
    ...(is_hidden === undefined ? {} : { isHidden: is_hidden === true }),
  }
}

/** In the order in which they can be stored: an index template names component templates. */
function readDefinitions(metadata: StateAnswer['metadata']): Map<string, DefinitionOf> {
  const found = new Map<string, DefinitionOf>()
  const add = (path: string, body: unknown) => found.set(path, { path, body: JSON.stringify(body) })
  for (const [id, script] of Object.entries(metadata.stored_scripts ?? {}))
    add(`/_scripts/${encodeURIComponent(id)}`, { script })
  for (const { id, config } of metadata.ingest?.pipeline ?? [])
    add(`/_ingest/pipeline/${encodeURIComponent(id)}`, config)
  for (const [name, template] of Object.entries(metadata.component_template?.component_template ?? {}))
    add(`/_component_template/${encodeURIComponent(name)}`, untyped(template))
  for (const [name, template] of Object.entries(metadata.index_template?.index_template ?? {}))
    add(`/_index_template/${encodeURIComponent(name)}`, withoutTimestampField(untyped(template)))
  for (const [name, template] of Object.entries(metadata.templates ?? {}))
    add(`/_template/${encodeURIComponent(name)}`, { ...template, mappings: withoutType(template['mappings']) })
  return found
}

function untyped(definition: JsonObject): JsonObject {
  const template = definition['template'] as JsonObject | undefined
  if (template?.['mappings'] === undefined) return definition
  return { ...definition, template: { ...template, mappings: withoutType(template['mappings']) } }
}

/** OpenSearch names the timestamp field of a data stream, which is always the same in Elasticsearch. */
function withoutTimestampField(template: JsonObject): JsonObject {
  const stream = template['data_stream'] as JsonObject | undefined
  if (stream === undefined || stream === null) return template
  const { timestamp_field: _, ...rest } = stream
  return { ...template, data_stream: rest }
}

/** The cluster state shows mappings of templates under the type `_doc`. */
function withoutType(mappings: unknown): unknown {
  const typed = (mappings as { _doc?: unknown } | undefined)?._doc
  return typed ?? mappings ?? {}
}

async function read<T>(cluster: Cluster, uri: string): Promise<T> {
  const { status, body } = await cluster.ask('GET', uri)
  if (status !== 200) throw new Error(`GET ${uri} answers ${status}: ${body.toString('utf8', 0, 200)}`)
  return JSON.parse(body.toString('utf8')) as T
}
