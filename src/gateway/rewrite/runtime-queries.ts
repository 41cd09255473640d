/** Queries and aggregations on runtime fields, with the names that the fields have in the cluster. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'

export interface RuntimeField {
  readonly name: string
  /** The plain name on the way to the cluster. */
  readonly inner: string
  readonly type: string
  readonly definition: JsonObject
}

/** Clauses whose only member is the field. Elasticsearch scores them with 1 on runtime fields. */
const FIELD_CLAUSES: ReadonlySet<string> = new Set([
  'term',
  'terms',
  'match',
  'range',
  'prefix',
  'wildcard',
  'regexp',
  'fuzzy',
  'match_phrase',
  'geo_distance',
  'geo_bounding_box',
])

/** Members whose value names a field. */
const NAMING: ReadonlySet<string> = new Set(['field', 'default_field', 'path'])

export function renamedClauses(value: unknown, fields: ReadonlyMap<string, RuntimeField>): unknown {
  if (Array.isArray(value)) return value.map((item) => renamedClauses(item, fields))
  if (!isObject(value)) return value
  const out: JsonObject = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key === 'exists' && isObject(inner)) {
      const field = fields.get(String(inner['field']))
      if (field !== undefined) {
        Object.assign(out, { constant_score: { filter: existing(field) } })
        continue
      }
    }
    if (FIELD_CLAUSES.has(key) && isObject(inner)) {
      const name = Object.keys(inner).find((member) => fields.has(member))
      // A terms aggregation has the same name, and its field in a member.
      if (name !== undefined) {
        const { [name]: argument, ...others } = inner
        out['constant_score'] = { filter: { [key]: { ...others, [fields.get(name)!.inner]: argument } } }
        continue
      }
    }
    if (NAMING.has(key) && typeof inner === 'string') out[key] = fields.get(inner)?.inner ?? inner
    else if (key === 'fields' && Array.isArray(inner))
      out[key] = inner.map((item) => (typeof item === 'string' ? (fields.get(item)?.inner ?? item) : item))
    else out[key] = renamedClauses(inner, fields)
  }
  return out
}

/** A query that matches every document with a value. */
function existing({ inner, type }: RuntimeField): JsonObject {
  switch (type) {
    case 'boolean':
      return { terms: { [inner]: [true, false] } }
    case 'long':
    case 'date':
      return { range: { [inner]: { gte: -9_007_199_254_740_991 } } }
    case 'double':
      return { range: { [inner]: { gte: -Number.MAX_VALUE } } }
    case 'ip':
      return { range: { [inner]: { gte: '::' } } }
    default:
      return { wildcard: { [inner]: { value: '*' } } }
  }
}
