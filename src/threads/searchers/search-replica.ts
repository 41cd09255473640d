/**
 * A search service in a searcher thread. It has only the metadata and views that the main thread sent. A request that
 * needs more (a document to look up terms in, a shard that was not lent) is sent back.
 */

import { unavailableShards } from '../../base/api-error.ts'
import { systemClock } from '../../base/clock.ts'
import { silentLog } from '../../base/log.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { ReadColumns } from '../../engine/runtime-fields/column-use.ts'
import type { FilterCacheCounts } from '../../engine/scoring/filter-cache.ts'
import type { IndexContext } from '../../service/catalog/index-context.ts'
import { IndexMappings } from '../../service/catalog/index-mappings.ts'
import { IndexShards } from '../../service/catalog/index-shards.ts'
import { AnalyzeService } from '../../service/indices/analyze-service.ts'
import { IngestService } from '../../service/ingest/ingest-service.ts'
import type { IngestHost } from '../../service/ingest/run/definitions.ts'
import { IngestRunner } from '../../service/ingest/run/ingest-runner.ts'
import type { Change, FlatSettings } from '../../service/metadata/metadata.ts'
import { MetadataStore } from '../../service/metadata/metadata-store.ts'
import { StoredScripts } from '../../service/scripts/stored-scripts.ts'
import { ScriptTrials } from '../../service/search/script-trials.ts'
import { SearchService } from '../../service/search/search-service.ts'
import { clusterSettings } from '../../service/settings/cluster-settings-service.ts'
import type { LentView, ShardKey } from '../../service/shards/shard-host.ts'
import type { SlowSearch } from '../../service/slow-log/slow-search.ts'
import {
  type CacheRecord,
  type FoundDamage,
  IndexSearchCounters,
  type SearchRecord,
  SearchStatistics,
  type UsageRecord,
} from '../../service/stats/search-counters.ts'
import { BorrowedContexts } from '../lending/borrowed-contexts.ts'
import type { ContextProgress, ContextUse, LentContext, OpenedElsewhere } from '../lending/lent-context.ts'
import { LentViewsHost } from '../lending/lent-views-host.ts'
import { RemoteViews } from '../lending/remote-views.ts'
import { type ColumnOnLoan, columnsOnLoan } from './column-lending.ts'

export type ViewOnLoan = Omit<LentView, 'release'>

/** Forwards search counters to the main thread, which keeps them. */
class ForwardedStatistics extends SearchStatistics {
  readonly #records: SearchRecordOf[]

  constructor(records: SearchRecordOf[]) {
    super()
    this.#records = records
  }

  override of(indexUuid: string): IndexSearchCounters {
    return new ForwardedCounters((record) => this.#records.push({ indexUuid, ...record }))
  }

  override recordSlow(slow: SlowSearch): void {
    this.#records.push({ indexUuid: '', slow })
  }

  override recordDamage(damage: FoundDamage): void {
    this.#records.push({ indexUuid: '', damage })
  }
}

class ForwardedCounters extends IndexSearchCounters {
  readonly #forward: (record: Omit<SearchRecordOf, 'indexUuid'>) => void

  constructor(forward: (record: Omit<SearchRecordOf, 'indexUuid'>) => void) {
    super()
    this.#forward = forward
  }

  override record(search: SearchRecord): void {
    this.#forward({ record: search })
  }

  override recordCache(cache: CacheRecord): void {
    this.#forward({ cache })
  }

  override recordUsage(usage: UsageRecord): void {
    this.#forward({ usage })
  }

