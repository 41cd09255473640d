/** Rollover: when an alias or data stream meets its conditions, a new index becomes its write index. */

import { illegalArgument } from '../../base/api-error.ts'
import { indexNotFound, invalidIndexName, resourceNotFound } from '../../base/errors/index-errors.ts'
import { type IndexContext, putIndex } from '../catalog/index-context.ts'
import {
  backingIndexName,
  failureIndexName,
  noStreamTemplate,
  rolledOverMeanwhile,
} from '../definitions/data-stream-rules.ts'
import type { IndexCreator } from '../indices/index-creator.ts'
import type { AliasMetadata, DataStream, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { Alias } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { checkNewIndexName } from '../names/name-rules.ts'
import type { IndexStats } from '../stats/index-stats.ts'
import { matchingTemplate } from '../templates/compose-template.ts'
import type { Condition, RolloverFacts, RolloverRequest } from './rollover-conditions.ts'

export interface RolloverOptions {
  readonly newIndex: string | undefined
  readonly dryRun: boolean
  readonly lazy: boolean
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
      return this.#rolloverFailures(thing.stream, request, options)
    }
    return thing.kind === 'alias'
      ? this.#rolloverAlias(thing.alias, request, options)
      : this.#rolloverStream(thing.stream, request, options)
  }

  async #rolloverAlias(alias: Alias, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    const old = alias.writeIndex
    if (old === undefined) throw illegalArgument(`rollover target [${alias.name}] does not point to a write index`)
    const provided = options.newIndex ?? nextName(String(old.settings['index.provided_name']), old.name)
    const name = resolveDateMath(provided, clock.nowMs())
    checkNewIndexName(name, store.state)
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
    return answer(old.name, name, verdict, false, true)
  }

  /** The first rollover of a failure store without indices creates its first one. */
  async #rolloverFailures(stream: DataStream, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    checkStreamRequest(request, options)
    const old = store.state.index(stream.failureIndices?.at(-1) ?? '')
    const name = failureIndexName(stream.name, stream.generation + 1, clock.nowMs())
    const verdict =
      old === undefined
        ? { met: request.conditions.length === 0, shown: unmet(request.conditions) }
        : await this.#verdict(old, request.conditions)
    const oldName = old?.name ?? '_none_'
    if (options.dryRun || !verdict.met) return answer(oldName, name, verdict, options.dryRun, false)
    await this.#creator.addFailureIndex(stream, 1, (state) => {
      const current = state.index(oldName)
      if (current === undefined) return []
      const rolledOver = { alias: stream.name, conditions: verdict.shown, timeMs: clock.nowMs() }
      return [putIndex({ ...current, rolledOver })]
    })
    return answer(oldName, name, verdict, false, true)
  }

  async #rolloverStream(stream: DataStream, request: RolloverRequest, options: RolloverOptions): Promise<JsonObject> {
    const { store, clock } = this.#context
    checkStreamRequest(request, options)
    const old = store.state.index(stream.indices.at(-1)!)!
    const generation = stream.generation + 1
    const name = backingIndexName(stream.name, generation, clock.nowMs())
    const verdict = await this.#verdict(old, request.conditions)
    if (options.dryRun || !verdict.met) return answer(old.name, name, verdict, options.dryRun, false)
    const match = matchingTemplate(store.state, stream.name, false)
    if (match?.template.dataStream === undefined) throw noStreamTemplate(stream.name)
    const next: DataStream = { ...stream, indices: [...stream.indices, name], generation }
    await this.#creator.addBackingIndex(next, match, (state) => {
      if (state.dataStream(stream.name)?.generation !== stream.generation) throw rolledOverMeanwhile(stream.name)
      const current = state.index(old.name)
      if (current === undefined) throw indexNotFound(old.name)
      const rolledOver = { alias: stream.name, conditions: verdict.shown, timeMs: clock.nowMs() }
      return [putIndex({ ...current, rolledOver })]
    })
    return answer(old.name, name, verdict, false, true)
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

function checkStreamRequest({ definition }: RolloverRequest, { newIndex }: RolloverOptions): void {
  if (newIndex !== undefined) {
    throw illegalArgument('new index name may not be specified when rolling over a data stream')
  }
  if (Object.keys({ ...definition.settings, ...definition.aliases, ...definition.mappings }).length > 0) {
    throw illegalArgument('aliases, mappings, and index settings may not be specified when rolling over a data stream')
  }
}

const unmet = (conditions: readonly Condition[]) =>
  Object.fromEntries(conditions.map(({ shown }) => [`[${shown}]`, false]))

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
