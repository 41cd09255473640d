/** Which writes a client may make to a name. Asked once per name of a bulk request, before anything is created. */
import type { ApiErrorData } from '../../base/api-error.ts'

export type WriteKind = 'index' | 'create' | 'update' | 'delete'

export interface WriteDecision {
  /** Why nothing may be written. */
  readonly error?: ApiErrorData | undefined
  /** Why some kinds of writes are refused. */
  readonly refused?: Partial<Record<WriteKind, ApiErrorData>> | undefined
}

/** `isMissing`: the name stands for nothing yet, and the write would create it. */
export type WriteAuthorization = (name: string, isMissing: boolean, isDelete: boolean) => WriteDecision
