/** `_cluster/state`: the state of a one-node cluster. Tools read its metadata and routing table. */

import { createHash } from 'node:crypto'
import { newMembers } from '../../base/json/members.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import {
  EXPAND_HIDDEN,
  EXPAND_OPEN_LENIENT,
  type IndicesOptions,
  type IndicesParameters,
  withParameters,
} from '../names/indices-options.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { indexBlocks } from './index-blocks.ts'
import { nodeIdentity } from './node-identity.ts'
import { type ShardCopy, shardCopies } from './shard-table.ts'

export interface StateRequest {
  readonly metrics: readonly string[]
  readonly expressions: readonly string[]
  readonly parameters: IndicesParameters
  readonly flatSettings: boolean
}

/** The unfiltered state contains every index. */
const EVERYTHING: IndicesOptions = { ...EXPAND_HIDDEN, ignoreUnavailable: true }

export function clusterState(node: SandpiperNode, request: StateRequest): JsonObject {
  // Names that do not exist are ignored.
  const options = request.expressions.length === 0 ? EVERYTHING : EXPAND_OPEN_LENIENT
  const indices = node.names().indices(request.expressions, withParameters(options, request.parameters))
  const shows = (metric: string) => request.metrics.includes('_all') || request.metrics.includes(metric)
  return {
    cluster_name: node.clusterName,
    cluster_uuid: node.clusterUuid,
    ...(shows('version') ? { version: stateVersion(node), state_uuid: stateUuid(node) } : {}),
    ...(shows('master_node') ? { master_node: node.id } : {}),
    ...(shows('blocks') ? { blocks: printBlocks(indices) } : {}),
    ...(shows('nodes') ? { nodes: { [node.id]: nodeIdentity(node) } } : {}),
    ...(shows('metadata') ? { metadata: printMetadata(node, indices, request) } : {}),
    ...(shows('routing_table') ? { routing_table: routingTable(node, indices) } : {}),
    ...(shows('routing_nodes') ? { routing_nodes: routingNodes(node, indices) } : {}),
  }
}

/** Increases with every change of an index. */
function stateVersion(node: SandpiperNode): number {
  let version = 1
  for (const index of node.state.indices.values()) version += versionOf(index)
  return version
}

function stateUuid(node: SandpiperNode): string {
  return createHash('sha256')
    .update(`${node.clusterUuid}:${stateVersion(node)}`)
    .digest('base64url')
    .slice(0, 22)
}

function versionOf(index: IndexMetadata): number {
  return index.mappingVersion + index.settingsVersion + index.aliasesVersion
}

function printBlocks(indices: readonly IndexMetadata[]): JsonObject {
  const blocked: JsonObject = newMembers()
  for (const index of indices) {
    const blocks = indexBlocks(index)
    if (blocks !== undefined) blocked[index.name] = blocks
  }
  return Object.keys(blocked).length === 0 ? {} : { indices: blocked }
}

function printMetadata(node: SandpiperNode, indices: readonly IndexMetadata[], request: StateRequest): JsonObject {
  return {
    cluster_uuid: node.clusterUuid,
    cluster_uuid_committed: true,
    cluster_coordination: {
      term: 1,
      last_committed_config: [node.id],
      last_accepted_config: [node.id],
      voting_config_exclusions: [],
    },
    templates: {},
    indices: Object.fromEntries(indices.map((index) => [index.name, printIndex(index, request.flatSettings)])),
    'index-graveyard': { tombstones: [] },
    reserved_state: {},
  }
}

function printIndex(index: IndexMetadata, flatSettings: boolean): JsonObject {
  const shards = Array.from({ length: index.shardCount }, (_, shard) => String(shard))
  return {
    version: versionOf(index),
    mapping_version: index.mappingVersion,
    settings_version: index.settingsVersion,
    aliases_version: index.aliasesVersion,
    routing_num_shards: index.routingShards,
    state: index.state,
    settings: printSettings(index.settings, flatSettings, index.unsetSettings),
    mappings: Object.keys(index.mapping).length === 0 ? {} : { _doc: index.mapping },
    aliases: Object.keys(index.aliases),
    primary_terms: Object.fromEntries(shards.map((shard) => [shard, 1])),
    in_sync_allocations: Object.fromEntries(shards.map((shard) => [shard, [allocationId(index, shard)]])),
    rollover_info: {},
    system: false,
  }
}

function routingTable(node: SandpiperNode, indices: readonly IndexMetadata[]): JsonObject {
  return {
    indices: Object.fromEntries(
      indices.map((index) => {
        const shards: Record<string, JsonObject[]> = newMembers()
        for (const copy of shardCopies(node, index)) {
          const copies = (shards[String(copy.key.shard)] ??= [])
          copies.push(printCopy(node, copy))
        }
        return [index.name, { shards }]
      }),
    ),
  }
}

function routingNodes(node: SandpiperNode, indices: readonly IndexMetadata[]): JsonObject {
  const copies = indices.flatMap((index) => shardCopies(node, index))
  const print = (started: boolean) => copies.filter((copy) => copy.started === started).map((c) => printCopy(node, c))
  return { unassigned: print(false), nodes: { [node.id]: print(true) } }
}

/** A shard copy as routing tables show it. */
export function printCopy(node: SandpiperNode, { index, key, primary, started, failure }: ShardCopy): JsonObject {
  return {
    state: started ? 'STARTED' : 'UNASSIGNED',
    primary,
    node: started ? node.id : null,
    relocating_node: null,
    shard: key.shard,
    index: index.name,
    ...(started
      ? { allocation_id: { id: allocationId(index, String(key.shard)) } }
      : { unassigned_info: unassigned(index, failure) }),
    relocation_failure_info: { failed_attempts: 0 },
  }
}

function unassigned(index: IndexMetadata, failure: string | undefined): JsonObject {
  return {
    reason: failure === undefined ? 'INDEX_CREATED' : 'ALLOCATION_FAILED',
    at: new Date(index.creationDate).toISOString(),
    delayed: false,
    allocation_status: 'no_attempt',
    ...(failure === undefined ? {} : { details: failure }),
  }
}

/** A copy never moves, so its allocation id is derived from its index. */
export function allocationId(index: IndexMetadata, shard: string): string {
  return Buffer.from(`${index.uuid.slice(0, 14)}${shard.padStart(2, '0')}`).toString('base64url')
}
