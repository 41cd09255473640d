/** Filters in the syntax of chips and addresses, and their queries. */
import type { Json } from '../api/lossless-json.ts'

export interface Filter {
  readonly field: string
  /** The value to compare with; a range for `from..to`; absent for "has a value". */
  readonly value?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly isNot: boolean
  readonly isOff: boolean
}

/** Parses `status:500..599`, `-agent:health-check`, `!host:*`. A leading `!` marks a disabled filter. */
export function writeFilter({ field, value, from, to, isNot, isOff }: Filter): string {
  const what =
    from !== undefined || to !== undefined ? `${from ?? ''}..${to ?? ''}` : value === undefined ? '*' : escaped(value)
  return `${isOff ? '!' : ''}${isNot ? '-' : ''}${field}:${what}`
}

export function readFilter(text: string): Filter | undefined {
  const match = /^(!?)(-?)([^:]+):(.*)$/s.exec(text)
  if (match === null) return undefined
  const [, off, not, field, what] = match as unknown as [string, string, string, string, string]
  const base = { field, isNot: not === '-', isOff: off === '!' }
  if (what === '*') return base
  const range = /^(.*?)\.\.(.*)$/s.exec(what)
  if (range !== null && !what.startsWith('"'))
    return { ...base, from: range[1] || undefined, to: range[2] || undefined }
  return { ...base, value: unescaped(what) }
}

/** Ambiguous values are quoted. */
function escaped(value: string): string {
  return value === '*' || value.includes('..') || value.startsWith('"') ? JSON.stringify(value) : value
}

function unescaped(text: string): string {
  if (!text.startsWith('"')) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

export function filterQuery({ field, value, from, to }: Filter): Json {
  if (from !== undefined || to !== undefined) {
    return {
      range: { [field]: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lte: to }) } },
    }
  }
  return value === undefined ? { exists: { field } } : { term: { [field]: { value } } }
}

/** The filter as text: `status 500 to 599`. */
export function filterWords({ value, from, to }: Filter): string {
  if (from !== undefined && to !== undefined) return `${from} to ${to}`
  if (from !== undefined) return `from ${from}`
  if (to !== undefined) return `up to ${to}`
  return value ?? 'has a value'
}

export interface Selection {
  /** A query in Lucene syntax; empty matches everything. */
  readonly text: string
  readonly filters: readonly Filter[]
  readonly time?:
    | { readonly field: string; readonly from?: string | undefined; readonly to?: string | undefined }
    | undefined
}

export function selectionQuery({ text, filters, time }: Selection): Json {
  const on = filters.filter(({ isOff }) => !isOff)
  const hasTime = time !== undefined && (time.from !== undefined || time.to !== undefined)
  const filter = [
    ...on.filter(({ isNot }) => !isNot).map(filterQuery),
    ...(hasTime
      ? [
          {
            range: {
              [time.field]: {
                ...(time.from === undefined ? {} : { gte: time.from }),
                ...(time.to === undefined ? {} : { lt: time.to }),
              },
            },
          },
        ]
      : []),
  ]
  const not = on.filter(({ isNot }) => isNot).map(filterQuery)
  const query =
    text.trim() === '' ? undefined : { query_string: { query: text, default_operator: 'AND', analyze_wildcard: true } }
  if (query === undefined && filter.length === 0 && not.length === 0) return { match_all: {} }
  if (query !== undefined && filter.length === 0 && not.length === 0) return query
  return {
    bool: {
      ...(query === undefined ? {} : { must: [query] }),
      ...(filter.length === 0 ? {} : { filter }),
      ...(not.length === 0 ? {} : { must_not: not }),
    },
  }
}
