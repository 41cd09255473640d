/** The errors of a request that the cluster did not answer. */
import { ApiError } from '../../base/api-error.ts'

/** The exchange with one node failed. */
export class ExchangeFailed extends Error {
  /** Whether the node may have received the request: bytes of it were handed to a connection that was open. */
  readonly wasSent: boolean
  /**
   * Whether a connection that had served before ended without a byte of an answer. Nodes and load balancers close idle
   * connections, so that this says nothing about the node.
   */
  readonly wasIdle: boolean

  constructor(reason: string, wasSent: boolean, wasIdle = false) {
    super(reason)
    this.wasSent = wasSent
    this.wasIdle = wasIdle
  }
}

/** The client disconnected; nobody reads the answer. */
export class ClientGone extends Error {}

/** No node of the cluster answers. */
export class NoLivingNodes extends ApiError {
  constructor(sinceMs: number, last: string) {
    super(
      503,
      'no_living_connections',
      `no node of the cluster answers since ${new Date(sinceMs).toISOString()}: ${last}`,
    )
  }
}

/** A write whose outcome is unknown. It is not repeated, because it may have happened. */
export const writeOutcomeUnknown = (node: string, reason: string): ApiError =>
  new ApiError(
    502,
    'write_outcome_unknown_exception',
    `the connection to the node [${node}] broke before it answered (${reason}); the write may have happened`,
  )

/** A read failed on two nodes. */
export const readFailed = (node: string, reason: string): ApiError =>
  new ApiError(502, 'node_disconnected_exception', `the node [${node}] did not answer: ${reason}`)

/** More requests than the gateway sends to the cluster at the same time. */
export const tooManyRequests = (what: string): ApiError =>
  new ApiError(429, 'es_rejected_execution_exception', `rejected by the gateway: ${what}`)
