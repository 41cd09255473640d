/** The parameters that control how index names are resolved. Nearly every endpoint has them. */
import type { IndicesParameters } from '../../service/names/indices-options.ts'
import type { HttpRequest } from '../request.ts'

/** The expressions of the path parameter `index`; empty means all. */
export function indexExpressions(request: HttpRequest): string[] {
  const text = request.param('index')
  return text === undefined || text === '' ? [] : text.split(',')
}

export function indicesParameters({ query }: HttpRequest): IndicesParameters {
  // `ignore_throttled` has no effect, because no index is throttled. A malformed value is still rejected.
  query.strictBoolean('ignore_throttled')
  return {
    ignoreUnavailable: query.strictBoolean('ignore_unavailable'),
    allowNoIndices: query.strictBoolean('allow_no_indices'),
    expandWildcards: query.list('expand_wildcards'),
  }
}
