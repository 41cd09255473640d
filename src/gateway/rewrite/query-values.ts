/**
 * Clauses that OpenSearch reads otherwise, with status 200. A number in a query on a date is milliseconds in Elasticsearch;
 * OpenSearch reads it by the format of the field. `range` and `terms` of a boolean score 1 in Elasticsearch; OpenSearch scores
 * them by the frequency of the value.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const MILLIS = 'epoch_millis'
const BOUNDS = ['gte', 'gt', 'lte', 'lt', 'from', 'to'] as const
/** Members that hold no queries, but may hold documents and values of clients. */
const OPAQUE: ReadonlySet<string> = new Set([
  'script',
  'params',
  'doc',
  'document',
  'documents',
  'like',
  'search_after',
  'after',
])
/** Clauses with one value, and the member that holds it in their long form. */
const VALUE_MEMBERS: Readonly<Record<string, string>> = { term: 'value', match: 'query', match_phrase: 'query' }

export const queryValues: Rewrite = (request, scope) => {
  const changed = changedClauses(request, scope) as JsonObject
  return changed === request ? undefined : { request: changed }
}

/** The same value when nothing in it changes. */
function changedClauses(value: unknown, scope: SearchScope): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => changedClauses(item, scope))
    return items.some((item, i) => item !== value[i]) ? items : value
  }
  if (!isObject(value)) return value
  let out = value
  for (const key of Object.keys(value)) {
    if (OPAQUE.has(key)) continue
    const inner = value[key]
    if (typeof inner !== 'object' || inner === null) continue
    const clause = isObject(inner) ? clauseOf(key, inner, scope) : undefined
    if (clause !== undefined) {
      const { [key]: _, ...rest } = out
      out = { ...rest, ...clause }
      continue
    }
    const changed = changedClauses(inner, scope)
    if (changed !== inner) out = { ...out, [key]: changed }
  }
  return out
}

/** Another clause in place of this one. */
function clauseOf(kind: string, options: JsonObject, scope: SearchScope): JsonObject | undefined {
  if (kind === 'range') return rangeClause(options, scope)
  if (kind === 'terms') return termsClause(options, scope)
  const member = VALUE_MEMBERS[kind]
  const name = member === undefined ? undefined : Object.keys(options)[0]
  if (name === undefined || !hasFormat(name, scope)) return undefined
  const given = options[name]
  const long = isObject(given) ? given : { [member!]: given }
  const { [member!]: value } = long
  return isNumber(value) ? { range: { [name]: { ...exactly(value), ...naming(long) } } } : undefined
}

function rangeClause(options: JsonObject, scope: SearchScope): JsonObject | undefined {
  const name = Object.keys(options)[0]
  const bounds = name === undefined ? undefined : options[name]
  if (name === undefined || !isObject(bounds)) return undefined
  if (scope.field(name)?.['type'] === 'boolean') {
    const { boost, _name, ...rest } = bounds
    return { constant_score: { filter: { range: { [name]: rest } }, ...naming({ boost, _name }) } }
  }
  if (bounds['format'] !== undefined || !BOUNDS.some((bound) => isNumber(bounds[bound]))) return undefined
  return hasFormat(name, scope) ? { range: { [name]: { ...bounds, format: MILLIS } } } : undefined
}

function termsClause(options: JsonObject, scope: SearchScope): JsonObject | undefined {
  const name = Object.keys(options).find((member) => Array.isArray(options[member]))
  if (name === undefined) return undefined
  const values = options[name] as unknown[]
  if (scope.field(name)?.['type'] === 'boolean')
    return { constant_score: { filter: { terms: { [name]: values } }, ...naming(options) } }
  if (!hasFormat(name, scope)) return undefined
  const numbers = values.filter(isNumber)
  if (numbers.length === 0) return undefined
  const others = values.filter((value) => !isNumber(value))
  const should = [
    ...(others.length === 0 ? [] : [{ terms: { [name]: others } }]),
    ...numbers.map((value) => ({ range: { [name]: exactly(value) } })),
  ]
  return { constant_score: { filter: { bool: { should } }, ...naming(options) } }
}

const exactly = (value: unknown) => ({ gte: value, lte: value, format: MILLIS })

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** The members that every clause may have. */
function naming({ boost, _name }: JsonObject): JsonObject {
  return { ...(boost === undefined ? {} : { boost }), ...(_name === undefined ? {} : { _name }) }
}

/** Whether a field is a date with a format of its own. The default one reads numbers as milliseconds. */
function hasFormat(name: string, scope: SearchScope): boolean {
  const field = scope.field(name)
  return field !== undefined && /^date/.test(String(field['type'])) && field['format'] !== undefined
}
