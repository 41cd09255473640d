/**
 * Decides which thread answers a search. A search over few documents runs on the main thread, because switching threads
 * costs more than reading some thousand documents. Over many documents the main thread still briefly tries searches
 * that look cheap, because most find their hits quickly. Searches that look or prove costly go to a searcher thread. So
 * do searches that arrive while the main thread has no idle time and other cores have.
 */
import type { Log } from '../../base/log.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import { releaseOwner } from '../../engine/segment/section-table.ts'
import type { Answer, IncomingRequest, SearchRouting } from '../../http/dispatcher.ts'
import { isDocumentPath } from '../../http/request-target.ts'
import type { ScrollState } from '../../service/contexts/search-context.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import type { TooMuchWork, WorkLimits } from '../../service/search/request-guard.ts'
import { possibleTargets } from '../../service/search/shards/search-targets.ts'
import type { ShardKey, ViewLender } from '../../service/shards/shard-host.ts'
import { ContextLending } from '../lending/context-lending.ts'
import type { OpenedElsewhere } from '../lending/lent-context.ts'
import { contextIdOf, isScrollPage, mayNamePointInTime, opensScroll } from '../routing/context-request.ts'
import { type ExpectedWork, expectedWork } from '../routing/expected-work.ts'
import { MainThreadLoad } from '../routing/main-thread-load.ts'
import { mentionsScripts } from '../routing/mentions-scripts.ts'
import {
  isExplanation,
  isPipelineTrial,
  isScriptTrial,
  isTextRequest,
  PathShards,
  readTarget,
} from '../routing/path-shards.ts'
import { RememberedRequests } from '../routing/remembered-requests.ts'
import { SMALL_LIMITS, trialLimits } from '../routing/trial-limits.ts'
import { WRITER_OWNER } from '../writer/thread-messages.ts'
import { cancelFlag } from './cancel-flag.ts'
import { describeSearch } from './describe-search.ts'
import { Searcher, type SearcherOptions, type SearchWeight } from './searcher.ts'
import type { SearcherStart } from './searcher-messages.ts'
import { TextThread } from './text-thread.ts'

/** Searches over at least this many documents may be forwarded: reading them takes about a millisecond. */
const FORWARD_FROM_DOCS = 20_000
/** Larger requests are answered by other threads for any number of documents. */
const LARGE_BYTES = 4_096
/** The same for text to analyze or render, which may take quadratic time. */
const LARGE_TEXT_BYTES = 2_048
/** A token filter that creates as many hashes per word as the request says, in few bytes. */
const COSTLY_FILTER = 'min_hash'
/**
 * Costly searches over at least this many documents are shared by two threads. Below, waking a second thread costs as
 * much as it gains.
 */
const HELP_FROM_DOCS = 4_000_000
/** The same for aggregations, which read every matching document. */
const HELP_AGGREGATIONS_FROM_DOCS = 1_000_000

export interface SearcherPoolOptions {
  readonly node: SandpiperNode
  readonly lender: ViewLender
  readonly threads: number
  readonly strictMediaTypes: boolean
  readonly errorHelp?: boolean | undefined
  readonly warningAgent: string
  readonly log: Log
  readonly startThread?: SearcherOptions['startThread']
  /** Tests forward everything. */
  readonly forwardFromDocs?: number | undefined
}

export class SearcherPool implements SearchRouting {
  readonly #options: SearcherPoolOptions
  readonly #searchers: Searcher[] = []
  readonly #underWay = new Set<Promise<unknown>>()
  /** Requests that proved too expensive for the main thread. */
  readonly #proved = new RememberedRequests()
  /** Requests that only read computed values, which the main thread has too. */
  readonly #onlyReading = new RememberedRequests()
  /** Requests that do not benefit from a second thread. */
  readonly #alone = new RememberedRequests()
  /** Numbers of the threads among the users of the arena. */
  readonly #owners = new Set<number>()
  readonly #paths: PathShards
  readonly #lending: ContextLending
  readonly #load = new MainThreadLoad()
  readonly #texts = new TextThread(() => this.#newThread((ended) => this.#texts.forget(ended)))

  constructor(options: SearcherPoolOptions) {
    this.#options = options
    this.#paths = new PathShards(options.node)
    options.lender.onClosed((shardId) => {
      for (const searcher of this.#searchers) searcher.forget(shardId)
    })
    this.#lending = new ContextLending(options.node.openContexts)
    this.#lending.onEnd((key) => {
      for (const searcher of this.#searchers) searcher.endContext(key)
    })
  }

