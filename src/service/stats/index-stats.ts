/** `_stats`: collects the statistics of all shards of the named indices and adds them up, per index and in total. */

import { illegalArgument } from '../../base/api-error.ts'
import { formatByteSize } from '../../base/byte-size.ts'
import { formatDuration } from '../../base/duration.ts'
import { allAndSingleMetrics, unknownLevel } from '../../base/errors/http-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { didYouMean } from '../../base/suggest.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { exists } from '../catalog/open-indices.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import {
  EXPAND_OPEN,
  EXPAND_OPEN_FORBID_CLOSED,
  type IndicesParameters,
  withParameters,
} from '../names/indices-options.ts'
import { isObject } from '../settings/flat-settings.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { ShardStats } from '../shards/shard-host.ts'
import { addFieldSizes, type FieldSizes, noFieldSizes } from './field-sizes.ts'
import { SearchCounters, type SearchStatistics } from './search-counters.ts'
import { METRIC_ALIASES, METRICS, STATS_SECTIONS, type StatsSource } from './stats-sections.ts'

export interface StatsRequest {
  readonly metrics: readonly string[]
  readonly level: 'cluster' | 'indices' | 'shards'
  readonly groups: readonly string[]
  /** `fields` has patterns for both; the other two for one each. */
  readonly fields: readonly string[]
  readonly fielddataFields: readonly string[]
  readonly completionFields: readonly string[]
  readonly forbidClosed: boolean
  readonly includeUnloadedSegments: boolean
  readonly human: boolean
}

const NO_STATS: ShardStats = {
  docs: 0,
  deleted: 0,
  storeBytes: 0,
  segmentCount: 0,
  translogOperations: 0,
  translogBytes: 0,
  uncommittedOperations: 0,
  indexTotal: 0,
  indexFailed: 0,
  deleteTotal: 0,
  noopUpdateTotal: 0,
  getTotal: 0,
  getExists: 0,
  refreshTotal: 0,
  flushTotal: 0,
  mergeTotal: 0,
  mergedDocs: 0,
  mergedBytes: 0,
  maxSeqNo: -1,
  localCheckpoint: -1,
  primaryTerm: 1,
  versionMapBytes: 0,
  bufferBytes: 0,
}

const EVERYTHING: StatsRequest = {
  metrics: [],
  level: 'cluster',
  groups: [],
  fields: [],
  fielddataFields: [],
  completionFields: [],
  forbidClosed: false,
  includeUnloadedSegments: false,
  human: false,
}

interface ShardEntry {
  readonly shard: number
  readonly stats: ShardStats
}

/** What the index statistics of a node are listed by, in addition to their sum. */
export type NodeLevel = 'node' | 'indices' | 'shards'

interface AskedIndex {
  readonly index: IndexMetadata
  readonly entries: readonly ShardEntry[]
}

/** The copies that an index should have. */
const copiesOf = ({ shardCount, settings }: IndexMetadata) =>
  shardCount * (1 + integerSetting(settings, 'index.number_of_replicas'))

export class IndexStats {
  readonly #context: IndexContext
  readonly #searches: SearchStatistics
  readonly #nodeId: () => string
  /** The last statistics of closed indices. */
  readonly #closed = new Map<string, ShardEntry[]>()

  constructor(context: IndexContext, searches: SearchStatistics, nodeId: () => string) {
    this.#context = context
    this.#searches = searches
    this.#nodeId = nodeId
  }

