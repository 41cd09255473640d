/** Completion in the editor: methods, paths, parameters, keys of bodies, index and field names. */
import { AGGREGATIONS, type Clause, QUERIES, QUERY_KEYS, SEARCH_KEYS } from './clauses.ts'
import { parseConsole, requestAt } from './console-text.ts'
import { type JsonPlace, placeAt } from './json-place.ts'
import { parametersOf, valuesOf } from './parameters.ts'

export interface Proposal {
  readonly label: string
  readonly detail?: string
  readonly meaning?: string
  /** A template with `‹›` placeholders; the label if absent. */
  readonly insert?: string
}

export interface Proposals {
  /** The offset where the typed text begins. */
  readonly from: number
  readonly options: readonly Proposal[]
}

/** Data of the service for completion. */
export interface Surroundings {
  /** Routes as `METHOD /path/{name}`. */
  readonly routes: readonly string[]
  /** Indices, aliases and data streams. */
  readonly indices: readonly string[]
  /** Fields of the indices in the request. */
  readonly fields: readonly { readonly name: string; readonly type: string }[]
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'HEAD']

export function proposalsAt(text: string, offset: number, around: Surroundings): Proposals | undefined {
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const line = text.slice(lineStart, offset)
  const requestLine = /^[ \t]*(GET|POST|PUT|DELETE|HEAD|PATCH|OPTIONS)[ \t]+(\S*)$/i.exec(line)
  if (requestLine !== null) {
    const written = requestLine[2]!
    return onPath(requestLine[1]!.toUpperCase(), written, offset - written.length, around)
  }
  const requests = parseConsole(text)
  const request = requestAt(requests, offset, text)
  const bodyFrom = request === undefined ? -1 : text.indexOf('\n', request.from) + 1
  if (request !== undefined && bodyFrom > 0 && offset >= bodyFrom) {
    const place = placeAt(text.slice(bodyFrom, offset))
    if (place !== undefined && place.expects !== 'nothing' && /[{[]/.test(text.slice(bodyFrom, offset))) {
      return inBody(request.path, { ...place, from: place.from + bodyFrom }, around)
    }
  }
  const word = /^[ \t]*([A-Za-z]*)$/.exec(line)
  if (word === null) return undefined
  return {
    from: offset - word[1]!.length,
    options: METHODS.map((method) => ({ label: method, insert: `${method} ‹›` })),
  }
}

function onPath(method: string, written: string, from: number, { routes, indices }: Surroundings): Proposals {
  const question = written.indexOf('?')
  if (question >= 0) return inQuery(method, written, from, question, routes)
  const parts = written.replace(/^\//, '').split('/')
  const current = parts.at(-1)!
  const before = parts.slice(0, -1)
  const nameFrom = from + written.length - current.length
  const options = new Map<string, Proposal>()
  for (const route of routes) {
    const [verb, path] = route.split(' ', 2) as [string, string]
    // Browsers cannot send bodies with GET, so both verbs of a search complete the same paths.
    if (verb !== method) continue
    const pattern = path.slice(1).split('/')
    if (pattern.length <= before.length || !before.every((part, i) => matches(pattern[i]!, part))) continue
    const segment = pattern[before.length]!
    const isLast = pattern.length === before.length + 1
    if (!segment.startsWith('{')) options.set(segment, { label: segment, detail: isLast ? 'API' : 'API …' })
    else if (/^\{(index|target|name|alias)\}$/.test(segment)) {
      for (const name of indices) options.set(name, { label: name, detail: 'index' })
    }
  }
  const comma = current.lastIndexOf(',') + 1
  return { from: nameFrom + comma, options: [...options.values()] }
}

function matches(pattern: string, part: string): boolean {
  return pattern.startsWith('{') ? !part.startsWith('_') || part === '_all' : pattern === part
}

function inQuery(
  method: string,
  written: string,
  from: number,
  question: number,
  routes: readonly string[],
): Proposals {
  const last = written.slice(Math.max(question, written.lastIndexOf('&')) + 1)
  const equals = last.indexOf('=')
  const end = from + written.length
  if (equals >= 0) {
    const value = last.slice(equals + 1)
    return { from: end - value.length, options: valuesOf(last.slice(0, equals)).map((label) => ({ label })) }
  }
  const parts = written.slice(0, question).replace(/^\//, '').split('/')
  const route = routes
    .filter((one) => one.startsWith(`${method} `))
    .map((one) => one.slice(method.length + 1))
    .filter((path) => {
      const pattern = path.slice(1).split('/')
      return pattern.length === parts.length && parts.every((part, i) => matches(pattern[i]!, part))
    })
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
  return {
    from: end - last.length,
    options: parametersOf(route ?? '').map((label) => ({ label, insert: `${label}=‹›`, detail: 'parameter' })),
  }
}

/** The kind of the object around a position. */
type Scope =
  | { readonly is: 'keys'; readonly clauses: readonly Clause[] }
  | { readonly is: 'options'; readonly clause: Clause }
  | { readonly is: 'fields'; readonly clause?: Clause }
  | { readonly is: 'aggregation' }
  | { readonly is: 'names'; readonly below: 'aggregation' | 'query' }
  | { readonly is: 'unknown' }

function inBody(path: string, place: JsonPlace, { fields }: Surroundings): Proposals | undefined {
  const from = place.from
  const named = (proposals: readonly Proposal[]): Proposals => ({ from, options: proposals })
  if (place.expects === 'value') return valueProposals(place, fields, from)
  const scope = scopeOf(path, place.path)
  switch (scope.is) {
    case 'keys':
      return named(scope.clauses.map((clause) => keyProposal(clause, place.quoted)))
    case 'aggregation':
      return named([
        ...AGGREGATIONS.map((clause) => keyProposal(clause, place.quoted)),
        keyProposal(
          { name: 'aggs', meaning: 'Aggregations of each bucket', template: '{ "‹name›": { ‹› } }' },
          place.quoted,
        ),
      ])
    case 'options': {
      const options = scope.clause.options?.split(' ') ?? []
      const fieldNames = scope.clause.byField === true ? fields.map(fieldProposal(place.quoted)) : []
      return named([
        ...fieldNames,
        ...options.map((label) => keyProposal({ name: label, meaning: '', template: '‹›' }, place.quoted)),
      ])
    }
    case 'fields':
      return named(fields.map(fieldProposal(place.quoted)))
    default:
      return undefined
  }
}

function keyProposal({ name, meaning, template }: Clause, quoted: boolean): Proposal {
  const key = quoted ? name : `"${name}"`
  return { label: name, meaning, insert: quoted ? `${key}": ${template}` : `${key}: ${template}` }
}

function fieldProposal(quoted: boolean) {
  return ({ name, type }: { readonly name: string; readonly type: string }): Proposal => ({
    label: name,
    detail: type,
    insert: quoted ? `${name}": ‹›` : `"${name}": ‹›`,
  })
}

const FIELD_VALUES: ReadonlySet<string> = new Set([
  'field',
  'fields',
  'default_field',
  '_source',
  'docvalue_fields',
  'stored_fields',
  'sort',
  'includes',
  'excludes',
])
const WORD_VALUES: Readonly<Record<string, string>> = {
  operator: 'and or',
  default_operator: 'AND OR',
  calendar_interval: 'minute hour day week month quarter year',
  fixed_interval: '30s 1m 10m 1h 12h 1d',
  score_mode: 'multiply sum avg first max min none',
  boost_mode: 'multiply replace sum avg max min',
  zero_terms_query: 'none all',
  gap_policy: 'skip insert_zeros keep_values',
  order: 'asc desc',
  relation: 'INTERSECTS CONTAINS WITHIN',
}

function valueProposals(place: JsonPlace, fields: Surroundings['fields'], from: number): Proposals | undefined {
  const key = place.path.at(-1)
  if (key === undefined) return undefined
  const quote = (text: string) => (place.quoted ? text : `"${text}"`)
  if (FIELD_VALUES.has(key)) {
    return { from, options: fields.map(({ name, type }) => ({ label: name, detail: type, insert: quote(name) })) }
  }
  if (key === 'type' && place.path.includes('properties')) {
    return { from, options: FIELD_TYPES.map((label) => ({ label, insert: quote(label) })) }
  }
  const words = WORD_VALUES[key]
  return words === undefined
    ? undefined
    : { from, options: words.split(' ').map((label) => ({ label, insert: quote(label) })) }
}

export const FIELD_TYPES: readonly string[] =
  'keyword text long integer short byte double float half_float scaled_float unsigned_long date date_nanos boolean ip geo_point nested object flattened binary wildcard constant_keyword completion integer_range long_range float_range double_range date_range ip_range alias'.split(
    ' ',
  )

/** Resolves the keys from the outermost to the innermost. `path` is the path of the request. */
function scopeOf(path: string, keys: readonly string[]): Scope {
  let scope: Scope = rootScope(path)
  for (const key of keys) scope = inner(scope, key)
  return scope
}

function rootScope(path: string): Scope {
  const bare = path.split('?')[0]!
  if (/\/_(search|msearch|async_search)$/.test(bare) || /\/_search\b/.test(bare))
    return { is: 'keys', clauses: SEARCH_KEYS }
  if (/\/_(count|delete_by_query|update_by_query|validate\/query|explain\/[^/]+)$/.test(bare)) {
    return { is: 'keys', clauses: SEARCH_KEYS.filter(({ name }) => name === 'query') }
  }
  return { is: 'unknown' }
}

function inner(scope: Scope, key: string): Scope {
  if (scope.is === 'names') return scope.below === 'query' ? { is: 'keys', clauses: QUERIES } : { is: 'aggregation' }
  if (key === 'aggs' || key === 'aggregations') return { is: 'names', below: 'aggregation' }
  if (scope.is === 'aggregation') {
    if (key === 'filter') return { is: 'keys', clauses: QUERIES }
    const clause = AGGREGATIONS.find(({ name }) => name === key)
    return clause === undefined ? { is: 'unknown' } : { is: 'options', clause }
  }
  if (scope.is === 'keys' && scope.clauses === QUERIES) {
    const clause = QUERIES.find(({ name }) => name === key)
    return clause === undefined ? { is: 'unknown' } : { is: 'options', clause }
  }
  if (scope.is === 'options' && key === 'filters' && !scope.clause.byField) return { is: 'names', below: 'query' }
  if (key === 'highlight' || key === 'sort') return { is: 'fields' }
  if (scope.is === 'fields' && key === 'fields') return scope
  if (QUERY_KEYS.has(key) && !(scope.is === 'options' && scope.clause.byField === true))
    return { is: 'keys', clauses: QUERIES }
  if (scope.is === 'options' && scope.clause.byField === true) {
    return { is: 'options', clause: { name: key, meaning: '', template: '', options: scope.clause.options ?? '' } }
  }
  return { is: 'unknown' }
}
