/**
 * A search service in a searcher thread. It knows the metadata and the views it was told of, and nothing else: whatever a
 * request needs beyond them (a document to look terms up in, a shard that was not lent) sends the request back.
 */
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import type { IndexContext } from '../indices/index-context.ts'
import { IndexMappings } from '../indices/index-mappings.ts'
import { IndexShards } from '../indices/index-shards.ts'
import type { Change } from '../metadata/metadata.ts'
import { MetadataStore } from '../metadata/metadata-store.ts'
import { RemoteViews } from '../shards/remote-views.ts'
import type { LentView, ShardHost, ShardKey } from '../shards/shard-host.ts'
import { type SearchRecord, SearchStatistics } from '../stats/search-counters.ts'
import { SearchService } from './search-service.ts'

export type ViewOnLoan = Omit<LentView, 'release'>

/** The request needs something this thread does not have. */
export class NotHereError extends Error {
  constructor(what: string) {
    super(`${what} is not available to a searcher thread`)
    this.name = 'NotHereError'
  }
}

/** Keeps what a search adds to the counters until the main thread fetches it. */
export class RecordedStatistics extends SearchStatistics {
  #records: [indexUuid: string, record: SearchRecord][] = []

  override of(indexUuid: string): ReturnType<SearchStatistics['of']> {
    const counters = super.of(indexUuid)
    return Object.assign(Object.create(counters) as typeof counters, {
      record: (record: SearchRecord) => {
        this.#records.push([indexUuid, record])
      },
    })
  }

  take(): readonly [string, SearchRecord][] {
    const taken = this.#records
    this.#records = []
    return taken
  }
}

export class SearchReplica {
  readonly search: SearchService
  readonly statistics: RecordedStatistics
  readonly #store: MetadataStore
  readonly #views: RemoteViews

  /** `giveBack` is called when a view that was lent is no longer read here. */
  constructor(arena: Arena, giveBack: (shardId: string, generation: number) => void) {
    this.#views = new RemoteViews(arena, giveBack)
    this.#store = MetadataStore.open(undefined)
    this.statistics = new RecordedStatistics()
    const context: IndexContext = {
      store: this.#store,
      mappings: new IndexMappings(),
      shards: new IndexShards(readOnlyHost(this.#views), undefined, silentLog),
      clock: systemClock,
    }
    this.search = new SearchService(context, this.statistics)
  }

  async learn(changes: readonly Change[], views: readonly ViewOnLoan[]): Promise<void> {
    await this.#store.update(() => changes)
    for (const { shardId, folder, descriptor } of views) this.#views.publish(shardId, folder, descriptor)
  }

  forget(key: ShardKey): void {
    this.#views.forget(key)
  }
}

/** A host that can only show views. */
function readOnlyHost(views: RemoteViews): ShardHost {
  const host: Partial<ShardHost> = { holdView: (key) => views.hold(key) }
  return new Proxy(host as ShardHost, {
    get(target, name: keyof ShardHost) {
      const member = target[name]
      if (member !== undefined || name === 'searchStarts' || name === 'lender') return member
      return () => {
        throw new NotHereError(`[${name}]`)
      }
    },
  })
}
