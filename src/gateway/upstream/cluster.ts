/**
 * The nodes of the cluster: chooses one for each request, repeats what may be repeated, and limits what is under way.
 *
 * A request that was not sent goes to the next node. A read on an idle connection that the node had closed is sent again
 * on a new connection. A read that failed while the gateway waited for the answer goes to one other node, and a read that
 * lost copies of shards with a node is sent again (lost-copies.ts). A write is never repeated: the response says that it
 * may have happened.
 */

import type { Log } from '../../base/log.ts'
import type { ClientPresence } from '../../http/client/client-presence.ts'
import { ClusterNode, type NodeState } from './cluster-node.ts'
import type { ConnectionSettings, UpstreamRequest } from './connection.ts'
import { repeatAfterMs } from './lost-copies.ts'
import type { UpstreamAnswer } from './response-reader.ts'
import {
  ClientGone,
  ExchangeFailed,
  NoLivingNodes,
  readFailed,
  tooManyRequests,
  writeOutcomeUnknown,
} from './upstream-errors.ts'

export interface ClusterOptions {
  readonly urls: readonly URL[]
  readonly connection: ConnectionSettings
  /** Headers of requests that the gateway sends for itself. */
  readonly ownHeaders: Readonly<Record<string, string>>
  readonly limits?: Partial<Limits> | undefined
  readonly log: Log
}

export interface Limits {
  /** Requests that a node gets at the same time. */
  readonly perNode: number
  /** Requests that wait for a free place. */
  readonly waiting: number
  /** Bytes of all request bodies under way. */
  readonly bytes: number
}

const LIMITS: Limits = { perNode: 128, waiting: 1_000, bytes: 256 * 1024 * 1024 }

/** Statuses of a node that cannot serve at the moment. Other nodes may. */
const UNAVAILABLE: ReadonlySet<number> = new Set([502, 503, 504])
/** A search that is too large is too large on every node. */
const TOO_MANY_BUCKETS = 'too_many_buckets_exception'

export class Cluster {
  readonly #options: ClusterOptions
  readonly #limits: Limits
  #nodes: ClusterNode[]
  #next = 0
  #bytes = 0
  #goneSinceMs: number | undefined
  readonly #waiting: (() => void)[] = []
  /** Called after a node failed, to look for others. */
  onFailure: (() => void) | undefined

  constructor(options: ClusterOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#nodes = options.urls.map((url) => this.#makeNode(url))
  }

  get nodes(): readonly NodeState[] {
    return this.#nodes.map((node) => node.state)
  }

  /** When the last node stopped answering; undefined while one answers. */
  get goneSinceMs(): number | undefined {
    return this.#goneSinceMs
  }

  get waiting(): number {
    return this.#waiting.length
  }

