/** `_health_report`: one indicator per concern, with symptom, impacts and diagnosis. */
import { resourceNotFound } from '../../base/api-error.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import type { HealthStatus } from './cluster-health.ts'
import { fileSystem } from './node-stats.ts'
import { type ShardCopy, shardCopies } from './shard-table.ts'

interface Indicator {
  readonly status: HealthStatus
  readonly symptom: string
  readonly details?: JsonObject
  readonly impacts?: readonly JsonObject[]
  readonly diagnosis?: readonly JsonObject[]
}

/** In Elasticsearch's order. */
const INDICATORS: Readonly<Record<string, (node: SandpiperNode, size: number) => Indicator>> = {
  master_is_stable: masterIsStable,
  repository_integrity: repositoryIntegrity,
  disk: diskIndicator,
  shards_capacity: shardsCapacity,
  shards_availability: shardsAvailability,
}

const SEVERITY: readonly HealthStatus[] = ['green', 'yellow', 'red']
/** Elasticsearch's default watermarks, as fractions of used disk space. */
const HIGH_WATERMARK = 0.9
const FLOOD_STAGE_WATERMARK = 0.95
const MAX_SHARDS_PER_NODE = 1000
const MAX_FROZEN_SHARDS_PER_NODE = 3000

export interface HealthReportOptions {
  readonly verbose: boolean
  /** The most affected resources that a diagnosis lists. */
  readonly size: number
}

/** `feature` selects one indicator; without it the report has all indicators and the worst status. */
export function healthReport(
  node: SandpiperNode,
  feature: string | undefined,
  { verbose, size }: HealthReportOptions,
): JsonObject {
  if (feature !== undefined && !Object.hasOwn(INDICATORS, feature))
    throw resourceNotFound(`Did not find indicator ${feature}`)
  const found = Object.entries(INDICATORS)
    .filter(([name]) => feature === undefined || name === feature)
    .map(([name, look]) => [name, look(node, size)] as const)
  const worst = Math.max(...found.map(([, { status }]) => SEVERITY.indexOf(status)))
  return {
    ...(feature === undefined ? { status: SEVERITY[worst]! } : {}),
    cluster_name: node.clusterName,
    indicators: Object.fromEntries(found.map(([name, indicator]) => [name, print(indicator, verbose)])),
  }
}

/** `verbose=false` omits details, impacts and diagnosis. */
function print({ details, impacts, diagnosis, ...brief }: Indicator, verbose: boolean): JsonObject {
  if (!verbose) return brief
  return {
    ...brief,
    ...(details === undefined ? {} : { details }),
    ...(impacts === undefined ? {} : { impacts: [...impacts] }),
    ...(diagnosis === undefined ? {} : { diagnosis: [...diagnosis] }),
  }
}

function masterIsStable(node: SandpiperNode): Indicator {
  const master = { node_id: node.id, name: node.name }
  return {
    status: 'green',
    symptom: 'The cluster has a stable master node',
    details: { current_master: master, recent_masters: [master] },
  }
}

/** Every request opens a repository anew, so a registered one is healthy until a request fails. */
function repositoryIntegrity(node: SandpiperNode): Indicator {
  const { size } = node.state.sections.repositories
  if (size === 0) return { status: 'green', symptom: 'No snapshot repositories configured.' }
  return { status: 'green', symptom: 'All repositories are healthy.', details: { total_repositories: size } }
}

function diskIndicator(node: SandpiperNode, size: number): Indicator {
  const { total } = fileSystem(node)
  const bytes = Number(total['total_in_bytes'])
  const used = bytes === 0 ? 0 : 1 - Number(total['available_in_bytes']) / bytes
  const overFloodStage = used >= FLOOD_STAGE_WATERMARK
  const overHigh = used >= HIGH_WATERMARK && !overFloodStage
  const blocked = [...node.state.indices.values()].filter(
    ({ settings }) => String(settings['index.blocks.read_only_allow_delete']) === 'true',
  )
  const details = {
    indices_with_readonly_block: blocked.length,
    nodes_with_enough_disk_space: overHigh || overFloodStage ? 0 : 1,
    nodes_with_unknown_disk_status: 0,
    nodes_over_high_watermark: overHigh ? 1 : 0,
    nodes_over_flood_stage_watermark: overFloodStage ? 1 : 0,
  }
  if (blocked.length > 0) {
    const names = blocked.map(({ name }) => name)
    const counted = names.length === 1 ? '1 index is' : `${names.length} indices are`
    return {
      status: 'red',
      symptom: `${counted} not allowed to be updated.`,
      details,
      diagnosis: [addDisk(names.slice(0, size))],
    }
  }
  if (overHigh || overFloodStage) {
    const symptom = 'The cluster is running low on disk space.'
    return { status: overFloodStage ? 'red' : 'yellow', symptom, details, diagnosis: [addDisk([])] }
  }
  return { status: 'green', symptom: 'The cluster has enough available disk space.', details }
}

function addDisk(indices: readonly string[]): JsonObject {
  return {
    id: 'elasticsearch:health:disk:diagnosis:add_disk_capacity_data_nodes',
    cause: 'The disk that holds the data is almost full.',
    action: 'Delete documents or indices that are no longer needed, or move the data folder to a larger disk.',
    ...(indices.length === 0 ? {} : { affected_resources: { indices: [...indices] } }),
  }
}

