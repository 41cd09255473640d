/** Requests that read several documents. Each item is authorized separately. */
import type { ApiError } from '../../../base/api-error.ts'
import { denied } from '../../../security/authorization/denial.ts'
import { resolveDateMath } from '../../../service/names/date-math-name.ts'
import type { GuardedRequest } from '../guarded-request.ts'
import { type Composite, nothingNamed } from './composite.ts'

export const multiGet = checkedPerItem('indices:data/read/mget[shard]')
export const multiTermVectors = checkedPerItem('indices:data/read/mtv[shard]')

function checkedPerItem(action: string): Composite {
  return {
    namesRefused: nothingNamed,
    admit(request) {
      const { caller, incoming } = request
      const access = caller.permission.index(action)
      if (access.coversAll) return { incoming }
      const refuseItem = (expression: string) => refuse(request, action, expression)
      return { incoming: { ...incoming, access: { ...incoming.access, refuseItem } } }
    },
  }
}

/** The body may name another index than the path. */
export const termVectors: Composite = {
  admit(request) {
    const { caller, incoming } = request
    const action = 'indices:data/read/tv'
    if (incoming.body.length === 0 && !request.query.has('source')) return undefined
    if (caller.permission.index(action).coversAll) return undefined
    const { _index: index } = (request.body() ?? {}) as { _index?: unknown }
    const refused = index === undefined ? undefined : refuse(request, action, String(index))
    if (refused !== undefined) throw refused
    return undefined
  },
}

function refuse({ caller, names, node }: GuardedRequest, action: string, expression: string): ApiError | undefined {
  const name = resolveDateMath(expression, node.indexContext.clock.nowMs())
  return names.has(caller.permission.index(action), name) ? undefined : denied(caller, action, [name])
}
