/** `matched_queries`: the named queries that a hit matches. */
import type { Query, SearchExecutionContext } from '../../scoring/query.ts'
import { planQuery } from '../plan-query.ts'
import type { ShardHit } from '../ranking/hit-ranking.ts'
import { scoreHits } from '../ranking/score-hits.ts'

/**
 * The named queries of the trees, in written order. Of several with one name the last counts, and a query comes after
 * those inside it. Names inside `without` are left out.
 */
export function queriesWithName(queries: readonly Query[], without: ReadonlySet<Query> = NO_QUERIES): Query[] {
  const inside = (query: Query) => (without.has(query) ? [] : (query.children?.() ?? []))
  const last = new Map<string, Query>()
  const register = (query: Query) => {
    for (const child of inside(query)) register(child)
    if (query.name !== undefined) last.set(query.name, query)
  }
  for (const query of queries) register(query)
  const named = (query: Query): Query[] => {
    const inner = inside(query).flatMap(named)
    return query.name !== undefined && last.get(query.name) === query ? [query, ...inner] : inner
  }
  return queries.flatMap(named)
}

/** The same on a shard. A clause that Elasticsearch rewrites to match_none there loses the names inside it. */
export function queriesWithNameOn(context: SearchExecutionContext, queries: readonly Query[]): Query[] {
  const all = queriesWithName(queries)
  if (all.every((query) => queries.includes(query))) return all
  const refused = new Set<Query>()
  for (const query of queries) planQuery({ ...context, refused }, query, false, 1)
  return refused.size === 0 ? all : queriesWithName(queries, refused)
}

const NO_QUERIES: ReadonlySet<Query> = new Set()

/** The names that the hits of a shard match. `queries` are whole trees. */
export class MatchedQueries {
  readonly #scores = new Map<ShardHit, Map<string, number>>()

  constructor(context: SearchExecutionContext, queries: readonly Query[], hits: readonly ShardHit[], scored: boolean) {
    for (const query of queriesWithNameOn(context, queries)) {
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
