/** Dates with nanoseconds in `fields`: OpenSearch shows milliseconds unless the format says otherwise. */
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const NANOS = 'strict_date_optional_time_nanos'

export const nanosInFields: Rewrite = (request, scope) => {
  const { fields } = request
  if (!Array.isArray(fields)) return undefined
  const changed = fields.map((item) => withFormat(item, scope))
  return changed.every((item, i) => item === fields[i]) ? undefined : { request: { ...request, fields: changed } }
}

function withFormat(item: unknown, scope: SearchScope): unknown {
  const name = isObject(item) ? item['field'] : item
  if (typeof name !== 'string' || (isObject(item) && item['format'] !== undefined)) return item
  const field = scope.field(name)
  if (field?.['type'] !== 'date_nanos' || field['format'] !== undefined) return item
  return { ...(isObject(item) ? item : {}), field: name, format: NANOS }
}
