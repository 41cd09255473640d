/** Answers that tell names beside those that were asked for: aliases of an index are shown to those who may see the alias. */
import type { Amendment } from '../admission.ts'
import type { GuardedRequest } from './guarded-request.ts'

/** Undefined for routes whose answers hold nothing but what was authorized. */
export function amendmentFor(request: GuardedRequest): Amendment | undefined {
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
  const shown: Json = {}
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
  return shown
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
