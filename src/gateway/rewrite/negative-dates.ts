/**
 * Negative milliseconds on a date within the language of `query_string` and `simple_query_string`, and in `multi_match`.
 * OpenSearch reads them as years or rounds them in the wrong direction, and finds other documents with status 200. Clauses with
 * one field are rewritten (query-values.ts); these are refused where they name a date.
 */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { notInCluster } from './not-in-cluster.ts'
import type { SearchScope } from './search-rewrite.ts'

/** A minus sign before a word excludes it. It belongs to a number in quotes, after a backslash, and in a range. */
const IN_LANGUAGE = /(?:["\\[{]|\bTO\s+"?|[<>]=?"?)-\d/
const NUMBER = /^\s*-\d+\s*$/
const CLAUSES: Readonly<Record<string, RegExp>> = {
  query_string: IN_LANGUAGE,
  simple_query_string: IN_LANGUAGE,
  multi_match: NUMBER,
}

/** Refuses a clause that looks for a negative number in a date. */
export function refuseNegativeDates(kind: string, options: JsonObject, scope: SearchScope): void {
  const negative = CLAUSES[kind]
  if (negative === undefined) return
  const { query, fields, default_field: standard } = options
  const text = String(query ?? '')
  if (!negative.test(text)) return
  const names = [fields ?? standard ?? []].flat().map((name) => String(name).replace(/\^[\d.]+$/, ''))
  const isNamed = (date: string) => names.includes(date) || (kind === 'query_string' && looksInto(text, date))
  if (scope.fieldsOfType('date').some(isNamed)) throw notInCluster(`a negative number on a date in [${kind}]`)
}

/** Whether an expression has a field before a colon. */
function looksInto(text: string, field: string): boolean {
  for (let at = text.indexOf(`${field}:`); at >= 0; at = text.indexOf(`${field}:`, at + 1))
    if (at === 0 || /[\s(+!-]/.test(text[at - 1]!)) return true
  return false
}
