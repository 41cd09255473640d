/** What the slow log shows of a request that searches, read from it only when the search was slow. */
import type { LogFields } from '../../../base/log.ts'
import type { SearchOrigin } from '../../../service/slow-log/slow-search.ts'
import type { HttpRequest } from '../../request.ts'
import { opaqueIdOf, requestIdOf } from '../../request-id.ts'

export class HttpSearchOrigin implements SearchOrigin {
  readonly body: Uint8Array | undefined
  readonly #request: HttpRequest

  constructor(body: Uint8Array | undefined, request: HttpRequest) {
    this.body = body
    this.#request = request
  }

  get opaqueId(): string | undefined {
    return opaqueIdOf(this.#request.headers)
  }

  get user(): LogFields | undefined {
    return this.#request.carriedAccess?.user
  }

  requestId(): string {
    return requestIdOf(this.#request.headers)
  }
}
