/** `_shard_stores`: the copies of shards on disk. A single node has one copy of every shard, and it is in use. */

import { illegalArgument } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import { resolverOf } from '../catalog/index-context.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { integerSetting } from '../settings/update-settings.ts'
import { allocationId } from './cluster-state.ts'
import { nodeIdentity } from './node-identity.ts'

const STATUSES = ['green', 'yellow', 'red', 'all'] as const
type Status = (typeof STATUSES)[number]

/** By default shards that lack a copy are shown. */
export function readStatuses(given: readonly string[] | undefined): readonly Status[] {
  if (given === undefined) return ['yellow', 'red']
  return given.map((text) => {
    const status = STATUSES.find((known) => known === text.toLowerCase())
    if (status === undefined) throw illegalArgument(`unknown cluster health status [${text}]`)
    return status
  })
}

export function shardStores(
  node: SandpiperNode,
  expressions: readonly string[],
  parameters: IndicesParameters,
  statuses: readonly Status[],
): JsonObject {
  const shown: JsonObject = newMembers()
  for (const index of resolverOf(node.indexContext).indices(expressions, withParameters(EXPAND_OPEN, parameters))) {
    const shards: JsonObject = newMembers()
    for (const key of node.shards.keys(index)) {
      const failure = node.shards.failure(key)
      const status = failure !== undefined ? 'red' : isReplicated(index) ? 'yellow' : 'green'
      if (!statuses.includes('all') && !statuses.includes(status)) continue
      shards[key.shard] = { stores: [store(node, index, key.shard, failure)] }
    }
    if (Object.keys(shards).length > 0) shown[index.name] = { shards }
  }
  return { indices: shown }
}

/** Whether the index asks for copies that no other node holds. */
const isReplicated = ({ settings }: IndexMetadata) => integerSetting(settings, 'index.number_of_replicas') > 0

function store(node: SandpiperNode, index: IndexMetadata, shard: number, failure: string | undefined): JsonObject {
  return {
    [node.id]: nodeIdentity(node),
    allocation_id: allocationId(index, String(shard)),
    allocation: failure === undefined ? 'primary' : 'unused',
    ...(failure === undefined ? {} : { store_exception: { type: 'corrupt_index_exception', reason: failure } }),
  }
}
