/**
 * Clauses that OpenSearch reads otherwise, with status 200. A number in a query on a date is milliseconds in Elasticsearch; OpenSearch reads
 * it by the format of the field, and the default one takes four digits for a year. It rounds negative milliseconds in the wrong direction, so
 * that a date before 1970 does not match itself: those become texts. `range` and `terms` of a boolean score 1 in Elasticsearch; OpenSearch
 * scores them by the frequency of the value. A `term` without a text finds nothing in OpenSearch if case does not matter.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { isObject } from './field-types.ts'
import { refuseNegativeDates } from './negative-dates.ts'
import type { Rewrite, SearchScope } from './search-rewrite.ts'

const MILLIS = 'epoch_millis'
const TEXT = 'strict_date_optional_time'
/** The beginning of the year 1. Earlier dates need a sign. */
const TEXT_MIN = -62_135_596_800_000
/** Numbers of four digits end here. */
const YEAR_END = 10_000
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
  refuseNegativeDates(kind, options, scope)
  if (kind === 'range') return rangeClause(options, scope)
  if (kind === 'terms') return termsClause(options, scope)
  if (kind === 'term' && isEmptyWithoutCase(options)) return emptyTermClause(options)
  const member = VALUE_MEMBERS[kind]
  const name = member === undefined ? undefined : Object.keys(options)[0]
  if (name === undefined || !isDate(name, scope)) return undefined
  const given = options[name]
  const long = isObject(given) ? given : { [member!]: given }
  const { [member!]: value } = long
  if (isNumber(value))
    return isMisread(value, name, scope) ? { range: { [name]: { ...exactly(value), ...naming(long) } } } : undefined
  const text = textOf(value, name, scope)
  return text === value ? undefined : { [kind]: { ...options, [name]: { ...long, [member!]: text } } }
}

function isEmptyWithoutCase(options: JsonObject): boolean {
  const given = Object.values(options)[0]
  return isObject(given) && given['value'] === '' && /^true$/.test(String(given['case_insensitive']))
}

/**
 * The clause without `case_insensitive`, with which OpenSearch finds nothing for an empty text. An empty text has no
 * letters, so that the option makes no difference.
 */
function emptyTermClause(options: JsonObject): JsonObject {
  const [name, given] = Object.entries(options)[0]!
  const { case_insensitive: _, ...rest } = given as JsonObject
  return { term: { ...options, [name]: rest } }
}

function rangeClause(options: JsonObject, scope: SearchScope): JsonObject | undefined {
  const name = Object.keys(options)[0]
  const bounds = name === undefined ? undefined : options[name]
  if (name === undefined || !isObject(bounds)) return undefined
  if (scope.field(name)?.['type'] === 'boolean') {
    const { boost, _name, ...rest } = bounds
    return { constant_score: { filter: { range: { [name]: rest } }, ...naming({ boost, _name }) } }
  }
  if (!isDate(name, scope)) return undefined
  const { format } = bounds
  if (format !== undefined && format !== MILLIS) return undefined
  const given = BOUNDS.filter((bound) => bounds[bound] !== undefined && bounds[bound] !== null)
  const changed = (change: (value: unknown) => unknown) =>
    Object.fromEntries(given.map((bound) => [bound, change(bounds[bound])]))
  const numbers = given.filter((bound) => isNumber(bounds[bound]))
  if (numbers.length === 0 && format === undefined) {
    const texts = changed((value) => textOf(value, name, scope))
    if (given.every((bound) => texts[bound] === bounds[bound])) return undefined
    return { range: { [name]: { ...bounds, ...texts } } }
  }
  // Elasticsearch reads all bounds as milliseconds if one is a number.
  const texts = changed((value) => (/^now/.test(String(value)) ? value : dateText(value)))
  const isNegative = given.some((bound) => Number(bounds[bound]) < 0)
  if (isNegative && !Object.values(texts).includes(undefined))
    return { range: { [name]: { ...bounds, ...texts, format: TEXT } } }
  const isMixed = numbers.length < given.length
  if (format === MILLIS || !(isMixed || numbers.some((bound) => isMisread(bounds[bound], name, scope))))
    return undefined
  return { range: { [name]: { ...bounds, format: MILLIS } } }
}

function termsClause(options: JsonObject, scope: SearchScope): JsonObject | undefined {
  const name = Object.keys(options).find((member) => Array.isArray(options[member]))
  if (name === undefined) return undefined
  const values = options[name] as unknown[]
  if (scope.field(name)?.['type'] === 'boolean')
    return { constant_score: { filter: { terms: { [name]: values } }, ...naming(options) } }
  if (!isDate(name, scope)) return undefined
  const numbers = values.filter((value) => isMisread(value, name, scope))
  const others = values.filter((value) => !numbers.includes(value)).map((value) => textOf(value, name, scope))
  if (numbers.length === 0)
    return others.every((text, i) => text === values[i]) ? undefined : { terms: { ...options, [name]: others } }
  const should = [
    ...(others.length === 0 ? [] : [{ terms: { [name]: others } }]),
    ...numbers.map((value) => ({ range: { [name]: exactly(value) } })),
  ]
  return { constant_score: { filter: { bool: { should } }, ...naming(options) } }
}

function exactly(value: unknown): JsonObject {
  const text = Number(value) < 0 ? dateText(value) : undefined
  return text === undefined ? { gte: value, lte: value, format: MILLIS } : { gte: text, lte: text, format: TEXT }
}

/** Whether OpenSearch may read a number on a date as something else, or round it in the wrong direction. */
function isMisread(value: unknown, name: string, scope: SearchScope): boolean {
  return isNumber(value) && (hasFormat(name, scope) || Number(value) < YEAR_END)
}

/** A text on a date with the default format, which reads four digits as a year. */
function textOf(value: unknown, name: string, scope: SearchScope): unknown {
  if (typeof value !== 'string' || hasFormat(name, scope)) return value
  return /^-(\d{1,3}|\d{5,})$/.test(value) ? (dateText(value) ?? value) : value
}

/** Milliseconds as a date; undefined for dates that are too early. */
function dateText(value: unknown): string | undefined {
  const millis = typeof value === 'string' && !/^-?\d+$/.test(value) ? Number.NaN : Number(value)
  return millis >= TEXT_MIN && Number.isInteger(millis) ? new Date(millis).toISOString() : undefined
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint'

/** The members that every clause may have. */
function naming({ boost, _name }: JsonObject): JsonObject {
  return { ...(boost === undefined ? {} : { boost }), ...(_name === undefined ? {} : { _name }) }
}

const isDate = (name: string, scope: SearchScope) => /^date/.test(String(scope.field(name)?.['type']))

/** Whether a field is a date with a format of its own. The default one reads numbers as milliseconds. */
function hasFormat(name: string, scope: SearchScope): boolean {
  return isDate(name, scope) && scope.field(name)?.['format'] !== undefined
}
