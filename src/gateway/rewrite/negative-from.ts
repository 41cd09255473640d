/** `from: -1` beside `search_after`, which means 0 and which OpenSearch refuses. */
import type { Rewrite } from './search-rewrite.ts'

export const negativeFrom: Rewrite = (request, scope) => {
  if (request['search_after'] === undefined) return undefined
  const isInTarget = Number(scope.parameter('from')) === -1
  if (request['from'] !== -1 && !isInTarget) return undefined
  const { from: _, ...rest } = request
  return { request: request['from'] === -1 ? rest : request, parameters: isInTarget ? { from: '0' } : {} }
}
