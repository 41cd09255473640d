/**
 * `_clone`, `_shrink` and `_split`: makes a new index whose shards are copies of those of an index that is not written
 * to. Routing decides which source shards a new shard is made of, so the numbers of shards must be multiples.
 */

import { ApiError, illegalArgument, illegalRequestState } from '../../base/api-error.ts'
import { indexGone } from '../../base/errors/index-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { routingShardCount } from '../../base/murmur3.ts'
import { ACKNOWLEDGED, type IndexContext } from '../catalog/index-context.ts'
import type { IndexMetadata, JsonObject, SettingValue } from '../metadata/metadata.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { checkNewIndexName } from '../names/name-rules.ts'
import { checkEachSetting, indexSettings, integerSetting } from '../settings/update-settings.ts'
import type { ShardCopySource, ViewLease } from '../shards/shard-host.ts'
import type { IndexStats } from '../stats/index-stats.ts'
import type { NewIndex } from './index-builder.ts'
import type { IndexCreator } from './index-creator.ts'
import type { ResizeRequest } from './resize-request.ts'

/** Settings that a resized index does not copy from its source. */
const NOT_COPIED = new Set([
  'index.number_of_shards',
  'index.number_of_replicas',
  'index.auto_expand_replicas',
  'index.number_of_routing_shards',
  'index.allocation.max_retries',
  'index.creation_date',
  'index.uuid',
  'index.provided_name',
  'index.version.created',
])

export interface ResizeOptions {
  readonly waitForActiveShards: number | 'all'
}

export class ResizeService {
  readonly #context: IndexContext
  readonly #creator: IndexCreator
  readonly #stats: IndexStats

  constructor(context: IndexContext, creator: IndexCreator, stats: IndexStats) {
    this.#context = context
    this.#creator = creator
    this.#stats = stats
  }

  async resize(
    sourceName: string,
    targetName: string,
    request: ResizeRequest,
    options: ResizeOptions,
  ): Promise<JsonObject> {
    const { store, clock, shards } = this.#context
    const source = this.#source(resolveDateMath(sourceName, clock.nowMs()))
    const shardCount = await this.#shardCount(source, request)
    checkFactor(request.kind, source.shardCount, shardCount)
    checkProvided(request, source)
    checkEachSetting(request.settings, request.unset)
    const name = resolveDateMath(targetName, clock.nowMs())
    checkNewIndexName(name, store.state)
    if (!isReadOnly(source)) {
      throw illegalRequestState(`index ${source.name} must be read-only to resize index. use "index.blocks.write=true"`)
    }
    if (request.kind === 'shrink' && source.shardCount === 1) {
      throw illegalArgument("can't shrink an index with only one shard")
    }
    const built = this.#build(name, targetName, source, shardCount, request)
    const copies = 1 + integerSetting(built.index.settings, 'index.number_of_replicas')
    const { waitForActiveShards: waitFor } = options
    if (waitFor !== 'all' && waitFor > copies) {
      const reason = `invalid wait_for_active_shards[${waitFor}]: cannot be greater than number of shard copies [${copies}]`
      throw illegalArgument(reason)
    }
    const leases = await this.#keepOpen(source)
    try {
      await this.#creator.add(
        built,
        (state) => {
          checkNewIndexName(name, state)
          if (state.index(source.name)?.uuid !== source.uuid) throw indexGone(source.name, '_na_')
          return []
        },
        (shard) => this.#sourcesOf(source, built.index, shard),
      )
    } finally {
      for (const lease of leases) lease.release()
    }
    await shards.wake(shards.keys(built.index))
    return { ...ACKNOWLEDGED, shards_acknowledged: (waitFor === 'all' ? copies : waitFor) <= 1, index: name }
  }

  /** The source must be an index name, because an alias or a data stream may refer to several indices. */
  #source(name: string): IndexMetadata {
    const { state } = this.#context.store
    const index = state.index(name)
    if (index === undefined) throw indexGone(name, '_na_')
    const stream = state.streamOf(name)
    if (stream?.indices.at(-1) === name) {
      throw illegalArgument(`cannot resize the write index [${name}] for data stream [${stream.name}]`)
    }
    return index
  }

  /** The leases keep the shards of the source open while they are copied. */
  async #keepOpen(source: IndexMetadata): Promise<ViewLease[]> {
    const { shards } = this.#context
    if (source.state === 'close') return []
    const keys = shards.keys(source)
    for (const key of keys) {
      const failure = shards.failure(key)
      if (failure !== undefined) throw new ApiError(503, 'no_shard_available_action_exception', failure)
    }
    await shards.wake(keys)
    return keys.map((key) => shards.host.keeper?.lease(key)).filter((lease) => lease !== undefined)
  }

  async #shardCount(source: IndexMetadata, { kind, settings, maxShardBytes }: ResizeRequest): Promise<number> {
    const given = settings['index.number_of_shards']
    if (given !== undefined) {
      checkEachSetting({ 'index.number_of_shards': given })
      return Number(given)
    }
    if (kind === 'clone') return source.shardCount
    if (maxShardBytes === undefined) return 1
    const { storeBytes } = await this.#stats.summary(source)
    const needed = Math.max(1, Math.ceil(storeBytes / maxShardBytes))
    if (needed >= source.shardCount) return source.shardCount
    // The smallest divisor of the number of source shards that is large enough.
    let count = needed
    while (source.shardCount % count !== 0) count++
    return count
  }

  #sourcesOf(source: IndexMetadata, target: IndexMetadata, shard: number): ShardCopySource {
    const { shards } = this.#context
    const factor = source.shardCount / target.shardCount
    // Fewer shards join neighbours; more shards share one.
    const numbers =
      factor < 1 ? [Math.floor(shard * factor)] : Array.from({ length: factor }, (_, i) => shard * factor + i)
    return {
      sources: numbers.map((number) => {
        const key = { indexUuid: source.uuid, shard: number }
        const closedFolder = source.state === 'close' ? shards.folderOf(key) : undefined
        const expectsSyncedLength = closedFolder !== undefined && source.hasSyncedLengths === true
        return { ...key, closedFolder, expectsSyncedLength }
      }),
      keepsRouted:
        factor < 1 ? { routingShards: target.routingShards, routingPartition: target.routingPartition } : undefined,
    }
  }

  #build(
    name: string,
    providedName: string,
    source: IndexMetadata,
    shardCount: number,
    request: ResizeRequest,
  ): NewIndex {
    const settings: Record<string, SettingValue> = newMembers()
    const removed = new Set(request.unset)
    for (const [setting, value] of Object.entries(source.settings)) {
      if (NOT_COPIED.has(setting) || removed.has(setting)) continue
      if (indexSettings.find(setting)?.scope === 'private') continue
      settings[setting] = value
    }
    settings['index.routing_partition_size'] ??= '1'
    Object.assign(settings, request.settings, { 'index.number_of_shards': String(shardCount) })
    const unset = [...(source.unsetSettings ?? []), ...request.unset].filter((name) => settings[name] === undefined)
    const definition = { settings, unset, mappings: source.mapping, aliases: request.aliases }
    const { index, mapping } = this.#creator.build(name, providedName, definition, undefined, undefined)
    const routingShards = routingShardsOf(source, shardCount, request)
    const resized: IndexMetadata = {
      ...index,
      settings: {
        ...index.settings,
        'index.version.created': source.settings['index.version.created']!,
      },
      routingShards,
      routingPartition: source.routingPartition,
      resizedFrom: { name: source.name, uuid: source.uuid },
    }
    return { index: resized, mapping }
  }
}

