/** `_cluster/health`: the state of the shards, and waiting for a better one. */

import { notANumber } from '../../base/api-error.ts'
import { Double } from '../../base/json/json-writer.ts'
import { newMembers } from '../../base/json/members.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_HIDDEN, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import type { SandpiperNode } from '../sandpiper-node.ts'
import { replicaCount, type ShardCopy, shardCopies } from './shard-table.ts'

export type HealthStatus = 'green' | 'yellow' | 'red'
export type HealthLevel = 'cluster' | 'indices' | 'shards'

export interface HealthRequest {
  readonly expressions: readonly string[]
  readonly parameters: IndicesParameters
  readonly level: HealthLevel
  readonly waitForStatus: HealthStatus | undefined
  readonly waitForActiveShards: number | 'all' | undefined
  /** `>=1`, `ge(1)`, `2`. */
  readonly waitForNodes: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

export interface Health {
  readonly timedOut: boolean
  readonly status: HealthStatus
  readonly body: JsonObject
}

/** Interval at which a waiting request checks the state. */
const LOOK_MS = 20
const ORDER: readonly HealthStatus[] = ['green', 'yellow', 'red']

export async function clusterHealth(node: SandpiperNode, request: HealthRequest): Promise<Health> {
  const nodesFit = request.waitForNodes === undefined || countFits(1, request.waitForNodes)
  const deadline = Date.now() + (request.timeoutMs < 0 ? 30_000 : request.timeoutMs)
  for (;;) {
    const found = look(node, request)
    const done = found.complete && nodesFit && isMet(found, request)
    if (done || Date.now() >= deadline || request.signal.aborted) return describe(node, request, found, !done)
    await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, Math.max(1, deadline - Date.now()))))
  }
}

/** The state of one index, or of all. */
export interface ShardHealth {
  readonly status: HealthStatus
  readonly activePrimaries: number
  readonly active: number
  readonly unassigned: number
  readonly unassignedPrimaries: number
}

export function healthOf(copies: readonly ShardCopy[]): ShardHealth {
  const active = copies.filter(({ started }) => started)
  const unassigned = copies.filter(({ started }) => !started)
  const unassignedPrimaries = unassigned.filter(({ primary }) => primary).length
  return {
    status: unassignedPrimaries > 0 ? 'red' : unassigned.length > 0 ? 'yellow' : 'green',
    activePrimaries: active.filter(({ primary }) => primary).length,
    active: active.length,
    unassigned: unassigned.length,
    unassignedPrimaries,
  }
}

interface Found {
  /** False if a named index does not exist: the request waits for it. */
  readonly complete: boolean
  readonly indices: readonly { readonly index: IndexMetadata; readonly copies: readonly ShardCopy[] }[]
  readonly whole: ShardHealth
}

function look(node: SandpiperNode, request: HealthRequest): Found {
  const options = withParameters({ ...EXPAND_HIDDEN, ignoreUnavailable: true }, request.parameters)
  const indices = node
    .names()
    .indices(request.expressions, { ...options, ignoreUnavailable: true, allowNoIndices: true })
    .map((index) => ({ index, copies: shardCopies(node, index) }))
  const firstWildcard = request.expressions.findIndex((name) => name.includes('*'))
  const named = request.expressions.filter((name, place) => {
    const excludes = name.startsWith('-') && firstWildcard >= 0 && firstWildcard < place
    return !name.includes('*') && name !== '_all' && !excludes
  })
  const complete = named.every((name) => node.state.abstraction(name) !== undefined)
  const whole = healthOf(indices.flatMap(({ copies }) => copies))
  return { complete, indices, whole: complete ? whole : { ...whole, status: 'red' } }
}

function isMet({ whole }: Found, request: HealthRequest): boolean {
  const { waitForStatus, waitForActiveShards } = request
  if (waitForStatus !== undefined && ORDER.indexOf(whole.status) > ORDER.indexOf(waitForStatus)) return false
  if (waitForActiveShards === undefined) return true
  return waitForActiveShards === 'all' ? whole.unassigned === 0 : whole.active >= waitForActiveShards
}

function countFits(count: number, condition: string): boolean {
  const parsed = /^(?:(>=|<=|>|<)(\d+)|(ge|le|gt|lt)\((\d+)\)|(\d+))$/.exec(condition)
  if (parsed === null) throw notANumber(condition.replace(/^(>=|<=|>|<)/, ''))
  const wanted = Number(parsed[2] ?? parsed[4] ?? parsed[5])
  switch (parsed[1] ?? parsed[3]) {
    case '>=':
    case 'ge':
      return count >= wanted
    case '<=':
    case 'le':
      return count <= wanted
    case '>':
    case 'gt':
      return count > wanted
    case '<':
    case 'lt':
      return count < wanted
    default:
      return count === wanted
  }
}

function describe(node: SandpiperNode, request: HealthRequest, found: Found, timedOut: boolean): Health {
  const { whole } = found
  const total = whole.active + whole.unassigned
  const body: JsonObject = {
    cluster_name: node.clusterName,
    status: whole.status,
    timed_out: timedOut,
    number_of_nodes: 1,
    number_of_data_nodes: 1,
    ...printShards(whole),
    delayed_unassigned_shards: 0,
    number_of_pending_tasks: 0,
    number_of_in_flight_fetch: 0,
    task_max_waiting_in_queue_millis: 0,
    active_shards_percent_as_number: new Double(total === 0 ? 100 : (whole.active * 100) / total),
  }
  if (request.level !== 'cluster') {
    body['indices'] = Object.fromEntries(
      found.indices.map(({ index, copies }) => [index.name, printIndex(index, copies, request.level === 'shards')]),
    )
  }
  return { timedOut, status: whole.status, body }
}

function printIndex(index: IndexMetadata, copies: readonly ShardCopy[], withShards: boolean): JsonObject {
  const health = healthOf(copies)
  return {
    status: health.status,
    number_of_shards: index.shardCount,
    number_of_replicas: replicaCount(index),
    ...printShards(health),
    ...(withShards ? { shards: printEachShard(index, copies) } : {}),
  }
}

function printEachShard(index: IndexMetadata, copies: readonly ShardCopy[]): JsonObject {
  const shards: JsonObject = newMembers()
  for (let shard = 0; shard < index.shardCount; shard++) {
    const health = healthOf(copies.filter(({ key }) => key.shard === shard))
    const { active_primary_shards: _left, ...rest } = printShards(health)
    shards[String(shard)] = { status: health.status, primary_active: health.activePrimaries === 1, ...rest }
  }
  return { ...shards }
}

function printShards(health: ShardHealth) {
  return {
    active_primary_shards: health.activePrimaries,
    active_shards: health.active,
    relocating_shards: 0,
    initializing_shards: 0,
    unassigned_shards: health.unassigned,
    unassigned_primary_shards: health.unassignedPrimaries,
  }
}
