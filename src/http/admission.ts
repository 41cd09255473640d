/** The decision of the gate: the request, possibly with other index names, and the changes to its response. */
import type { IncomingRequest } from './dispatcher.ts'

export interface Admission {
  readonly incoming: IncomingRequest
  /** Changes the response, which is then requested as JSON. Absent for most requests. */
  readonly amend?: Amendment | undefined
}

export type Amendment = (status: number, body: unknown) => { readonly status: number; readonly body: unknown }

/** Authenticates and authorizes requests. Throws or rejects with the error for the client. */
export interface Gate {
  admit(incoming: IncomingRequest): Admission | Promise<Admission>
}
