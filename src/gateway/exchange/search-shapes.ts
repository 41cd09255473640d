/**
 * Searches that differ only in the words that they look for. Whether Elasticsearch accepts a search does not depend on a
 * short text in a clause on a text or keyword field, so that the check by the shadow and the plan hold for all searches
 * with the same rest.
 */
import { type Exchange, isObject, type JsonObject } from './exchange.ts'

/** Clauses that accept every text, and the member that holds it in their long form. */
const TEXT_MEMBERS: Readonly<Record<string, string>> = {
  match: 'query',
  match_phrase: 'query',
  match_phrase_prefix: 'query',
  match_bool_prefix: 'query',
  term: 'value',
}
const TEXT_LENGTH_MAX = 200

/** Searches that Elasticsearch accepts: they pass as they are, or have to be rewritten. */
export type ShapeVerdict = 'passes' | 'rewritten'

/**
 * The search without its words. Undefined when it has none that may be left out. `isText` says whether a field is a text
 * or a keyword in all indices of the search.
 */
export function shapeOf(
  exchange: Exchange,
  request: JsonObject,
  isText: (field: string) => boolean,
): string | undefined {
  const { method, uri, headers } = exchange.incoming
  let left = 0
  const word = (value: unknown, field: string): boolean =>
    typeof value === 'string' && value.length <= TEXT_LENGTH_MAX && isText(field)
  const written = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(written).join()}]`
    if (!isObject(value)) return typeof value === 'bigint' ? String(value) : JSON.stringify(value)
    let out = '{'
    for (const key in value) out += `${JSON.stringify(key)}:${clause(key, value[key]) ?? written(value[key])},`
    return `${out}}`
  }
  const clause = (kind: string, options: unknown): string | undefined => {
    const member = TEXT_MEMBERS[kind]
    if (member === undefined || !isObject(options)) return undefined
    const [field, ...others] = Object.keys(options)
    if (field === undefined || others.length > 0) return undefined
    const given = options[field]
    const isLong = isObject(given)
    if (!word(isLong ? given[member] : given, field)) return undefined
    left++
    const rest = isLong ? written({ ...given, [member]: null }) : ''
    return `{${JSON.stringify(field)}?${rest}}`
  }
  const shape = `${method} ${uri}\n${headers['content-type'] ?? ''}\n${written(request)}`
  return left === 0 ? undefined : shape
}
