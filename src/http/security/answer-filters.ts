/**
 * Responses with more than the caller may see: aliases of an index, fields of a mapping, and contexts of other callers
 * are removed from them.
 */
import { newMembers } from '../../base/json/members.ts'
import { decodeContextId } from '../../service/contexts/context-id.ts'
import { isVisibleField, limitsOfIndex, visibleMapping } from '../../service/limits/read-limits.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import type { Amendment } from '../admission.ts'
import type { GuardedRequest } from './guarded-request.ts'

/** Undefined for routes whose responses contain only what was authorized. */
export function amendmentFor(request: GuardedRequest): Amendment | undefined {
  const aliases = aliasAmendment(request)
  const fields = mappingAmendment(request)
  if (aliases === undefined || fields === undefined) return aliases ?? fields
  return (status, body) => fields(status, aliases(status, body).body)
}

function aliasAmendment(request: GuardedRequest): Amendment | undefined {
  const { caller, names, route } = request
  const [action] = route.access.actions
  if (action === undefined || !FILTERED.has(action) || request.incoming.method === 'HEAD') return undefined
  const access = caller.permission.index(action)
  if (access.coversAll || route.path.startsWith('/_cat')) return undefined
  const isVisible = (name: string) => names.has(access, name)
  if (action === 'indices:admin/resolve/index') return (status, body) => ({ status, body: resolved(body, isVisible) })
  const dropsEmpty = route.path.includes('{name}')
  return (status, body) => ({ status, body: withVisibleAliases(body, isVisible, dropsEmpty) })
}

const FILTERED: ReadonlySet<string> = new Set([
  'indices:admin/get',
  'indices:admin/aliases/get',
  'indices:admin/resolve/index',
])

type Json = Record<string, unknown>

function withVisibleAliases(body: unknown, isVisible: (name: string) => boolean, dropsEmpty: boolean): unknown {
  if (body === null || typeof body !== 'object') return body
  const shown: Json = newMembers()
  for (const [index, value] of Object.entries(body as Json)) {
    const { aliases } = (value ?? {}) as { aliases?: Json }
    if (aliases === undefined || aliases === null || typeof aliases !== 'object') {
      shown[index] = value
      continue
    }
    const visible = Object.fromEntries(Object.entries(aliases).filter(([name]) => isVisible(name)))
    if (dropsEmpty && Object.keys(visible).length === 0) continue
    shown[index] = { ...(value as Json), aliases: visible }
  }
  return { ...shown }
}

function resolved(body: unknown, isVisible: (name: string) => boolean): unknown {
  const { indices, ...rest } = body as { indices?: Json[] }
  if (!Array.isArray(indices)) return body
  return {
    indices: indices.map(({ aliases, data_stream: stream, ...index }) => {
      const visible = Array.isArray(aliases) ? (aliases as string[]).filter(isVisible) : []
      const { attributes, ...name } = index
      return {
        ...name,
        ...(visible.length === 0 ? {} : { aliases: visible }),
        attributes,
        ...(stream === undefined || !isVisible(stream as string) ? {} : { data_stream: stream }),
      }
    }),
    ...rest,
  }
}

const MAPPINGS: ReadonlySet<string> = new Set([
  'indices:admin/get',
  'indices:admin/mappings/get',
  'indices:admin/mappings/fields/get',
])

/** Removes hidden fields from mappings. */
function mappingAmendment({ caller, limits, node, route, incoming }: GuardedRequest): Amendment | undefined {
  const [action] = route.access.actions
  if (!caller.permission.hasLimits || action === undefined || !MAPPINGS.has(action)) return undefined
  const own = incoming.method === 'HEAD' ? undefined : limits.of(caller, action)
  if (own === undefined) return undefined
  const isByField = action === 'indices:admin/mappings/fields/get'
  return (status, body) => {
    if (status !== 200) return { status, body }
    const shown: Json = newMembers()
    for (const [name, value] of Object.entries(body as Json)) {
      const index = node.state.index(name)
      const { mappings } = value as { mappings?: JsonObject }
      const limited = index === undefined ? undefined : limitsOfIndex(node.state, index, own)
      if (mappings === undefined || limited === undefined) shown[name] = value
      else if (!isByField) shown[name] = { ...(value as Json), mappings: visibleMapping(mappings, limited) }
      else {
        const visible = Object.entries(mappings).filter(([field]) => isVisibleField(field, limited))
        shown[name] = { ...(value as Json), mappings: Object.fromEntries(visible) }
      }
    }
    return { status, body: shown }
  }
}

/** Of the open contexts, those that the caller has opened. */
export function ownContexts({ caller, node }: GuardedRequest): Amendment {
  return (status, body) => {
    const { contexts } = body as { contexts?: { id: string }[] }
    if (status !== 200 || contexts === undefined) return { status, body }
    const own = contexts.filter(({ id }) => {
      const decoded = decodeContextId(id, 'pit') ?? decodeContextId(id, 'scroll')
      const context = decoded && node.openContexts.find(decoded.key)
      return context?.origin.owner === caller.identity
    })
    return { status, body: { total: own.length, contexts: own } }
  }
}
