/** Authorizes writes by index name and kind, for bulk requests and single documents. */

import { type ApiError, toErrorData } from '../../base/api-error.ts'
import { notWithLimits } from '../../base/errors/limit-errors.ts'
import type { Caller } from '../../security/authorization/caller.ts'
import { denied } from '../../security/authorization/denial.ts'
import type { WriteAuthorization, WriteKind } from '../../service/shards/write-authorization.ts'
import type { AuthorizedNames } from './authorized-names.ts'

const BULK_SHARD = 'indices:data/write/bulk[s]'
const AUTO_CREATE = 'indices:admin/auto_create'

const ACTIONS: Readonly<Record<WriteKind, string>> = {
  index: 'indices:data/write/index:op_type/index',
  create: 'indices:data/write/index:op_type/create',
  update: 'indices:data/write/update',
  delete: 'indices:data/write/delete',
}

const KINDS = Object.keys(ACTIONS) as WriteKind[]

/** The 403 of a write to a name; undefined if it is authorized. It uses the metadata of the moment of the write. */
export function refuseWrite(
  caller: Caller,
  names: AuthorizedNames,
  name: string,
  kind: WriteKind,
  isMissing: boolean,
): ApiError | undefined {
  const lacking = [...(isMissing && kind !== 'delete' ? [AUTO_CREATE] : []), BULK_SHARD, ACTIONS[kind]].find(
    (action) => !names.has(caller.permission.index(action), name),
  )
  return lacking === undefined ? undefined : denied(caller, lacking, [name])
}

/** `limited` says whether fields or documents of a name are limited for the caller. */
export function bulkWrites(
  caller: Caller,
  namesNow: () => AuthorizedNames,
  limited: (name: string) => boolean,
): WriteAuthorization {
  return (name, isMissing, isDelete) => {
    const names = namesNow()
    const refused: Partial<Record<WriteKind, ReturnType<typeof toErrorData>>> = {}
    for (const kind of KINDS) {
      const error = refuseWrite(caller, names, name, kind, isMissing)
      if (error !== undefined) refused[kind] = toErrorData(error)
    }
    if (refused.update === undefined && caller.permission.hasLimits && limited(name)) {
      refused.update = toErrorData(
        notWithLimits(
          "Can't execute a bulk item request with update requests embedded if field or document level security is enabled",
        ),
      )
    }
    const asked = isDelete ? (['delete'] as const) : (['index', 'create', 'update'] as const)
    // An index is not created for items that are all denied.
    const isRefused = asked.every((kind) => refused[kind] !== undefined)
    return isRefused ? { error: refused[asked[0]] } : { refused }
  }
}
