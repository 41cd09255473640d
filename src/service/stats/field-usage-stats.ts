/** `_field_usage_stats`: how many searches read which structures of the fields, by shard. */
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { STRUCTURES, type Structure } from '../../engine/segment/field-usage.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN_FORBID_CLOSED, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import { ANY, type FieldUsageCounters, type UsageCounts } from './field-usage-counters.ts'
import type { SearchStatistics } from './search-counters.ts'

export interface FieldUsageRequest {
  /** Patterns of the fields to show; empty for all. */
  readonly fields: readonly string[]
  readonly human: boolean
}

export class FieldUsageStats {
  readonly #context: IndexContext
  readonly #statistics: SearchStatistics
  readonly #nodeId: () => string

  constructor(context: IndexContext, statistics: SearchStatistics, nodeId: () => string) {
    this.#context = context
    this.#statistics = statistics
    this.#nodeId = nodeId
  }

  get(expressions: readonly string[], parameters: IndicesParameters, request: FieldUsageRequest): JsonObject {
    const options = withParameters(EXPAND_OPEN_FORBID_CLOSED, parameters)
    const indices = resolverOf(this.#context).indices(expressions, options)
    const shown: JsonObject = newMembers()
    let shardCount = 0
    for (const index of indices) {
      const shards = this.#context.shards.usableKeys(index).map(({ shard }) => this.#printShard(index, shard, request))
      shardCount += shards.length
      if (shards.length > 0) shown[index.name] = { shards }
    }
    return { _shards: { total: shardCount, successful: shardCount, failed: 0 }, ...shown }
  }

  #printShard(index: IndexMetadata, shard: number, { fields, human }: FieldUsageRequest): JsonObject {
    const counters = this.#statistics.of(index.uuid).usageOf(shard)
    const startedMs = Math.max(index.creationDate, this.#statistics.startedMs)
    return {
      tracking_id: counters.trackingId,
      ...(human ? { tracking_started_at: new Date(startedMs).toISOString() } : {}),
      tracking_started_at_millis: startedMs,
      routing: { state: 'STARTED', primary: true, node: this.#nodeId(), relocating_node: null },
      stats: printFields(counters, fields),
    }
  }
}

function printFields({ fields }: FieldUsageCounters, patterns: readonly string[]): JsonObject {
  const isShown = patterns.length === 0 ? () => true : anyOf(patterns)
  const names = [...fields.keys()].filter(isShown).sort()
  const total = new Float64Array(ANY + 1)
  for (const name of names) fields.get(name)!.forEach((count, at) => void (total[at]! += count))
  return {
    all_fields: printCounts(total),
    fields: Object.fromEntries(names.map((name) => [name, printCounts(fields.get(name)!)])),
  }
}

function anyOf(patterns: readonly string[]): (name: string) => boolean {
  const tests = patterns.map((pattern) => namePattern(pattern))
  return (name) => tests.some((matches) => matches(name))
}

/** There are no offsets, payloads, stored term vectors and vectors to read. */
function printCounts(counts: UsageCounts): JsonObject {
  const of = (structure: Structure) => counts[STRUCTURES.indexOf(structure)]!
  const positions = of('positions')
  return {
    any: counts[ANY]!,
    inverted_index: {
      terms: of('terms'),
      postings: of('postings'),
      term_frequencies: of('term_frequencies'),
      positions,
      offsets: 0,
      payloads: 0,
      proximity: positions,
    },
    stored_fields: of('stored_fields'),
    doc_values: of('doc_values'),
    points: of('points'),
    norms: of('norms'),
    term_vectors: 0,
    knn_vectors: 0,
  }
}
