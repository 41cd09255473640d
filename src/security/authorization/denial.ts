/** The reason of a 403: the action, the caller, the index names, and the privileges that grant the action. */
import type { ApiError } from '../../base/api-error.ts'
import { forbidden } from '../model/security-errors.ts'
import { CLUSTER_PRIVILEGES, isClusterLevel } from '../privileges/cluster-privileges.ts'
import { INDEX_PRIVILEGES } from '../privileges/index-privileges.ts'
import { type Caller, describeCaller } from './caller.ts'
import { isRestricted } from './permission.ts'

/** `names` are the index names that were denied; empty for cluster actions and for requests without names. */
export function denied(caller: Caller, action: string, names: readonly string[] = [], without?: string): ApiError {
  const isCluster = isClusterLevel(action)
  const granting = (isCluster ? CLUSTER_PRIVILEGES : INDEX_PRIVILEGES)
    .granting(action)
    .filter((name) => name !== without)
  const hint =
    granting.length === 0
      ? ''
      : `, this action is granted by the ${isCluster ? 'cluster' : 'index'} privileges [${granting.join(',')}]`
  return forbidden(`action [${action}] is unauthorized for ${describeCaller(caller)}${where(names)}${hint}`)
}

function where(names: readonly string[]): string {
  const ordinary = names.filter((name) => !isRestricted(name))
  const restricted = names.filter(isRestricted)
  if (ordinary.length === 0 && restricted.length === 0) return ''
  if (restricted.length === 0) return ` on indices [${ordinary.join(',')}]`
  if (ordinary.length === 0) return ` on restricted indices [${restricted.join(',')}]`
  return ` on indices [${ordinary.join(',')}] and restricted indices [${restricted.join(',')}]`
}
