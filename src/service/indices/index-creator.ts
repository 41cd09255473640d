/** Creates indices and data streams, by request or because a document was written to a missing name. */
import { ApiError, illegalArgument } from '../../base/api-error.ts'
import { indexNotFound, severalWriteIndices, UndecidedMetadataError } from '../../base/errors/index-errors.ts'
import { type IndexContext, putIndex } from '../catalog/index-context.ts'
import { EMPTY_DEFINITION, type IndexDefinition } from '../definitions/create-index-request.ts'
import {
  backingIndexName,
  checkDataStreamName,
  failureIndexName,
  noStreamTemplate,
  rolledOverMeanwhile,
  STREAM_BASE,
} from '../definitions/data-stream-rules.ts'
import { failureIndexDefinition, templateOptions } from '../definitions/failure-store.ts'
import { parseStreamLifecycle } from '../definitions/stream-lifecycle.ts'
import type { Change, DataStream, IndexMetadata } from '../metadata/metadata.ts'
import { FAILURES, type MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { checkNewIndexName } from '../names/name-rules.ts'
import { checkEachSetting, integerSetting } from '../settings/update-settings.ts'
import type { ShardCopySource } from '../shards/shard-host.ts'
import {
  type Composed,
  compose,
  composeLegacy,
  matchingLegacyTemplates,
  matchingTemplate,
  type NamedTemplate,
} from '../templates/compose-template.ts'
import { autoCreateProblem } from './auto-create.ts'
import { buildIndex, type NewIndex } from './index-builder.ts'
import { checkShardLimit } from './shard-limit.ts'

interface CreateOptions {
  /** Changes to apply atomically with the new index, computed on the state it is added to. */
  readonly more?: (state: MetadataState) => readonly Change[]
  /** Called with the number of copies each shard of the index should have. */
  readonly checkCopies?: (copies: number) => void
}

export class IndexCreator {
  readonly #context: IndexContext
  /** Indices being created by writes: several documents may need the same index, which is created once. */
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(context: IndexContext) {
    this.#context = context
  }

  async create(providedName: string, request: IndexDefinition, options: CreateOptions = {}): Promise<IndexMetadata> {
    checkEachSetting(request.settings)
    const { store, clock } = this.#context
    const name = resolveDateMath(providedName, clock.nowMs())
    checkNewIndexName(name, store.state)
    const templates = this.#templatesFor(name, request, store.state)
    const built = this.build(name, providedName, request, templates, undefined)
    options.checkCopies?.(1 + integerSetting(built.index.settings, 'index.number_of_replicas'))
    return this.add(built, (state) => {
      checkNewIndexName(name, state)
      return options.more?.(state) ?? []
    })
  }

  build(
    name: string,
    providedName: string,
    request: IndexDefinition,
    templates: Composed | undefined,
    base: IndexDefinition | undefined,
  ): NewIndex {
    const { store, clock, mappings } = this.#context
    return buildIndex({ name, providedName, nowMs: clock.nowMs(), request, templates, base }, store.state, mappings)
  }

  /**
   * Opens the shards, then publishes the index, so that a visible index is always usable. A crash in between leaves an
   * unknown folder, which the next start moves aside. `more` validates against the newest state and adds changes to
   * apply atomically. The shards start with copies of those that `copyFrom` names.
   */
  async add(
    { index, mapping }: NewIndex,
    more: (state: MetadataState) => readonly Change[],
    copyFrom?: (shard: number) => ShardCopySource,
  ): Promise<IndexMetadata> {
    const { store, shards, mappings } = this.#context
    checkShardLimit(store, store.state, [index])
    await shards.create(index, copyFrom)
    try {
      await store.update((state) => {
        const changes = [putIndex(index), ...more(state)]
        checkWriteIndices(state.with(changes), Object.keys(index.aliases))
        return changes
      })
    } catch (error) {
      if (error instanceof UndecidedMetadataError) await shards.close(index)
      else await shards.remove(index)
      throw error
    }
    mappings.remember(index, mapping)
    return index
  }

  /** Creates the index or data stream that a write to `name` needs, or throws the error of the write. */
  async autoCreate(name: string): Promise<void> {
    const pending = this.#underWay.get(name)
    if (pending !== undefined) return pending
    const made = this.#autoCreate(name).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, made)
    return made
  }

  /** Creates the first index of a stream's failure store, unless it has one. */
  async createFailureIndex(name: string, generations = 1): Promise<void> {
    const key = `${name}${FAILURES}`
    const pending = this.#underWay.get(key)
    if (pending !== undefined) return pending
    const made = this.#createFailureIndex(name, generations).finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, made)
    return made
  }

  async #createFailureIndex(name: string, generations: number): Promise<void> {
    const { store } = this.#context
    for (;;) {
      const stream = store.state.dataStream(name)
      if (stream === undefined) throw indexNotFound(name)
      if ((stream.failureIndices ?? []).length > 0) return
      try {
        await this.addFailureIndex(stream, generations)
      } catch (error) {
        // A rollover at the same time took the number of the new index.
        if (store.state.dataStream(name)?.generation === stream.generation) throw error
      }
    }
  }

  /** Adds an index to a stream's failure store, which begins `generations` generations. */
  async addFailureIndex(
    stream: DataStream,
    generations = 1,
    more: (state: MetadataState) => readonly Change[] = () => [],
  ): Promise<IndexMetadata> {
    const { store, clock } = this.#context
    const match = matchingTemplate(store.state, stream.name, false)
    if (match?.template.dataStream === undefined) throw noStreamTemplate(stream.name)
    const generation = stream.generation + generations
    const name = failureIndexName(stream.name, generation, clock.nowMs())
    const definition = failureIndexDefinition({ ...compose(store.state, match.template).settings, ...stream.settings })
    const built = this.build(name, name, EMPTY_DEFINITION, undefined, definition)
    return this.add(built, (state) => {
      const current = state.dataStream(stream.name)
      if (current?.generation !== stream.generation) throw rolledOverMeanwhile(stream.name)
      const { failuresRolloverOnWrite: _done, ...kept } = current
      const value = { ...kept, generation, failureIndices: [...(kept.failureIndices ?? []), name] }
      return [...more(state), { section: 'dataStreams', name: stream.name, value }]
    })
  }

  /** Whether a write to this missing name would create a data stream. */
  makesDataStream(name: string): boolean {
    return matchingTemplate(this.#context.store.state, name, false)?.template.dataStream !== undefined
  }

  async #autoCreate(name: string): Promise<void> {
    const { store } = this.#context
    const template = matchingTemplate(store.state, name, false)
    const problem = autoCreateProblem(name, template, { ...store.state.persistentSettings, ...store.transientSettings })
    if (problem !== undefined) throw problem
    try {
      if (template?.template.dataStream !== undefined) await this.createDataStream(name)
      else await this.create(name, EMPTY_DEFINITION)
    } catch (error) {
      const raced = error instanceof ApiError && error.type === 'resource_already_exists_exception'
      if (!raced) throw error
    }
  }

  async createDataStream(name: string): Promise<DataStream> {
    const { store } = this.#context
    checkDataStreamName(name, store.state)
    const match = matchingTemplate(store.state, name, false)
    if (match?.template.dataStream === undefined) {
      throw illegalArgument(
        match === undefined
          ? noStreamTemplate(name).message
          : `matching index template [${match.name}] for data stream [${name}] has no data stream template`,
      )
    }
    const { lifecycle, dataStreamOptions } = compose(store.state, match.template)
    const stream: DataStream = {
      name,
      indices: [backingIndexName(name, 1, this.#context.clock.nowMs())],
      generation: 1,
      ...match.template.dataStream,
      ...(match.template.meta === undefined ? {} : { meta: match.template.meta }),
      ...(lifecycle === undefined ? {} : { lifecycle: parseStreamLifecycle(lifecycle) }),
      ...(dataStreamOptions === undefined ? {} : { options: templateOptions(dataStreamOptions) }),
    }
    await this.addBackingIndex(stream, match, (state) => {
      checkDataStreamName(name, state)
      return []
    })
    return stream
  }

  /** Creates a backing index of `stream` and stores both atomically. */
  async addBackingIndex(
    stream: DataStream,
    match: NamedTemplate,
    more: (state: MetadataState) => readonly Change[],
    request: IndexDefinition = EMPTY_DEFINITION,
  ): Promise<IndexMetadata> {
    const composed = compose(this.#context.store.state, match.template)
    const name = stream.indices.at(-1)!
    const settings = { ...composed.settings, ...stream.settings }
    const built = this.build(name, name, request, { ...composed, settings, aliases: {} }, STREAM_BASE)
    return this.add(built, (state) => [...more(state), { section: 'dataStreams', name: stream.name, value: stream }])
  }

  #templatesFor(name: string, request: IndexDefinition, state: MetadataState): Composed | undefined {
    const hidden = request.settings['index.hidden'] === 'true'
    const match = matchingTemplate(state, name, hidden)
    if (match === undefined) {
      const legacy = matchingLegacyTemplates(state, name, hidden)
      return legacy.length === 0 ? undefined : composeLegacy(legacy)
    }
    if (match.template.dataStream !== undefined) {
      throw illegalArgument(
        `cannot create index with name [${name}], because it matches with template [${match.name}] that creates data ` +
          'streams only, use create data stream api instead',
      )
    }
    return compose(state, match.template)
  }
}

/** Checks that an alias has at most one write index. */
export function checkWriteIndices(state: MetadataState, aliases: readonly string[]): void {
  for (const name of aliases) {
    const alias = state.alias(name)
    if (alias === undefined) continue
    const writers = alias.indices.filter((index) => index.aliases[name]!.isWriteIndex === true)
    if (writers.length > 1) {
      throw severalWriteIndices(
        name,
        writers.map((index) => index.name),
      )
    }
  }
}
