/** Remembers requests by their bytes. */
import type { IncomingRequest } from '../../http/dispatcher.ts'

const REMEMBERED_MAX = 1_000

export class RememberedRequests {
  readonly #fingerprints = new Set<string>()

  add(request: IncomingRequest): void {
    if (this.#fingerprints.size >= REMEMBERED_MAX) this.#fingerprints.clear()
    this.#fingerprints.add(fingerprint(request))
  }

  has(request: IncomingRequest): boolean {
    return this.#fingerprints.size > 0 && this.#fingerprints.has(fingerprint(request))
  }
}

/** Pages of a composite aggregation differ only in `after` and cost the same. */
const AFTER = /"after"\s*:\s*\{[^{}]*\}/

const fingerprint = ({ uri, body }: IncomingRequest) => `${uri} ${body.toString('latin1').replace(AFTER, '')}`
