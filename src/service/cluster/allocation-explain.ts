/**
 * `_cluster/allocation/explain`: why a shard copy is where it is. On a single node a primary is assigned and a replica
 * cannot be.
 */
import { ApiError, illegalArgument, validationFailed } from '../../base/api-error.ts'
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_NUMBER, ACCEPTS_STRING, RequestReader } from '../../engine/request/request-reader.ts'
import type { JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { allocationId } from './cluster-state.ts'
import { ROLES, TRANSPORT_ADDRESS } from './node-identity.ts'
import { replicaCount, type ShardCopy, shardCopies } from './shard-table.ts'

/** The copy that the request names; empty for any unassigned copy. */
export interface AllocationQuestion {
  readonly index?: string | undefined
  readonly shard?: number | undefined
  readonly primary?: boolean | undefined
  readonly currentNode?: string | undefined
}

export function parseAllocationQuestion(body: Uint8Array): AllocationQuestion {
  if (body.length === 0) return {}
  const reader = new RequestReader(body)
  let index: string | undefined
  let shard: number | undefined
  let primary: boolean | undefined
  let currentNode: string | undefined
  reader.parseObject('cluster/allocation/explain', {
    index: { accepts: ACCEPTS_STRING, parse: () => (index = reader.text()) },
    shard: { accepts: ACCEPTS_NUMBER, parse: () => (shard = reader.integer()) },
    primary: { accepts: ACCEPTS_BOOLEAN, parse: () => (primary = reader.boolean()) },
    current_node: { accepts: ACCEPTS_STRING, parse: () => (currentNode = reader.text()) },
  })
  const question = { index, shard, primary, currentNode }
  const isOpen = index === undefined && shard === undefined && primary === undefined && currentNode === undefined
  const missing = isOpen ? [] : (['index', 'shard', 'primary'] as const).filter((name) => question[name] === undefined)
  if (missing.length > 0) throw validationFailed(...missing.map((name) => `${name} must be specified`))
  return question
}

const MANUAL =
  'See https://www.elastic.co/guide/en/elasticsearch/reference/8.19/cluster-allocation-explain.html for more information.'

export function explainAllocation(node: SandpiperNode, question: AllocationQuestion): JsonObject {
  const copy = question.index === undefined ? anyWithoutNode(node) : namedCopy(node, question)
  const { currentNode } = question
  if (currentNode !== undefined && currentNode !== node.name && currentNode !== node.id) {
    throw illegalArgument(`failed to resolve [${currentNode}], no matching nodes`)
  }
  return {
    ...(question.index === undefined ? { note: NOTE } : {}),
    index: copy.index.name,
    shard: copy.key.shard,
    primary: copy.primary,
    ...(copy.started ? startedCopy(node, copy) : missingCopy(node, copy)),
  }
}

const NOTE =
  'No shard was specified in the explain API request, so this response explains a randomly chosen unassigned shard. There may ' +
  'be other unassigned shards in this cluster which cannot be assigned for different reasons. It may not be possible to assign ' +
  'this shard until one of the other shards is assigned correctly. To explain the allocation of other shards (whether assigned ' +
  `or unassigned) you must specify the target shard in the request to this API. ${MANUAL}`

function anyWithoutNode(node: SandpiperNode): ShardCopy {
  const copies = [...node.state.indices.values()].flatMap((index) => shardCopies(node, index))
  const found = copies.find((copy) => copy.primary && !copy.started) ?? copies.find((copy) => !copy.started)
  if (found !== undefined) return found
  throw illegalArgument(
    'No shard was specified in the request which means the response should explain a randomly-chosen unassigned shard, but ' +
      'there are no unassigned shards in this cluster. To explain the allocation of an assigned shard you must specify the ' +
      `target shard in the request. ${MANUAL}`,
  )
}

function namedCopy(node: SandpiperNode, { index: name, shard, primary }: AllocationQuestion): ShardCopy {
  const index = node.state.index(name!)
  if (index === undefined) throw indexNotFound(name!)
  if (shard! >= index.shardCount || shard! < 0) {
    const details = { index_uuid: index.uuid, shard: String(shard), index: index.name }
    throw new ApiError(404, 'shard_not_found_exception', 'no such shard', { details })
  }
  const found = shardCopies(node, index).find((copy) => copy.key.shard === shard && copy.primary === primary)
  if (found !== undefined) return found
  throw illegalArgument(
    `unable to find any shards to explain [ClusterAllocationExplainRequest[index=${name},shard=${shard},primary?=${primary},` +
      'includeYesDecisions?=false] in the routing table',
  )
}

function startedCopy(node: SandpiperNode, { index }: ShardCopy): JsonObject {
  const here = { id: node.id, name: node.name, transport_address: TRANSPORT_ADDRESS, attributes: {}, roles: ROLES }
  const isWhole = replicaCount(index) === 0
  return {
    current_state: 'started',
    current_node: { ...here, weight_ranking: 1 },
    can_remain_on_current_node: 'yes',
    can_rebalance_cluster: isWhole ? 'yes' : 'no',
    ...(isWhole ? {} : { can_rebalance_cluster_decisions: [NOT_ALL_ACTIVE] }),
    can_rebalance_to_other_node: 'no',
    rebalance_explanation: isWhole
      ? 'This shard is in a well-balanced location and satisfies all allocation rules so it will remain on this node. ' +
        'Elasticsearch cannot improve the cluster balance by moving it to another node. If you expect this shard to be ' +
        'rebalanced to another node, find the other node in the node-by-node explanation and address the reasons which prevent ' +
        'Elasticsearch from rebalancing this shard there.'
      : 'Elasticsearch is not allowed to allocate or rebalance this shard to another node. If you expect this shard to be ' +
        'rebalanced to another node, find this node in the node-by-node explanation and address the reasons which prevent ' +
        'Elasticsearch from rebalancing this shard there.',
  }
}

const NOT_ALL_ACTIVE = {
  decider: 'rebalance_only_when_active',
  decision: 'NO',
  explanation: 'rebalancing is not allowed until all copies of this shard are active',
}

function missingCopy(node: SandpiperNode, { index, key, failure }: ShardCopy): JsonObject {
  const allocation = allocationId(index, String(key.shard))
  const present = `[${index.name}][${key.shard}], node[${node.id}], [P], s[STARTED], a[id=${allocation}], failed_attempts[0]`
  const decider =
    failure === undefined
      ? { decider: 'same_shard', explanation: `a copy of this shard is already allocated to this node [${present}]` }
      : { decider: 'max_retry', explanation: `shard has failed: ${failure}` }
  return {
    current_state: 'unassigned',
    unassigned_info: {
      reason: failure === undefined ? 'INDEX_CREATED' : 'ALLOCATION_FAILED',
      at: new Date(index.creationDate).toISOString(),
      ...(failure === undefined ? {} : { details: failure }),
      last_allocation_status: failure === undefined ? 'no_attempt' : 'no',
    },
    can_allocate: 'no',
    allocate_explanation:
      "Elasticsearch isn't allowed to allocate this shard to any of the nodes in the cluster. Choose a node to which you expect " +
      'this shard to be allocated, find this node in the node-by-node explanation, and address the reasons which prevent ' +
      'Elasticsearch from allocating this shard there.',
    node_allocation_decisions: [
      {
        node_id: node.id,
        node_name: node.name,
        transport_address: TRANSPORT_ADDRESS,
        node_attributes: {},
        roles: ROLES,
        node_decision: 'no',
        weight_ranking: 1,
        deciders: [{ decider: decider.decider, decision: 'NO', explanation: decider.explanation }],
      },
    ],
  }
}
