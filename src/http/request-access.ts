/** What a request that was let in carries on its way: who sent it, and the checks that its items are put to. */
import type { ApiError } from '../base/api-error.ts'
import type { Caller } from '../security/authorization/caller.ts'
import type { ReadLimits } from '../security/authorization/permission.ts'
import type { WriteAuthorization } from '../service/shards/write-authorization.ts'

/** The part that goes along to other threads. */
export interface CarriedAccess {
  /** Whose contexts the request opens and may use. */
  readonly identity: string
  /** Limits of reading by name of index; undefined when nothing is limited. */
  readonly limits?: Readonly<Record<string, ReadLimits>> | undefined
}

export interface RequestAccess extends CarriedAccess {
  readonly caller: Caller
  /** Why an item of a request may not read a name; undefined when it may. */
  readonly refuseItem?: ((name: string) => ApiError | undefined) | undefined
  /** Checks the items of a bulk request. */
  readonly writes?: WriteAuthorization | undefined
}

/** What threads are sent. */
export const carried = ({ identity, limits }: CarriedAccess): CarriedAccess => ({ identity, limits })
