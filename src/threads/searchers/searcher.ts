/**
 * The main thread's side of a searcher thread: its running requests, the metadata it has received, and the views lent
 * to it.
 */

import { MessageChannel, type Worker } from 'node:worker_threads'
import { unavailableShards } from '../../base/api-error.ts'
import type { Log } from '../../base/log.ts'
import { answerMemoryOf } from '../../base/memory/answer-memory.ts'
import { lentBytes } from '../../base/memory/lent-bytes.ts'
import { threadLimits } from '../../base/memory/process-memory.ts'
import { startWorker } from '../../base/start-worker.ts'
import type { Answer, IncomingRequest } from '../../http/dispatcher.ts'
import { carried } from '../../http/request-access.ts'
import type { SearchContext } from '../../service/contexts/search-context.ts'
import type { FlatSettings } from '../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../service/sandpiper-node.ts'
import { metadataChanges } from '../../service/search/shards/search-targets.ts'
import type { LentView, ShardKey, ViewLender } from '../../service/shards/shard-host.ts'
import { showsUsers } from '../../service/slow-log/request-origin.ts'
import type { ContextLending } from '../lending/context-lending.ts'
import { lendContext, type OpenedElsewhere, progressOf } from '../lending/lent-context.ts'
import { keepColumns } from './column-lending.ts'
import { endHelp, newCrewWords } from './crew.ts'
import type { ContextOnLoan, SearchRecordOf } from './search-replica.ts'
import type { CrewOf, ForwardedSearch, FromSearcher, SearcherStart, ToSearcher } from './searcher-messages.ts'

type MetadataState = SandpiperNode['metadata']['state']

export interface SearcherOptions {
  readonly node: SandpiperNode
  readonly lender: ViewLender
  readonly lending: ContextLending
  readonly start: SearcherStart
  readonly log: Log
  /** Starts the thread in place of this file. */
  readonly startThread?: ((start: SearcherStart) => Worker) | undefined
  /** Called when the thread has ended unexpectedly. */
  readonly onEnd: (searcher: Searcher) => void
  /** Called when the thread has ended for any reason, to release what it held. */
  readonly onExit: () => void
}

/** A costly search may read everything; a small one would run on the main thread if that had time. */
export type SearchWeight = 'costly' | 'small'

/**
 * This many small searches may queue for a thread, so that the next one is available before the main thread learns that
 * the last is done.
 */
const SMALL_WAITING_MAX = 3

interface Pending {
  readonly weight: SearchWeight
  readonly context: SearchContext | undefined
  readonly helpless: SearchOptions['helpless']
  readonly onlyRead: SearchOptions['onlyRead']
  readonly opened: SearchOptions['opened']
  resolve(answer: Answer | undefined): void
  reject(error: Error): void
}

export interface SearchOptions {
  /** Shared memory: becomes 1 when nobody waits for the response any more. */
  readonly cancelled: Int32Array
  readonly weight: SearchWeight
  /** The point in time or scroll that the search reads. */
  readonly context?: SearchContext
  /** An idle thread that searches a part of the segments. */
  readonly helper?: Searcher | undefined
  /** Called if the helper did not speed up the search. */
  readonly helpless?: (() => void) | undefined
  /** Called if the search read computed values and computed none; the main thread then has these values. */
  readonly onlyRead?: (() => void) | undefined
  /** Called with the opened scroll, before the response. */
  readonly opened?: ((context: OpenedElsewhere) => void) | undefined
}

/** The thread was ended because one of its requests did not end. */
export class SearcherAbandoned extends Error {
  constructor() {
    super('the thread was ended')
    this.name = 'SearcherAbandoned'
  }
}

let lastNumber = 0
let lastShared = 0

export function startSearcher(start: SearcherStart): Worker {
  return startWorker('./searcher-thread', import.meta.url, { workerData: start, resourceLimits: threadLimits() })
}

export class Searcher {
  readonly #options: SearcherOptions
  readonly #worker: Worker
  readonly #number = ++lastNumber
  readonly #pending = new Map<number, Pending>()
  /** Searchers it has a port to, and the shared words of crews it helps. */
  readonly #peers = new Set<Searcher>()
  readonly #helping = new Set<Int32Array>()
  /** The newest view lent per shard, and all views not yet returned. */
  readonly #current = new Map<string, LentView>()
  readonly #onLoan = new Map<string, LentView[]>()
  /** Keys of the contexts lent to it. */
  readonly #contexts = new Set<string>()
  #known: MetadataState | undefined
  #knownSettings: FlatSettings | undefined
  #lastId = 0
  #costly = 0
  #closing = false

