/**
 * The shards in a writer thread. The thread starts with the first shard, so that a service without indices stays small.
 * If it stops unexpectedly, running requests fail, and all its shards count as failed until the service restarts;
 * acknowledged writes are in the logs.
 */
import type { Worker } from 'node:worker_threads'
import { type ApiError, unavailableShards } from '../../base/api-error.ts'
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
  HostCallbacks,
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
  readonly callbacks: HostCallbacks
  readonly log?: Log | undefined
  /** Starts the thread in place of `startWriter`. */
  readonly startThread?: ((start: WriterStart) => Worker) | undefined
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
  readonly #open = new Map<string, ShardKey>()
  readonly #names = new IndexNames()
  /** The last notification per shard, and the promise of its reply. */
  readonly #searchNotes = new Map<string, { readonly atMs: number; pending: Promise<void> | undefined }>()
  readonly #closedListeners: ((shardId: string) => void)[] = []
  #worker: Worker | undefined
  #lastId = 0
  #failure: ApiError | undefined
  #closing = false
  /** The pipelines, for a thread that is not there yet. */
  #ingestDefinitions: IngestDefinitions | undefined

  constructor(options: ThreadHostOptions) {
    this.#options = options
    this.#log = options.log ?? silentLog
    const giveBack = (shardId: string, generation: number) => this.#post({ kind: 'releaseView', shardId, generation })
    this.#views = new RemoteViews(options.arena, giveBack, (indexUuid) => this.#names.of(indexUuid))
  }

  get lender(): ViewLender {
    return {
      arena: this.#options.arena,
      lendView: (key) => this.#views.lend(key),
      docCount: (key) => this.#views.docCount(key),
      segment: (name) => this.#views.segment(name),
      onClosed: (listener) => this.#closedListeners.push(listener),
    }
  }

  async openShard(config: ShardConfig): Promise<void> {
    this.#names.record(config.indexUuid, config.indexName)
    await this.#call('openShard', [config])
    this.#open.set(shardIdOf(config), { indexUuid: config.indexUuid, shard: config.shard })
  }

  async closeShard(key: ShardKey, deleteFiles: boolean): Promise<void> {
    this.#open.delete(shardIdOf(key))
    this.#searchNotes.delete(shardIdOf(key))
    this.#views.forget(key)
    for (const listener of this.#closedListeners) listener(shardIdOf(key))
    await this.#call('closeShard', [key, deleteFiles])
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
    if (this.#failure !== undefined) throw this.#failure
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
        if (this.#failure !== undefined) throw this.#failure
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
    const worker = this.#worker
    if (worker === undefined || this.#failure !== undefined) return
    const exited = new Promise((resolve) => worker.once('exit', resolve))
    await this.#call('close', [])
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
    }
    const worker = (this.#options.startThread ?? startWriter)(start)
    worker.on('message', (message: ToMain) => this.#receive(message))
    worker.on('error', (error) => this.#stopped(error instanceof Error ? error.message : String(error)))
    worker.on('exit', (code) => {
      if (!this.#closing) this.#stopped(`it ended with code ${code}`)
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

  #stopped(reason: string): void {
    if (this.#failure !== undefined) return
    this.#failure = unavailableShards(`the writer thread has stopped: ${reason}`)
    this.#log.error('the writer thread has stopped', { reason })
    releaseOwner(this.#options.arena, WRITER_OWNER)
    for (const pending of this.#pending.values()) pending.reject(this.#failure)
    this.#pending.clear()
    for (const key of this.#open.values()) this.#options.callbacks.shardFailed(key, this.#failure.message)
  }
}
