/** Resolves the target of a write: follows aliases and data streams, and creates missing indices where allowed. */
import { ApiError } from '../../base/api-error.ts'
import {
  indexClosed,
  indexNotFound,
  noDataStreamTemplate,
  notADataStream,
  notAnAlias,
  noWriteIndex,
} from '../../base/errors/index-errors.ts'
import { javaText } from '../../engine/values/java-text.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { isFailureStoreEnabled, templateOptions } from '../definitions/failure-store.ts'
import type { ReadTarget } from '../documents/document-service.ts'
import type { IngestRoute } from '../ingest/run/definitions.ts'
import type { DataStream, FlatSettings, IndexMetadata, StreamOptions } from '../metadata/metadata.ts'
import { type Abstraction, FAILURES, isFailureIndex, type MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { SINGLE_INDEX } from '../names/indices-options.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { WriteTarget } from '../shards/shard-host.ts'
import { compose, composeLegacy, matchingLegacyTemplates, matchingTemplate } from '../templates/compose-template.ts'
import type { IndexCreator } from './index-creator.ts'
import { RolloverOnWrite } from './roll-stream.ts'

export interface WriteOptions {
  readonly requireAlias: boolean
  readonly requireDataStream: boolean
  /** A delete creates nothing. */
  readonly isDelete: boolean
  /** Nor does a change of documents that were found before. */
  readonly existingOnly?: boolean | undefined
}

export interface ResolvedWriteTarget {
  readonly index: IndexMetadata
  readonly target: Exclude<WriteTarget, { readonly error: unknown }>
}

const NO_PIPELINES: IngestRoute = { default: undefined, final: undefined }

export class WriteTargets {
  readonly #context: IndexContext
  readonly #creator: IndexCreator
  readonly #rolloverOnWrite: RolloverOnWrite

  constructor(context: IndexContext, creator: IndexCreator) {
    this.#context = context
    this.#creator = creator
    this.#rolloverOnWrite = new RolloverOnWrite(context, creator)
  }

  /** Throws the error of the write. */
  async resolve(expression: string, options: WriteOptions): Promise<ResolvedWriteTarget> {
    const { store, clock } = this.#context
    const name = resolveDateMath(expression, clock.nowMs())
    let thing = store.state.abstraction(name)
    if (thing === undefined) {
      if (options.requireAlias) throw notAnAlias(name)
      if (options.isDelete || options.existingOnly === true) throw indexNotFound(name)
      if (options.requireDataStream && !this.#creator.makesDataStream(name)) throw noDataStreamTemplate(name)
      await this.#creator.autoCreate(name)
      thing = store.state.abstraction(name)
      if (thing === undefined) throw indexNotFound(name)
    }
    if (options.requireAlias && thing.kind !== 'alias') throw notAnAlias(name)
    if (options.requireDataStream && thing.kind !== 'dataStream') throw notADataStream(name)
    if (thing.kind === 'dataStream' && !options.isDelete) {
      const rolling = this.#rolloverOnWrite.before(name, 'data')
      if (rolling !== undefined) {
        await rolling
        thing = store.state.abstraction(name)
        if (thing === undefined) throw indexNotFound(name)
      }
    }
    return this.#target(thing)
  }

  /** The index that keeps failed documents of a name, which is created on first use; undefined if the name stands for no data stream. */
  async resolveFailures(expression: string): Promise<ResolvedWriteTarget | 'not_enabled' | undefined> {
    const { store, clock } = this.#context
    const name = resolveDateMath(expression, clock.nowMs())
    const thing = store.state.abstraction(name)
    if (thing === undefined) return await this.#newFailures(name)
    const stream = streamBehind(thing, store.state)
    if (stream === undefined) return undefined
    const status = this.#failureStore(stream.name, stream.options)
    if (status !== 'enabled') return status
    await this.#creator.createFailureIndex(stream.name)
    await this.#rolloverOnWrite.before(stream.name, 'failures')
    return this.#failureTarget(stream.name)
  }

  /** A stream that does not exist yet is created with its failure store. */
  async #newFailures(name: string): Promise<ResolvedWriteTarget | 'not_enabled' | undefined> {
    const { state } = this.#context.store
    const match = matchingTemplate(state, name, false)
    if (match?.template.dataStream === undefined) return undefined
    const { dataStreamOptions = {} } = compose(state, match.template)
    const status = this.#failureStore(name, templateOptions(dataStreamOptions))
    if (status !== 'enabled') return status
    await this.#creator.autoCreate(name)
    await this.#creator.createFailureIndex(name, 0)
    return this.#failureTarget(name)
  }

  #failureTarget(stream: string): ResolvedWriteTarget {
    const { state } = this.#context.store
    const index = state.index(state.dataStream(stream)?.failureIndices?.at(-1) ?? '')
    if (index === undefined) throw indexNotFound(`${stream}${FAILURES}`)
    const { target } = this.#target({ kind: 'index', name: index.name, index, stream: undefined })
    return { index, target }
  }

  /** Responses of streams whose options do not mention a failure store do not mention one either, as in recordings of Elasticsearch. */
  #failureStore(name: string, options: StreamOptions | undefined): 'enabled' | 'not_enabled' | undefined {
    if (isFailureStoreEnabled(name, options, this.#context.store)) return 'enabled'
    return options?.failureStore === undefined ? undefined : 'not_enabled'
  }

  /** The single index of a document read. */
  resolveRead(expression: string): ReadTarget {
    const { store, clock, mappings } = this.#context
    const name = resolveDateMath(expression, clock.nowMs())
    const index = resolverOf(this.#context).singleIndex(name, SINGLE_INDEX)
    checkBlocks([index], 'read')
    const alias = store.state.abstraction(name)?.kind === 'alias' ? index.aliases[name] : undefined
    // Whoever names a backing index also has the rights on its data stream.
    const stream = store.state.streamOf(index.name)
    return {
      indexName: index.name,
      indexUuid: index.uuid,
      shardCount: index.shardCount,
      routingShards: index.routingShards,
      routingPartition: index.routingPartition,
      routingRequired: mappings.of(index).routingRequired,
      aliasRouting: alias?.searchRouting,
      reachedBy: stream === undefined || name !== index.name ? [name] : [name, stream.name],
    }
  }

  /** The pipelines that documents for this name go through. An index that does not exist yet has those of its templates. */
  ingestRoute(expression: string): IngestRoute {
    const { store, clock } = this.#context
    const { state } = store
    let name = expression
    try {
      name = resolveDateMath(expression, clock.nowMs())
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // The write itself fails for such a name.
      return NO_PIPELINES
    }
    const thing = state.abstraction(name)
    if (thing?.kind === 'alias' && thing.alias.writeIndex === undefined) return NO_PIPELINES
    if (thing !== undefined) return routeOf(writeIndexOf(thing).settings)
    const match = matchingTemplate(state, name, false)
    if (match !== undefined) return routeOf(compose(state, match.template).settings)
    return routeOf(composeLegacy(matchingLegacyTemplates(state, name, false)).settings)
  }

  #target(thing: Abstraction): ResolvedWriteTarget {
    const index = writeIndexOf(thing)
    if (index.state === 'close') throw indexClosed(index.name, index.uuid)
    checkBlocks([index], 'write')
    const stream = this.#context.store.state.streamOf(index.name)
    const inStream = stream !== undefined && !isFailureIndex(stream, index.name)
    const target = {
      indexName: index.name,
      indexUuid: index.uuid,
      shardCount: index.shardCount,
      routingShards: index.routingShards,
      routingPartition: index.routingPartition,
      replicas: integerSetting(index.settings, 'index.number_of_replicas'),
      routingRequired: this.#context.mappings.of(index).routingRequired,
      aliasRouting: thing.kind === 'alias' ? index.aliases[thing.name]?.indexRouting : undefined,
      requireTimestamp: inStream,
      appendOnly: thing.kind === 'dataStream' || (thing.kind === 'alias' && thing.alias.streams.length > 0),
      backingOf: thing.kind === 'index' ? thing.stream?.name : undefined,
      routingRefusedBy: thing.kind === 'dataStream' && !thing.stream.allowCustomRouting ? thing.name : undefined,
      failureStore: inStream ? this.#failureStore(stream.name, stream.options) : undefined,
    }
    return { index, target }
  }
}

/** A list in place of a name stands for its text (`[a, b]`), of which there is no pipeline. */
function routeOf(settings: FlatSettings): IngestRoute {
  const named = (setting: string) => {
    const value = settings[setting]
    if (Array.isArray(value)) return javaText(value)
    return typeof value === 'string' && value !== '_none' ? value : undefined
  }
  return { default: named('index.default_pipeline'), final: named('index.final_pipeline') }
}

/** The data stream that a write to a name goes to. */
function streamBehind(thing: Abstraction, state: MetadataState): DataStream | undefined {
  if (thing.kind === 'dataStream') return thing.stream
  if (thing.kind === 'alias') return state.streamOf(thing.alias.writeIndex?.name ?? '')
  return isFailureIndex(thing.stream, thing.name) ? undefined : thing.stream
}

/** The write index of a name. */
function writeIndexOf(thing: Abstraction): IndexMetadata {
  if (thing.kind === 'index') return thing.index
  if (thing.kind === 'dataStream') return thing.indices.at(-1)!
  if (thing.alias.writeIndex === undefined) throw noWriteIndex(thing.name)
  return thing.alias.writeIndex
}
