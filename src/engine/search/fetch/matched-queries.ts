/** `matched_queries`: the named queries that a hit matches. */
import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { planQuery } from '../plan-query.ts'
import type { ShardHit } from '../ranking/hit-ranking.ts'
import { scoreHits } from '../ranking/score-hits.ts'

/**
 * The named queries of the trees, in written order. Of several with one name the last counts, and a query comes after
 * those inside it.
 */
export function queriesWithName(...queries: readonly Query[]): Query[] {
  const last = new Map<string, Query>()
  for (const query of queries) register(query, last)
  const named = (query: Query): Query[] => {
    const inside = query.children?.().flatMap(named) ?? []
    return query.name !== undefined && last.get(query.name) === query ? [query, ...inside] : inside
  }
  return queries.flatMap(named)
}

function register(query: Query, last: Map<string, Query>): void {
  for (const child of query.children?.() ?? []) register(child, last)
  if (query.name !== undefined) last.set(query.name, query)
}

export class MatchedQueries {
  readonly #scores = new Map<ShardHit, Map<string, number>>()

  constructor(context: SearchExecutionContext, queries: readonly Query[], hits: readonly ShardHit[], scored: boolean) {
    for (const query of queries) {
      const planned = planQuery(context, query, scored, 1)
      for (const [hit, score] of scoreHits(context, planned, hits, scored)) {
        const names = this.#scores.get(hit) ?? new Map<string, number>()
        this.#scores.set(hit, names)
        names.set(query.name!, score)
      }
    }
  }

  /** The names of the matching queries, with their scores. */
  of(hit: ShardHit): ReadonlyMap<string, number> {
    return this.#scores.get(hit) ?? NO_NAMES
  }
}

const NO_NAMES: ReadonlyMap<string, number> = new Map()
