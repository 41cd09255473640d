/** The access data of an admitted request: its sender, and the checks for its items. */
import type { ApiError } from '../base/api-error.ts'
import type { LogFields } from '../base/log.ts'
import type { Caller } from '../security/authorization/caller.ts'
import type { ReadLimits } from '../service/limits/read-limits.ts'
import type { WriteAuthorization } from '../service/shards/write-authorization.ts'

/** The part that is sent to other threads. */
export interface CarriedAccess {
  /** The owner of the contexts that the request opens and may use. */
  readonly identity: string
  /** The documents and fields that the request may read; undefined for all. */
  readonly limits?: ReadLimits | undefined
  /** The same for documents that a query refers to. */
  readonly lookupLimits?: ReadLimits | undefined
  /** Whether the caller may search some indices only. */
  readonly isRestricted?: boolean | undefined
  /** The caller in the words of the slow log. */
  readonly user?: LogFields | undefined
}

export interface RequestAccess extends CarriedAccess {
  readonly caller: Caller
  /** Returns the error if an item of a request may not read a name; undefined if it may. */
  readonly refuseItem?: ((name: string) => ApiError | undefined) | undefined
  /** Checks the items of a bulk request. */
  readonly writes?: WriteAuthorization | undefined
}

/** The part of the access data that is sent to other threads. `withUser` is false if no log shows the caller. */
export const carried = (access: CarriedAccess, withUser: boolean): CarriedAccess => ({
  identity: access.identity,
  limits: access.limits,
  lookupLimits: access.lookupLimits,
  isRestricted: access.isRestricted,
  user: withUser ? access.user : undefined,
})
