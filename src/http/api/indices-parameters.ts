/** The parameters that say how a list of index names is read; nearly every endpoint takes them. */
import type { IndicesParameters } from '../../service/names/indices-options.ts'
import type { HttpRequest } from '../request.ts'

/** `a,b` of the path parameter `index`; nothing there means all. */
export function indexExpressions(request: HttpRequest): string[] {
  const text = request.param('index')
  return text === undefined || text === '' ? [] : text.split(',')
}

export function indicesParameters({ query }: HttpRequest): IndicesParameters {
  // `ignore_throttled` has no effect, because nothing is throttled here. A malformed value is still refused.
  query.strictBoolean('ignore_throttled')
  return {
    ignoreUnavailable: query.strictBoolean('ignore_unavailable'),
    allowNoIndices: query.strictBoolean('allow_no_indices'),
    expandWildcards: query.list('expand_wildcards'),
  }
}
