/**
 * The writes that a client may make to a name. It is called once per name of a bulk request, before anything is
 * created.
 */
import type { ApiErrorData } from '../../base/api-error.ts'

export type WriteKind = 'index' | 'create' | 'update' | 'delete'

export interface WriteDecision {
  /** The error if no write is allowed. */
  readonly error?: ApiErrorData | undefined
  /** The errors for the kinds of writes that are not allowed. */
  readonly refused?: Partial<Record<WriteKind, ApiErrorData>> | undefined
}

/** `isMissing`: the name does not exist, and the write would create it. */
export type WriteAuthorization = (name: string, isMissing: boolean, isDelete: boolean) => WriteDecision