function shardsCapacity(node: SandpiperNode): Indicator {
  const limit = Number(node.clusterSettings.value('cluster.max_shards_per_node') ?? MAX_SHARDS_PER_NODE)
  let used = 0
  for (const index of node.state.indices.values()) if (index.state === 'open') used += shardCopies(node, index).length
  const room = limit - used
  const data =
    room >= 10 ? { max_shards_in_cluster: limit } : { max_shards_in_cluster: limit, current_used_shards: used }
  const details = { data, frozen: { max_shards_in_cluster: MAX_FROZEN_SHARDS_PER_NODE } }
  if (room >= 10) return { status: 'green', symptom: 'The cluster has enough room to add new shards.', details }
  return {
    status: room >= 5 ? 'yellow' : 'red',
    symptom: 'Cluster is close to reaching the configured maximum number of shards for data nodes.',
    details,
  }
}

function shardsAvailability(node: SandpiperNode, size: number): Indicator {
  const copies = [...node.state.indices.values()]
    .filter(({ state }) => state === 'open')
    .flatMap((index) => shardCopies(node, index))
  const primaries = copies.filter(({ primary }) => primary)
  const lostPrimaries = primaries.filter(({ started }) => !started)
  const lostReplicas = copies.filter(({ primary, started }) => !primary && !started)
  const details = {
    unassigned_replicas: lostReplicas.length,
    initializing_replicas: 0,
    creating_primaries: 0,
    restarting_replicas: 0,
    unassigned_primaries: lostPrimaries.length,
    started_replicas: 0,
    creating_replicas: 0,
    initializing_primaries: 0,
    restarting_primaries: 0,
    started_primaries: primaries.length - lostPrimaries.length,
  }
  if (lostPrimaries.length === 0 && lostReplicas.length === 0)
    return { status: 'green', symptom: 'This cluster has all shards available.', details }
  const counted = [
    ...(lostPrimaries.length === 0 ? [] : [countShards(lostPrimaries.length, 'unavailable primary')]),
    ...(lostReplicas.length === 0 ? [] : [countShards(lostReplicas.length, 'unavailable replica')]),
  ]
  return {
    status: lostPrimaries.length > 0 ? 'red' : 'yellow',
    symptom: `This cluster has ${counted.join(', ')}.`,
    details,
    impacts: [
      ...(lostPrimaries.length === 0 ? [] : [primaryImpact(lostPrimaries)]),
      ...(lostReplicas.length === 0 ? [] : [replicaImpact(lostReplicas)]),
    ],
    ...(size === 0 ? {} : { diagnosis: diagnosisOf(lostPrimaries, lostReplicas, size) }),
  }
}

function diagnosisOf(primaries: readonly ShardCopy[], replicas: readonly ShardCopy[], size: number): JsonObject[] {
  return [
    ...(primaries.length === 0 ? [] : [damagedShards(primaries, size)]),
    ...(replicas.length === 0 ? [] : [tooManyReplicas(replicas, size)]),
  ]
}

function countShards(count: number, kind: string): string {
  return `${count} ${kind} shard${count === 1 ? '' : 's'}`
}

const IMPACT = 'elasticsearch:health:shards_availability:impact'
const DIAGNOSIS = 'elasticsearch:health:shards_availability:diagnosis'

function primaryImpact(copies: readonly ShardCopy[]): JsonObject {
  return {
    id: `${IMPACT}:primary_unassigned`,
    severity: 1,
    description: `Cannot add data to ${countedIndices(copies)}. Searches might return incomplete results.`,
    impact_areas: ['ingest', 'search'],
  }
}

function replicaImpact(copies: readonly ShardCopy[]): JsonObject {
  return {
    id: `${IMPACT}:replica_unassigned`,
    severity: 2,
    description: `Searches might be slower than usual. Fewer redundant copies of the data exist on ${countedIndices(copies)}.`,
    impact_areas: ['search'],
  }
}

function damagedShards(copies: readonly ShardCopy[], size: number): JsonObject {
  return {
    id: `${DIAGNOSIS}:explain_allocations`,
    cause: `Shards cannot be read: ${[...new Set(copies.map(({ failure }) => failure))].join('; ')}`,
    action: 'Run `sandpiper doctor` on the data folder: it names the damaged files and what can be recovered.',
    affected_resources: { indices: namesOf(copies).slice(0, size) },
  }
}

function tooManyReplicas(copies: readonly ShardCopy[], size: number): JsonObject {
  return {
    id: `${DIAGNOSIS}:increase_tier_capacity_for_allocations:tier:data_content`,
    cause: 'A single node holds one copy of each shard, so the replicas of these indices have no place.',
    action: 'Set index.number_of_replicas to 0 on the affected indices.',
    affected_resources: { indices: namesOf(copies).slice(0, size) },
  }
}

function namesOf(copies: readonly ShardCopy[]): string[] {
  return [...new Set(copies.map(({ index }: { index: IndexMetadata }) => index.name))].sort()
}

function countedIndices(copies: readonly ShardCopy[]): string {
  const names = namesOf(copies)
  return `${names.length} ${names.length === 1 ? 'index' : 'indices'} [${names.join(', ')}]`
}
