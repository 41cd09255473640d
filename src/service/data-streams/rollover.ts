/** Rollover: when an alias or data stream meets its conditions, a new index becomes its write index. */

import { illegalArgument } from '../../base/api-error.ts'
import { indexNotFound, invalidIndexName, resourceNotFound } from '../../base/errors/index-errors.ts'
import { type IndexContext, putIndex } from '../catalog/index-context.ts'
import { backingIndexName, failureIndexName } from '../definitions/data-stream-rules.ts'
import type { IndexCreator } from '../indices/index-creator.ts'
import { hasCopies } from '../indices/index-service.ts'
import { isMarked, markOnWrite, rollData, rollFailures, type StreamPart } from '../indices/roll-stream.ts'
import type { AliasMetadata, DataStream, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { Alias } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { checkNewIndexName } from '../names/name-rules.ts'
import type { IndexStats } from '../stats/index-stats.ts'
import type { Condition, RolloverFacts, RolloverRequest } from './rollover-conditions.ts'

export interface RolloverOptions {
  readonly newIndex: string | undefined
  readonly dryRun: boolean
  readonly lazy: boolean
  readonly waitForActiveShards?: number | 'all' | undefined
}

export class RolloverService {
  readonly #context: IndexContext
  readonly #creator: IndexCreator
  readonly #stats: IndexStats

  constructor(context: IndexContext, creator: IndexCreator, stats: IndexStats) {
    this.#context = context
    this.#creator = creator
    this.#stats = stats
  }

  get #rolling() {
    return { context: this.#context, creator: this.#creator }
  }

  async rollover(target: string, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const [name, ...selectors] = target.split('::') as [string, ...string[]]
    const [selector = 'data'] = selectors
    if (selectors.length > 1 || (selector !== 'data' && selector !== 'failures')) {
      throw invalidIndexName(
        target,
        `invalid usage of :: separator, [${selectors.join('::')}] is not a recognized selector`,
      )
    }
    const thing = this.#context.store.state.abstraction(name)
    if (thing === undefined) throw resourceNotFound(`rollover target [${name}] does not exist`)
    if (thing.kind === 'index') {
      throw illegalArgument('rollover target is a [concrete index] but one of [alias,data_stream] was expected')
    }
    if (thing.kind === 'alias' && thing.alias.streams.length > 0) {
      throw illegalArgument(`aliases to data streams cannot be rolled over, name the data stream instead of [${name}]`)
    }
    if (selector === 'failures') {
      if (thing.kind === 'alias') throw illegalArgument('aliases cannot be rolled over with the selector [failures]')
      if (options.lazy && !options.dryRun) return this.#mark(thing.stream, 'failures', request, options)
      return this.#rolloverFailures(thing.stream, request, options)
    }
    if (options.lazy && !options.dryRun && thing.kind === 'dataStream')
      return this.#mark(thing.stream, 'data', request, options)
    return thing.kind === 'alias'
      ? this.#rolloverAlias(thing.alias, request, options)
      : this.#rolloverStream(thing.stream, request, options)
  }

  /** The next write rolls over; nothing is decided now. */
  async #mark(
    stream: DataStream,
    part: StreamPart,
    request: RolloverRequest,
    options: RolloverOptions,
  ): Promise<JsonObject> {
    checkStreamRequest(request, options)
    await this.#context.store.update((state) => {
      const current = state.dataStream(stream.name)
      if (current === undefined) throw resourceNotFound(`rollover target [${stream.name}] does not exist`)
      return isMarked(current, part) ? [] : [markOnWrite(current, part)]
    })
    return {
      acknowledged: true,
      shards_acknowledged: false,
      old_index: null,
      new_index: null,
      rolled_over: false,
      dry_run: false,
      lazy: true,
      conditions: {},
    }
  }

  async #rolloverAlias(alias: Alias, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    const old = alias.writeIndex
    if (old === undefined) throw illegalArgument(`rollover target [${alias.name}] does not point to a write index`)
    const provided = options.newIndex ?? nextName(String(old.settings['index.provided_name']), old.name)
    const name = resolveDateMath(provided, clock.nowMs())
    checkNewIndexName(name, store.state)
    if (options.lazy) {
      const condition = request.conditions.length > 0 ? ' with no conditions' : ''
      throw illegalArgument(`Lazy rollover can be applied only on a data stream${condition}. ${REMOVE_LAZY}`)
    }
    const verdict = await this.#verdict(old, request.conditions)
    if (options.dryRun || !verdict.met) return answer(old.name, name, verdict, options.dryRun, false)

    const explicit = old.aliases[alias.name]!.isWriteIndex === true
    const { definition } = request
    const aliases: Record<string, AliasMetadata> = {
      ...definition.aliases,
      [alias.name]: explicit ? { ...old.aliases[alias.name], isWriteIndex: true } : old.aliases[alias.name]!,
    }
    await this.#creator.create(
      provided,
      { ...definition, aliases },
      {
        more: (state) => {
          const current = state.index(old.name)
          if (current === undefined) throw indexNotFound(old.name)
          const { [alias.name]: mine, ...others } = current.aliases
          const kept = explicit ? { ...others, [alias.name]: { ...mine, isWriteIndex: false } } : others
          const rolledOver = { alias: alias.name, conditions: verdict.shown, timeMs: clock.nowMs() }
          return [putIndex({ ...current, aliases: kept, aliasesVersion: current.aliasesVersion + 1, rolledOver })]
        },
      },
    )
    return withCopies(answer(old.name, name, verdict, false, true), store.state.index(name), options)
  }

  /** The first rollover of a failure store without indices creates its first one. */
  async #rolloverFailures(stream: DataStream, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    checkStreamRequest(request, options)
    const old = store.state.index(stream.failureIndices?.at(-1) ?? '')
    const name = failureIndexName(stream.name, stream.generation + 1, clock.nowMs())
    if (old === undefined && request.conditions.length > 0) {
      throw illegalArgument('Rolling over/initializing an empty failure store is only supported without conditions.')
    }
    const verdict = old === undefined ? { met: true, shown: {} } : await this.#verdict(old, request.conditions)
    const oldName = old?.name ?? '_none_'
    if (options.dryRun || !verdict.met)
      return { ...answer(oldName, name, verdict, options.dryRun, false), lazy: options.lazy }
    await rollFailures(this.#rolling, stream, verdict.shown)
    return withCopies(answer(oldName, name, verdict, false, true), store.state.index(name), options)
  }

  async #rolloverStream(stream: DataStream, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    checkStreamRequest(request, options)
    const old = store.state.index(stream.indices.at(-1)!)!
    const name = backingIndexName(stream.name, stream.generation + 1, clock.nowMs())
    const verdict = await this.#verdict(old, request.conditions)
    if (options.dryRun || !verdict.met) {
      return { ...answer(old.name, name, verdict, options.dryRun, false), lazy: options.lazy }
    }
    await rollData(this.#rolling, stream, verdict.shown)
    return withCopies(answer(old.name, name, verdict, false, true), store.state.index(name), options)
  }

  /** Any `max_` condition is enough, provided that all `min_` conditions hold. */
  async #verdict(index: IndexMetadata, conditions: readonly Condition[]): Promise<Verdict> {
    if (conditions.length === 0) return { met: true, shown: {} }
    const shards = await this.#stats.shards(index)
    const facts: RolloverFacts = {
      ageMs: this.#context.clock.nowMs() - index.creationDate,
      docs: shards.reduce((sum, { stats }) => sum + stats.docs, 0),
      bytes: shards.reduce((sum, { stats }) => sum + stats.storeBytes, 0),
      largestShardBytes: Math.max(0, ...shards.map(({ stats }) => stats.storeBytes)),
      largestShardDocs: Math.max(0, ...shards.map(({ stats }) => stats.docs)),
    }
    const results = conditions.map((condition) => ({ condition, met: condition.isMet(facts) }))
    return {
      met:
        results.some(({ condition, met }) => !condition.atLeast && met) &&
        results.every(({ condition, met }) => !condition.atLeast || met),
      shown: Object.fromEntries(results.map(({ condition, met }) => [`[${condition.shown}]`, met])),
    }
  }
}

