/**
 * Rewrites paths of Elasticsearch 7 with a mapping type to paths without one. Elasticsearch 8 still serves them to
 * clients that request compatibility with version 7. Every document has the type `_doc`, regardless of the path.
 */

export interface TypedPath {
  /** The path without the type. */
  readonly path: string
  /** The deprecation warning for the client. */
  readonly warning: string | undefined
  /** The request is about mappings and has a type in its path. */
  readonly mapping?: 'get' | 'put' | undefined
}

const DEPRECATED = '[types removal] Specifying types in'

const WRITE = `${DEPRECATED} document index requests is deprecated, use`

const SYNCED_FLUSH =
  'Synced flush is deprecated and will be removed in 8.0. Use flush at /_flush or /{index}/_flush instead.'

/** Endpoints after a type, with the text of the deprecation. */
const BEHIND_TYPE: Readonly<Record<string, string>> = {
  _search: 'search requests is deprecated.',
  _count: 'count requests is deprecated.',
  _msearch: 'multi search template requests is deprecated.',
  _bulk: 'bulk requests is deprecated.',
  _mget: 'multi get requests is deprecated.',
  _mtermvectors: 'multi term vector requests is deprecated.',
  _update_by_query: 'search requests is deprecated.',
  _delete_by_query: 'search requests is deprecated.',
  '_search/template': 'search template requests is deprecated.',
  '_msearch/template': 'multi search template requests is deprecated.',
  '_validate/query': 'validate query requests is deprecated.',
}

/** Endpoints after a type and an id. */
const BEHIND_ID: Readonly<Record<string, string>> = {
  _update: 'document update requests is deprecated, use the endpoint /{index}/_update/{id} instead.',
  _create:
    'document index requests is deprecated, use the typeless endpoints instead (/{index}/_doc/{id}, /{index}/_doc, or ' +
    '/{index}/_create/{id}).',
  _source: 'get_source and exist_source requests is deprecated.',
  _explain: 'explain requests is deprecated.',
  _termvectors: 'term vector requests is deprecated.',
}

/** Rewrites a path; undefined for a path without a type. */
export function typedPath(method: string, path: string): TypedPath | undefined {
  const parts = path.replace(/\/+$/, '').split('/').slice(1)
  if (/(?:^|\/)_flush\/synced$/.test(path)) return { path: path.slice(0, -'/synced'.length), warning: SYNCED_FLUSH }
  const mapping = mappingPath(method, parts)
  if (mapping !== undefined) return mapping
  const [index, type, third, ...rest] = parts
  if (index === undefined || index === '' || index.startsWith('_') || type === undefined) return undefined
  if (third === undefined) return method === 'POST' && isName(type) ? indexed(`/${index}/_doc`) : undefined
  const behind = [third, ...rest].join('/')
  if (isType(type) && Object.hasOwn(BEHIND_TYPE, behind)) {
    return { path: `/${index}/${behind}`, warning: `${DEPRECATED} ${BEHIND_TYPE[behind]}` }
  }
  if (isType(type) && rest.length === 1 && Object.hasOwn(BEHIND_ID, rest[0]!)) {
    return { path: `/${index}/${rest[0]}/${third}`, warning: `${DEPRECATED} ${BEHIND_ID[rest[0]!]}` }
  }
  if (rest.length > 0 || !isName(type) || third.startsWith('_')) return undefined
  const document = `/${index}/_doc/${third}`
  if (method === 'PUT' || method === 'POST') return indexed(document)
  if (method === 'DELETE') return { path: document, warning: `${WRITE} the /{index}/_doc/{id} endpoint instead.` }
  const warning = `${DEPRECATED} document get requests is deprecated, use the /{index}/_doc/{id} endpoint instead.`
  return { path: document, warning }
}

const isName = (type: string) => type !== '' && !type.startsWith('_')
/** `_doc` is also a type if an endpoint follows. */
const isType = (type: string) => isName(type) || type === '_doc'

const indexed = (path: string): TypedPath => ({
  path,
  warning: `${WRITE} the typeless endpoints instead (/{index}/_doc/{id}, /{index}/_doc, or /{index}/_create/{id}).`,
})

/** `/{index}/_mapping/{type}`, `/{index}/{type}/_mapping`, and both followed by `field/{name}`. */
function mappingPath(method: string, parts: readonly string[]): TypedPath | undefined {
  const at = parts.findIndex((part) => part === '_mapping' || part === '_mappings')
  if (at < 0 || at > 2) return undefined
  const inFront = parts.slice(0, at)
  const behind = parts.slice(at + 1)
  const field = behind.indexOf('field')
  const isTyped = inFront.length === 2 || (behind.length > 0 && field !== 0)
  if (!isTyped || behind.length > 3) return undefined
  const rest = field < 0 ? [] : behind.slice(field)
  const kind = method === 'PUT' || method === 'POST' ? 'put' : 'get'
  const what = rest.length > 0 ? 'get field mapping' : `${kind} mapping`
  return {
    path: `/${[...inFront.slice(0, 1), '_mapping', ...rest].join('/')}`,
    warning: `${DEPRECATED} ${what} request is deprecated. Use typeless api instead`,
    mapping: kind,
  }
}
