/**
 * Which thread answers a search. Over few documents the main one does: a hop to another thread and back costs more than looking at
 * some thousand. Over many it still tries what looks cheap, for a moment: most searches find their hits without looking at much.
 * What looks costly, or turns out to be, goes to a searcher thread, and so does what comes while the main thread has no idle
 * time and other cores have.
 */
import { availableParallelism } from 'node:os'
import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { Log } from '../../base/log.ts'
import type { OpenedElsewhere } from '../../service/contexts/lent-context.ts'
import type { ScrollState } from '../../service/contexts/search-context.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { WorkLimits } from '../../service/search/request-guard.ts'
import { type MetadataState, possibleTargets } from '../../service/search/search-targets.ts'
import type { ShardKey, ViewLender } from '../../service/shards/shard-host.ts'
import type { Answer, IncomingRequest, SearchRouting } from '../dispatcher.ts'
import { percentDecode } from '../percent-decoding.ts'
import { cancelFlag } from './cancel-flag.ts'
import { contextIdOf, mayReadContext, opensScroll } from './context-request.ts'
import { describeSearch } from './describe-search.ts'
import { RememberedRequests } from './remembered-requests.ts'
import { Searcher, type SearchWeight } from './searcher.ts'
import type { SearcherStart } from './searcher-messages.ts'

/** From so many documents on a search may be forwarded: about a millisecond of looking. */
export const FORWARD_FROM_DOCS = 20_000
/** From so many documents on a costly search is shared by two threads. Below, waking a second one costs what it gains. */
const HELP_FROM_DOCS = 4_000_000
/** The same for aggregations, which look at every document that matches. */
const HELP_AGGREGATIONS_FROM_DOCS = 1_000_000
/** How many windows of documents the main thread looks at before it gives up: about a millisecond. */
const TRY_STEPS = 100
/** The same while nobody else waits: some milliseconds of aggregations or of a search, for which another thread would take a third more. */
const TRY_AGGREGATION_STEPS = 200
const TRY_ALONE_STEPS = 300
/** Steps of phrases and the like take long; it is more than most searches take before their code is compiled. */
const TRY_ALONE_MS = 30
/** Beyond this part of its time the main thread counts as busy. */
const BUSY = 0.97
/** With two cores clients and the main thread fill them: a small search costs more in a second thread than it relieves the first. */
const HAS_SPARE_CORES = availableParallelism() > 2
/** How often the part is worked out. */
const BUSY_EVERY_MS = 10
/** Larger bodies are not looked at: they say much. */
const LIGHT_BODY_BYTES = 4_096

/** Members of requests that may look at everything before they have a first hit, or do much for every document. */
const COSTLY =
  /"(?:(?:fuzz\w*|wildcard|regexp|(?:simple_)?query_string|(?:\w*_)?script(?:ed)?(?:_\w+)?|function_score|more_like_this|highlight|collapse|rescore|inner_hits|suggest|profile|explain|span_\w+|intervals|geo_shape|geo_polygon|slice|pit|runtime_mappings|match_phrase_prefix|percolate|terms_set|boxplot|median_absolute_deviation|string_stats|top_hits|top_metrics|\w+_grid|significant_\w+|rare_terms|multi_terms|adjacency_matrix|\w*sampler|global)"\s*:|(?:size|from)"\s*:\s*\d{4,})/

/** Small aggregations take milliseconds, which other clients would wait. */
const AGGREGATES = /"agg(?:s|regations)"/
/** Aggregations that do more for every document than count it: a few milliseconds, while the documents are few. */
const MORE_THAN_COUNTS = /"(?:\w*histogram|cardinality|percentile\w*)"\s*:/
const TRY_AGGREGATION_TO_DOCS = 150_000
/** As a query it finds its objects in one go, mostly few; as an aggregation it looks at all of them. */
const NESTED = /"nested"/
const TRY_NESTED_TO_DOCS = 1_000_000
/** A page of a composite looks at few documents, and hardly ever comes again. */
const ALONE = /"composite"/
const TRY_COMPOSITE_TO_DOCS = 1_000_000

export interface SearcherPoolOptions {
  readonly node: SandpiperNode
  readonly lender: ViewLender
  readonly threads: number
  readonly strictMediaTypes: boolean
  readonly warningAgent: string
  readonly log: Log
  /** Tests forward everything. */
  readonly forwardFromDocs?: number
}