const REMOVE_LAZY = "Please remove the query parameter 'lazy'."

function checkStreamRequest({ definition, conditions }: RolloverRequest, { newIndex, lazy }: RolloverOptions): void {
  if (lazy && conditions.length > 0) {
    throw illegalArgument(
      'Lazy rollover can be used only without any conditions. ' +
        "Please remove the conditions from the request body or the query parameter 'lazy'.",
    )
  }
  if (newIndex !== undefined) {
    throw illegalArgument('new index name may not be specified when rolling over a data stream')
  }
  if (Object.keys({ ...definition.settings, ...definition.aliases, ...definition.mappings }).length > 0) {
    throw illegalArgument('aliases, mappings, and index settings may not be specified when rolling over a data stream')
  }
}

interface Verdict {
  readonly met: boolean
  readonly shown: Readonly<Record<string, boolean>>
}

function answer(oldIndex: string, newIndex: string, verdict: Verdict, dryRun: boolean, done: boolean): JsonObject {
  return {
    acknowledged: done,
    shards_acknowledged: done,
    old_index: oldIndex,
    new_index: newIndex,
    rolled_over: done,
    dry_run: dryRun,
    lazy: false,
    conditions: verdict.shown,
  }
}

/** Whether the new index has the copies that `wait_for_active_shards` waits for. On a single node it never gets more than one. */
function withCopies(
  answer: JsonObject,
  created: IndexMetadata | undefined,
  { waitForActiveShards = 1 }: RolloverOptions,
): JsonObject {
  return { ...answer, shards_acknowledged: created === undefined || hasCopies(created, waitForActiveShards) }
}

/** Increments the number at the end, six digits wide. Date math in the original name is kept. */
function nextName(provided: string, concrete: string): string {
  const isDateMath = provided.startsWith('<') && provided.endsWith('>')
  const name = isDateMath ? provided.slice(1, -1) : concrete
  const match = /^(.*)-(\d+)$/.exec(name)
  if (match === null) {
    throw illegalArgument(`index name [${isDateMath ? provided : concrete}] does not match pattern '^.*-\\d+$'`)
  }
  const next = `${match[1]}-${String(Number(match[2]) + 1).padStart(6, '0')}`
  return isDateMath ? `<${next}>` : next
}
