/** What the gate lets in: the request, perhaps with other names in it, and what is to be changed about its answer. */
import type { IncomingRequest } from './dispatcher.ts'

export interface Admission {
  readonly incoming: IncomingRequest
  /** Changes the answer, which is asked for as JSON. Absent for most requests. */
  readonly amend?: Amendment | undefined
}

export type Amendment = (status: number, body: unknown) => { readonly status: number; readonly body: unknown }

/** Decides who and what gets in. Throws or rejects with the error that is answered instead. */
export interface Gate {
  admit(incoming: IncomingRequest): Admission | Promise<Admission>
}