export class SearcherPool implements SearchRouting {
  readonly #options: SearcherPoolOptions
  readonly #searchers: Searcher[] = []
  readonly #underWay = new Set<Promise<unknown>>()
  /** Requests that proved too much for the main thread. */
  readonly #proved = new RememberedRequests()
  /** Requests that a second thread is of no use for. */
  readonly #alone = new RememberedRequests()
  /** The shards that paths of searches lead to in the present state of the metadata. */
  #targets: { readonly state: MetadataState | undefined; readonly shards: Map<string, readonly ShardKey[]> } = {
    state: undefined,
    shards: new Map(),
  }
  #utilization: EventLoopUtilization = performance.eventLoopUtilization()
  #measuredAt = 0
  #busy = 0

  constructor(options: SearcherPoolOptions) {
    this.#options = options
    options.lender.onClosed((shardId) => {
      for (const searcher of this.#searchers) searcher.forget(shardId)
    })
    options.node.contextLending.onEnd((key) => {
      for (const searcher of this.#searchers) searcher.endContext(key)
    })
  }

  /** The answer of a searcher, or what the main thread may put into the request; undefined when it is to answer in any case. */
  route(incoming: IncomingRequest): Promise<Answer | undefined> | WorkLimits | undefined {
    if (opensScroll(incoming)) return this.#routeOpening(incoming)
    if (mayReadContext(incoming)) return this.#routePage(incoming)
    const shards = this.#shardsOf(incoming)
    if (shards === undefined) return undefined
    const limits = this.#tryingLimits(incoming, shards)
    if (limits === undefined) return this.#hand(incoming, shards)
    return this.#isBusy() && this.#hasRoom() ? this.#hand(incoming, shards, 'small') : limits
  }

  /** The first page of a scroll is found by a searcher; the scroll itself is kept here, with the same views. */
  #routeOpening(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const shards = this.#shardsOf(incoming)
    return shards && this.#underWayUntil(this.#openScroll(incoming, shards))
  }

  async #openScroll(incoming: IncomingRequest, shards: readonly ShardKey[]): Promise<Answer | undefined> {
    await this.#refreshIdle(shards)
    const reservation = this.#options.node.contextLending.reserve(shards)
    if (reservation === undefined) return undefined
    const { cancelled, ended } = cancelFlag(incoming.signal())
    let kept: Promise<void> | undefined
    const opened = (context: OpenedElsewhere) => {
      kept = reservation.open(context)
    }
    try {
      const answered = this.#leastBusy().search(incoming, shards, { weight: 'costly', cancelled, opened })
      const answer = await this.#listed(incoming, shards, cancelled, answered)
      await kept
      return answer
    } finally {
      reservation.release()
      ended()
    }
  }

  /** Pages of large contexts go to a searcher, best to one that has the views already. */
  #routePage(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const { contextLending } = this.#options.node
    const id = contextIdOf(incoming)
    const context = id === undefined ? undefined : contextLending.find(id)
    if (context === undefined || context.docCount < this.#forwardFromDocs) return undefined
    // Passing bytes on costs a fifth of a page, and nobody else waits.
    if (incoming.isAlone === true && hasSmallPages(context.scroll)) return undefined
    return this.#underWayUntil(
      contextLending.reading(context, async () => {
        // While it waited for its turn the scroll may have ended.
        if (contextLending.find(id!) !== context) return undefined
        const searcher = this.#leastBusy((candidate) => candidate.knows(context))
        const { cancelled, ended } = cancelFlag(incoming.signal())
        const answered = searcher.search(incoming, [], { weight: 'costly', cancelled, context })
        return await this.#listed(incoming, context.shards, cancelled, answered).finally(ended)
      }),
    )
  }

  takeOver(incoming: IncomingRequest): Promise<Answer | undefined> {
    this.#proved.add(incoming)
    return this.#hand(incoming, this.#shardsOf(incoming) ?? [])
  }

  /** The shards of a search over many documents; undefined for everything else. */
  #shardsOf({ uri }: IncomingRequest): readonly ShardKey[] | undefined {
    const { state } = this.#options.node.metadata
    if (this.#targets.state !== state) this.#targets = { state, shards: new Map() }
    let shards = this.#targets.shards.get(uri)
    if (shards === undefined) {
      const target = searchTarget(uri)
      shards = target === undefined ? NO_SHARDS : possibleTargets(this.#options.node.indexContext, target)
      // Dates in names lead elsewhere as time goes on.
      const changes = target?.some((name) => name.includes('<')) === true
      if (!changes && this.#targets.shards.size < TARGETS_MAX) this.#targets.shards.set(uri, shards)
    }
    return shards === NO_SHARDS || this.#docCount(shards) < this.#forwardFromDocs ? undefined : shards
  }

  #docCount(shards: readonly ShardKey[]): number {
    let docs = 0
    for (const key of shards) docs += this.#options.lender.docCount(key)
    return docs
  }

  #helpFromDocs(body: string): number {
    return this.#options.forwardFromDocs ?? (AGGREGATES.test(body) ? HELP_AGGREGATIONS_FROM_DOCS : HELP_FROM_DOCS)
  }

  get #forwardFromDocs(): number {
    return this.#options.forwardFromDocs ?? FORWARD_FROM_DOCS
  }

  /** How much the main thread may look at when it tries the search first; undefined when it does not. */
  #tryingLimits(incoming: IncomingRequest, shards: readonly ShardKey[]): WorkLimits | undefined {
    if (this.#options.forwardFromDocs !== undefined) return undefined
    const { uri, body, isAlone } = incoming
    if (body.length > LIGHT_BODY_BYTES || !isPlainSearch(uri)) return undefined
    const text = body.toString('latin1')
    const docs = this.#docCount(shards)
    const isPage = ALONE.test(text)
    if (isPage ? docs >= TRY_COMPOSITE_TO_DOCS : COSTLY.test(text)) return undefined
    const aggregates = AGGREGATES.test(text)
    if (aggregates && isAlone === false) return undefined
    if (!isPage && docs >= TRY_AGGREGATION_TO_DOCS && MORE_THAN_COUNTS.test(text)) return undefined
    if (NESTED.test(text) && (aggregates || docs >= TRY_NESTED_TO_DOCS)) return undefined
    if (this.#proved.has(incoming)) return undefined
    if (isAlone !== true) return TRY
    if (!aggregates) return TRY_ALONE
    return docs < TRY_AGGREGATION_TO_DOCS ? TRY_AGGREGATION : TRY
  }

  #isBusy(): boolean {
    if (!HAS_SPARE_CORES) return false
    const now = performance.now()
    if (now - this.#measuredAt > BUSY_EVERY_MS) {
      const utilization = performance.eventLoopUtilization()
      this.#busy = performance.eventLoopUtilization(utilization, this.#utilization).utilization
      this.#utilization = utilization
      this.#measuredAt = now
    }
    return this.#busy > BUSY
  }

  /** Whether a searcher can take a small search off the main thread without making it wait for long. */
  #hasRoom(): boolean {
    return this.#searchers.length === 0 || this.#searchers.some(({ hasRoom }) => hasRoom)
  }

  #hand(
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    weight: SearchWeight = 'costly',
  ): Promise<Answer | undefined> {
    return this.#underWayUntil(this.#forward(incoming, shards, weight))
  }

  #underWayUntil(answered: Promise<Answer | undefined>): Promise<Answer | undefined> {
    this.#underWay.add(answered)
    const done = () => this.#underWay.delete(answered)
    answered.then(done, done)
    return answered
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await Promise.all(this.#searchers.map((searcher) => searcher.close()))
  }

  async #forward(
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    weight: SearchWeight,
  ): Promise<Answer | undefined> {
    const refresh = this.#refreshIdle(shards)
    // What comes in the same moment has to see that this one is on its way.
    if (refresh !== undefined) await refresh
    const searcher = weight === 'small' ? this.#forSmall() : this.#leastBusy()
    const helper = weight === 'costly' ? this.#helperOf(searcher, incoming, shards) : undefined
    const { cancelled, ended } = cancelFlag(incoming.signal())
    const helpless = () => this.#alone.add(incoming)
    const answered = searcher.search(incoming, shards, { weight, cancelled, helper, helpless })
    const listed = weight === 'costly' ? this.#listed(incoming, shards, cancelled, answered) : answered
    return await listed.finally(ended)
  }

  /** Shows the search among the tasks until it is answered. */
  #listed<T>(
    incoming: IncomingRequest,
    shards: readonly { readonly indexUuid: string; readonly shard: number }[],
    cancelled: Int32Array,
    answered: Promise<T>,
  ): Promise<T> {
    const { metadata, tasks } = this.#options.node
    const named = shards.map(({ indexUuid, shard }) => ({
      index: metadata.state.indexByUuid(indexUuid)?.name ?? '',
      shard,
    }))
    return tasks.requests.track(
      describeSearch(incoming, named, () => Atomics.store(cancelled, 0, 1)),
      answered,
    )
  }

  /** Views that were left to age while nobody searched are brought up to date. */
  #refreshIdle(shards: readonly ShardKey[]): Promise<unknown> | undefined {
    const { host } = this.#options.node.shards
    const idle = shards.map((key) => host.searchStarts?.(key)).filter((refresh) => refresh !== undefined)
    return idle.length === 0 ? undefined : Promise.all(idle)
  }

  /** The first thread with room: one that always has the next request is faster than several that sleep in between. */
  #forSmall(): Searcher {
    return this.#searchers.find(({ hasRoom }) => hasRoom) ?? this.#searchers[0] ?? this.#start()
  }

  /** An idle thread for a part of a large search, which the first one begins at once. */
  #helperOf(leader: Searcher, incoming: IncomingRequest, shards: readonly ShardKey[]): Searcher | undefined {
    const body = incoming.body.toString('latin1')
    if (leader.load > 0 || this.#docCount(shards) < this.#helpFromDocs(body)) return undefined
    if (this.#alone.has(incoming) || ALONE.test(body)) return undefined
    const idle = this.#searchers.find((searcher) => searcher !== leader && searcher.load === 0)
    return idle ?? (this.#searchers.length < this.#options.threads ? this.#start() : undefined)
  }

  /** Of several with as little to do, the one that is preferred. */
  #leastBusy(isPreferred: (searcher: Searcher) => boolean = () => false): Searcher {
    let best: Searcher | undefined
    for (const searcher of this.#searchers) {
      const gain = best === undefined ? 1 : best.load - searcher.load
      if (gain > 0 || (gain === 0 && isPreferred(searcher))) best = searcher
    }
    return best !== undefined && (best.load === 0 || this.#searchers.length >= this.#options.threads)
      ? best
      : this.#start()
  }

  #start(): Searcher {
    const { node, lender, log, strictMediaTypes, warningAgent } = this.#options
    const { memory, limitBytes } = lender.arena
    const start: SearcherStart = { memory, arenaBytes: limitBytes, strictMediaTypes, warningAgent }
    const onEnd = (ended: Searcher) => this.#searchers.splice(this.#searchers.indexOf(ended), 1)
    const started = new Searcher({ node, lender, start, log, onEnd })
    this.#searchers.push(started)
    return started
  }
}

