/** `_terms_enum`: the terms of a field with a given prefix, from all shards, in order. */
import { ApiError, parseFailure, validationFailed } from '../../base/api-error.ts'
import { parseDuration } from '../../base/duration.ts'
import type { ShardFailure } from '../../base/errors/search-errors.ts'
import { parseQuery } from '../../engine/query/parse-query.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT,
  ACCEPTS_STRING,
  RequestReader,
} from '../../engine/request/request-reader.ts'
import type { Query } from '../../engine/scoring/query.ts'
import { enumerateTerms, type TermEnumeration } from '../../engine/search/enumerate-terms.ts'
import { planQuery } from '../../engine/search/plan-query.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import type { SearchStatistics } from '../stats/search-counters.ts'
import { type SearchScope, ShardAccess } from './shards/shard-access.ts'
import { hidesDocuments } from './shards/shard-search.ts'

export interface TermsEnumRequest extends TermEnumeration {
  readonly field: string
  readonly indexFilter: Query | undefined
}

const SIZE_DEFAULT = 10
const TIMEOUT_MAX_MS = 60_000

export function parseTermsEnum(bytes: Uint8Array): TermsEnumRequest {
  if (bytes.length === 0) throw parseFailure('request body or source parameter is required')
  const reader = new RequestReader(bytes)
  let field: string | undefined
  let prefix: string | undefined
  let after: string | undefined
  let size = SIZE_DEFAULT
  let ignoreCase = false
  let timeoutMs = 0
  let indexFilter: Query | undefined
  const text = (take: (value: string) => void) => ({ accepts: ACCEPTS_STRING, parse: () => take(reader.text()) })
  reader.parseObject('terms_enum_request', {
    field: text((value) => (field = value)),
    string: text((value) => (prefix = value)),
    search_after: text((value) => (after = value)),
    size: { accepts: ACCEPTS_NUMBER, parse: () => (size = reader.integer()) },
    case_insensitive: { accepts: ACCEPTS_BOOLEAN, parse: () => (ignoreCase = reader.boolean()) },
    timeout: { accepts: ACCEPTS_STRING, parse: () => (timeoutMs = parseDuration(reader.text(), 'timeout')) },
    index_filter: { accepts: ACCEPTS_OBJECT, parse: () => (indexFilter = parseQuery(reader)) },
  })
  const problems: string[] = []
  if (field === undefined) problems.push('field cannot be null')
  if (timeoutMs > TIMEOUT_MAX_MS) problems.push('Timeout cannot be > 1 minute')
  if (problems.length > 0) throw validationFailed(...problems)
  // A size below one still returns the first term, as in Elasticsearch.
  return { field: field!, prefix, after, size: Math.max(1, size), ignoreCase, indexFilter }
}

export class TermsEnumService {
  readonly #access: ShardAccess

  constructor(context: IndexContext, statistics: SearchStatistics) {
    this.#access = new ShardAccess(context, statistics)
  }

  async enumerate(scope: SearchScope, request: TermsEnumRequest): Promise<Record<string, unknown>> {
    // Routing and filters of aliases are ignored: `_terms_enum` shows all terms of an index.
    const indices = resolverOf(this.#access.context).indices(scope.expressions, scope.options)
    const names = indices.map(({ name }) => name)
    const limits = this.#access.limitsByIndex(scope)
    const shards = (
      names.length === 0 ? [] : this.#access.shards({ ...scope, expressions: names, limits: undefined })
    ).map((shard) => ({ ...shard, limits: limits.get(shard.index.name) }))
    await this.#access.refreshIdle(shards)
    const failures: ShardFailure[] = []
    // Terms with their bytes, which define the order.
    const found = new Map<string, Uint8Array>()
    let total = 0
    for (const shard of shards) {
      this.#access.onShard(shard, failures, (context) => {
        const { indexFilter } = request
        if (indexFilter !== undefined && planQuery(context, indexFilter, false, 1).matches === 'none') return
        total++
        // The term dictionary has the terms of all documents.
        if (hidesDocuments(shard)) return
        const field = context.mapping.field(request.field)
        for (const term of enumerateTerms(context.view.segments, field, request)) {
          found.set(term, field?.traits.family === 'ip' ? (field.termValue(term) as Uint8Array) : Buffer.from(term))
        }
      })
    }
    const allFailed = failures.length > 0 && failures.length === shards.length
    if (allFailed) throw failures[0]?.error ?? new ApiError(500, 'exception', 'all shards failed')
    return {
      _shards: { total: total + failures.length, successful: total, failed: failures.length },
      terms: inOrder(found).slice(0, request.size),
      complete: failures.length === 0,
    }
  }
}

const inOrder = (terms: ReadonlyMap<string, Uint8Array>): string[] =>
  [...terms].sort(([, a], [, b]) => Buffer.compare(a, b)).map(([term]) => term)