  override recordFilters(filters: FilterCacheCounts): void {
    this.#forward({ filters })
  }
}

export interface SearchRecordOf {
  readonly indexUuid: string
  readonly record?: SearchRecord
  readonly cache?: CacheRecord
  readonly filters?: FilterCacheCounts
  readonly usage?: UsageRecord
  /** Belongs to the search rather than to an index. */
  readonly slow?: SlowSearch
  readonly damage?: FoundDamage
}

/** The context of a request: complete the first time, then only the changes. */
export interface ContextOnLoan {
  readonly lent: LentContext | undefined
  readonly progress: ContextProgress
}

/** What the main thread has to know about a finished request. */
export interface ReplicaRecord {
  readonly records: SearchRecordOf[]
  /** The request needs something that only the main thread has. */
  readonly lacking: boolean
  /** The computed values that the request read, if it computed none. */
  readonly columns: readonly ColumnOnLoan[]
  readonly contextUse: ContextUse | undefined
  readonly opened: OpenedElsewhere | undefined
}

export class SearchReplica {
  readonly search: SearchService
  readonly scripts: StoredScripts
  readonly analysis: AnalyzeService
  readonly scriptTrials: ScriptTrials
  readonly ingest: IngestService
  readonly #store: MetadataStore
  readonly #views: RemoteViews
  readonly #contexts: BorrowedContexts
  readonly #records: SearchRecordOf[] = []
  #lacking = false
  #columns: ReadColumns | undefined

  /** `giveBack` is called when a lent view is no longer read in this thread. */
  constructor(
    arena: Arena,
    nodeName: string,
    giveBack: (shardId: string, generation: number) => void,
    databaseFolder: string | undefined,
  ) {
    this.#views = new RemoteViews(arena, giveBack, (uuid) => this.#store.state.indexByUuid(uuid)?.name)
    this.#store = MetadataStore.open(undefined)
    const context: IndexContext = {
      store: this.#store,
      mappings: new IndexMappings(),
      shards: new IndexShards(new LentViewsHost(this.#views, () => this.#lack()), undefined, silentLog),
      clock: systemClock,
      nodeName,
    }
    const statistics = new ForwardedStatistics(this.#records)
    const setting = (name: string) =>
      this.#store.transientSettings[name] ?? clusterSettings.value(this.#store.state.persistentSettings, name)
    const options = { context, statistics, setting, directory: undefined, log: silentLog }
    this.#contexts = new BorrowedContexts(options, this.#views, () => this.#lack())
    this.search = new SearchService(context, statistics, this.#contexts)
    this.scripts = new StoredScripts(this.#store)
    this.analysis = new AnalyzeService(context)
    this.scriptTrials = new ScriptTrials(context)
    this.ingest = new IngestService(this.#store, this.#trialHost(), databaseFolder)
  }

  /** Runs pipelines on documents that a request brings along, and on no others. */
  #trialHost(): IngestHost {
    const lack = () => this.#lack()
    const runner = new IngestRunner({ nowMs: Date.now, routeOf: lack })
    return {
      define: async (definitions) => runner.define(definitions),
      simulate: async (request) => runner.simulate(request),
      run: lack,
      stats: lack,
    }
  }

  async learn(
    changes: readonly Change[],
    transientSettings: FlatSettings | undefined,
    views: readonly ViewOnLoan[],
    context: ContextOnLoan | undefined,
  ): Promise<void> {
    await this.#store.update(() => changes)
    if (transientSettings !== undefined) this.#store.setTransientSettings(transientSettings)
    for (const { shardId, folder, descriptor } of views) this.#views.publish(shardId, folder, descriptor)
    if (context !== undefined) this.#contexts.borrow(context.lent, context.progress)
  }

  forget(key: ShardKey): void {
    this.#contexts.forgetShard(key)
    this.#views.forget(key)
  }

  forgetContext(key: string): void {
    this.#contexts.forgetContext(key)
  }

  /** Begins to list the computed values of a request, which the main thread would read itself if it had them. */
  listColumns(): ReadColumns {
    this.#columns = new ReadColumns()
    return this.#columns
  }

  /** Returns and clears the record of the last request. */
  finish(): ReplicaRecord {
    const records = this.#records.splice(0)
    const lacking = this.#lacking
    this.#lacking = false
    const columns = this.#columns === undefined ? [] : columnsOnLoan(this.#columns, this.#views)
    this.#columns = undefined
    return { records, lacking, columns, contextUse: this.#contexts.takeUse(), opened: this.#contexts.takeOpened() }
  }

  /** The main thread answers instead, so the error is neither logged nor sent. */
  #lack(): never {
    this.#lacking = true
    throw unavailableShards('not available to a searcher thread')
  }
}
