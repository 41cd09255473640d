/**
 * The service behind `startSearch`: a search server that can be replaced by a fresh one while its socket stays open.
 *
 * `reset` and `restore` undo nothing. They replace the current node with another one, which is faster than deleting
 * indices. After the first reset, the next node is opened in advance.
 */
import { silentLog } from '../base/log.ts'
import type { Answer, IncomingRequest, RequestDispatcher } from '../http/dispatcher.ts'
import { type MemoryImage, SearchServer } from '../server/search-server.ts'
import { MovableClock } from './movable-clock.ts'
import type { RecordedRequest, SearchSnapshot, StartSearchOptions } from './types.ts'

export const MAX_CONTENT_BYTES = 100 * 1024 * 1024

/** Requests that change documents. Under `refresh: 'immediate'` the next read waits for a refresh. */
const WRITES = /\/(_doc|_create|_update|_bulk)(\/|\?|$)/
/** Requests that search and then change the documents found. */
const READS_AND_WRITES = /\/(_update_by_query|_delete_by_query|_reindex)(\/|\?|$)/

class Snapshot implements SearchSnapshot {
  readonly createdAt: Date
  readonly image: MemoryImage

  constructor(createdAt: Date, image: MemoryImage) {
    this.createdAt = createdAt
    this.image = image
  }
}

export class TestNode implements RequestDispatcher {
  readonly clock = new MovableClock(() => {
    this.#server?.node.openContexts.reap()
    void this.#server?.node.lifecycle.runDue()
  })
  readonly recorded: RecordedRequest[] = []
  /** Set once the socket listens; sniffing clients receive it. */
  publishedAddress: string | undefined
  readonly #options: StartSearchOptions
  #server: SearchServer | undefined
  #spare: Promise<SearchServer> | undefined
  #hasUnseenWrites = false

  private constructor(options: StartSearchOptions) {
    this.#options = options
  }

  static async open(options: StartSearchOptions): Promise<TestNode> {
    const node = new TestNode(options)
    node.#server = await node.#openServer()
    return node
  }

  dispatch(incoming: IncomingRequest): Answer | Promise<Answer> {
    const { refresh, record } = this.#options
    if (refresh !== 'immediate' && record !== true) return this.#server!.dispatcher.dispatch(incoming)
    return this.#observed(incoming)
  }

  async #observed(incoming: IncomingRequest): Promise<Answer> {
    const { method, uri } = incoming
    // Copied, because parsing may unescape the body in place.
    const body = this.#options.record === true ? incoming.body.toString('utf8') : ''
    const changes = method !== 'GET' && method !== 'HEAD'
    const isWrite = changes && WRITES.test(uri)
    if (this.#options.refresh === 'immediate' && !isWrite) await this.#showWrites()
    const answer = await this.#server!.dispatcher.dispatch(incoming)
    if (isWrite || (changes && READS_AND_WRITES.test(uri))) this.#hasUnseenWrites = true
    if (this.#options.record === true) this.recorded.push({ method, path: uri, body, status: answer.status })
    return answer
  }

  async #showWrites(): Promise<void> {
    if (!this.#hasUnseenWrites) return
    this.#hasUnseenWrites = false
    await this.#server!.node.operations.refresh([], {})
  }

  async reset(): Promise<void> {
    this.#needMemory('reset')
    const next = await (this.#spare ?? this.#openServer())
    this.#spare = undefined
    this.recorded.length = 0
    this.clock.reset()
    this.#replace(next)
    setImmediate(() => {
      if (this.#server === next) this.#spare ??= this.#openServer()
    })
  }

  async snapshot(): Promise<SearchSnapshot> {
    this.#needMemory('snapshot')
    return new Snapshot(this.clock.now(), await this.#server!.copyMemory())
  }

  async restore(snapshot: SearchSnapshot): Promise<void> {
    this.#needMemory('restore')
    if (!(snapshot instanceof Snapshot)) throw new Error('restore needs the result of snapshot()')
    this.#replace(await this.#openServer(snapshot.image))
  }

  async stop(): Promise<void> {
    const [server, spare] = [this.#server, this.#spare]
    this.#server = undefined
    await Promise.all([server?.stop(), spare?.then((opened) => opened.stop())])
  }

  #replace(next: SearchServer): void {
    const previous = this.#server
    this.#server = next
    this.#hasUnseenWrites = false
    void previous?.stop()
  }

  #needMemory(method: string): void {
    if (this.#options.dataFolder !== undefined)
      throw new Error(`${method}() needs a node in memory: leave out dataFolder`)
  }

  #openServer(image?: MemoryImage): Promise<SearchServer> {
    return SearchServer.open({
      dataFolder: this.#options.dataFolder,
      threads: 0,
      maxContentBytes: MAX_CONTENT_BYTES,
      strictMediaTypes: false,
      errorHelp: this.#options.errorHelp,
      reindexRemoteWhitelist: this.#options.reindexRemoteWhitelist,
      log: silentLog,
      clock: this.clock,
      publishedAddress: () => this.publishedAddress,
      image,
      ...(this.#options.refresh === 'manual' ? { defaultIndexSettings: { 'index.refresh_interval': '-1' } } : {}),
    })
  }
}
