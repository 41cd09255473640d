/**
 * Searches that differ only in the words that they look for. Whether Elasticsearch accepts a search does not depend on a
 * short text in a clause on a text or keyword field, so that the check by the shadow and the plan hold for all searches
 * with the same rest.
 */
import { encodeJson, type JsonValue } from '../../base/json/json-writer.ts'
import { type Exchange, isObject, type JsonObject } from './exchange.ts'
import type { PreparedSearch } from './known-requests.ts'

/** Clauses that accept every text, and the member that holds it in their long form. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  match: 'query',
  match_phrase: 'query',
  match_phrase_prefix: 'query',
  match_bool_prefix: 'query',
  term: 'value',
}
export const TEXT_LENGTH_MAX = 200

/**
 * What is known about all searches of a shape, which Elasticsearch accepts: they pass unchanged, are rewritten one by
 * one, or are rewritten like a given search of that shape, whose query stayed unchanged.
 */
export type ShapeVerdict = 'passes' | 'rewritten' | PreparedSearch

/** A search prepared like a known one of the same shape, with the words of another request. */
export function prepareLike(known: PreparedSearch, request: JsonObject): PreparedSearch {
  const { plan: given, sent } = known
  if (sent === undefined) return { ...known, request, plan: { ...given!, request } }
  const plan = { ...given!, request: { ...given!.request, query: request['query'] } }
  return { ...known, request, plan, sent: { uri: sent.uri, body: encodeJson(plan.request) } }
}

/** The verdict for all searches of a shape, derived from one that was checked and prepared. */
export function verdictOf(prepared: PreparedSearch): ShapeVerdict {
  const { request, plan, probe, recount, sent } = prepared
  if (probe !== undefined || recount !== undefined) return 'rewritten'
  if (plan === undefined) return 'passes'
  const keepsQuery = plan.request['query'] === request['query'] && plan.ties === undefined
  return keepsQuery && (sent !== undefined || plan.request === request) ? prepared : 'rewritten'
}

/** A search without the words of its query, and these words. */
export interface SearchShape {
  readonly text: string
  readonly words: readonly string[]
}

/**
 * The search without the words of its query. Undefined when it has none that may be left out. `isText` says whether a field is a text
 * or a keyword in all indices of the search.
 */
export function shapeOf(
  exchange: Exchange,
  request: JsonObject,
  isText: (field: string) => boolean,
): SearchShape | undefined {
  const { method, uri, headers } = exchange.incoming
  const words: string[] = []
  const isWord = (value: unknown, field: string): value is string =>
    typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && isText(field)
  const written = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(written).join()}]`
    if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    let out = '{'
    for (const key in value) out += `${JSON.stringify(key)}:${clause(key, value[key]) ?? written(value[key])},`
    return `${out}}`
  }
  const { query, ...others } = request
  const clause = (kind: string, options: unknown): string | undefined => {
    const member = TEXT_MEMBERS[kind]
    if (member === undefined || !isObject(options)) return undefined
    const [field, ...others] = Object.keys(options)
    if (field === undefined || others.length > 0) return undefined
    const given = options[field]
    const isLong = isObject(given)
    const word = isLong ? given[member] : given
    if (!isWord(word, field)) return undefined
    words.push(word)
    const rest = isLong ? written({ ...given, [member]: null }) : ''
    return `{${JSON.stringify(field)}?${rest}}`
  }
  const text = `${method} ${uri}\n${headers['content-type'] ?? ''}\n${encodeJson(others as JsonValue).toString('latin1')}${written(query)}`
  return words.length === 0 ? undefined : { text, words }
}
