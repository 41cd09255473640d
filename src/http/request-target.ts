/** The target of a request, taken apart and put together again with other names. */
import { newMembers } from '../base/json/members.ts'
import { percentDecode } from './percent-decoding.ts'
import type { Route, Routes } from './router.ts'

export interface Target {
  readonly path: string
  /** What follows the question mark; empty when there is none. */
  readonly query: string
}

export function splitTarget(uri: string): Target {
  const at = uri.indexOf('?')
  return at < 0 ? { path: uri, query: '' } : { path: uri.slice(0, at), query: uri.slice(at + 1) }
}

/**
 * Whether the path names one document, as in `/{index}/_doc/{id}`: these requests are the most frequent and cheapest, so
 * they skip checks that concern other paths.
 */
export function isDocumentPath(uri: string): boolean {
  const at = uri.indexOf('/_', 1)
  return at > 0 && uri.startsWith('/_doc/', at)
}

export const joinTarget = ({ path, query }: Target) => (query === '' ? path : `${path}?${query}`)

/** The path of a route with values in the places of its parameters. */
export function fillPath(pattern: string, values: Readonly<Record<string, string>>): string {
  return pattern.replace(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
}

/** The query string without some of its parameters. */
export function withoutParameters(query: string, names: readonly string[]): string {
  if (query === '') return ''
  return query
    .split('&')
    .filter((part) => !names.includes(parameterName(part)))
    .join('&')
}

function parameterName(part: string): string {
  const at = part.indexOf('=')
  const raw = at < 0 ? part : part.slice(0, at)
  try {
    return percentDecode(raw.replaceAll('+', ' '))
  } catch {
    return raw
  }
}

export function pathParameters(route: Route, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = newMembers()
  for (let i = 0; i < route.names.length; i++) params[route.names[i]!] = percentDecode(values[i]!)
  return { ...params }
}

/** The route that does the same for named indices as a route without names does for all. */
export function namedTwin(
  routes: Routes,
  method: string,
  path: string,
): { pattern: string; parameter: string } | undefined {
  const rest = path === '/' ? '' : path
  for (const [pattern, parameter] of [
    [`/{index}${rest}`, 'index'],
    [`${rest}/{index}`, 'index'],
    [`${rest}/{alias}`, 'alias'],
    // The older word for aliases has no form with an index.
    [rest.replace(/^\/_aliases$/, '/{index}/_alias'), 'index'],
    [rest.replace(/^(\/_data_stream)/, '$1/{name}'), 'name'],
  ] as const) {
    if (pattern !== rest && routes.added.has(`${method} ${pattern}`)) return { pattern, parameter }
  }
  return undefined
}
