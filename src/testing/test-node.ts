/**
 * The service behind `startSearch`: a search server that can be replaced by a fresh one while its socket stays open.
 *
 * `reset` and `restore` undo nothing. They replace the current node with another one, which is faster than deleting
 * indices. After the first reset, the next empty node is opened in advance; after a snapshot or a restore, a node with the
 * contents of that snapshot is.
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

/** A node that was opened in advance from `image`; undefined if that failed. */
interface PreparedNode {
  readonly image: MemoryImage
  readonly opening: Promise<SearchServer | undefined>
}

/** The wait before a node is prepared for the next `restore`, so that the request after this one is answered first. */
const PREPARE_AFTER_MS = 5

export class TestNode implements RequestDispatcher {
  readonly clock = new MovableClock(() => {
    void this.#discardPrepared()
    this.#server?.node.openContexts.reap()
    void this.#server?.node.lifecycle.runDue()
  })
  readonly recorded: RecordedRequest[] = []
  /** Set once the socket listens; sniffing clients receive it. */
  publishedAddress: string | undefined
  readonly #options: StartSearchOptions
  #server: SearchServer | undefined
  #spare: Promise<SearchServer> | undefined
  #prepared: PreparedNode | undefined
  #preparing: NodeJS.Timeout | undefined
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
    if (refresh !== 'immediate' && record !== true) return this.#running.dispatcher.dispatch(incoming)
    return this.#observed(incoming)
  }

  get #running(): SearchServer {
    if (this.#server === undefined) throw new Error('the search service was stopped')
    return this.#server
  }

  async #observed(incoming: IncomingRequest): Promise<Answer> {
    const { method, uri } = incoming
    // Copied, because parsing may unescape the body in place.
    const body = this.#options.record === true ? incoming.body.toString('utf8') : ''
    const changes = method !== 'GET' && method !== 'HEAD'
    const isWrite = changes && WRITES.test(uri)
    if (this.#options.refresh === 'immediate' && !isWrite) await this.#showWrites()
    const answer = await this.#running.dispatcher.dispatch(incoming)
    if (isWrite || (changes && READS_AND_WRITES.test(uri))) this.#hasUnseenWrites = true
    if (this.#options.record === true) this.recorded.push({ method, path: uri, body, status: answer.status })
    return answer
  }

  async #showWrites(): Promise<void> {
    if (!this.#hasUnseenWrites) return
    this.#hasUnseenWrites = false
    await this.#running.node.operations.refresh([], { expandWildcards: ['open', 'hidden'] })
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
    const image = await this.#running.copyMemory()
    this.#prepareLater(image)
    return new Snapshot(this.clock.now(), image)
  }

  async restore(snapshot: SearchSnapshot): Promise<void> {
    this.#needMemory('restore')
    if (!(snapshot instanceof Snapshot)) throw new Error('restore needs the result of snapshot()')
    const { image } = snapshot
    const prepared = this.#prepared?.image === image ? this.#prepared : undefined
    if (prepared !== undefined) this.#prepared = undefined
    this.#replace((await prepared?.opening) ?? (await this.#openServer(image)))
    this.#prepareLater(image)
  }

  async stop(): Promise<void> {
    const [server, spare] = [this.#server, this.#spare]
    this.#server = undefined
    clearTimeout(this.#preparing)
    await Promise.all([server?.stop(), spare?.then((opened) => opened.stop()), this.#discardPrepared()])
  }

  #replace(next: SearchServer): void {
    const previous = this.#server
    this.#server = next
    this.#hasUnseenWrites = false
    void previous?.stop()
  }

  /** Opens a node for the next restore of `image`. Only the last image has one. */
  #prepareLater(image: MemoryImage): void {
    clearTimeout(this.#preparing)
    this.#preparing = setTimeout(() => {
      if (this.#server === undefined || this.#prepared?.image === image) return
      void this.#discardPrepared()
      // A failure is reported by restore, which then opens the image itself.
      this.#prepared = { image, opening: this.#openServer(image).catch(() => undefined) }
    }, PREPARE_AFTER_MS)
    this.#preparing.unref()
  }

  /** A node whose clock was moved may have run lifecycles, so it no longer has the contents of its image. */
  async #discardPrepared(): Promise<void> {
    const prepared = this.#prepared
    this.#prepared = undefined
    await (await prepared?.opening)?.stop()
  }

  #needMemory(method: string): void {
    if (this.#server === undefined) throw new Error(`${method}() needs a running service; this one was stopped`)
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