  /** Fails with an `ApiError` for the client, or with `ClientGone`. */
  async send(request: UpstreamRequest, isRead: boolean): Promise<UpstreamAnswer> {
    const bytes = request.body.length
    if (this.#bytes + bytes > this.#limits.bytes && this.#bytes > 0)
      throw tooManyRequests(`request bodies of more than [${this.#limits.bytes}] bytes are under way`)
    this.#bytes += bytes
    try {
      if (!isRead) return await this.#sendToAny(request, false)
      const startedMs = performance.now()
      for (let repeats = 0; ; repeats++) {
        const answer = await this.#sendToAny(request, true)
        const waitMs = repeatAfterMs(request, answer, repeats, performance.now() - startedMs)
        if (waitMs === undefined) return answer
        if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
        if (request.client?.isGone === true) throw new ClientGone()
      }
    } finally {
      this.#bytes -= bytes
    }
  }

  /** A request of the gateway itself. */
  ask(method: string, uri: string, body: Buffer | string = ''): Promise<UpstreamAnswer> {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body
    const headers = {
      ...this.#options.ownHeaders,
      ...(bytes.length === 0 ? {} : { 'content-type': 'application/json' }),
    }
    return this.send({ method, uri, headers, body: bytes }, method === 'GET' || method === 'HEAD')
  }

  /** Whether a node that is not in use answers at this address. */
  async answers(url: URL): Promise<boolean> {
    const node = this.#makeNode(url)
    try {
      const { ownHeaders: headers } = this.#options
      const { status } = await node.reserve().exchange({ method: 'HEAD', uri: '/', headers, body: Buffer.alloc(0) })
      return status < 500
    } catch {
      return false
    } finally {
      node.close()
    }
  }

  /** Uses these nodes from now on. Known ones keep their connections and their state. */
  useNodes(urls: readonly URL[]): void {
    const known = new Map(this.#nodes.map((node) => [node.url.href, node]))
    const next = urls.map((url) => {
      const node = known.get(url.href)
      known.delete(url.href)
      return node ?? this.#makeNode(url)
    })
    this.#nodes = next
    for (const node of known.values()) {
      // Requests under way on a node that left may still be answered.
      setTimeout(() => node.close(), node.requestsUnderWay === 0 ? 0 : LEFT_NODE_MS).unref()
    }
    this.#wake()
  }

  close(): void {
    for (const node of this.#nodes) node.close()
  }

  #makeNode(url: URL): ClusterNode {
    return new ClusterNode(url, this.#options.connection, this.#options.ownHeaders)
  }

  async #sendToAny(request: UpstreamRequest, isRead: boolean): Promise<UpstreamAnswer> {
    const tried: ClusterNode[] = []
    let unavailable: UpstreamAnswer | undefined
    let hasRepeated = false
    for (;;) {
      const node = this.#free(tried) ?? (await this.#choose(tried, request.client))
      if (node === undefined) {
        if (unavailable !== undefined) return unavailable
        throw new NoLivingNodes((this.#goneSinceMs ??= Date.now()), this.#lastFailure())
      }
      tried.push(node)
      try {
        const answer = await node.exchange(request)
        if (!isRead || hasRepeated || !isUnavailable(answer)) return answer
        unavailable = answer
        hasRepeated = true
      } catch (error) {
        if (!(error instanceof ExchangeFailed)) throw error
        if (error.wasIdle) {
          // The next request makes a new connection, which tells whether the node is there.
          node.closeIdle()
          if (isRead) {
            tried.pop()
            continue
          }
        } else this.#failed(node, error.message)
        if (!error.wasSent) continue
        if (!isRead) throw writeOutcomeUnknown(node.url.host, error.message)
        if (hasRepeated) throw readFailed(node.url.host, error.message)
        hasRepeated = true
      } finally {
        this.#wake()
      }
    }
  }

  #failed(node: ClusterNode, reason: string): void {
    const wasAlive = node.isAlive
    node.rest(
      reason,
      () => !this.#nodes.some((other) => other.isAlive),
      () => {
        this.#goneSinceMs = undefined
        this.#options.log.info('a node of the cluster answers again', { node: node.url.host })
        this.#wake()
      },
    )
    if (!wasAlive) return
    this.#options.log.warn('a node of the cluster does not answer', { node: node.url.host, reason })
    if (!this.#nodes.some((other) => other.isAlive)) this.#goneSinceMs ??= Date.now()
    this.onFailure?.()
  }

  #lastFailure(): string {
    return (
      this.#nodes.map(({ state }) => state.lastFailure).find((reason) => reason !== undefined) ?? 'no node is known'
    )
  }

  /** Waits for a slot at a node in use that was not tried, and reserves it. Undefined if there is no such node. */
  async #choose(tried: readonly ClusterNode[], client: ClientPresence | undefined): Promise<ClusterNode | undefined> {
    for (;;) {
      const node = this.#free(tried)
      if (node !== undefined || !this.#nodes.some((other) => other.isAlive && !tried.includes(other))) return node
      if (this.#waiting.length >= this.#limits.waiting)
        throw tooManyRequests(`[${this.#limits.waiting}] requests wait for the cluster`)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
      if (client?.isGone === true) {
        // The free place is for the next one that waits.
        this.#wake()
        throw new ClientGone()
      }
    }
  }

  /** Reserves a slot at the next node that was not tried. Undefined if none has one. */
  #free(tried: readonly ClusterNode[]): ClusterNode | undefined {
    const nodes = this.#nodes
    for (let i = 0; i < nodes.length; i++) {
      const at = (this.#next + i) % nodes.length
      const node = nodes[at]!
      if (!node.isAlive || node.requestsUnderWay >= this.#limits.perNode || tried.includes(node)) continue
      this.#next = at + 1
      return node.reserve()
    }
    return undefined
  }

  /** Lets a waiting request look for a node again. */
  #wake(): void {
    this.#waiting.shift()?.()
  }
}

/** How long a node that left the list may answer its last requests. */
const LEFT_NODE_MS = 30_000

function isUnavailable({ status, body }: UpstreamAnswer): boolean {
  return UNAVAILABLE.has(status) && !body.includes(TOO_MANY_BUCKETS)
}