  constructor(options: SearcherOptions) {
    this.#options = options
    this.#worker = (options.startThread ?? startSearcher)(options.start)
    this.#worker.on('message', (message: FromSearcher) => this.#receive(message))
    this.#worker.on('error', (error) => this.#ended(error instanceof Error ? error.message : String(error)))
    this.#worker.on('exit', (code) => {
      options.onExit()
      this.#ended(`it ended with code ${code}`)
    })
    this.#worker.unref()
  }

  /** Number of running requests. */
  get load(): number {
    return this.#pending.size
  }

  /** Whether a small search would be answered soon: no costly search is running and few are queued. */
  get hasRoom(): boolean {
    return this.#costly === 0 && this.#pending.size < SMALL_WAITING_MAX
  }

  /** Undefined: the main thread has to answer the request. */
  search(incoming: IncomingRequest, shards: readonly ShardKey[], options: SearchOptions): Promise<Answer | undefined> {
    const { helper } = options
    if (helper === undefined) return this.#send('search', incoming, shards, options)
    this.#meet(helper)
    const words = newCrewWords()
    const request = ++lastShared
    const answered = this.#send('search', incoming, shards, options, { peer: helper.#number, request, words })
    helper.#help(incoming, shards, options.cancelled, { peer: this.#number, request, words })
    return answered
  }

  #help(incoming: IncomingRequest, shards: readonly ShardKey[], cancelled: Int32Array, crew: CrewOf): void {
    this.#helping.add(crew.words)
    const done = () => {
      this.#helping.delete(crew.words)
      endHelp(crew.words)
    }
    this.#send('help', incoming, shards, { weight: 'costly', cancelled }, crew).then(done, done)
  }

  /** Connects two searcher threads by a message channel. */
  #meet(other: Searcher): void {
    if (this.#peers.has(other)) return
    this.#peers.add(other)
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage({ kind: 'meet', peer: other.#number, port: port1 } satisfies ToSearcher, [port1])
    other.#worker.postMessage({ kind: 'meet', peer: this.#number, port: port2 } satisfies ToSearcher, [port2])
    other.#peers.add(this)
  }

  #send(
    kind: 'search' | 'help',
    incoming: IncomingRequest,
    shards: readonly ShardKey[],
    { weight, context, cancelled, helpless, onlyRead, opened }: SearchOptions,
    crew?: CrewOf,
  ): Promise<Answer | undefined> {
    const { state, transientSettings } = this.#options.node.metadata
    const changes = metadataChanges(this.#known, state)
    const settingsChanged = this.#knownSettings !== transientSettings
    this.#known = state
    this.#knownSettings = transientSettings
    const request: ForwardedSearch = {
      id: ++this.#lastId,
      method: incoming.method,
      uri: incoming.uri,
      headers: incoming.headers,
      body: new Uint8Array(incoming.body),
      access: incoming.access && carried(incoming.access, showsUsers(state.indices)),
      isOwn: incoming.isOwn,
      changes,
      transientSettings: settingsChanged ? transientSettings : undefined,
      views: this.#lend(shards),
      context: context && this.#lendContext(context),
      cancelled,
      lendsColumns: onlyRead !== undefined,
      crew,
    }
    if (this.#pending.size === 0) this.#worker.ref()
    if (weight === 'costly') this.#costly++
    return new Promise((resolve, reject) => {
      this.#pending.set(request.id, { weight, context, helpless, onlyRead, opened, resolve, reject })
      this.#post({ kind, request })
    })
  }

  forget(shardId: string): void {
    const reads = this.#current.delete(shardId) || this.#contexts.size > 0
    if (reads) this.#post({ kind: 'forget', shardId })
  }

  /** Whether the thread has read the context before. */
  knows({ key }: SearchContext): boolean {
    return this.#contexts.has(key)
  }

  endContext(key: string): void {
    if (this.#contexts.delete(key)) this.#post({ kind: 'end', context: key })
  }

  /**
   * Ends the thread whatever it does. Only for threads without views: a thread that ends while loading a section would
   * keep others waiting for it.
   */
  abandon(): void {
    if (this.#closing) return
    this.#endPending(new SearcherAbandoned())
    void this.#worker.terminate()
  }

  async close(): Promise<void> {
    this.#closing = true
    await this.#worker.terminate()
    this.#giveAllBack()
  }

  /** Views of the shards that the thread does not have yet. */
  #lend(shards: readonly ShardKey[]): Omit<LentView, 'release'>[] {
    const views: Omit<LentView, 'release'>[] = []
    for (const key of shards) {
      const lent = this.#options.lender.lendView(key)
      if (lent === undefined) continue
      const { shardId, folder, descriptor } = lent
      if (this.#current.get(shardId)?.descriptor === descriptor) {
        lent.release()
        continue
      }
      this.#current.set(shardId, lent)
      this.#noteLoan(lent)
      views.push({ shardId, folder, descriptor })
    }
    return views
  }

  #lendContext(context: SearchContext): ContextOnLoan {
    const progress = progressOf(context)
    if (this.#contexts.has(context.key)) return { lent: undefined, progress }
    this.#contexts.add(context.key)
    const { lent, views } = lendContext(context)
    for (const view of views) this.#noteLoan(view)
    return { lent, progress }
  }

  #noteLoan(lent: LentView): void {
    const loan = loanKey(lent.shardId, lent.descriptor.generation)
    this.#onLoan.set(loan, [...(this.#onLoan.get(loan) ?? []), lent])
  }

  #receive(message: FromSearcher): void {
    if (message.kind === 'log') {
      this.#options.log[message.level](message.message, message.fields)
      return
    }
    if (message.kind === 'released') {
      const loan = loanKey(message.shardId, message.generation)
      const [oldest, ...others] = this.#onLoan.get(loan) ?? []
      if (others.length === 0) this.#onLoan.delete(loan)
      else this.#onLoan.set(loan, others)
      oldest?.release()
      return
    }
    const pending = this.#pending.get(message.id)
    this.#pending.delete(message.id)
    if (pending?.weight === 'costly') this.#costly--
    if (this.#pending.size === 0) this.#worker.unref()
    this.#record(message.records)
    const { answer } = message
    if (message.helpless) pending?.helpless?.()
    if (message.columns.length > 0) {
      keepColumns(message.columns, this.#options.lender)
      pending?.onlyRead?.()
    }
    if (message.opened !== undefined) pending?.opened?.(message.opened)
    const { lending } = this.#options
    const { context } = pending ?? {}
    try {
      if (context !== undefined && message.contextUse !== undefined) lending.used(context, message.contextUse)
    } catch (error) {
      pending?.reject(error as Error)
      return
    }
    const page = context?.scroll?.position.page
    const onSent = page === undefined ? undefined : () => lending.answered(context!, page)
    if (answer !== undefined) answerMemoryOf(answer.body, (memory) => this.#giveBack(memory))
    pending?.resolve(answer === undefined ? undefined : { ...answer, body: lentBytes(answer.body), onSent })
  }

  #record(records: readonly SearchRecordOf[]): void {
    for (const { indexUuid, record, cache, filters, usage, slow, damage } of records) {
      if (damage !== undefined) {
        this.#options.node.searchStatistics.recordDamage(damage)
        continue
      }
      if (slow !== undefined) {
        this.#options.node.searchStatistics.recordSlow(slow)
        continue
      }
      const counters = this.#options.node.searchStatistics.of(indexUuid)
      if (record !== undefined) counters.record(record)
      if (cache !== undefined) counters.recordCache(cache)
      if (filters !== undefined) counters.recordFilters(filters)
      if (usage !== undefined) counters.recordUsage(usage)
    }
  }

  #giveBack(memory: ArrayBufferLike): void {
    if (!this.#closing) this.#post({ kind: 'memory', memory }, memory instanceof ArrayBuffer ? [memory] : [])
  }

  #post(message: ToSearcher, transfer: readonly ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, transfer)
  }

  #ended(reason: string): void {
    if (this.#closing) return
    this.#options.log.error('a searcher thread has stopped', { reason })
    this.#endPending(unavailableShards(`the searcher thread has stopped: ${reason}`))
  }

  #endPending(failure: Error): void {
    this.#closing = true
    for (const { reject } of this.#pending.values()) reject(failure)
    for (const words of this.#helping) endHelp(words)
    this.#pending.clear()
    this.#giveAllBack()
    this.#options.onEnd(this)
  }

  #giveAllBack(): void {
    for (const loans of this.#onLoan.values()) for (const loan of loans) loan.release()
    this.#onLoan.clear()
    this.#current.clear()
  }
}

const loanKey = (shardId: string, generation: number) => `${shardId}#${generation}`
