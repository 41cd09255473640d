/**
 * The shards in a writer thread. The thread starts with the first shard, so that a service without indices stays small.
 * If it stops unexpectedly, its running requests fail and another thread takes its place: it recovers the shards from their
 * files, where every acknowledged write is in the log. Until then their requests are refused.
 */
import type { Worker } from 'node:worker_threads'
import { type ApiError, unavailableShards } from '../../base/api-error.ts'
import { shardFailed } from '../../base/errors/shard-errors.ts'
import { type Log, silentLog } from '../../base/log.ts'
import { keepBodyMemory } from '../../base/memory/body-memory.ts'
import { breakers } from '../../base/memory/process-memory.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import type { Arena } from '../../engine/memory/arena.ts'
import { releaseOwner } from '../../engine/segment/section-table.ts'
import type { IngestDefinitions, IngestHost } from '../../service/ingest/run/definitions.ts'
import type { FlatSettings } from '../../service/metadata/metadata.ts'
import type {
  BulkAnswer,
  BulkRequest,
  ForceMergeOptions,
  GetAnswer,
  GetRequest,
  HeldView,
  HistoryHost,
  MainCallbacks,
  SegmentInfo,
  ShardConfig,
  ShardHost,
  ShardKey,
  ShardStats,
  ViewKeeper,
  ViewLender,
  WriteAnswer,
  WriteRequest,
} from '../../service/shards/shard-host.ts'
import { shardIdOf } from '../../service/shards/shard-id.ts'
import { IndexNames } from '../lending/index-names.ts'
import { RemoteViews } from '../lending/remote-views.ts'
import { isDocumentReply, packGet, packWrite, unpackReply } from './document-messages.ts'
import { RestartPolicy } from './restart-policy.ts'
import {
  type Outcome,
  ownBytes,
  packError,
  type ToMain,
  type ToWriter,
  unpackError,
  WRITER_OWNER,
  type WriterMethod,
  type WriterStart,
} from './thread-messages.ts'
import { startWriter } from './writer-start.ts'

export interface ThreadHostOptions {
  readonly arena: Arena
  readonly callbacks: MainCallbacks
  readonly log?: Log | undefined
  /** Starts the thread in place of `startWriter`. */
  readonly startThread?: ((start: WriterStart) => Worker) | undefined
  readonly restarts?: RestartPolicy | undefined
  /** Called when the thread has died so often that it is not started again. */
  readonly onGivenUp?: ((reason: string) => void) | undefined
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
}

/** How often the writer is notified that a shard is searched. Shards without searches stop refreshing. */
const SEARCH_NOTE_MS = 1000

export class ThreadHost implements ShardHost {
  readonly #options: ThreadHostOptions
  readonly #log: Log
  readonly #views: RemoteViews
  readonly #pending = new Map<number, Pending>()
  readonly #restarts: RestartPolicy
  /** The shards that are open, or would be if the thread had not died. */
  readonly #open = new Map<string, ShardKey>()
  readonly #names = new IndexNames()
  /** Shards of a thread that has died, until its successor has opened them. */
  readonly #recovering = new Set<string>()
  /** The last notification per shard, and the promise of its reply. */
  readonly #searchNotes = new Map<string, { readonly atMs: number; pending: Promise<void> | undefined }>()
  readonly #closedListeners: ((shardId: string) => void)[] = []
  #worker: Worker | undefined
  #lastId = 0
  /** There is no thread: what requests are answered with. */
  #failure: ApiError | undefined
  /** Resolves when the shards of a thread that has died are open again, or there will be no other thread. */
  #recovery: Promise<void> | undefined
  #closing = false
  /** The pipelines, for a thread that is not there yet. */
  #ingestDefinitions: IngestDefinitions | undefined