/** Of requests that are no searches. */
const NO_SHARDS: readonly ShardKey[] = []
const TARGETS_MAX = 1_000

const TRY: WorkLimits = { steps: TRY_STEPS }
const TRY_ALONE: WorkLimits = { steps: TRY_ALONE_STEPS, ms: TRY_ALONE_MS }
const TRY_AGGREGATION: WorkLimits = { steps: TRY_AGGREGATION_STEPS }

/** Whether a page takes milliseconds, not tens of them. */
function hasSmallPages(scroll: ScrollState | undefined): boolean {
  if (scroll === undefined) return false
  const { uri, body } = scroll.request
  return !/[?&]size=\d{5,}/.test(uri) && !/"size"\s*:\s*\d{5,}/.test(Buffer.from(body).toString('latin1'))
}

/** Whether a search says all it says in its body. */
function isPlainSearch(uri: string): boolean {
  return uri.endsWith('/_search') || (/\/_search\/?(?:\?|$)/.test(uri) && !/[?&]q=/.test(uri))
}

/** The names in the path of a search; empty means all indices. Undefined: not a request for searchers. */
function searchTarget(uri: string): string[] | undefined {
  const match = /^(?:\/([^/?]+))?\/_(?:search|count|msearch)\/?(?:\?|$)/.exec(uri)
  if (match === null) return undefined
  try {
    return match[1] === undefined ? [] : percentDecode(match[1]).split(',')
  } catch {
    return undefined
  }
}
