/**
 * `sort` in the target of a search, which Elasticsearch adds to the sort of the body. The rewrites change the sort of the body, so that they
 * need both there.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'

/** The request with the sort of its target, `text`. */
export function withTargetSort(request: JsonObject, text: string | undefined): JsonObject {
  if (text === undefined || text === '') return request
  const { sort: given = [] } = request
  return { ...request, sort: [...(Array.isArray(given) ? given : [given]), ...text.split(',').flatMap(itemOf)] }
}

/** `field`, `field:asc` or `field:desc`. Elasticsearch ignores a field with any other order. */
function itemOf(text: string): unknown[] {
  const colon = text.lastIndexOf(':')
  if (colon < 0) return [text]
  const order = text.slice(colon + 1)
  return order === 'asc' || order === 'desc' ? [{ [text.slice(0, colon)]: { order } }] : []
}
