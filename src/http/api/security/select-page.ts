/** The queries of `_query/api_key` and `_query/user`: a part of the query DSL over a few fields. */

import { type ApiError, illegalArgument } from '../../../base/api-error.ts'
import { negativeFrom, negativeSize } from '../../../base/errors/search-errors.ts'
import { namePattern } from '../../../base/name-pattern.ts'

type Item = Record<string, unknown>
type Test = (item: Item) => boolean

const SIZE_DEFAULT = 10
const WINDOW_MAX = 10_000

/** Filters, sorts and pages items. `tiebreaker` is the field that orders items with equal sort values. */
export function selectPage(
  items: readonly Item[],
  body: unknown,
  fields: readonly string[],
  tiebreaker: string,
  refuse: (field: string) => ApiError = (field) => illegalArgument(`Field [${field}] is not allowed for querying`),
): { readonly total: number; readonly items: readonly Item[] } {
  const {
    query,
    from = 0,
    size = SIZE_DEFAULT,
    sort,
    search_after: after,
    ...rest
  } = (body ?? {}) as Record<string, unknown>
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined)
    throw illegalArgument(`[${unknown}] is not supported here: query, sort, from, size and search_after are`)
  const reader = new QueryReader(fields, refuse)
  const matches = query === undefined ? () => true : reader.read(query)
  const found = items.filter(matches)
  const keys = readSort(sort, reader)
  if (keys.length > 0) found.sort((a, b) => compareItems(a, b, keys) || compare(a[tiebreaker], b[tiebreaker]))
  const start = Number(from)
  const count = Number(size)
  if (!Number.isInteger(start) || start < 0) throw negativeFrom(from)
  if (!Number.isInteger(count) || count < 0) throw negativeSize(size)
  if (start + count > WINDOW_MAX)
    throw illegalArgument(
      `Result window is too large, from + size must be less than or equal to: [${WINDOW_MAX}] but was [${start + count}]`,
    )
  const values = Array.isArray(after) ? (after as unknown[]) : undefined
  const behind = values === undefined ? found : found.filter((item) => isBehind(item, values, keys))
  const page = behind.slice(start, start + count)
  return {
    total: found.length,
    items:
      keys.length === 0
        ? page
        : page.map((item) => ({ ...item, _sort: keys.map(({ field }) => fieldValue(item, field) ?? null) })),
  }
}

interface SortKey {
  readonly field: string
  readonly descending: boolean
}

function readSort(sort: unknown, reader: QueryReader): SortKey[] {
  if (sort === undefined || sort === null) return []
  return [sort].flat().map((entry): SortKey => {
    if (typeof entry === 'string') return { field: reader.field(entry), descending: false }
    const [[field, how] = ['', undefined]] = Object.entries((entry ?? {}) as Item)
    const order = typeof how === 'string' ? how : ((how as { order?: unknown } | undefined)?.order ?? 'asc')
    return { field: reader.field(field), descending: order === 'desc' }
  })
}

function compareItems(a: Item, b: Item, keys: readonly SortKey[]): number {
  for (const { field, descending } of keys) {
    const order = compare(fieldValue(a, field), fieldValue(b, field))
    if (order !== 0) return descending ? -order : order
  }
  return 0
}

function isBehind(item: Item, values: readonly unknown[], keys: readonly SortKey[]): boolean {
  for (const [i, { field, descending }] of keys.entries()) {
    const order = compare(fieldValue(item, field), values[i])
    if (order !== 0) return descending ? order < 0 : order > 0
  }
  return false
}

