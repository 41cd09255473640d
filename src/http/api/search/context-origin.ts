/** The client that opened a context: its opaque id, its user agent, and the identity of the caller. */
import type { ContextOrigin } from '../../../service/contexts/search-context.ts'
import type { HttpRequest } from '../../request.ts'

export function contextOrigin({ headers, carriedAccess, isOwn }: HttpRequest): ContextOrigin {
  const opaqueId = headers['x-opaque-id']
  return {
    opaqueId: Array.isArray(opaqueId) ? opaqueId[0] : opaqueId,
    userAgent: headers['user-agent'],
    ...(carriedAccess === undefined ? {} : { owner: carriedAccess.identity }),
    ...(isOwn ? { isOwn } : {}),
  }
}
