/** Query parameters shared by search, count and similar endpoints. */
import { illegalArgument } from '../../../base/api-error.ts'
import { EXPAND_OPEN_FORBID_CLOSED, withParameters } from '../../../service/names/indices-options.ts'
import { queryOfParameter } from '../../../service/search/request/query-parameter.ts'
import type { SearchScope } from '../../../service/search/shards/shard-access.ts'
import type { SourceFilter } from '../../../service/shards/shard-host.ts'
import type { HttpRequest } from '../../request.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

/** The target of a read: index expressions, how they expand, and routing. */
export function searchScope(request: HttpRequest): SearchScope {
  const { query, carriedAccess } = request
  const limits = carriedAccess?.limits
  const { lookupLimits, isRestricted } = carriedAccess ?? {}
  if (query.isEmpty) {
    const expressions = indexExpressions(request)
    return { expressions, options: EXPAND_OPEN_FORBID_CLOSED, routing: undefined, limits, lookupLimits, isRestricted }
  }
  return {
    limits,
    lookupLimits,
    isRestricted,
    expressions: indexExpressions(request),
    options: withParameters(EXPAND_OPEN_FORBID_CLOSED, indicesParameters(request)),
    routing: query.list('routing'),
  }
}

/** The query of the `q` parameter. Its options are rejected without it. */
export function queryParameter(request: HttpRequest): ReturnType<typeof queryOfParameter> | undefined {
  const { query } = request
  const q = query.string('q')
  const given = ['df', 'analyzer', 'analyze_wildcard', 'lenient', 'default_operator'].filter((name) => query.has(name))
  if (q === undefined && given.length > 0) {
    throw illegalArgument(
      `request [${request.path}] contains parameters [${given.join(', ')}] but missing query string parameter 'q'.`,
    )
  }
  query.boolean('analyze_wildcard')
  const options = {
    df: query.string('df'),
    analyzer: query.string('analyzer'),
    defaultOperator: query.string('default_operator'),
    lenient: query.boolean('lenient'),
  }
  return q === undefined ? undefined : queryOfParameter({ q, ...options })
}

const PREFERENCES: ReadonlySet<string> = new Set(['_local', '_primary', '_replica', '_only_local'])

/** With one copy per shard a preference has no effect, but a malformed one is still an error. */
export function checkPreference(request: HttpRequest): void {
  const preference = request.query.string('preference')
  if (preference !== undefined && !isPreference(preference)) throw noPreference(preference)
}

export function isPreference(text: string): boolean {
  const name = text.split('|', 1)[0]!
  return !name.startsWith('_') || PREFERENCES.has(name) || /^_(shards|prefer_nodes|only_nodes):/.test(name)
}

export const noPreference = (text: string) => illegalArgument(`no Preference for [${text}]`)

/** `_source`, `_source_includes` and `_source_excludes`; undefined if none is given. */
export function sourceParameter(request: HttpRequest): SourceFilter | undefined {
  const { query } = request
  const source = query.string('_source')
  const includes = query.list('_source_includes')
  const excludes = query.list('_source_excludes')
  if (source === undefined && includes === undefined && excludes === undefined) return undefined
  const isFlag = source === 'true' || source === 'false' || source === ''
  const named = source === undefined || isFlag ? [] : source.split(',')
  return { enabled: source !== 'false', includes: includes ?? named, excludes: excludes ?? [] }
}
