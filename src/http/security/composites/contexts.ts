/**
 * Scrolls belong to the caller who opened them. For other callers their ids are replaced by unknown ids, so that the
 * response is that for a missing context. Points in time can be used by everyone who has the id; their indices are
 * authorized with each search.
 */
import { denied } from '../../../security/authorization/denial.ts'
import { parseClearScrollBody, parseScrollBody } from '../../../service/contexts/context-bodies.ts'
import { decodeContextId, encodeContextId, newContextKey } from '../../../service/contexts/context-id.ts'
import type { GuardedRequest } from '../guarded-request.ts'
import { type Composite, nothingNamed } from './composite.ts'

export const scrollPage: Composite = {
  namesRefused: nothingNamed,
  admit(request) {
    const body = request.bodyBytes()
    const inBody = body === undefined ? undefined : parseScrollBody(body).scrollId
    const id = inBody ?? request.parameter('scroll_id')
    const own = id === undefined ? undefined : ownId(request, id)
    if (own === id) return { incoming: request.incoming }
    return {
      incoming: request.with({ path: '/_search/scroll', body: Buffer.from(JSON.stringify({ scroll_id: own })) }),
    }
  },
}

const CLEAR_ALL = 'cluster:admin/indices/scroll/clear_all'

export const clearScroll: Composite = {
  admit(request) {
    const body = request.bodyBytes()
    const ids = body === undefined ? (request.parameter('scroll_id')?.split(',') ?? []) : parseClearScrollBody(body)
    if (ids.includes('_all') && !request.caller.permission.allowsCluster(CLEAR_ALL))
      throw denied(request.caller, CLEAR_ALL)
    const own = ids.map((id) => ownId(request, id))
    if (own.every((id, i) => id === ids[i])) return { incoming: request.incoming }
    return {
      incoming: request.with({ path: '/_search/scroll', body: Buffer.from(JSON.stringify({ scroll_id: own })) }),
    }
  },
}

export const closePointInTime: Composite = { admit: ({ incoming }) => ({ incoming }) }

/** The id, or an unknown id if the scroll belongs to another caller. */
function ownId({ caller, node }: GuardedRequest, text: string): string {
  const id = decodeContextId(text, 'scroll')
  const context = id === undefined ? undefined : node.openContexts.find(id.key)
  if (id === undefined || context === undefined || context.origin.owner === caller.identity) return text
  return encodeContextId({ ...id, key: newContextKey() })
}
