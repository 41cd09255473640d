/** Operations on all shards of indices: refresh, flush, merge, cache clearing, and reports about their files. */

import { ApiError, validationFailed } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { exists } from '../catalog/open-indices.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import {
  EXPAND_OPEN,
  EXPAND_OPEN_FORBID_CLOSED,
  type IndicesParameters,
  withParameters,
} from '../names/indices-options.ts'
import { clearCaches } from '../search/cache/clear-caches.ts'
import { integerSetting } from '../settings/update-settings.ts'
import type { ShardKey } from '../shards/shard-host.ts'
import { printRecovery } from './shard-recovery.ts'

/** `{"total":2,"successful":1,"failed":0}`: intended copies, successful shards, failed shards. */
export interface ShardsHeader {
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly failures?: readonly JsonObject[]
}

export class ShardOperations {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  refresh(expressions: readonly string[], parameters: IndicesParameters): Promise<JsonObject> {
    return this.#onEach(expressions, parameters, (key) => this.#context.shards.host.refresh(key))
  }

  flush(
    expressions: readonly string[],
    parameters: IndicesParameters,
    options: { force: boolean; waitIfOngoing: boolean },
  ): Promise<JsonObject> {
    if (options.force && !options.waitIfOngoing) {
      throw validationFailed('wait_if_ongoing must be true for a force flush')
    }
    const { shards } = this.#context
    return this.#onEach(expressions, parameters, async (key) => {
      const before = (await shards.host.stats(key)).flushTotal
      await shards.host.flush(key, options.force)
      // A requested flush is counted even if there was nothing to write.
      if ((await shards.host.stats(key)).flushTotal === before) shards.countIdleFlush(key)
    })
  }

  forceMerge(
    expressions: readonly string[],
    parameters: IndicesParameters,
    options: { maxSegments: number | undefined; onlyExpungeDeletes: boolean; flush: boolean },
  ): Promise<JsonObject> {
    if (options.maxSegments !== undefined && options.maxSegments >= 0 && options.onlyExpungeDeletes) {
      throw validationFailed(
        'cannot set only_expunge_deletes and max_num_segments at the same time, those two parameters are mutually ' +
          'exclusive',
      )
    }
    const { maxSegments = -1, onlyExpungeDeletes, flush } = options
    return this.#onEach(expressions, parameters, async (key) => {
      await this.#context.shards.host.forceMerge(key, { maxSegments, onlyExpungeDeletes, flush })
    })
  }

  /** Fielddata belongs to segments and is dropped with them, so there is nothing to clear. */
  clearCache(
    expressions: readonly string[],
    parameters: IndicesParameters,
    only: { filters: boolean; requests: boolean; fielddata: boolean },
  ): Promise<JsonObject> {
    const all = !only.filters && !only.requests && !only.fielddata
    return this.#onEach(expressions, parameters, async ({ indexUuid }) =>
      clearCaches({ indexUuids: [indexUuid], filters: all || only.filters, requests: all || only.requests }),
    )
  }

  async segments(expressions: readonly string[], parameters: IndicesParameters, nodeId: string): Promise<JsonObject> {
    const indices = this.#resolve(expressions, parameters, 'metadataRead')
    const shown: JsonObject = newMembers()
    const header = await this.#collect(indices, async (index, key) => {
      const segments = await this.#context.shards.host.segments(key)
      const entry = (shown[index.name] ??= { shards: {} }) as { shards: JsonObject }
      const searchable = segments.filter((segment) => segment.searchable).length
      const committed = segments.filter((segment) => segment.committed).length
      entry.shards[String(key.shard)] = [
        {
          routing: { state: 'STARTED', primary: true, node: nodeId },
          num_committed_segments: committed,
          num_search_segments: searchable,
          segments: Object.fromEntries(
            segments.map((segment) => [
              segment.name,
              {
                generation: segment.generation,
                num_docs: segment.docs,
                deleted_docs: segment.deleted,
                size_in_bytes: segment.bytes,
                committed: segment.committed,
                search: segment.searchable,
                version: '9.12.2',
                compound: true,
                attributes: { 'Lucene90StoredFieldsFormat.mode': storedFieldsMode(index) },
              },
            ]),
          ),
        },
      ]
    })
    return { _shards: header, indices: shown }
  }

  /** How each shard was recovered. Nothing is ever copied from another node. */
  /** Every recovery that a search could notice is done, so that none is active. */
  recovery(
    expressions: readonly string[],
    parameters: IndicesParameters,
    options: { target: JsonObject; human: boolean; activeOnly: boolean },
  ): JsonObject {
    const indices = resolverOf(this.#context).indices(expressions, withParameters(EXPAND_OPEN, parameters))
    checkBlocks(indices, 'metadataRead')
    if (options.activeOnly) return {}
    return Object.fromEntries(
      indices.map((index) => [
        index.name,
        { shards: this.#context.shards.usableKeys(index).map((key) => printRecovery(index, key.shard, options)) },
      ]),
    )
  }

  /** The indices of a shard operation. */
  resolve(expressions: readonly string[], parameters: IndicesParameters): IndexMetadata[] {
    return this.#resolve(expressions, parameters, 'metadataRead')
  }

  async #onEach(
    expressions: readonly string[],
    parameters: IndicesParameters,
    work: (key: ShardKey) => Promise<void>,
  ): Promise<JsonObject> {
    const indices = this.#resolve(expressions, parameters, undefined)
    return { _shards: await this.#collect(indices, (_index, key) => work(key)) }
  }

  #resolve(
    expressions: readonly string[],
    parameters: IndicesParameters,
    action: 'metadataRead' | undefined,
  ): IndexMetadata[] {
    const options = withParameters(EXPAND_OPEN_FORBID_CLOSED, parameters)
    const indices = resolverOf(this.#context).indices(expressions, options)
    if (action !== undefined) checkBlocks(indices, action)
    return indices
  }

  /** Runs `work` on every shard of `indices`. A failed shard is listed, one that was deleted meanwhile is not. */
  async #collect(
    indices: readonly IndexMetadata[],
    work: (index: IndexMetadata, key: ShardKey) => Promise<void>,
  ): Promise<ShardsHeader> {
    let total = 0
    let successful = 0
    const failures: JsonObject[] = []
    await Promise.all(
      indices.flatMap((index) => {
        total += index.shardCount * (1 + integerSetting(index.settings, 'index.number_of_replicas'))
        return this.#context.shards.keys(index).map(async (key) => {
          const broken = this.#context.shards.failure(key)
          try {
            if (broken !== undefined) throw new ApiError(503, 'no_shard_available_action_exception', broken)
            await work(index, key)
            successful++
          } catch (error) {
            if (exists(this.#context, index)) failures.push(printFailure(index.name, key, error))
          }
        })
      }),
    )
    return { total, successful, failed: failures.length, ...(failures.length === 0 ? {} : { failures }) }
  }
}

function printFailure(index: string, key: ShardKey, error: unknown): JsonObject {
  const known = error instanceof ApiError
  return {
    shard: key.shard,
    index,
    status: known && error.status < 500 ? 'BAD_REQUEST' : 'INTERNAL_SERVER_ERROR',
    reason: {
      type: known ? error.type : 'exception',
      reason: error instanceof Error ? error.message : String(error),
      ...(known ? error.details : {}),
    },
  }
}

/** The compression of stored fields, under the name of Lucene's attribute. */
function storedFieldsMode({ settings }: IndexMetadata): string {
  return settings['index.codec'] === 'best_compression' ? 'BEST_COMPRESSION' : 'BEST_SPEED'
}
