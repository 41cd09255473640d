/**
 * How requests access shards: resolves a scope to shards and runs work on a view of a shard. A failure belongs to the
 * shard and not to the whole request.
 */
import { ApiError } from '../../../base/api-error.ts'
import type { ShardFailure } from '../../../base/errors/search-errors.ts'
import { shardFailed } from '../../../base/errors/shard-errors.ts'
import { limitedContext } from '../../../engine/limits/limited-search.ts'
import { type IndexLimits, limitsOf, type ReadLimits } from '../../../engine/limits/read-limits.ts'
import { type EvaluationGuard, inSearch } from '../../../engine/running/running-search.ts'
import type { ScriptEnvironment } from '../../../engine/running/script-settings.ts'
import { filterUse } from '../../../engine/scoring/filter-cache.ts'
import type { SearchExecutionContext } from '../../../engine/scoring/query.ts'
import { takeUsage } from '../../../engine/segment/field-usage.ts'
import { CorruptSegmentError } from '../../../engine/segment/segment-file.ts'
import type { SegmentView } from '../../../engine/segment/segment-reader-api.ts'
import { checkBlocks } from '../../catalog/blocks.ts'
import { type IndexContext, resolverOf } from '../../catalog/index-context.ts'
import type { FlatSettings, IndexMetadata } from '../../metadata/metadata.ts'
import type { MetadataState } from '../../metadata/metadata-state.ts'
import { EXPAND_OPEN_FORBID_CLOSED, type IndicesOptions } from '../../names/indices-options.ts'
import { clusterScripts } from '../../scripts/script-environment.ts'
import { clusterSettings } from '../../settings/cluster-settings-service.ts'
import { textOf } from '../../settings/flat-settings.ts'
import type { HeldView, ShardKey } from '../../shards/shard-host.ts'
import type { SearchStatistics } from '../../stats/search-counters.ts'
import { type RequestContext, shardQueryContext } from './index-search-context.ts'
import { shardsOf } from './search-shards.ts'
import { aliasFilters, type SearchShard } from './shard-search.ts'

/** The search itself reports a failed shard, and has the hits of the others. */
function passOverFailedShard(error: unknown): void {
  if (!(error instanceof ApiError) || error.type !== 'unavailable_shards_exception') throw error
}

/** Maximum cached scopes. */
const KNOWN_MAX = 1_000

/** The target of a search. */
export interface SearchScope {
  /** Names, wildcards and exclusions; empty for all indices. */
  readonly expressions: readonly string[]
  readonly options: IndicesOptions
  /** The `routing` of the request, which restricts the shards. */
  readonly routing: readonly string[] | undefined
  /** The `preference` of the request, which restricts the shards or names nodes. */
  readonly preference?: string | undefined
  /** What the caller may read; undefined for everything. */
  readonly limits: ReadLimits | undefined
  /** What the caller may read of documents that queries refer to. */
  readonly lookupLimits?: ReadLimits | undefined
  /** Whether the caller may search some indices only. */
  readonly isRestricted?: boolean | undefined
}

/** Where the views of a search come from: the newest ones, or those of a point in time or scroll. */
export interface ViewSource {
  /** The view of a shard, which the caller releases. */
  hold(shard: SearchShard): HeldView
}

/** A view that a search reads. */
export interface ReadView {
  readonly key: ShardKey
  readonly held: HeldView
}

export interface ShardWork extends RequestContext {
  /** Collects views that must outlive the work; the caller releases them and counts what was read. */
  readonly views?: ReadView[]
  readonly source?: ViewSource | undefined
}

export class ShardAccess {
  readonly context: IndexContext
  readonly #newest: ViewSource
  readonly #statistics: SearchStatistics
  /** Shards by scope, for the current metadata. The metadata changes rarely, and most searches repeat a few scopes. */
  #known: { readonly state: MetadataState | undefined; readonly shards: Map<string, readonly SearchShard[]> }

