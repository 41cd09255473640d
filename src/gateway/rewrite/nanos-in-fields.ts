/** Dates with nanoseconds in `fields` and `docvalue_fields`: OpenSearch shows milliseconds unless the format says otherwise. */
import { namePattern } from '../../base/name-pattern.ts'
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import { changeHits } from './inner-hits.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const NANOS = 'strict_date_optional_time_nanos'

export const nanosInFields: Rewrite = (request, scope) => {
  const changed = changeHits(request, (hits) => withFormats(hits, scope))
  return changed === request ? undefined : { request: changed }
}

function withFormats(hits: JsonObject, scope: SearchScope): JsonObject {
  let changed = hits
  for (const member of ['fields', 'docvalue_fields']) {
    const given = hits[member]
    if (!Array.isArray(given)) continue
    const items = given.flatMap((item) => withFormat(item, scope))
    if (items.length > given.length || items.some((item, i) => item !== given[i]))
      changed = { ...changed, [member]: items }
  }
  return changed
}

/** The item, or the items that take its place. A later item takes precedence over a pattern. */
function withFormat(item: unknown, scope: SearchScope): unknown[] {
  const name = isObject(item) ? item['field'] : item
  if (typeof name !== 'string' || (isObject(item) && item['format'] !== undefined)) return [item]
  const options = isObject(item) ? item : {}
  const formatted = (field: string) => ({ ...options, field, format: NANOS })
  if (!name.includes('*')) return [isPlainNanos(name, scope) ? formatted(name) : item]
  const matches = namePattern(name)
  const matching = scope.fieldsOfType('date_nanos').filter((field) => matches(field) && isPlainNanos(field, scope))
  return [item, ...matching.map(formatted)]
}

function isPlainNanos(name: string, scope: SearchScope): boolean {
  const field = scope.field(name)
  return field?.['type'] === 'date_nanos' && field['format'] === undefined
}