  constructor(options: ThreadHostOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    this.#restarts = options.restarts ?? new RestartPolicy()
    const giveBack = (shardId: string, generation: number) => this.#post({ kind: 'releaseView', shardId, generation })
    this.#views = new RemoteViews(options.arena, giveBack, (indexUuid) => this.#names.of(indexUuid))
  }

  get lender(): ViewLender {
    return {
      arena: this.#options.arena,
      lendView: (key) => (this.#recovering.has(shardIdOf(key)) ? undefined : this.#views.lend(key)),
      docCount: (key) => this.#views.docCount(key),
      segment: (name) => this.#views.segment(name),
      onClosed: (listener) => this.#closedListeners.push(listener),
    }
  }

  /** Why requests are refused at the moment; undefined if they are not. */
  get trouble(): string | undefined {
    if (this.#failure !== undefined) return this.#failure.message
    if (this.#recovering.size === 0) return undefined
    const shards = this.#recovering.size === 1 ? '1 shard' : `${this.#recovering.size} shards`
    return `the writer thread was started again and has ${shards} to recover`
  }

  async openShard(config: ShardConfig): Promise<void> {
    this.#names.record(config.indexUuid, config.indexName)
    await this.#recovery
    const shardId = shardIdOf(config)
    this.#open.set(shardId, { indexUuid: config.indexUuid, shard: config.shard })
    try {
      await this.#call('openShard', [config])
    } catch (error) {
      // The successor of a thread that died opens the shard; no thread opens one whose files are damaged.
      if (!this.#recovering.has(shardId)) this.#open.delete(shardId)
      throw error
    }
  }

  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    await this.#recovery
    const shardId = shardIdOf(key)
    this.#open.delete(shardId)
    this.#recovering.delete(shardId)
    this.#searchNotes.delete(shardId)
    this.#views.forget(key)
    for (const listener of this.#closedListeners) listener(shardId)
    const worker = this.#worker
    try {
      await this.#call('closeShard', [key, deleteFiles])
    } catch (error) {
      // The thread died meanwhile, and with it whatever used the files.
      if (worker === this.#worker) throw error
    }
  }

  async setMapping(indexUuid: string, mapping: MappingJson, version: number): Promise<void> {
    if (this.#worker !== undefined) await this.#call('setMapping', [indexUuid, mapping, version])
  }

  async setSettings(indexUuid: string, settings: FlatSettings): Promise<void> {
    if (this.#worker !== undefined) await this.#call('setSettings', [indexUuid, settings])
  }

  write(request: WriteRequest): Promise<WriteAnswer> {
    const id = ++this.#lastId
    const tuple = packWrite(id, request)
    if (tuple !== undefined) return this.#send(id, tuple)
    const source = request.source === undefined ? undefined : ownBytes(request.source)
    const transfer = source === undefined || source.length === 0 ? [] : [source.buffer as ArrayBuffer]
    return this.#send(id, { kind: 'call', id, method: 'write', args: [{ ...request, source }] }, transfer)
  }

  async bulk(request: BulkRequest): Promise<BulkAnswer> {
    const body = ownBytes(request.body)
    return await this.#call<BulkAnswer>('bulk', [{ ...request, body }], [body.buffer as ArrayBuffer])
  }

  get(request: GetRequest): Promise<GetAnswer | undefined> {
    const id = ++this.#lastId
    return this.#send(id, packGet(id, request) ?? { kind: 'call', id, method: 'get', args: [request] })
  }

  async refresh(key: ShardKey): Promise<void> {
    await this.#call('refresh', [key])
  }

  async flush(key: ShardKey, force: boolean): Promise<void> {
    await this.#call('flush', [key, force])
  }

  async forceMerge(key: ShardKey, options: ForceMergeOptions): Promise<void> {
    await this.#call('forceMerge', [key, options])
  }

  async stats(key: ShardKey): Promise<ShardStats> {
    return await this.#call<ShardStats>('stats', [key])
  }

  async segments(key: ShardKey): Promise<readonly SegmentInfo[]> {
    return await this.#call<readonly SegmentInfo[]>('segments', [key])
  }

  searchStarts(key: ShardKey): Promise<void> | undefined {
    const shardId = shardIdOf(key)
    const nowMs = Date.now()
    const last = this.#searchNotes.get(shardId)
    // Another search may have triggered the refresh a moment ago; this one waits for it too.
    if (last !== undefined && nowMs - last.atMs < SEARCH_NOTE_MS) return last.pending
    const note = { atMs: nowMs, pending: undefined as Promise<void> | undefined }
    note.pending = this.#call('noteSearch', [key]).finally(() => {
      note.pending = undefined
    })
    this.#searchNotes.set(shardId, note)
    return note.pending
  }

  holdView(key: ShardKey): HeldView {
    this.#assertThere(key)
    return this.#views.hold(key)
  }

  get ingest(): IngestHost {
    return {
      define: async (definitions) => {
        this.#ingestDefinitions = definitions
        if (this.#worker !== undefined) await this.#call('defineIngest', [definitions])
      },
      run: (request) => this.#call('runIngest', [{ ...request, source: ownBytes(request.source) }]),
      simulate: (request) => this.#call('simulateIngest', [{ ...request, body: ownBytes(request.body) }]),
      stats: () => this.#call('ingestStats', []),
    }
  }

  failShard(key: ShardKey, reason: string): void {
    // Without its thread the shard has failed already.
    void this.#call('failShard', [key, reason]).catch(() => {})
  }

  get keeper(): ViewKeeper {
    return {
      lease: (key) => {
        this.#assertThere(key)
        return this.#views.lease(key)
      },
      keep: ({ key, generation }) => this.#call<string | undefined>('keepView', [key, generation]),
      drop: (key, name) => this.#call('dropView', [key, name]),
      reopen: async (key, name) => {
        await this.#call('reopenView', [key, name])
        return this.#views.reopened(key, name)
      },
      dropUnclaimed: (key) => this.#call('dropUnclaimedViews', [key]),
    }
  }

  get history(): HistoryHost {
    return {
      lease: (...args) => this.#call('leaseHistory', args),
      release: (...args) => this.#call('releaseHistory', args),
      read: (...args) => this.#call('readHistory', args),
    }
  }

  async close(): Promise<void> {
    this.#closing = true
    this.#restarts.stop()
    const worker = this.#worker
    if (worker === undefined || this.#failure !== undefined) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    // A thread that dies while it closes has nothing left to lose: its log is on disk.
    await Promise.race([this.#call('close', []), exited])
    await exited
  }

  #call<T = void>(method: WriterMethod, args: readonly unknown[], transfer?: ArrayBuffer[]): Promise<T> {
    const id = ++this.#lastId
    return this.#send(id, { kind: 'call', id, method, args }, transfer)
  }

  #send<T>(id: number, message: ToWriter, transfer?: ArrayBuffer[]): Promise<T> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (this.#worker === undefined) {
      this.#worker = this.#start()
      if (this.#ingestDefinitions !== undefined) void this.#call('defineIngest', [this.#ingestDefinitions])
    }
    return new Promise<T>((resolve, reject) => {
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject })
      this.#worker!.postMessage(message, transfer)
    })
  }

  #post(message: ToWriter): void {
    if (this.#failure === undefined) this.#worker?.postMessage(message)
  }

  #start(): Worker {
    const { arena } = this.#options
    const start: WriterStart = {
      memory: arena.memory,
      arenaBytes: arena.limitBytes,
      breakers: breakers().share(),
      lastGeneration: this.#views.lastGeneration,
    }
    const worker = (this.#options.startThread ?? startWriter)(start)
    let problem: string | undefined
    worker.on('message', (message: ToMain) => this.#receive(message))
    worker.on('error', (error) => {
      problem = error instanceof Error ? error.message : String(error)
    })
    // Only now nothing of the thread runs any more, neither its merges nor its writes.
    worker.on('exit', (code) => {
      breakers().releaseThread(start.breakers)
      this.#stopped(problem ?? `it ended with code ${code}`)
    })
    return worker
  }

  #receive(message: ToMain): void {
    if (isDocumentReply(message)) {
      this.#takePending(message[1])?.resolve(unpackReply(message))
      return
    }
    switch (message.kind) {
      case 'answer': {
        const pending = this.#takePending(message.id)
        if (message.body !== undefined) keepBodyMemory(message.body)
        if ('error' in message.outcome) pending?.reject(unpackError(message.outcome.error))
        else pending?.resolve(message.outcome.value)
        return
      }
      case 'ask':
        void this.#reply(message)
        return
      case 'view':
        this.#views.publish(message.shardId, message.folder, message.view, message.kept)
        return
      case 'log':
        this.#log[message.level](message.message, message.fields)
        return
      case 'shardFailed':
        this.#options.callbacks.shardFailed(message.key, message.reason)
    }
  }

  #takePending(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  async #reply({ id, name, args }: Extract<ToMain, { kind: 'ask' }>): Promise<void> {
    const { callbacks } = this.#options
    let outcome: Outcome
    try {
      outcome = { value: await (callbacks[name] as (...args: unknown[]) => unknown).apply(callbacks, [...args]) }
    } catch (error) {
      outcome = { error: packError(error) }
    }
    this.#post({ kind: 'reply', id, outcome })
  }

  #assertThere(key: ShardKey): void {
    if (this.#failure !== undefined) throw this.#failure
    if (!this.#recovering.has(shardIdOf(key))) return
    throw shardFailed({ index: this.#names.of(key.indexUuid) ?? key.indexUuid, ...key }, 'it is being recovered')
  }

  #stopped(reason: string): void {
    this.#failure = unavailableShards(`the writer thread has stopped: ${reason}`)
    this.#worker = undefined
    const running = [...this.#pending.values()]
    this.#pending.clear()
    for (const pending of running) pending.reject(this.#failure)
    if (this.#closing) return
    this.#log.error('the writer thread has stopped', { reason })
    releaseOwner(this.#options.arena, WRITER_OWNER)
    for (const [shardId, key] of this.#open) {
      this.#recovering.add(shardId)
      this.#options.callbacks.shardFailed(key, this.#failure.message)
    }
    this.#recovery ??= this.#recover().finally(() => {
      this.#recovery = undefined
    })
  }

  /** Starts threads until one has opened all shards. */
  async #recover(): Promise<void> {
    while (this.#failure !== undefined && !this.#closing) {
      const { message } = this.#failure
      if (!(await this.#restarts.next())) {
        if (!this.#closing) this.#giveUp(message)
        return
      }
      if (this.#closing) return
      this.#failure = undefined
      await Promise.all([...this.#recovering].map((shardId) => this.#openAgain(shardId)))
    }
  }

  async #openAgain(shardId: string): Promise<void> {
    const key = this.#open.get(shardId)
    const config = key && this.#options.callbacks.shardConfig(key)
    if (key === undefined || config === undefined) {
      this.#recovering.delete(shardId)
      return
    }
    try {
      await this.#call('openShard', [{ ...config, firstSegment: this.#views.firstFreeSegment(key) }])
      this.#recovering.delete(shardId)
      this.#options.callbacks.shardRecovered(key)
    } catch (error) {
      // The next thread tries again.
      if (this.#failure !== undefined) return
      this.#recovering.delete(shardId)
      this.#open.delete(shardId)
      this.#options.callbacks.shardFailed(key, (error as Error).message)
    }
  }

  #giveUp(reason: string): void {
    this.#failure = unavailableShards(`${reason}; it died too often and is not started again`)
    this.#log.error('the writer thread died too often and is not started again', { reason })
    this.#options.onGivenUp?.(reason)
  }
}
