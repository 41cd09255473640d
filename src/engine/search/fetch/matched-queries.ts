/** `matched_queries`: the named queries that a hit matches. */
import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { planQuery } from '../plan-query.ts'
import type { ShardHit } from '../ranking/hit-ranking.ts'
import { scoreHits } from '../ranking/score-hits.ts'

/** All named queries of the tree, in written order. */
export function queriesWithName(query: Query): Query[] {
  const inside = query.children?.().flatMap(queriesWithName) ?? []
  return query.name === undefined ? inside : [query, ...inside]
}

export class MatchedQueries {
  readonly #scores = new Map<ShardHit, Map<string, number>>()

  constructor(context: SearchExecutionContext, queries: readonly Query[], hits: readonly ShardHit[], scored: boolean) {
    for (const query of queries) {
      const planned = planQuery(context, query, scored, 1)
      for (const [hit, score] of scoreHits(context, planned, hits, scored)) {
        const names = this.#scores.get(hit) ?? new Map<string, number>()
        this.#scores.set(hit, names)
        if (!names.has(query.name!)) names.set(query.name!, score)
      }
    }
  }

  /** The names of the matching queries, with their scores. */
  of(hit: ShardHit): ReadonlyMap<string, number> {
    return this.#scores.get(hit) ?? NO_NAMES
  }
}

const NO_NAMES: ReadonlyMap<string, number> = new Map()
