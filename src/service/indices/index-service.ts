/** The lifecycle of an index: create, show, open, close, delete. */

import { illegalArgument, validationFailed } from '../../base/api-error.ts'
import { indexMissing } from '../../base/errors/index-errors.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { ACKNOWLEDGED, type IndexContext, putIndex, removeIndex, resolverOf } from '../catalog/index-context.ts'
import type { IndexDefinition } from '../definitions/create-index-request.ts'
import type { Change, DataStream, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { isFailureIndex, type MetadataState } from '../metadata/metadata-state.ts'
import {
  DELETE_INDICES,
  EXPAND_CLOSED,
  EXPAND_OPEN,
  type IndicesParameters,
  withoutSelectors,
  withParameters,
} from '../names/indices-options.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { IndexCreator } from './index-creator.ts'
import { type PrintOptions, printIndex } from './print-index.ts'
import { checkShardLimit } from './shard-limit.ts'

export interface CreateOptions {
  readonly waitForActiveShards?: number | 'all' | undefined
}

export class IndexService {
  readonly #context: IndexContext
  readonly #creator: IndexCreator

  constructor(context: IndexContext, creator: IndexCreator) {
    this.#context = context
    this.#creator = creator
  }

  async create(name: string, request: IndexDefinition, options: CreateOptions = {}): Promise<JsonObject> {
    const waitFor = options.waitForActiveShards ?? 1
    const index = await this.#creator.create(name, request, { checkCopies: (copies) => checkCopies(waitFor, copies) })
    return { ...ACKNOWLEDGED, shards_acknowledged: hasCopies(index, waitFor), index: index.name }
  }

  get(expressions: readonly string[], parameters: IndicesParameters, options: PrintOptions): JsonObject {
    const indices = this.#resolve(expressions, EXPAND_OPEN, parameters)
    checkBlocks(indices, 'metadataRead')
    return Object.fromEntries(
      indices.map((index) => [index.name, printIndex(index, this.#context.store.state, options)]),
    )
  }

  exists(expressions: readonly string[], parameters: IndicesParameters): boolean {
    this.#resolve(expressions, EXPAND_OPEN, parameters)
    return true
  }

  async delete(expressions: readonly string[], parameters: IndicesParameters): Promise<JsonObject> {
    if (expressions.length === 0) throw validationFailed('index / indices is missing')
    this.#checkDestructive(expressions)
    const { store, shards } = this.#context
    let removed: IndexMetadata[] = []
    await store.update((state) => {
      removed = resolverOf(this.#context, state).indices(expressions, withParameters(DELETE_INDICES, parameters))
      checkBlocks(removed, 'delete')
      for (const index of removed) {
        const stream = state.streamOf(index.name)
        if (stream !== undefined && state.isWrittenByStream(index.name)) {
          const kind = isFailureIndex(stream, index.name) ? 'failure store write' : 'write'
          throw illegalArgument(
            `index [${index.name}] is the ${kind} index for data stream [${stream.name}] and cannot be deleted`,
          )
        }
      }
      return [...removed.map(({ name }) => removeIndex(name)), ...streamsWithout(removed, state)]
    })
    await shards.removeAll(removed)
    return ACKNOWLEDGED
  }

  async open(
    expressions: readonly string[],
    parameters: IndicesParameters,
    { waitForActiveShards = 1 }: CreateOptions = {},
  ): Promise<JsonObject> {
    if (expressions.length === 0) throw indexMissing()
    this.#checkDestructive(expressions)
    const { store } = this.#context
    const closed = this.#resolve(expressions, withoutSelectors(EXPAND_CLOSED), parameters)
    checkBlocks(closed, 'delete')
    const opening = closed.filter((index) => index.state === 'close').map((index) => this.#reopened(index))
    checkShardLimit(store, store.state, opening)
    await Promise.all(opening.map((index) => this.#open(index)))
    return { ...ACKNOWLEDGED, shards_acknowledged: closed.every((index) => hasCopies(index, waitForActiveShards)) }
  }

  async close(
    expressions: readonly string[],
    parameters: IndicesParameters,
    { waitForActiveShards = 1 }: CreateOptions = {},
  ): Promise<JsonObject> {
    if (expressions.length === 0) throw indexMissing()
    this.#checkDestructive(expressions)
    const { store, shards } = this.#context
    let closing: IndexMetadata[] = []
    await store.update((state) => {
      const options = withoutSelectors(withParameters(EXPAND_OPEN, parameters))
      const found = resolverOf(this.#context, state).indices(expressions, options)
      checkBlocks(found, 'delete')
      closing = found.filter((index) => index.state === 'open')
      const written = found.filter(({ name }) => state.isWrittenByStream(name))
      if (written.length > 0) {
        const names = written.map(({ name }) => name).join(',')
        throw illegalArgument(`cannot close the following data stream write indices [${names}]`)
      }
      return closing.map((index) => putIndex(closedIndex(index)))
    })
    await Promise.all(
      closing.map(({ uuid }) =>
        shards.serially(uuid, async () => {
          const index = store.state.indexByUuid(uuid)
          if (index?.state === 'close') await shards.close(index)
        }),
      ),
    )
    return {
      ...ACKNOWLEDGED,
      shards_acknowledged: closing.length > 0 && closing.every((index) => hasCopies(index, waitForActiveShards)),
      indices: Object.fromEntries(closing.map(({ name }) => [name, { closed: true }])),
    }
  }

  /** `action.destructive_requires_name`: indices can be deleted only by their names. */
  #checkDestructive(expressions: readonly string[]): void {
    const { state, transientSettings } = this.#context.store
    const name = 'action.destructive_requires_name'
    if ((transientSettings[name] ?? state.persistentSettings[name]) !== 'true') return
    const vague = expressions.some((expression) => expression === '_all' || expression.includes('*'))
    if (vague) throw illegalArgument('Wildcard expressions or all indices are not allowed')
  }

  /** Opens the shards before the index is marked open, so that an open index is always usable. */
  #open({ uuid }: IndexMetadata): Promise<void> {
    const { store, shards } = this.#context
    return shards.serially(uuid, async () => {
      const index = store.state.indexByUuid(uuid)
      if (index?.state !== 'close') return
      await shards.open({ ...index, settings: this.#reopened(index).settings })
      await store.update((state) => {
        const current = state.indexByUuid(uuid)
        return current?.state === 'close' ? [putIndex(this.#reopened(current))] : []
      })
      // The index was deleted meanwhile. Its deletion runs after this step and finds the shards closed.
      if (store.state.indexByUuid(uuid) === undefined) await shards.close(index)
    })
  }

  #resolve(expressions: readonly string[], base: typeof EXPAND_OPEN, parameters: IndicesParameters): IndexMetadata[] {
    return resolverOf(this.#context).indices(expressions, withParameters(base, parameters))
  }

  /** Reads word files again: reopening an index applies their changes. */
  #reopened(index: IndexMetadata): IndexMetadata {
    const { 'index.verified_before_close': _verified, ...rest } = index.settings
    const settings = this.#context.mappings.withFiles(rest)
    return { ...index, state: 'open', settings, settingsVersion: index.settingsVersion + 1 }
  }
}

/** Removes deleted backing indices from their data streams. */
function streamsWithout(removed: readonly IndexMetadata[], state: MetadataState): Change[] {
  const gone = new Set(removed.map(({ name }) => name))
  const streams = new Set(removed.map(({ name }) => state.streamOf(name)).filter((stream) => stream !== undefined))
  return [...streams].map((stream) => ({
    section: 'dataStreams',
    name: stream.name,
    value: withoutIndices(stream, gone),
  }))
}

/** Each index that a stream loses begins a generation. */
function withoutIndices(stream: DataStream, gone: ReadonlySet<string>): DataStream {
  const { failureIndices: failures = [] } = stream
  const indices = stream.indices.filter((name) => !gone.has(name))
  const failureIndices = failures.filter((name) => !gone.has(name))
  const lost = stream.indices.length - indices.length + failures.length - failureIndices.length
  return { ...stream, indices, failureIndices, generation: stream.generation + lost }
}

/** A closed index has `index.verified_before_close` in its settings, as in Elasticsearch. */
function closedIndex(index: IndexMetadata): IndexMetadata {
  return {
    ...index,
    state: 'close',
    settings: { ...index.settings, 'index.verified_before_close': 'true' },
    settingsVersion: index.settingsVersion + 1,
  }
}

/** On a single node a shard has one copy, whatever the number of replicas. Waiting would not change that. */
export function hasCopies(index: IndexMetadata, waitFor: number | 'all'): boolean {
  const wanted = waitFor === 'all' ? 1 + integerSetting(index.settings, 'index.number_of_replicas') : waitFor
  return wanted <= 1
}

/** There cannot be more copies than the index has. */
function checkCopies(wanted: number | 'all', copies: number): void {
  if (wanted === 'all' || wanted <= copies) return
  throw illegalArgument(
    `invalid wait_for_active_shards[${wanted}]: cannot be greater than number of shard copies [${copies}]`,
  )
}
