/** Data streams: creates, shows, deletes and measures them, and adds or removes backing indices. */
import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { DECIMAL, INTEGER, START_ARRAY, START_OBJECT, STRING } from '../../base/json/json-reader.ts'
import { RequestReader } from '../../engine/request/request-reader.ts'
import { ACKNOWLEDGED, type IndexContext, removeIndex, resolverOf } from '../catalog/index-context.ts'
import { type GlobalRetention, managerOf, printStreamLifecycle } from '../definitions/stream-lifecycle.ts'
import type { IndexCreator } from '../indices/index-creator.ts'
import type { DataStream, FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { IndexStats } from '../stats/index-stats.ts'
import { matchingTemplate } from '../templates/compose-template.ts'
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

  async delete(names: readonly string[], parameters: IndicesParameters): Promise<JsonObject> {
    const { store, shards } = this.#context
    let removed: IndexMetadata[] = []
    await store.update((state) => {
      const streams = this.#find(names, parameters).filter(({ name }) => state.dataStream(name) !== undefined)
      removed = streams
        .flatMap(({ indices }) => indices.map((name) => state.index(name)))
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
      for (const { kind, dataStream, index } of actions) {
        const stream = changed.get(dataStream) ?? state.dataStream(dataStream)
        if (stream === undefined) throw illegalArgument(`data stream [${dataStream}] not found`)
        if (state.index(index) === undefined) throw indexNotFound(index)
        changed.set(dataStream, kind === 'add_backing_index' ? added(stream, index, state) : without(stream, index))
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
      const held = this.#context.shards.host.holdView(key)
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
    const options = { ...withParameters(EXPAND_OPEN, parameters), expandOpen: true, allowAliases: false }
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
      ...(stream.settings === undefined ? {} : { settings: printSettings(stream.settings, false) }),
      ...(lifecycle === undefined ? {} : { lifecycle: printStreamLifecycle(lifecycle, global) }),
      ...printPolicy(next),
      next_generation_managed_by: managerOf(next, lifecycle),
      prefer_ilm: prefersPolicy(next),
      hidden: stream.hidden,
      system: false,
      allow_custom_routing: stream.allowCustomRouting,
      replicated: false,
      rollover_on_write: false,
      index_mode: 'standard',
      failure_store: { enabled: false, rollover_on_write: true, indices: [] },
    }
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

interface ModifyAction {
  readonly kind: 'add_backing_index' | 'remove_backing_index'
  readonly dataStream: string
  readonly index: string
}

function parseModify(body: Uint8Array): ModifyAction[] {
  const reader = new RequestReader(body)
  const actions: ModifyAction[] = []
  const text = [STRING, INTEGER, DECIMAL] as const
  const action = (kind: ModifyAction['kind']) => ({
    accepts: [START_OBJECT] as const,
    parse: () => {
      let dataStream = ''
      let index = ''
      reader.parseObject(kind, {
        data_stream: { accepts: text, parse: () => void (dataStream = reader.text()) },
        index: { accepts: text, parse: () => void (index = reader.text()) },
      })
      actions.push({ kind, dataStream, index })
    },
  })
  reader.parseObject('data_stream_modify', {
    actions: {
      accepts: [START_ARRAY, START_OBJECT],
      parse: () =>
        reader.each(() =>
          reader.parseObject('data_stream_action', {
            add_backing_index: action('add_backing_index'),
            remove_backing_index: action('remove_backing_index'),
          }),
        ),
    },
  })
  if (actions.length === 0) throw validationFailed('must specify at least one data stream modification action')
  return actions
}

/** The added index becomes the oldest backing index; the write index stays last. */
function added(
  stream: DataStream,
  index: string,
  state: { streamOf(name: string): DataStream | undefined },
): DataStream {
  const owner = state.streamOf(index)
  if (owner !== undefined && owner.name !== stream.name) {
    throw illegalArgument(
      `cannot add index [${index}] to data stream [${stream.name}] because it is already a backing index on data stream ` +
        `[${owner.name}]`,
    )
  }
  if (stream.indices.includes(index)) return stream
  return { ...stream, indices: [index, ...stream.indices], generation: stream.generation + 1 }
}

function without(stream: DataStream, index: string): DataStream {
  if (!stream.indices.includes(index)) {
    throw illegalArgument(`index [${index}] is not part of data stream [${stream.name}]`)
  }
  if (stream.indices.at(-1) === index) {
    throw illegalArgument(
      `cannot remove backing index [${index}] of data stream [${stream.name}] because it is the write index of the data stream`,
    )
  }
  const indices = stream.indices.filter((name) => name !== index)
  return { ...stream, indices, generation: stream.generation + 1 }
}