  /**
   * The response of a searcher, or the limits within which the main thread may try; undefined if the main thread
   * answers without limits.
   */
  route(incoming: IncomingRequest): Promise<Answer | undefined> | WorkLimits | undefined {
    // Threads answer searches, and requests for one document are too cheap for the checks below.
    if (isDocumentPath(incoming.uri)) return undefined
    if (isScriptTrial(incoming.uri) || isPipelineTrial(incoming.uri)) return
    this.#underWayUntil(this.#texts.answer(incoming))
    if (opensScroll(incoming)) return this.#routeOpening(incoming)
    if (isScrollPage(incoming)) return this.#routePage(incoming)
    const shards = this.#paths.of(incoming.uri)
    if (shards === undefined) return this.#routeLarge(incoming)
    const text = incoming.body.toString('latin1')
    if (mayNamePointInTime(text)) return this.#routePage(incoming)
    if (this.#runsScripts(text, shards)) return this.#routeScripts(incoming, shards)
    if (this.#docCount(shards) < this.#forwardFromDocs) return this.#routeSmall(incoming, shards)
    const work = workOf(incoming)
    const limits = work && this.#trialLimits(incoming, shards, work)
    if (limits === undefined) return this.#hand(incoming, shards, 'costly', work)
    return this.#load.isTooMuch() && this.#hasRoom() ? this.#hand(incoming, shards, 'small', work) : limits
  }

  takeOver(incoming: IncomingRequest, { reason }: TooMuchWork): Promise<Answer | undefined> {
    if (reason === 'steps') this.#proved.add(incoming)
    else this.#proved.suspect(incoming)
    this.#onlyReading.forget(incoming)
    return this.#hand(incoming, this.#paths.of(incoming.uri) ?? [], 'costly', workOf(incoming))
  }

  /**
   * A script may work for a long time on a single document, and nothing can interrupt it but its own limits. Scripts are in
   * the request, or in the runtime fields of an index.
   */
  #runsScripts(text: string, shards: readonly ShardKey[]): boolean {
    if (this.#options.forwardFromDocs !== undefined) return false
    return mentionsScripts(text) || this.#hasRuntimeFields(shards)
  }

  /** Searchers run scripts. A repeated search that only reads computed values is tried by the main thread like one on mapped fields. */
  #routeScripts(incoming: IncomingRequest, shards: readonly ShardKey[]): Promise<Answer | undefined> | WorkLimits {
    const work = workOf(incoming)
    if (work === undefined || isLarge(incoming) || this.#proved.has(incoming)) {
      return this.#hand(incoming, shards, 'costly', work)
    }
    const docs = this.#docCount(shards)
    const limitsIf = (isAlone: boolean | undefined) =>
      docs < this.#forwardFromDocs ? SMALL_LIMITS : trialLimits(work, docs, isAlone)
    const limits = this.#onlyReading.has(incoming) ? limitsIf(incoming.isAlone) : undefined
    if (limits !== undefined) return { ...limits, refusesScripts: true }
    const onlyRead = limitsIf(true) && (() => this.#onlyReading.add(incoming))
    return this.#hand(incoming, shards, 'costly', work, onlyRead)
  }

  #hasRuntimeFields(shards: readonly ShardKey[]): boolean {
    const { metadata, indexContext } = this.#options.node
    return shards.some(({ indexUuid }) => {
      const index = metadata.state.indexByUuid(indexUuid)
      return index !== undefined && indexContext.mappings.of(index).definition.settings.runtime.size > 0
    })
  }

  /** Large requests take long, whatever they contain. */
  #routeLarge(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const { uri, body } = incoming
    if ((body.length > LARGE_TEXT_BYTES || body.includes(COSTLY_FILTER)) && isTextRequest(uri)) {
      return this.#underWayUntil(this.#texts.answer(incoming))
    }
    // An explanation reads the whole text of its document, which may be megabytes.
    const names = isLarge(incoming) || isExplanation(uri) ? readTarget(uri) : undefined
    // Only this thread finds the point in time that a template or a document names.
    if (names === undefined || mayNamePointInTime(body.toString('latin1'))) return undefined
    const shards = possibleTargets(this.#options.node.indexContext, names)
    return this.#hand(incoming, shards, 'costly', undefined)
  }

  /**
   * Searches over few documents run on the main thread with wide limits, because nested aggregations can still produce
   * very many buckets.
   */
  #routeSmall(
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
  ): Promise<Answer | undefined> | WorkLimits | undefined {
    if (this.#options.forwardFromDocs !== undefined) return undefined
    return isLarge(incoming) || this.#proved.has(incoming)
      ? this.#hand(incoming, shards, 'costly', workOf(incoming))
      : SMALL_LIMITS
  }

  #trialLimits(incoming: IncomingRequest, shards: readonly ShardKey[], work: ExpectedWork): WorkLimits | undefined {
    if (this.#options.forwardFromDocs !== undefined) return undefined
    const limits = trialLimits(work, this.#docCount(shards), incoming.isAlone)
    return limits === undefined || this.#proved.has(incoming) ? undefined : limits
  }

  /** A searcher finds the first page of a scroll; the scroll itself stays with the main thread, with the same views. */
  #routeOpening(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const shards = this.#shardsOf(incoming)
    return shards && this.#underWayUntil(this.#openScroll(incoming, shards))
  }

  async #openScroll(incoming: IncomingRequest, shards: readonly ShardKey[]): Promise<Answer | undefined> {
    await this.#refreshIdle(shards)
    const reservation = this.#lending.reserve(shards)
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

  /** Pages of large contexts go to a searcher, preferably to one that already has the views. */
  #routePage(incoming: IncomingRequest): Promise<Answer | undefined> | undefined {
    const lending = this.#lending
    const id = contextIdOf(incoming)
    const context = id === undefined ? undefined : lending.find(id)
    if (context === undefined || context.docCount < this.#forwardFromDocs) return undefined
    // Forwarding costs a fifth of a small page, and no other client waits.
    if (incoming.isAlone === true && hasSmallPages(context.scroll)) return undefined
    return this.#underWayUntil(
      lending.reading(context, async () => {
        // The scroll may have ended while the request waited for its turn.
        if (lending.find(id!) !== context) return undefined
        const searcher = this.#leastBusy((candidate) => candidate.knows(context))
        const { cancelled, ended } = cancelFlag(incoming.signal())
        const answered = searcher.search(incoming, [], { weight: 'costly', cancelled, context })
        return await this.#listed(incoming, context.shards, cancelled, answered).finally(ended)
      }),
    )
  }

