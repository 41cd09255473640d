/** Opens, closes and lists points in time and scrolls for the endpoints. */
import { validationFailed } from '../../../base/api-error.ts'
import { keepAliveTooLarge, undecodableId } from '../../../base/errors/context-errors.ts'
import { searchPhaseError } from '../../../base/errors/search-errors.ts'
import type { Query } from '../../../engine/scoring/query.ts'
import { canMatch } from '../../../engine/search/can-match.ts'
import { type ContextKind, decodeContextId } from '../../contexts/context-id.ts'
import { describeOpen } from '../../contexts/describe-context.ts'
import { type ContextOrigin, SearchContext } from '../../contexts/search-context.ts'
import type { SearchContexts, SearchContextsOptions } from '../../contexts/search-contexts.ts'
import type { JsonObject } from '../../metadata/metadata.ts'
import { shardsObject } from '../answer/search-response.ts'
import { type SearchScope, ShardAccess } from '../shards/shard-access.ts'
import type { SearchShard } from '../shards/shard-search.ts'

export interface Freed {
  readonly succeeded: boolean
  readonly num_freed: number
}

export class ContextService {
  readonly #access: ShardAccess
  readonly #contexts: SearchContexts

  constructor(
    { context, statistics }: Pick<SearchContextsOptions, 'context' | 'statistics'>,
    contexts: SearchContexts,
  ) {
    this.#access = new ShardAccess(context, statistics)
    this.#contexts = contexts
  }

  async openPointInTime(
    scope: SearchScope,
    keepAliveMs: number | undefined,
    origin: ContextOrigin,
    indexFilter?: Query,
  ): Promise<{ context: SearchContext; shards: JsonObject }> {
    const problems: string[] = []
    if (scope.expressions.length === 0) problems.push('[index] is not specified')
    if (keepAliveMs === undefined) problems.push('[keep_alive] is not specified')
    if (problems.length > 0) throw validationFailed(...problems)
    const shards = this.#access.shards(scope)
    const limitMs = this.#contexts.maxKeepAliveMs
    if (keepAliveMs! > limitMs && shards.length > 0) {
      const error = keepAliveTooLarge(keepAliveMs!, limitMs)
      const failures = shards.map(({ index, key }) => ({
        shard: key.shard,
        index: index.name,
        node: this.#access.nodeId(),
        error,
      }))
      throw searchPhaseError('indices:data/read/open_point_in_time', 'all shards failed', failures)
    }
    await this.#access.refreshIdle(shards)
    const reached = indexFilter === undefined ? shards : shards.filter((shard) => this.#canMatch(shard, indexFilter))
    await this.#access.context.shards.wake(reached.map(({ key }) => key))
    const held = this.#contexts.lease(reached)
    const context = await this.#contexts.open({ kind: 'pit', shards: held, keepAliveMs: keepAliveMs!, origin })
    const skipped = shards.length - reached.length
    return { context, shards: shardsObject({ total: shards.length, failures: [], skipped }) }
  }

  /** A shard that fails to evaluate the filter is kept; searches in the point in time will report the failure. */
  #canMatch(shard: SearchShard, filter: Query): boolean {
    let can = true
    this.#access.onShard(shard, [], (context) => {
      can = canMatch(context, filter)
    })
    return can
  }

  /** Closing a point in time that has lost shards is not reported as success. */
  closePointInTime(id: string): Freed & { readonly found: boolean } {
    const decoded = this.#decode(id, 'pit')
    if (decoded.shards === 0) {
      this.#end(decoded.key)
      return { succeeded: true, num_freed: 0, found: true }
    }
    const freed = this.#end(decoded.key)
    return { succeeded: freed === decoded.shards, num_freed: freed, found: freed > 0 }
  }

  /** Closes nothing if one of the ids is malformed. */
  clearScrolls(ids: readonly string[]): Freed {
    if (ids.length === 0) throw validationFailed('no scroll ids specified')
    if (ids.length === 1 && ids[0] === '_all') {
      this.closeAll('scroll')
      // Of all scrolls, the answer counts the nodes that freed them.
      return { succeeded: true, num_freed: 1 }
    }
    const keys = ids.map((id) => this.#decode(id, 'scroll').key)
    return { succeeded: true, num_freed: keys.reduce((freed, key) => freed + this.#end(key), 0) }
  }

  closeAll(kind: ContextKind): Freed {
    return { succeeded: true, num_freed: this.#contexts.closeAll(kind) }
  }

  list(kind?: ContextKind): SearchContext[] {
    return this.#contexts.list().filter((context) => kind === undefined || context.kind === kind)
  }

  describe(): JsonObject {
    const nowMs = this.#access.context.clock.nowMs()
    const contexts = this.list().map((context) => describeOpen(context, nowMs))
    return { total: contexts.length, contexts }
  }

  /** Closes a context of either kind for an operator; false if there is none with this id. */
  closeByOperator(id: string): boolean {
    const decoded = decodeContextId(id, 'pit') ?? decodeContextId(id, 'scroll')
    const context = decoded === undefined ? undefined : this.#contexts.get(decoded)
    if (!(context instanceof SearchContext)) return false
    this.#contexts.close(context, 'closed by others')
    return true
  }

  #decode(id: string, kind: ContextKind) {
    const decoded = decodeContextId(id, kind)
    if (decoded === undefined) throw undecodableId(id, kind)
    return decoded
  }

  #end(key: string): number {
    const context = this.#contexts.find(key)
    return context === undefined ? 0 : this.#contexts.close(context, 'closed')
  }
}
