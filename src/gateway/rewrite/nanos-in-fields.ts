/** Dates with nanoseconds in `fields` and `docvalue_fields`: OpenSearch shows milliseconds unless the format says otherwise. */
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const NANOS = 'strict_date_optional_time_nanos'

export const nanosInFields: Rewrite = (request, scope) => {
  let changed = request
  for (const member of ['fields', 'docvalue_fields']) {
    const given = request[member]
    if (!Array.isArray(given)) continue
    const items = given.map((item) => withFormat(item, scope))
    if (items.some((item, i) => item !== given[i])) changed = { ...changed, [member]: items }
  }
  return changed === request ? undefined : { request: changed }
}

function withFormat(item: unknown, scope: SearchScope): unknown {
  const name = isObject(item) ? item['field'] : item
  if (typeof name !== 'string' || (isObject(item) && item['format'] !== undefined)) return item
  const field = scope.field(name)
  if (field?.['type'] !== 'date_nanos' || field['format'] !== undefined) return item
  return { ...(isObject(item) ? item : {}), field: name, format: NANOS }
}
