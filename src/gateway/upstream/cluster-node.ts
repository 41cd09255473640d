/**
 * A node of the cluster: its idle connections, the requests under way, and whether it is in use. A node that fails rests
 * for 1 s, 2 s, … 60 s and must answer `HEAD /` before it is used again.
 */

import { Connection, type ConnectionSettings, type UpstreamRequest } from './connection.ts'
import type { UpstreamAnswer } from './response-reader.ts'

export interface NodeState {
  readonly url: string
  readonly isAlive: boolean
  readonly requestsUnderWay: number
  readonly requests: number
  readonly failures: number
  /** When the node stopped answering. */
  readonly restingSinceMs?: number | undefined
  readonly lastFailure?: string | undefined
}

const REST_MIN_MS = 1_000
const REST_MAX_MS = 60_000
const IDLE_MAX_MS = 60_000

export class ClusterNode {
  readonly url: URL
  readonly #settings: ConnectionSettings
  /** Headers that authenticate the gateway's own requests, which check whether the node is back. */
  readonly #headers: Readonly<Record<string, string>>
  readonly #idle: Connection[] = []
  readonly #open = new Set<Connection>()
  readonly #prefix: string
  #underWay = 0
  #requests = 0
  #failures = 0
  #failuresInSequence = 0
  #restingSinceMs: number | undefined
  #lastFailure: string | undefined
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(url: URL, settings: ConnectionSettings, headers: Readonly<Record<string, string>>) {
    this.url = url
    this.#settings = settings
    this.#headers = headers
    this.#prefix = url.pathname.replace(/\/+$/, '')
  }

  get isAlive(): boolean {
    return this.#restingSinceMs === undefined && !this.#isClosed
  }

  get requestsUnderWay(): number {
    return this.#underWay
  }

  get state(): NodeState {
    return {
      url: this.url.origin,
      isAlive: this.isAlive,
      requestsUnderWay: this.#underWay,
      requests: this.#requests,
      failures: this.#failures,
      restingSinceMs: this.#restingSinceMs,
      lastFailure: this.#lastFailure,
    }
  }

  /** Counts a request as under way before its exchange starts, so that the limit holds. */
  reserve(): this {
    this.#underWay++
    return this
  }

  /** Sends a request that `reserve` has counted. Fails with `ExchangeFailed` or `ClientGone`. */
  async exchange(request: UpstreamRequest): Promise<UpstreamAnswer> {
    this.#requests++
    let connection: Connection | undefined
    try {
      connection = this.#takeIdle() ?? (await this.#connect())
      const answer = await connection.exchange(this.#placed(request))
      this.#failuresInSequence = 0
      return answer
    } finally {
      this.#underWay--
      // A connection is open after an answer, and when the client left before anything was sent.
      if (connection?.isOpen === true && !this.#isClosed) this.#idle.push(connection)
      else connection?.close()
    }
  }

  /**
   * Takes the node out of use after a failure. `isLast` says whether any other node is in use: without one, the node is
   * asked every second, because everybody waits for it.
   */
  rest(reason: string, isLast: () => boolean, onBack: () => void): void {
    this.#failures++
    this.#lastFailure = reason
    if (this.#isClosed || this.#restingSinceMs !== undefined) return
    this.#restingSinceMs = Date.now()
    this.closeIdle()
    this.#askLater(isLast, onBack)
  }

  /** Closes the connections that wait for requests. */
  closeIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.close()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const connection of this.#open) connection.close()
  }

  #askLater(isLast: () => boolean, onBack: () => void): void {
    const restMs = Math.min(REST_MAX_MS, REST_MIN_MS * 2 ** this.#failuresInSequence)
    this.#failuresInSequence++
    this.#timer = setTimeout(() => void this.#ask(isLast, onBack), isLast() ? REST_MIN_MS : restMs)
    this.#timer.unref()
  }

  async #ask(isLast: () => boolean, onBack: () => void): Promise<void> {
    try {
      const connection = await this.#connect()
      const { status } = await connection.exchange({ method: 'HEAD', uri: '/', headers: this.#headers, body: EMPTY })
      if (status >= 500) throw new Error(`HEAD / answers ${status}`)
      if (this.#isClosed) return
      if (connection.isOpen) this.#idle.push(connection)
      this.#restingSinceMs = undefined
      this.#failuresInSequence = 0
      onBack()
    } catch (error) {
      if (this.#isClosed) return
      this.#lastFailure = (error as Error).message
      this.#askLater(isLast, onBack)
    }
  }

  #takeIdle(): Connection | undefined {
    const oldest = Date.now() - IDLE_MAX_MS
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return undefined
      if (connection.isOpen && connection.idleSinceMs >= oldest) return connection
      connection.close()
    }
  }

  async #connect(): Promise<Connection> {
    const connection = await Connection.open(this.url, this.#settings)
    this.#open.add(connection)
    connection.onClose(() => {
      this.#open.delete(connection)
      const at = this.#idle.indexOf(connection)
      if (at >= 0) this.#idle.splice(at, 1)
    })
    return connection
  }

  /** The path of the node's address comes before that of the request, for clusters behind a proxy. */
  #placed(request: UpstreamRequest): UpstreamRequest {
    const prefix = this.#prefix
    return prefix === '' ? request : { ...request, uri: `${prefix}${request.uri}` }
  }
}

const EMPTY = Buffer.alloc(0)
