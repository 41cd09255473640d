/**
 * Requests that the node sends to itself through its own dispatcher, as a client would: they are parsed, routed to
 * threads and answered in the same way. Reindex and by-query operations use it.
 */

import type { IncomingHttpHeaders } from 'node:http'
import type { ApiClient, ApiReply } from '../base/api-client.ts'
import { borrowed, copyOfLent } from '../base/memory/lent-bytes.ts'
import type { PageClient } from '../service/by-query/by-query-run.ts'
import type { Script } from '../service/by-query/script-change.ts'
import type { HitPart } from '../service/shards/shard-host.ts'
import type { RequestDispatcher } from './dispatcher.ts'
import type { HttpRequest } from './request.ts'
import type { RequestAccess } from './request-access.ts'
import { inheritedHeaders } from './request-id.ts'

/** How bulk requests of by-query operations differ from those of clients. */
export interface BulkOptions {
  /** Rejects items for missing indices instead of creating the indices. */
  readonly existingOnly?: boolean
  /** The script that changes their documents. */
  readonly script?: (() => Script) | undefined
}

interface Sender extends BulkOptions {
  readonly access: RequestAccess | undefined
  readonly headers: IncomingHttpHeaders
  /** Scrolls of an operation that ends with the process need not outlive it. */
  readonly isOwn?: boolean
}

export class LocalApi implements ApiClient {
  #dispatcher: RequestDispatcher | undefined

  /** Connects the dispatcher, which is created from the routes, some of which need this API. */
  connect(dispatcher: RequestDispatcher): void {
    this.#dispatcher = dispatcher
  }

  send(method: string, path: string, body?: Uint8Array, signal?: AbortSignal): Promise<ApiReply> {
    return this.#send({ access: undefined, headers: {} }, method, path, body, signal)
  }

  /**
   * The API as the sender of a request may use it. Without access, requests are not authenticated and everybody may do
   * everything. Log lines have the ids of that request.
   */
  for({ access, headers }: Pick<HttpRequest, 'access' | 'headers'>, bulk: BulkOptions = {}): PageClient {
    const sender = { access, headers: inheritedHeaders(headers), isOwn: true, ...bulk }
    return {
      send: (method, path, body, signal) => this.#send(sender, method, path, body, signal),
      writeHits: (path, page, hits) => this.#send(sender, 'POST', path, page, undefined, hits),
    }
  }

  async #send(
    { access, headers, isOwn, existingOnly = false, script }: Sender,
    method: string,
    path: string,
    body: Uint8Array = EMPTY,
    signal: AbortSignal = new AbortController().signal,
    hits?: HitPart,
  ): Promise<ApiReply> {
    if (this.#dispatcher === undefined) throw new Error('the local API is not connected to a dispatcher')
    const isBulk = path.startsWith('/_bulk')
    const answer = await this.#dispatcher.dispatch({
      method,
      uri: path,
      headers: body.length === 0 ? headers : { ...headers, 'content-type': isBulk ? NDJSON : 'application/json' },
      body: Buffer.from(body.buffer, body.byteOffset, body.byteLength),
      signal: () => signal,
      access,
      bulk: isBulk ? { existingOnly, script: script?.(), hits } : undefined,
      isOwn,
    })
    // The memory of this response is given back by `onSent` only.
    const copy = answer.onSent === undefined ? borrowed(answer.body) : copyOfLent(answer.body)
    answer.onSent?.()
    return { status: answer.status, body: copy }
  }
}

const NDJSON = 'application/x-ndjson'
const EMPTY = new Uint8Array(0)