  /** The shards of a search over many documents; undefined for all other requests. */
  #shardsOf({ uri }: IncomingRequest): readonly ShardKey[] | undefined {
    const shards = this.#paths.of(uri)
    return shards === undefined || this.#docCount(shards) < this.#forwardFromDocs ? undefined : shards
  }

  #docCount(shards: readonly ShardKey[]): number {
    let docs = 0
    for (const key of shards) docs += this.#options.lender.docCount(key)
    return docs
  }

  get #forwardFromDocs(): number {
    return this.#options.forwardFromDocs ?? FORWARD_FROM_DOCS
  }

  /** Whether a searcher can take a small search without making it wait for long. */
  #hasRoom(): boolean {
    return this.#searchers.length === 0 || this.#searchers.some(({ hasRoom }) => hasRoom)
  }

  #hand(
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    weight: SearchWeight,
    work: ExpectedWork | undefined,
    onlyRead?: () => void,
  ): Promise<Answer | undefined> {
    return this.#underWayUntil(this.#forward(incoming, shards, weight, work, onlyRead))
  }

  #underWayUntil(answered: Promise<Answer | undefined>): Promise<Answer | undefined> {
    this.#underWay.add(answered)
    const done = () => this.#underWay.delete(answered)
    answered.then(done, done)
    return answered
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#underWay)
    await Promise.all([...this.#searchers.map((searcher) => searcher.close()), this.#texts.close()])
  }

  async #forward(
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    weight: SearchWeight,
    work: ExpectedWork | undefined,
    onlyRead?: () => void,
  ): Promise<Answer | undefined> {
    const refresh = this.#refreshIdle(shards)
    // Without a refresh nothing is awaited, so that requests in the same tick see this searcher as busy.
    if (refresh !== undefined) await refresh
    const searcher = weight === 'small' ? this.#forSmall() : this.#leastBusy()
    const helper = weight === 'costly' ? this.#helperOf(searcher, incoming, shards, work) : undefined
    const { cancelled, ended } = cancelFlag(incoming.signal())
    const helpless = () => this.#alone.add(incoming)
    const answered = searcher.search(incoming, shards, { weight, cancelled, helper, helpless, onlyRead })
    const listed = weight === 'costly' ? this.#listed(incoming, shards, cancelled, answered) : answered
    return await listed.finally(ended)
  }

  /** Lists the search as a task until it is answered. */
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

  /** Refreshes idle shards before a search. */
  #refreshIdle(shards: readonly ShardKey[]): Promise<unknown> | undefined {
    const { host } = this.#options.node.shards
    const idle = shards.map((key) => host.searchStarts?.(key)).filter((refresh) => refresh !== undefined)
    return idle.length === 0 ? undefined : Promise.all(idle)
  }

  /** The first thread with room: one busy thread is faster than several that wake up in turn. */
  #forSmall(): Searcher {
    return this.#searchers.find(({ hasRoom }) => hasRoom) ?? this.#searchers[0] ?? this.#start()
  }

  /** An idle thread for a part of a large search, which the leader starts immediately. */
  #helperOf(
    leader: Searcher,
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    work: ExpectedWork | undefined,
  ): Searcher | undefined {
    if (leader.load > 0 || work === undefined || work.isCompositePage) return undefined
    const fromDocs = work.aggregates ? HELP_AGGREGATIONS_FROM_DOCS : HELP_FROM_DOCS
    if (this.#docCount(shards) < (this.#options.forwardFromDocs ?? fromDocs)) return undefined
    if (this.#alone.has(incoming) || this.#computesColumns(incoming, shards, work)) return undefined
    const idle = this.#searchers.find((searcher) => searcher !== leader && searcher.load === 0)
    return idle ?? (this.#searchers.length < this.#options.threads ? this.#start() : undefined)
  }

  /**
   * Whether a search may compute values of all documents. Both threads would compute them, because each keeps its own, and the
   * terms of a field are numbered over all segments.
   */
  #computesColumns({ body }: IncomingRequest, shards: readonly ShardKey[], { aggregates }: ExpectedWork): boolean {
    const text = body.toString('latin1')
    const mentioned = aggregates ? mentionsScripts(text) : text.includes('runtime_mappings')
    return mentioned || this.#hasRuntimeFields(shards)
  }

  /** The searcher with the least load; among equals, a preferred one. */
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
    const started = this.#newThread((ended) => this.#searchers.splice(this.#searchers.indexOf(ended), 1))
    this.#searchers.push(started)
    return started
  }

  /** A number that no running thread has. */
  #freeOwner(): number {
    let owner = WRITER_OWNER + 1
    while (this.#owners.has(owner)) owner++
    return owner
  }

  #newThread(onEnd: (ended: Searcher) => void): Searcher {
    const { node, lender, log, strictMediaTypes, errorHelp, warningAgent } = this.#options
    const { memory, limitBytes } = lender.arena
    const owner = this.#freeOwner()
    this.#owners.add(owner)
    const onExit = () => {
      releaseOwner(lender.arena, owner)
      breakers().releaseThread(start.breakers)
      this.#owners.delete(owner)
    }
    const start: SearcherStart = {
      databaseFolder: node.ingest.databaseFolder,
      breakers: breakers().share(),
      memory,
      arenaBytes: limitBytes,
      owner,
      strictMediaTypes,
      errorHelp,
      warningAgent,
      nodeName: node.name,
    }
    const { startThread } = this.#options
    return new Searcher({ node, lender, lending: this.#lending, start, startThread, log, onEnd, onExit })
  }
}

const isLarge = ({ uri, body }: IncomingRequest) => body.length + uri.length > LARGE_BYTES

/** Whether a page takes milliseconds rather than tens of them. */
function hasSmallPages(scroll: ScrollState | undefined): boolean {
  if (scroll === undefined) return false
  const { uri, body } = scroll.request
  return !/[?&]size=\d{5,}/.test(uri) && !/"size"\s*:\s*\d{5,}/.test(Buffer.from(body).toString('latin1'))
}

/** Undefined for counts and multi searches, which searchers answer alone. */
function workOf({ uri, body }: IncomingRequest): ExpectedWork | undefined {
  if (uri.endsWith('/_search')) return expectedWork(body)
  if (!/\/_search\/?(?:\?|$)/.test(uri)) return undefined
  const work = expectedWork(body)
  // A `q` parameter may contain wildcards and fuzzy terms.
  return /[?&]q=/.test(uri) ? { ...work, isCostly: true } : work
}