  /** The environments of scripts by index name. */
  readonly #scripts = new Map<string, ScriptEnvironment>()
  #expensive:
    | { readonly persistent: FlatSettings; readonly transient: FlatSettings; readonly isAllowed: boolean }
    | undefined

  /** `statistics` counts what is read of the fields. */
  constructor(context: IndexContext, statistics: SearchStatistics) {
    this.context = context
    this.#statistics = statistics
    this.#known = { state: undefined, shards: new Map() }
    this.#newest = { hold: ({ key }) => context.shards.host.holdView(key) }
  }

  /** The shards of a request, in the order that breaks ties between equal hits. */
  shards(scope: SearchScope): readonly SearchShard[] {
    const { state } = this.context.store
    if (this.#known.state !== state) this.#known = { state, shards: new Map() }
    const name = nameOf(scope)
    const known = name === undefined ? undefined : this.#known.shards.get(name)
    if (known !== undefined) return known
    const shards = this.#findShards(scope)
    if (name !== undefined && this.#known.shards.size < KNOWN_MAX) this.#known.shards.set(name, shards)
    return shards
  }

  #findShards(scope: SearchScope): readonly SearchShard[] {
    const targets = resolverOf(this.context).searchTargets(scope.expressions, scope.options)
    checkBlocks(
      targets.map(({ index }) => index),
      'read',
    )
    const shards: SearchShard[] = []
    const node = { id: this.nodeId(), name: this.context.nodeName }
    for (const target of targets) {
      const { index, filters: filterBodies } = target
      const filters = aliasFilters(filterBodies)
      const limits = limitsOf(scope.limits, target.reachedBy)
      for (const shard of shardsOf(target, scope, node)) {
        shards.push({ index, key: { indexUuid: index.uuid, shard }, filters, filterBodies, limits, position: 0 })
      }
    }
    // The first shards of all indices, then the second ones, in Elasticsearch's order.
    shards.sort((a, b) => a.key.shard - b.key.shard || (a.index.name < b.index.name ? -1 : 1))
    return shards.map((shard, position) => ({ ...shard, position }))
  }

  /** The limits of the caller by index name, for the indices in which something is hidden. */
  limitsByIndex({ expressions, options, limits }: SearchScope): ReadonlyMap<string, IndexLimits> {
    const found = new Map<string, IndexLimits>()
    if (limits === undefined) return found
    for (const { index, reachedBy } of resolverOf(this.context).searchTargets(expressions, options)) {
      const own = limitsOf(limits, reachedBy)
      if (own !== undefined) found.set(index.name, own)
    }
    return found
  }

  /**
   * An idle index is not refreshed periodically; the next search refreshes it. Undefined if there is nothing to wait
   * for.
   */
  refreshIdle(shards: readonly SearchShard[]): Promise<unknown> | undefined {
    const { host } = this.context.shards
    let idle: Promise<unknown>[] | undefined
    for (const { key } of shards) {
      try {
        const refresh = host.searchStarts?.(key)
        if (refresh !== undefined) (idle ??= []).push(refresh.catch(passOverFailedShard))
      } catch (error) {
        passOverFailedShard(error)
      }
    }
    return idle && Promise.all(idle)
  }

  /** Runs `work` on a view of a shard. An error it throws is the shard's failure. */
  onShard(
    shard: SearchShard,
    failures: ShardFailure[],
    work: (context: SearchExecutionContext) => void,
    options: ShardWork = {},
  ): void {
    const scripts = this.#scriptsOf(shard.index.name)
    inSearch({ scripts }, () => this.#onShard(shard, failures, work, options))
  }

  #scriptsOf(indexName: string): ScriptEnvironment {
    let scripts = this.#scripts.get(indexName)
    if (scripts === undefined) {
      if (this.#scripts.size >= KNOWN_MAX) this.#scripts.clear()
      this.#scripts.set(indexName, (scripts = clusterScripts(this.context.store, indexName)))
    }
    return scripts
  }

  #onShard(
    shard: SearchShard,
    failures: ShardFailure[],
    work: (context: SearchExecutionContext) => void,
    options: ShardWork,
  ): void {
    const { index, key } = shard
    let held: HeldView | undefined
    try {
      held = this.hold(shard, options.source)
      const nowMs = this.context.clock.nowMs()
      const { mappings } = this.context
      const context = shardQueryContext(index, key.shard, held.view, mappings, nowMs, {
        ...options,
        filters: shard.filters,
      })
      const unlimited = this.#allowsExpensive() ? context : { ...context, allowExpensive: false }
      const allowed = shard.limits === undefined ? unlimited : limitedContext(unlimited, shard.limits)
      inSearch(stateOn(index, options.guard), () => work(allowed))
    } catch (error) {
      const failure = this.failureOf(shard, error)
      if (failure === undefined) throw error
      failures.push({ shard: key.shard, index: index.name, node: this.nodeId(), error: failure })
    } finally {
      if (held !== undefined) {
        if (options.views !== undefined) options.views.push({ key, held })
        else {
          this.recordUsage(key, held)
          held.release()
        }
      }
    }
  }

  /** The view of a shard, which the caller releases; the newest one without a source. */
  hold(shard: SearchShard, source: ViewSource | undefined): HeldView {
    return (source ?? this.#newest).hold(shard)
  }

  /** The error of a shard; undefined for one of the whole request. A shard with damaged files has failed. */
  failureOf({ index, key }: Pick<SearchShard, 'index' | 'key'>, error: unknown): ApiError | undefined {
    if (error instanceof ApiError) return error
    if (!(error instanceof CorruptSegmentError)) return undefined
    this.#statistics.recordDamage({ key, reason: error.message })
    return shardFailed({ index: index.name, indexUuid: index.uuid, shard: key.shard }, error.message)
  }

  /** Counts the structures of fields that were read in a view. */
  recordUsage({ indexUuid, shard }: ShardKey, { view }: HeldView): void {
    const marks = takeUsage(view)
    if (marks.size > 0) this.#statistics.of(indexUuid).recordUsage({ shard, marks })
  }

  #allowsExpensive(): boolean {
    const { transientSettings: transient, state } = this.context.store
    const persistent = state.persistentSettings
    const known = this.#expensive
    if (known !== undefined && known.persistent === persistent && known.transient === transient) return known.isAllowed
    const name = 'search.allow_expensive_queries'
    const value = transient[name] ?? clusterSettings.value(persistent, name)
    const isAllowed = value === undefined || textOf(value) !== 'false'
    this.#expensive = { persistent, transient, isAllowed }
    return isAllowed
  }

  /** The segments of all readable shards. */
  allSegments(shards: readonly SearchShard[], options: ShardWork): SegmentView[] {
    const segments: SegmentView[] = []
    for (const shard of shards) this.onShard(shard, [], ({ view }) => segments.push(...view.segments), options)
    return segments
  }

  nodeId(): string {
    return this.context.store.state.sections.identity.get('nodeId') ?? ''
  }
}

/**
 * The cache key of a scope that consists of plain names. Undefined for date math, which depends on the time, and for
 * callers with limits.
 */
function nameOf({ expressions, options, routing, preference, limits }: SearchScope): string | undefined {
  if (
    routing !== undefined ||
    preference !== undefined ||
    limits !== undefined ||
    options !== EXPAND_OPEN_FORBID_CLOSED
  )
    return undefined
  const name = expressions.length === 1 ? expressions[0]! : `\n${expressions.join('\n')}`
  return name.includes('<') ? undefined : name
}

const stateOn = (index: IndexMetadata, guard: EvaluationGuard | undefined) => ({
  guard,
  filters: keepsFilters(index) ? filterUse(index.uuid) : undefined,
  countsUsage: true,
})

function keepsFilters({ settings }: IndexMetadata): boolean {
  const setting = settings['index.queries.cache.enabled']
  return setting === undefined || textOf(setting) !== 'false'
}