  async get(expressions: readonly string[], parameters: IndicesParameters, request: StatsRequest): Promise<JsonObject> {
    const options = withParameters(request.forbidClosed ? EXPAND_OPEN_FORBID_CLOSED : EXPAND_OPEN, parameters)
    const indices = resolverOf(this.#context).indices(expressions, options)
    checkBlocks(indices, 'metadataRead')
    const total = indices.reduce((sum, index) => sum + copiesOf(index), 0)
    const asked = await this.#askAll(indices, request)

    let successful = 0
    const perIndex: JsonObject = newMembers()
    for (const { index, entries } of asked) {
      successful += entries.length
      const whole = this.#print([{ index, entries }], request)
      perIndex[index.name] = {
        uuid: index.uuid,
        health: this.#health(index, entries),
        status: index.state,
        primaries: whole,
        total: whole,
        ...(request.level === 'shards' ? { shards: this.#printShards(index, entries, request) } : {}),
      }
    }
    const all = asked.length === 0 ? {} : this.#print(asked, request)
    const failed = asked.reduce((sum, { index, entries }) => sum + index.shardCount - entries.length, 0)
    return {
      _shards: { total, successful, failed },
      _all: { primaries: all, total: all },
      ...(request.level === 'cluster' ? {} : { indices: perIndex }),
    }
  }

  /** The total over all indices for node statistics; all zeros if there is no index. */
  async overall(wanted: Partial<StatsRequest> = {}, level: NodeLevel = 'node'): Promise<JsonObject> {
    const request: StatsRequest = { ...EVERYTHING, ...wanted }
    const asked = await this.#askAll([...this.#context.store.state.indices.values()], request)
    const whole = this.#print(asked, request)
    if (level === 'node') return whole
    const each = (print: (one: AskedIndex) => unknown) =>
      Object.fromEntries(asked.map((one) => [one.index.name, print(one)]))
    if (level === 'indices') return { ...whole, indices: each((one) => this.#print([one], request)) }
    const shardsOf = ({ index, entries }: AskedIndex) =>
      Object.entries(this.#printShards(index, entries, request)).map(([shard, [copy]]) => ({ [shard]: copy }))
    return { ...whole, shards: each(shardsOf) }
  }

  /** The shards of the indices that still exist when all of them have answered. */
  async #askAll(indices: readonly IndexMetadata[], request: StatsRequest): Promise<AskedIndex[]> {
    const asked = await Promise.all(
      indices.map(async (index) => ({ index, entries: await this.#shards(index, request) })),
    )
    return asked.filter(({ index }) => exists(this.#context, index))
  }

  /** All sections of an open index. */
  async sectionsOf(index: IndexMetadata): Promise<JsonObject> {
    return this.#print([{ index, entries: await this.#ask(index) }], EVERYTHING)
  }

  /** All sections of a shard. Searches are counted by index, so that their members are zeros. */
  sectionsOfShard(stats: ShardStats): JsonObject {
    const source = { ...NO_FIELDS, shards: stats, shardCount: 1, search: new SearchCounters(), groups: new Map() }
    return printSections(source, EVERYTHING)
  }

  /** The summed shard statistics of an index, for cat tables, health and rollover. */
  async summary(index: IndexMetadata): Promise<ShardStats> {
    const entries = index.state === 'open' ? await this.#ask(index) : (this.#closed.get(index.uuid) ?? [])
    return sumShards(entries)
  }

  async shards(index: IndexMetadata): Promise<readonly ShardEntry[]> {
    return index.state === 'open' ? this.#ask(index) : (this.#closed.get(index.uuid) ?? [])
  }

  forget(indexUuid: string): void {
    this.#closed.delete(indexUuid)
  }

  async #shards(index: IndexMetadata, request: StatsRequest): Promise<ShardEntry[]> {
    if (index.state === 'open') return this.#ask(index)
    const known = this.#closed.get(index.uuid) ?? []
    return Array.from({ length: index.shardCount }, (_, shard) => {
      const stats = known.find((entry) => entry.shard === shard)?.stats ?? NO_STATS
      const { docs, deleted, storeBytes, segmentCount, maxSeqNo, localCheckpoint } = stats
      const files = request.includeUnloadedSegments ? { segmentCount } : {}
      return { shard, stats: { ...NO_STATS, docs, deleted, storeBytes, maxSeqNo, localCheckpoint, ...files } }
    })
  }

  async #ask(index: IndexMetadata): Promise<ShardEntry[]> {
    const { shards } = this.#context
    const found = await Promise.all(
      shards.usableKeys(index).map(async (key) => {
        try {
          const stats = await shards.host.stats(key)
          return { shard: key.shard, stats: { ...stats, flushTotal: stats.flushTotal + shards.idleFlushes(key) } }
        } catch {
          return undefined
        }
      }),
    )
    const entries = found.filter((entry) => entry !== undefined)
    if (exists(this.#context, index)) this.#closed.set(index.uuid, entries)
    return entries
  }

  #health(index: IndexMetadata, entries: readonly ShardEntry[]): string {
    if (entries.length < index.shardCount) return 'red'
    return integerSetting(index.settings, 'index.number_of_replicas') > 0 ? 'yellow' : 'green'
  }

  #print(asked: readonly AskedIndex[], request: StatsRequest): JsonObject {
    this.#searches.recordKeptFilters()
    const search = new SearchCounters()
    const groups = new Map<string, SearchCounters>()
    for (const { index } of asked) {
      // Looking up the counters of a deleted index would keep new ones for ever.
      if (!exists(this.#context, index)) continue
      const counters = this.#searches.of(index.uuid)
      search.add(counters.total)
      for (const [name, counted] of counters.groups) {
        if (!matchesAny(name, request.groups)) continue
        const group = groups.get(name) ?? new SearchCounters()
        group.add(counted)
        groups.set(name, group)
      }
    }
    const entries = asked.flatMap((one) => one.entries)
    const sizes = noFieldSizes()
    const showsFields = ['completion', 'fielddata', 'dense_vector'].some((name) => request.metrics.includes(name))
    if (request.metrics.length === 0 || showsFields) {
      for (const { index } of asked) addFieldSizes(this.#context, index, sizes)
    }
    const source = { shards: sumShards(entries), shardCount: entries.length, search, groups }
    return printSections({ ...source, ...fieldSizes(sizes, request) }, request)
  }

  /** Memory of fielddata by field, over all indices. */
  fielddata(): ReadonlyMap<string, number> {
    const sizes = noFieldSizes()
    for (const index of this.#context.store.state.indices.values()) addFieldSizes(this.#context, index, sizes)
    return sizes.fielddata
  }

  #printShards(index: IndexMetadata, entries: readonly ShardEntry[], request: StatsRequest) {
    const out: Record<string, [JsonObject]> = {}
    for (const { shard, stats } of entries) {
      const source = { ...NO_FIELDS, shards: stats, shardCount: 1, search: new SearchCounters(), groups: new Map() }
      out[String(shard)] = [
        {
          routing: { state: 'STARTED', primary: true, node: this.#nodeId(), relocating_node: null },
          ...printSections(source, request),
          commit: {
            id: Buffer.from(`${index.uuid}/${shard}/${stats.flushTotal}`).toString('base64'),
            generation: stats.flushTotal + 1,
            user_data: {
              max_seq_no: String(stats.maxSeqNo),
              local_checkpoint: String(stats.localCheckpoint),
            },
            num_docs: stats.docs,
          },
          seq_no: {
            max_seq_no: stats.maxSeqNo,
            local_checkpoint: stats.localCheckpoint,
            global_checkpoint: stats.localCheckpoint,
          },
        },
      ]
    }
    return out
  }
}

/** The requested fields with their sizes. */
function fieldSizes(sizes: FieldSizes, request: StatsRequest) {
  const shown = (bytes: ReadonlyMap<string, number>, names: readonly string[]) =>
    names.length === 0 ? undefined : new Map([...bytes].filter(([name]) => matchesAny(name, names)))
  const total = (bytes: ReadonlyMap<string, number>) => [...bytes.values()].reduce((sum, one) => sum + one, 0)
  return {
    vectorCount: total(sizes.vectors),
    completionBytes: total(sizes.completion),
    completionFields: shown(sizes.completion, [...request.fields, ...request.completionFields]),
    fielddataBytes: total(sizes.fielddata),
    fielddataFields: shown(sizes.fielddata, [...request.fields, ...request.fielddataFields]),
  }
}

const NO_FIELDS = {
  fielddataFields: undefined,
  completionFields: undefined,
  vectorCount: 0,
  completionBytes: 0,
  fielddataBytes: 0,
}

function printSections(source: StatsSource, request: StatsRequest): JsonObject {
  const out: JsonObject = newMembers()
  for (const [name, section] of Object.entries(STATS_SECTIONS)) {
    if (request.metrics.length > 0 && !request.metrics.includes(name)) continue
    const shown = section(source)
    out[name] = request.human ? withReadable(shown) : shown
  }
  return { ...out }
}

/** Adds `index_time: "22ms"` before `index_time_in_millis: 22`. */
function withReadable(section: JsonObject): JsonObject {
  const out: JsonObject = newMembers()
  for (const [name, value] of Object.entries(section)) {
    if (name.endsWith('_in_millis')) out[name.slice(0, -'_in_millis'.length)] = formatDuration(Number(value))
    else if (name.endsWith('_in_bytes')) out[name.slice(0, -'_in_bytes'.length)] = formatByteSize(Number(value))
    out[name] = isObject(value) && value.constructor === Object ? withReadable(value) : value
  }
  return { ...out }
}

function sumShards(entries: readonly ShardEntry[]): ShardStats {
  const sum: Record<string, number> = { ...NO_STATS, maxSeqNo: -1, localCheckpoint: -1 }
  for (const { stats } of entries) {
    for (const [name, value] of Object.entries(stats)) {
      if (typeof value !== 'number') continue
      if (name === 'maxSeqNo' || name === 'localCheckpoint') sum[name] = Math.max(sum[name]!, value)
      else sum[name] = (sum[name] ?? 0) + value
    }
  }
  return sum as unknown as ShardStats
}

const matchesAny = (name: string, patterns: readonly string[]) => patterns.some((pattern) => namePattern(pattern)(name))

/** The metrics of the path as members of the response; empty means all. `path` is shown in the error. */
export function parseMetrics(given: readonly string[], path: string): string[] {
  if (given.length === 0 || (given.length === 1 && given[0] === '_all')) return []
  if (given.includes('_all')) {
    throw allAndSingleMetrics(path, given.join(','))
  }
  const unknown = given.filter((name) => !METRICS.includes(name)).sort()
  if (unknown.length > 0) {
    const described = unknown.map((name) => {
      const hint = didYouMean(name, METRICS)
      return hint === '' ? `[${name}]` : `[${name}] ->${hint}`
    })
    throw illegalArgument(
      `request [${path}] contains unrecognized metric${unknown.length > 1 ? 's' : ''}: ${described.join(', ')}`,
    )
  }
  return given.map((name) => METRIC_ALIASES[name] ?? name)
}

export function parseLevel(text: string): StatsRequest['level'] {
  if (text === 'cluster' || text === 'indices' || text === 'shards') return text
  throw unknownLevel(text)
}
