/** Query parameters shared by search, count and similar endpoints. */
import { illegalArgument } from '../../../base/api-error.ts'
import { EXPAND_OPEN_FORBID_CLOSED, withParameters } from '../../../service/names/indices-options.ts'
import { queryOfParameter } from '../../../service/search/request/query-parameter.ts'
import { checkPreference } from '../../../service/search/shards/preference.ts'
import type { SearchScope } from '../../../service/search/shards/shard-access.ts'
import type { SourceFilter } from '../../../service/shards/shard-host.ts'
import type { HttpRequest } from '../../request.ts'
import { indexExpressions, indicesParameters } from '../indices-parameters.ts'

/** The target of a read: index expressions, how they expand, and routing. */
export function searchScope(request: HttpRequest, takesPreference = false): SearchScope {
  const { query, carriedAccess } = request
  const limits = carriedAccess?.limits
  const { lookupLimits, isRestricted } = carriedAccess ?? {}
  if (query.isEmpty) {
    const expressions = indexExpressions(request)
    const options = EXPAND_OPEN_FORBID_CLOSED
    return { expressions, options, routing: undefined, limits, lookupLimits, isRestricted }
  }
  return {
    limits,
    lookupLimits,
    isRestricted,
    expressions: indexExpressions(request),
    options: withParameters(EXPAND_OPEN_FORBID_CLOSED, indicesParameters(request)),
    routing: query.list('routing'),
    preference: takesPreference ? preferenceParameter(request) : undefined,
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

/** The `preference` of a search. The shards that it selects are checked when they are looked up. */
export function preferenceParameter({ query }: HttpRequest): string | undefined {
  return query.string('preference') || undefined
}

/** The `preference` of a request for one document, which is read on its only copy. */
export function checkDocumentPreference(request: HttpRequest): void {
  const preference = preferenceParameter(request)
  if (preference !== undefined) checkPreference(preference)
}

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
