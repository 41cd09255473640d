/**
 * Searches that were checked and planned, by their bytes. Applications repeat their searches, and both the check by the
 * shadow and the plan depend on nothing but the request and the metadata of the cluster. Searches that were refused are
 * not kept: the metadata is brought up to date before a refusal counts.
 */
import type { CompositeSource } from '../rewrite/composite-buckets.ts'
import type { PitId } from '../rewrite/pit-id.ts'
import type { RewrittenSearch } from '../rewrite/search-rewrite.ts'
import type { Exchange, JsonObject } from './exchange.ts'
import { GenerationCache } from './generation-cache.ts'

export interface PreparedSearch {
  /** The body as the client sent it, including the `sort` of the target; empty without either. */
  readonly request: JsonObject
  readonly pit: PitId | undefined
  /** Undefined when the request passes as it is. */
  readonly plan: RewrittenSearch | undefined
  /** The request that is sent to the cluster instead of that of the client. */
  readonly sent: { readonly uri: string; readonly body: Buffer } | undefined
  /** The search whose answer decides whether the request may be sent. */
  readonly probe: HistogramProbe | undefined
  /** Composite aggregations whose buckets may have to be counted again. */
  readonly recount?: Recount | undefined
}

export interface Recount {
  /** The request with the added aggregations that detect whether a recount is needed. */
  readonly request: JsonObject
  readonly composites: readonly Composite[]
}

/** A composite aggregation of a request. */
export interface Composite {
  /** The aggregations around it, outermost first. */
  readonly parents: readonly { readonly name: string; readonly kind: string; readonly options: unknown }[]
  readonly name: string
  readonly sources: readonly CompositeSource[]
  /** The aggregations below it. */
  readonly inner: JsonObject | undefined
}

/** A search that computes how many buckets the histograms of another search would have. */
export interface HistogramProbe {
  /** The number of buckets that is known without a request to the cluster; the largest of several. */
  readonly certain: number
  /** The aggregations of the probe; undefined if no request is necessary. */
  readonly aggs: JsonObject | undefined
  /** The number of buckets, computed from the answer. */
  count(aggregations: JsonObject): number
}

const BODY_BYTES_MAX = 4096

export class KnownRequests extends GenerationCache<PreparedSearch> {
  /** The key of a request; undefined for one that is too large to be kept. */
  keyOf({ incoming }: Exchange): string | undefined {
    const { method, uri, headers, body } = incoming
    if (body.length > BODY_BYTES_MAX) return undefined
    return `${method} ${uri}\n${headers['content-type'] ?? ''}\n${body.toString('latin1')}`
  }
}
