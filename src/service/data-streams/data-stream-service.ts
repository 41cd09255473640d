/** Data streams: creates, shows, deletes and measures them, and adds or removes backing indices. */
import { illegalArgument } from '../../base/api-error.ts'
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { ACKNOWLEDGED, type IndexContext, removeIndex, resolverOf } from '../catalog/index-context.ts'
import { holdIfOpen } from '../catalog/open-indices.ts'
import { failuresLifecycle, isFailureStoreEnabled, printFailuresLifecycle } from '../definitions/failure-store.ts'
import { type GlobalRetention, managerOf, printStreamLifecycle } from '../definitions/stream-lifecycle.ts'
import type { IndexCreator } from '../indices/index-creator.ts'
import type { DataStream, FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { IndexStats } from '../stats/index-stats.ts'
import { matchingTemplate } from '../templates/compose-template.ts'
import { modified, parseModify } from './modify-stream.ts'
import { nextSettings } from './next-settings.ts'

export class DataStreamService {
  readonly #context: IndexContext
  readonly #creator: IndexCreator
  readonly #stats: IndexStats

  constructor(context: IndexContext, creator: IndexCreator, stats: IndexStats) {
    this.#context = context
    this.#creator = creator
    this.#stats = stats
  }

  async create(name: string): Promise<JsonObject> {
    await this.#creator.createDataStream(name)
    return ACKNOWLEDGED
  }

  get(names: readonly string[], parameters: IndicesParameters, global: GlobalRetention = NO_RETENTION): JsonObject {
    return { data_streams: this.#find(names, parameters).map((stream) => this.#print(stream, global)) }
  }

  /** The same with the newest timestamp of each stream. */
  async getVerbose(
    names: readonly string[],
    parameters: IndicesParameters,
    global: GlobalRetention,
  ): Promise<JsonObject> {
    const shown: JsonObject[] = []
    for (const stream of this.#find(names, parameters)) {
      let newest = 0
      for (const index of this.#backing(stream)) {
        if (index.state === 'open') await this.#context.shards.wake(this.#context.shards.keys(index))
        newest = Math.max(newest, this.#newestTimestamp(index))
      }
      shown.push({ ...this.#print(stream, global), maximum_timestamp: newest })
    }
    return { data_streams: shown }
  }

  async delete(names: readonly string[], parameters: IndicesParameters): Promise<JsonObject> {
    const { store, shards } = this.#context
    let removed: IndexMetadata[] = []
    await store.update((state) => {
      const streams = this.#find(names, parameters).filter(({ name }) => state.dataStream(name) !== undefined)
      removed = streams
        .flatMap(({ indices, failureIndices = [] }) => [...indices, ...failureIndices].map((name) => state.index(name)))
        .filter((i) => i !== undefined)
      return [
        ...removed.map(({ name }) => removeIndex(name)),
        ...streams.map(({ name }) => ({ section: 'dataStreams' as const, name, value: undefined })),
      ]
    })
    await shards.removeAll(removed)
    return ACKNOWLEDGED
  }

  async stats(names: readonly string[], parameters: IndicesParameters): Promise<JsonObject> {
    const streams = this.#find(names, parameters)
    let shards = 0
    let bytes = 0
    const perStream: JsonObject[] = []
    for (const stream of streams) {
      const indices = this.#backing(stream)
      let own = 0
      let newest = 0
      for (const index of indices) {
        own += (await this.#stats.summary(index)).storeBytes
        if (index.state === 'open') await this.#context.shards.wake(this.#context.shards.keys(index))
        newest = Math.max(newest, this.#newestTimestamp(index))
        shards += index.shardCount * (1 + integerSetting(index.settings, 'index.number_of_replicas'))
      }
      bytes += own
      perStream.push({
        data_stream: stream.name,
        backing_indices: indices.length,
        store_size_bytes: own,
        maximum_timestamp: newest,
      })
    }
    return {
      _shards: { total: shards, successful: shards, failed: 0 },
      data_stream_count: streams.length,
      backing_indices: streams.reduce((sum, { indices }) => sum + indices.length, 0),
      total_store_size_bytes: bytes,
      data_streams: perStream,
    }
  }

  /** `POST _data_stream/_modify`: adds and removes backing indices atomically. */
  async modify(body: Uint8Array): Promise<JsonObject> {
    const actions = parseModify(body)
    await this.#context.store.update((state) => {
      const changed = new Map<string, DataStream>()
      for (const action of actions) {
        const stream = changed.get(action.dataStream) ?? state.dataStream(action.dataStream)
        if (stream === undefined) throw illegalArgument(`data stream [${action.dataStream}] not found`)
        if (state.index(action.index) === undefined) throw indexNotFound(action.index)
        changed.set(stream.name, modified(stream, action, state))
      }
      return [...changed.values()].map((stream) => ({ section: 'dataStreams', name: stream.name, value: stream }))
    })
    return ACKNOWLEDGED
  }

  /** The streams with these names. Throws if one does not exist. */
  find(names: readonly string[], parameters: IndicesParameters): DataStream[] {
    return this.#find(names, parameters)
  }

  /** Changes streams atomically. */
  async change(
    names: readonly string[],
    parameters: IndicesParameters,
    change: (stream: DataStream) => DataStream,
  ): Promise<JsonObject> {
    await this.#context.store.update((state) =>
      this.#find(names, parameters)
        .map(({ name }) => state.dataStream(name))
        .filter((stream) => stream !== undefined)
        .map((stream) => ({ section: 'dataStreams' as const, name: stream.name, value: change(stream) })),
    )
    return ACKNOWLEDGED
  }

  /** The newest timestamp among the searchable documents. */
  #newestTimestamp(index: IndexMetadata): number {
    if (index.state !== 'open') return 0
    let newest = 0
    for (const key of this.#context.shards.usableKeys(index)) {
      const held = holdIfOpen(this.#context, index, key)
      if (held === undefined) continue
      try {
        for (const { reader } of held.view.segments) {
          const column = reader.numericDocValues('@timestamp')
          if (column !== undefined && column.docsWithValue > 0) newest = Math.max(newest, column.max)
        }
      } finally {
        held.release()
      }
    }
    return newest
  }

  #find(names: readonly string[], parameters: IndicesParameters): DataStream[] {
    const { state } = this.#context.store
    const all = names.length === 0 || (names.length === 1 && (names[0] === '*' || names[0] === '_all'))
    // Data streams are neither open nor closed; only the option for hidden names matters.
    const options = {
      ...withParameters(EXPAND_OPEN, parameters),
      expandOpen: true,
      allowAliases: false,
      allowSelectors: false,
    }
    const found = resolverOf(this.#context).names(all ? ['*'] : names, options)
    for (const name of names) {
      const isPlain = !name.includes('*') && name !== '_all' && !name.startsWith('-')
      if (isPlain && state.dataStream(name) === undefined) throw indexNotFound(name)
    }
    return [...found].map((name) => state.dataStream(name)).filter((stream) => stream !== undefined)
  }

  #backing(stream: DataStream): IndexMetadata[] {
    const { state } = this.#context.store
    return stream.indices.map((name) => state.index(name)).filter((index) => index !== undefined)
  }

  #print(stream: DataStream, global: GlobalRetention): JsonObject {
    const indices = this.#backing(stream)
    const { state } = this.#context.store
    const match = matchingTemplate(state, stream.name, false)
    const next = nextSettings(state, stream)
    const { lifecycle } = stream
    const replicated = indices.some((index) => integerSetting(index.settings, 'index.number_of_replicas') > 0)
    const failed = indices.some((index) => this.#context.shards.usableKeys(index).length < index.shardCount)
    return {
      name: stream.name,
      timestamp_field: { name: '@timestamp' },
      indices: indices.map((index) => ({
        index_name: index.name,
        index_uuid: index.uuid,
        ...printManagement(index.settings),
        managed_by: managerOf(index.settings, lifecycle),
        index_mode: 'standard',
      })),
      generation: stream.generation,
      ...(stream.meta === undefined ? {} : { _meta: stream.meta }),
      status: failed ? 'RED' : replicated ? 'YELLOW' : 'GREEN',
      ...(match === undefined ? {} : { template: match.name }),
      settings: printSettings(stream.settings ?? {}, false),
      ...(lifecycle === undefined ? {} : { lifecycle: printStreamLifecycle(lifecycle, global) }),
      ...printPolicy(next),
      next_generation_managed_by: managerOf(next, lifecycle),
      prefer_ilm: prefersPolicy(next),
      hidden: stream.hidden,
      system: false,
      allow_custom_routing: stream.allowCustomRouting,
      replicated: false,
      rollover_on_write: stream.rolloverOnWrite === true,
      index_mode: 'standard',
      failure_store: this.#printFailures(stream, global),
    }
  }

  #printFailures(stream: DataStream, global: GlobalRetention): JsonObject {
    const { state } = this.#context.store
    const enabled = this.keepsFailures(stream)
    const lifecycle = failuresLifecycle(stream, enabled)
    const indices = (stream.failureIndices ?? [])
      .map((name) => state.index(name))
      .filter((index) => index !== undefined)
    return {
      enabled,
      rollover_on_write: indices.length === 0 || stream.failuresRolloverOnWrite === true,
      indices: indices.map(({ name, uuid, settings }) => ({
        index_name: name,
        index_uuid: uuid,
        managed_by: managerOf(settings, lifecycle),
      })),
      ...(lifecycle === undefined ? {} : { lifecycle: printFailuresLifecycle(lifecycle, global) }),
    }
  }

  /** Whether failed documents of a stream go to its failure store. */
  keepsFailures({ name, options }: DataStream): boolean {
    return isFailureStoreEnabled(name, options, this.#context.store)
  }
}

const NO_RETENTION: GlobalRetention = { defaultMs: undefined, maxMs: undefined }

const prefersPolicy = (settings: FlatSettings) => settings['index.lifecycle.prefer_ilm'] !== 'false'

function printPolicy(settings: FlatSettings): JsonObject {
  const policy = settings['index.lifecycle.name'] ?? ''
  return policy === '' ? {} : { ilm_policy: policy }
}

const printManagement = (settings: FlatSettings): JsonObject => ({
  prefer_ilm: prefersPolicy(settings),
  ...printPolicy(settings),
})
