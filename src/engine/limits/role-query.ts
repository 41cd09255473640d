/** Checks the query of a role. It is evaluated on each shard alone, so it cannot refer to other documents. */
import { illegalArgument } from '../../base/api-error.ts'
import { MoreLikeThisQuery } from '../query/full-text/more-like-this.ts'
import { parseQueryBody } from '../query/parse-query.ts'
import { TermsQuery } from '../query/term-level/terms.ts'
import type { Query } from '../scoring/query.ts'

const JOINS: ReadonlySet<string> = new Set(['has_child', 'has_parent', 'percolate'])

/** Throws if `query`, which is JSON, is not a query, or is one that roles cannot have. */
export function checkRoleQuery(query: string): void {
  check(parseQueryBody(Buffer.from(query)))
}

function check(query: Query): void {
  if (query instanceof TermsQuery && query.lookup !== undefined) throw unsupported('terms query with terms lookup')
  if (query instanceof MoreLikeThisQuery && query.lookups.length > 0) {
    throw unsupported('more_like_this query referring to documents')
  }
  if (JOINS.has(query.kind)) throw unsupported(`${query.kind} query`)
  for (const child of query.children?.() ?? []) check(child)
}

const unsupported = (what: string) => illegalArgument(`${what} isn't supported as part of a role query`)