/** The index must not accept writes, so that its shards can be copied one after the other. */
const isReadOnly = ({ state, settings }: IndexMetadata) =>
  state === 'close' || settings['index.blocks.write'] === 'true' || settings['index.blocks.read_only'] === 'true'

/** An index of one shard can be split into any number, because all its documents are on that shard. */
function routingShardsOf(source: IndexMetadata, shardCount: number, { kind, settings }: ResizeRequest): number {
  if (source.shardCount > 1 || kind === 'clone') return source.routingShards
  const given = settings['index.number_of_routing_shards']
  return given === undefined ? routingShardCount(shardCount) : Number(given)
}

function checkFactor(kind: ResizeRequest['kind'], source: number, target: number): void {
  if (kind === 'clone') {
    if (source === target) return
    throw illegalArgument(
      `the number of target shards (${target}) must be the same as the number of  source shards ( ${source})`,
    )
  }
  if (kind === 'shrink') {
    if (source < target) {
      throw illegalArgument(
        `the number of target shards [${target}] must be less that the number of source shards [${source}]`,
      )
    }
    if (source % target !== 0) {
      throw illegalArgument(`the number of source shards [${source}] must be a multiple of [${target}]`)
    }
    return
  }
  if (source > target) {
    throw illegalArgument(
      `the number of source shards [${source}] must be less that the number of target shards [${target}]`,
    )
  }
  if (target % source !== 0) {
    throw illegalArgument(`the number of source shards [${source}] must be a factor of [${target}]`)
  }
}

/** Settings that follow from the source. */
function checkProvided({ kind, settings }: ResizeRequest, source: IndexMetadata): void {
  if (settings['index.routing_partition_size'] !== undefined) {
    throw illegalArgument('cannot provide a routing partition size value when resizing an index')
  }
  if (settings['index.number_of_routing_shards'] !== undefined && (kind !== 'split' || source.shardCount > 1)) {
    throw illegalArgument('cannot provide index.number_of_routing_shards on resize')
  }
}