/** Items without a value are last. */
function compare(a: unknown, b: unknown): number {
  if (a === b) return 0
  if (a === undefined || a === null) return 1
  if (b === undefined || b === null) return -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function fieldValue(item: Item, field: string): unknown {
  if (!field.startsWith('metadata.')) return item[field]
  return (item['metadata'] as Item | undefined)?.[field.slice('metadata.'.length)]
}

class QueryReader {
  readonly #fields: readonly string[]
  readonly #refuse: (field: string) => ApiError

  constructor(fields: readonly string[], refuse: (field: string) => ApiError) {
    this.#fields = fields
    this.#refuse = refuse
  }

  field(name: string): string {
    if (this.#fields.includes(name)) return name
    if (name.startsWith('metadata.') && this.#fields.includes('metadata')) return name
    throw this.#refuse(name)
  }

  read(query: unknown): Test {
    const entries = Object.entries((query ?? {}) as Item)
    const [entry] = entries
    if (entry === undefined || entries.length > 1)
      throw illegalArgument('query malformed, no start_object after query name')
    const [kind, content] = entry
    switch (kind) {
      case 'match_all':
        return () => true
      case 'bool':
        return this.#bool((content ?? {}) as Item)
      case 'ids': {
        const ids = [(content as Item)['values'] ?? []].flat().map(String)
        return (item) => ids.includes(String(item['_id'] ?? item['username']))
      }
      case 'exists': {
        const field = this.field(String((content as Item)['field']))
        return (item) => fieldValue(item, field) !== undefined && fieldValue(item, field) !== null
      }
      case 'simple_query_string':
        return this.#simple(content as Item)
      default:
        return this.#ofField(kind, (content ?? {}) as Item)
    }
  }

  #bool(content: Item): Test {
    const read = (name: string) => [content[name] ?? []].flat().map((query) => this.read(query))
    const must = [...read('must'), ...read('filter')]
    const mustNot = read('must_not')
    const should = read('should')
    const needed = Number(content['minimum_should_match'] ?? (must.length === 0 && should.length > 0 ? 1 : 0))
    return (item) =>
      must.every((test) => test(item)) &&
      !mustNot.some((test) => test(item)) &&
      should.filter((test) => test(item)).length >= needed
  }

  #simple({ query, fields }: Item): Test {
    const among = [fields ?? this.#fields.filter((name) => name !== 'metadata')]
      .flat()
      .map((name) => this.field(String(name)))
    const words = String(query ?? '')
      .split(/\s+/)
      .filter((word) => word !== '')
    return (item) =>
      words.some((word) => {
        const matches = namePattern(word)
        return among.some((field) => listOf(fieldValue(item, field)).some((value) => matches(String(value))))
      })
  }

  #ofField(kind: string, content: Item): Test {
    const test = FIELD_QUERIES[kind]
    if (test === undefined) throw illegalArgument(`Query type [${kind}] is not currently supported in this context`)
    const [[name, asked] = ['', undefined]] = Object.entries(content).filter(([key]) => key !== 'boost')
    const field = this.field(name)
    const matches = test(asked)
    return (item) => listOf(fieldValue(item, field)).some(matches)
  }
}

const listOf = (value: unknown): unknown[] => (value === undefined || value === null ? [] : [value].flat())
const isEqual = (asked: unknown) => (value: unknown) => String(value) === String(asked)
const inner = (asked: unknown, name: string) =>
  asked !== null && typeof asked === 'object' ? (asked as Item)[name] : asked

const FIELD_QUERIES: Readonly<Record<string, (asked: unknown) => (value: unknown) => boolean>> = {
  term: (asked) => isEqual(inner(asked, 'value')),
  match: (asked) => isEqual(inner(asked, 'query')),
  terms(asked) {
    if (!Array.isArray(asked))
      throw illegalArgument('terms query with terms lookup is not currently supported in this context')
    return (value) => asked.some((one) => isEqual(one)(value))
  },
  prefix: (asked) => (value) => String(value).startsWith(String(inner(asked, 'value'))),
  wildcard: (asked) => {
    const matches = namePattern(String(inner(asked, 'value') ?? inner(asked, 'wildcard')))
    return (value) => matches(String(value))
  },
  range: (asked) => (value) => {
    const { gte, gt, lte, lt } = (asked ?? {}) as Item
    return (
      (gte === undefined || compare(value, gte) >= 0) &&
      (gt === undefined || compare(value, gt) > 0) &&
      (lte === undefined || compare(value, lte) <= 0) &&
      (lt === undefined || compare(value, lt) < 0)
    )
  },
}
