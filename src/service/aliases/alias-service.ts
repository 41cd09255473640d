/** Adds, removes and shows aliases. A list of actions applies atomically. */

import { type ApiError, illegalArgument, illegalState } from '../../base/api-error.ts'
import { aliasesNotFound, indexGone } from '../../base/errors/index-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { hashOrder } from '../../engine/values/java-text.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { type IndexContext, putIndex, removeIndex, resolverOf } from '../catalog/index-context.ts'
import { checkAliasFilter, checkAliasFilterOf } from '../definitions/alias-filter.ts'
import { checkIndexRouting, printAliases } from '../definitions/alias-parser.ts'
import { checkWriteIndices } from '../indices/index-creator.ts'
import type { AliasMetadata, Change, DataStream, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import {
  EXPAND_HIDDEN,
  EXPAND_OPEN,
  type IndicesParameters,
  withoutSelectors,
  withParameters,
} from '../names/indices-options.ts'
import { checkAliasName } from '../names/name-rules.ts'
import type { AliasAction } from './alias-actions.ts'

interface ActionResult {
  readonly action: AliasAction
  readonly error: ApiError | undefined
}

/** The response to a request for aliases, and whether some requested names are missing. */
export interface AliasAnswer {
  readonly status: 200 | 404
  readonly body: JsonObject
}

export class AliasService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  async apply(actions: readonly AliasAction[]): Promise<JsonObject> {
    const { store, shards } = this.#context
    let results: ActionResult[] = []
    let removed: IndexMetadata[] = []
    let before = store.state
    await store.update((state) => {
      before = state
      const draft = new AliasDraft(state, this.#context)
      results = draft.run(actions)
      removed = draft.removed
      return draft.changes()
    })
    await shards.removeAll(removed)
    const failed = results.some(({ error }) => error !== undefined)
    const options = { ...EXPAND_OPEN, allowAliases: false }
    const namesOf = ({ indices }: AliasAction) => [...resolverOf(this.#context, before).names(indices, options)]
    if (!failed) return { acknowledged: true, errors: false }
    return {
      acknowledged: true,
      errors: true,
      action_results: results.map((result) => printResult(result, namesOf(result.action))),
    }
  }

  /**
   * `GET _alias`. Names may contain wildcards and, after a wildcard, exclusions. A missing plain name makes the
   * response a 404 that still shows what was found.
   */
  get(expressions: readonly string[], names: readonly string[], parameters: IndicesParameters): AliasAnswer {
    const state = this.#context.store.state
    const indices = resolverOf(this.#context, state).indices(
      expressions,
      withoutSelectors(withParameters(EXPAND_HIDDEN, parameters)),
    )
    checkBlocks(indices, 'metadataRead')
    const body: JsonObject = newMembers()
    const found = new Set<string>()
    const streams = new Set(indices.map(({ name }) => state.streamOf(name)).filter((stream) => stream !== undefined))
    const owners = [
      ...indices,
      ...[...streams].map(({ name, aliases }) => ({ name, aliases: aliases ?? {}, isStream: true })),
    ]
    for (const owner of owners) {
      const matching = selectAliases(Object.keys(owner.aliases), names)
      for (const name of matching) found.add(name)
      if (matching.length > 0 || (names.length === 0 && !('isStream' in owner))) {
        body[owner.name] = { aliases: printAliases(pick(owner.aliases, matching)) }
      }
    }
    const missing = missingNames(names, found)
    if (missing.length === 0) return { status: 200, body: { ...body } }
    const shown = missing.sort().join(',')
    return {
      status: 404,
      body: {
        error: missing.length === 1 ? `alias [${shown}] missing` : `aliases [${shown}] missing`,
        status: 404,
        ...body,
      },
    }
  }

  exists(expressions: readonly string[], names: readonly string[], parameters: IndicesParameters): boolean {
    return this.get(expressions, names, parameters).status === 200
  }
}

/** The state while a list of actions is applied: each action sees the changes of the previous ones. */
class AliasDraft {
  readonly removed: IndexMetadata[] = []
  readonly #context: IndexContext
  readonly #changed = new Map<string, IndexMetadata>()
  readonly #changedStreams = new Map<string, DataStream>()
  readonly #touched = new Set<string>()
  /**
   * Indices whose aliases changed since the state was created. Creating a state for each of thousands of actions would
   * take too long.
   */
  readonly #unseen = new Map<string, IndexMetadata>()
  #made: MetadataState

  constructor(state: MetadataState, context: IndexContext) {
    this.#made = state
    this.#context = context
  }

  get #state(): MetadataState {
    if (this.#unseen.size > 0) {
      this.#made = this.#made.with([...this.#unseen.values()].map(putIndex))
      this.#unseen.clear()
    }
    return this.#made
  }

  set #state(state: MetadataState) {
    this.#made = state
  }

  /** A state that may lack aliases added by earlier actions, for actions that do not depend on them. */
  #stateFor(action: AliasAction): MetadataState {
    const names = [...action.indices, ...action.aliases]
    return names.some((name) => this.#touched.has(name)) ? this.#state : this.#made
  }

  run(actions: readonly AliasAction[]): ActionResult[] {
    // All names are resolved before the first action is applied.
    const named = actions.map((action) => (this.#streams(action).length === 0 ? this.#resolve(action) : []))
    // Removing an index frees its name for an alias of the same request.
    const doomed = named.filter((_, i) => actions[i]!.kind === 'remove_index').flat()
    if (doomed.length > 0) checkKept(actions, named, new Set(doomed))
    for (const index of new Set(doomed)) this.#removeIndex(index)
    const before = this.#state
    const results = actions.map((action): ActionResult => {
      if (action.kind === 'add') this.#add(action)
      if (action.kind !== 'remove') return { action, error: undefined }
      return { action, error: this.#remove(action, before) }
    })
    if (results.every(({ error }) => error !== undefined)) {
      throw aliasesNotFound(hashOrder([...new Set(actions.flatMap(({ aliases }) => aliases))]))
    }
    checkWriteIndices(this.#state, [...this.#touched])
    return results
  }

  changes(): Change[] {
    return [
      ...this.removed.map(({ name }) => removeIndex(name)),
      ...[...this.#changed.values()].map(putIndex),
      ...[...this.#changedStreams.values()].map(putStream),
    ]
  }

  #resolve(action: AliasAction, state = this.#state): IndexMetadata[] {
    const found = resolverOf(this.#context, state).indices(action.indices, {
      ...EXPAND_OPEN,
      allowNoIndices: false,
      allowAliases: false,
      allowSelectors: false,
    })
    checkBlocks(found, 'metadataWrite')
    return found
  }

  #removeIndex(index: IndexMetadata): void {
    this.removed.push(index)
    this.#state = this.#state.with([removeIndex(index.name)])
  }

  /** The data streams of an action. If it names any, all its names must be data streams, unless it removes aliases. */
  #streams(action: AliasAction, state = this.#state): DataStream[] {
    const names = resolverOf(this.#context, state).names(action.indices, {
      ...EXPAND_OPEN,
      allowAliases: false,
      allowSelectors: false,
    })
    const streams = [...names].map((name) => state.dataStream(name)).filter((stream) => stream !== undefined)
    if (action.kind !== 'remove' && streams.length > 0 && streams.length < names.size) {
      throw illegalArgument(
        `expressions [${action.indices.join(', ')}] that match with both data streams and regular indices are disallowed`,
      )
    }
    return streams
  }

  #addToStreams(action: AliasAction, streams: readonly DataStream[]): void {
    const { alias } = action
    if (alias.indexRouting !== undefined || alias.searchRouting !== undefined) {
      throw illegalArgument("aliases that point to data streams don't support routing")
    }
    if (alias.isHidden !== undefined)
      throw illegalArgument("aliases that point to data streams don't support is_hidden")
    for (const given of action.aliases) {
      const name = resolveDateMath(given, this.#context.clock.nowMs())
      checkAliasName(name, this.#state)
      checkAliasFilter(name, alias)
      for (const { name: streamName } of streams) {
        const stream = this.#state.dataStream(streamName)!
        this.#putStream({ ...stream, aliases: { ...stream.aliases, [name]: alias } })
      }
    }
  }

  #putStream(stream: DataStream): void {
    this.#changedStreams.set(stream.name, stream)
    this.#state = this.#state.with([putStream(stream)])
  }

  #add(action: AliasAction): void {
    const state = this.#stateFor(action)
    const streams = this.#streams(action, state)
    if (streams.length > 0) {
      this.#addToStreams(action, streams)
      return
    }
    const indices = this.#resolve(action, state)
    for (const given of action.aliases) {
      const name = resolveDateMath(given, this.#context.clock.nowMs())
      checkAliasName(name, state)
      checkIndexRouting(name, action.alias)
      checkAliasFilter(name, action.alias)
      for (const index of indices) {
        const current = this.#unseen.get(index.name) ?? state.index(index.name)!
        checkAliasFilterOf(current, name, action.alias, this.#context.mappings, this.#context.clock.nowMs())
        checkSameHidden(name, action.alias, current, this.#touched.has(name) ? this.#state : state)
        this.#addAlias(current, name, action.alias)
      }
      this.#touched.add(name)
    }
  }

  /** The alias map of an index that already changed in this request is a copy, so it can be modified in place. */
  #addAlias(index: IndexMetadata, name: string, alias: AliasMetadata): void {
    const isOwn = this.#unseen.has(index.name)
    const aliases = isOwn ? (index.aliases as Record<string, AliasMetadata>) : { ...index.aliases }
    aliases[name] = alias
    const next = { ...index, aliases, aliasesVersion: index.aliasesVersion + 1 }
    this.#changed.set(index.name, next)
    this.#unseen.set(index.name, next)
  }

  /** A missing alias is an error only if the request removed nothing, or `must_exist` is set. */
  #remove(action: AliasAction, before: MetadataState): ApiError | undefined {
    const streams = this.#streams(action)
    const resolved = this.#resolve(action)
    // Backing indices have the aliases of their stream.
    const indices = streams.length === 0 ? resolved : resolved.filter(({ name }) => before.streamOf(name) === undefined)
    const ownedIn = (state: MetadataState) => [
      ...indices.flatMap(({ name }) => Object.keys(state.index(name)?.aliases ?? {})),
      ...streams.flatMap(({ name }) => Object.keys(state.dataStream(name)?.aliases ?? {})),
    ]
    const present = new Set(ownedIn(before))
    const now = new Set(ownedIn(this.#state))
    const matchesOf = aliasMatcher
    const matching = [...new Set(action.aliases.flatMap((name) => [...now, ...present].filter(matchesOf(name))))]
    // With `must_exist`, an alias that an earlier action added to all of the indices counts, too.
    const isNew = (name: string) =>
      action.mustExist === true &&
      indices.length > 0 &&
      indices.every((index) => Object.hasOwn(this.#state.index(index.name)!.aliases, name))
    const missing = action.aliases.filter((name) => ![...present].some(matchesOf(name)) && !isNew(name))
    if (action.mustExist === true && missing.length > 0) throw aliasesNotFound([missing[0]!])
    if (matching.length === 0 || missing.length === action.aliases.length) {
      return aliasesNotFound(action.aliases)
    }
    for (const { name } of streams) {
      const stream = this.#state.dataStream(name)!
      const kept = Object.entries(stream.aliases ?? {}).filter(([alias]) => !matching.includes(alias))
      this.#putStream({ ...stream, aliases: Object.fromEntries(kept) })
    }
    for (const index of indices) {
      const current = this.#state.index(index.name)!
      const kept = Object.fromEntries(Object.entries(current.aliases).filter(([name]) => !matching.includes(name)))
      if (Object.keys(kept).length !== Object.keys(current.aliases).length) this.#put(current, kept)
    }
    return undefined
  }

  #put(index: IndexMetadata, aliases: Readonly<Record<string, AliasMetadata>>): void {
    const next = { ...index, aliases, aliasesVersion: index.aliasesVersion + 1 }
    this.#changed.set(index.name, next)
    this.#state = this.#state.with([putIndex(next)])
  }
}

/** An index that the request removes can neither get nor lose an alias in it. */
function checkKept(
  actions: readonly AliasAction[],
  named: readonly (readonly IndexMetadata[])[],
  doomed: ReadonlySet<IndexMetadata>,
): void {
  for (const [i, { kind, aliases, alias }] of actions.entries()) {
    if (kind === 'remove_index') continue
    // The filter is checked with the first index of the action, which may be one that stays.
    if (kind === 'add' && !doomed.has(named[i]![0]!)) for (const name of aliases) checkAliasFilter(name, alias)
    const has = (index: IndexMetadata) =>
      Object.keys(index.aliases).some((alias) => aliases.some((name) => matchesAlias(name, alias)))
    const gone = named[i]!.find((index) => doomed.has(index) && (kind === 'add' || has(index)))
    if (gone !== undefined) throw indexGone(gone.name, '_na_')
  }
}

const putStream = (stream: DataStream): Change => ({ section: 'dataStreams', name: stream.name, value: stream })

/** An alias is hidden on all of its indices or on none. */
function checkSameHidden(name: string, alias: AliasMetadata, index: IndexMetadata, state: MetadataState): void {
  const others = (state.alias(name)?.indices ?? []).filter((other) => other.name !== index.name)
  const hidden = alias.isHidden === true
  const different = others.filter((other) => (other.aliases[name]!.isHidden === true) !== hidden)
  if (different.length === 0) return
  const list = (indices: readonly IndexMetadata[]) => `[${indices.map((other) => other.name).join(',')}]`
  const withHidden = hidden ? [index] : different
  const without = hidden ? different : [index]
  throw illegalState(
    `alias [${name}] has is_hidden set to true on indices ${list(withHidden)} but does not have is_hidden set to true on ` +
      `indices ${list(without)}; alias must have the same is_hidden setting on all indices`,
  )
}

function printResult({ action, error }: ActionResult, indices: readonly string[]): JsonObject {
  return {
    action: { type: action.kind, indices, aliases: action.aliases },
    status: error?.status ?? 200,
    ...(error === undefined ? {} : { error: { type: error.type, reason: error.message, ...error.details } }),
  }
}

/** Names and patterns select aliases; a leading `-` excludes them. */
function selectAliases(present: readonly string[], wanted: readonly string[]): string[] {
  const all = wanted.length === 0 || wanted.includes('_all') || wanted.includes('*')
  const rules = wanted.map((expression) => {
    const isExclusion = expression.startsWith('-')
    return { isExclusion, matches: aliasMatcher(isExclusion ? expression.slice(1) : expression) }
  })
  return present.filter((alias) => {
    let selected = all
    for (const { isExclusion, matches } of rules) {
      // Only the rules that would change the result are asked.
      if (isExclusion === selected && matches(alias)) selected = !isExclusion
    }
    return selected
  })
}

const aliasMatcher = (pattern: string) => (pattern === '_all' ? () => true : namePattern(pattern))
const matchesAlias = (pattern: string, alias: string) => aliasMatcher(pattern)(alias)

/**
 * Requested plain names that do not exist. A `-` is an exclusion only after the first wildcard, and an excluded name
 * does not count as requested.
 */
function missingNames(wanted: readonly string[], found: ReadonlySet<string>): string[] {
  const firstWildcard = wanted.findIndex((name) => name.includes('*'))
  const from = firstWildcard === -1 ? wanted.length : firstWildcard
  return wanted.filter((name, i) => {
    if (name === '_all' || name.includes('*') || (i > from && name.startsWith('-'))) return false
    const later = wanted.slice(Math.max(i + 1, from))
    const excluded = later.some((other) => other.startsWith('-') && matchesAlias(other.slice(1), name))
    return !excluded && !found.has(name)
  })
}

const pick = (aliases: Readonly<Record<string, AliasMetadata>>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, aliases[name]!]))
