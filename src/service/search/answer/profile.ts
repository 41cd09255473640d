/** The `profile` of a search: the times of queries, collectors and fetching per shard. */

import { MatchAllQuery } from '../../../engine/query/term-level/match-all.ts'
import type { Query, SearchExecutionContext } from '../../../engine/scoring/query.ts'
import { planQuery } from '../../../engine/search/plan-query.ts'
import { FetchProfile } from '../../../engine/search/profile/fetch-profile.ts'
import { nanosSince, profileQuery, type QueryProfile } from '../../../engine/search/profile/query-profile.ts'
import type { HitOrder } from '../hit-order.ts'
import type { SearchBody } from '../request/search-body.ts'
import type { AnsweredShard } from '../shards/shard-search.ts'

export interface ShardProfile {
  readonly queries: readonly QueryProfile[]
  readonly planNanos: number
  readonly searchNanos: number
  readonly collector: string
  readonly fetch: FetchProfile
}

/** Runs the search of a shard, then its clauses one by one. */
export function profiledSearch<Result>(
  context: SearchExecutionContext,
  body: SearchBody,
  order: HitOrder,
  wantsHits: boolean,
  search: () => Result,
): { result: Result; profile: ShardProfile } {
  const begin = process.hrtime.bigint()
  const result = search()
  const searchNanos = nanosSince(begin)
  const scoring = wantsHits && (order.sort === undefined || body.trackScores === true)
  let planNanos = 0
  const profile = (query: Query) => {
    const planning = process.hrtime.bigint()
    const planned = planQuery(context, query, scoring, 1)
    const nanos = nanosSince(planning)
    planNanos += nanos
    return profileQuery(context, planned, { scoring, planNanos: nanos })
  }
  const wanted = [body.postFilter, body.query ?? new MatchAllQuery(), ...body.rescores.map(({ query }) => query)]
  const queries = wanted.filter((query) => query !== undefined).map(profile)
  const collector = collectorName(body, order, wantsHits)
  return { result, profile: { queries, planNanos, searchNanos, collector, fetch: new FetchProfile() } }
}

function collectorName({ collapse }: SearchBody, { sort }: HitOrder, wantsHits: boolean): string {
  if (!wantsHits) return 'PartialHitCountCollector'
  if (collapse !== undefined) return 'MultiCollector'
  return sort === undefined ? 'SimpleTopScoreDocCollector' : 'SimpleFieldCollector'
}

export function profileObject(answered: readonly AnsweredShard[]): Record<string, unknown> | undefined {
  const shards = answered.flatMap((shard) => (shard.profile === undefined ? [] : [shardObject(shard, shard.profile)]))
  return shards.length === 0 ? undefined : { shards }
}

function shardObject(
  { shard, node, aggregationProfiles = [] }: AnsweredShard,
  profile: ShardProfile,
): Record<string, unknown> {
  const { name } = shard.index
  const counts = profile.collector === 'PartialHitCountCollector'
  return {
    id: `[${node}][${name}][${shard.key.shard}]`,
    node_id: node,
    shard_id: shard.key.shard,
    index: name,
    cluster: '(local)',
    searches: [
      {
        query: profile.queries.map(queryObject),
        rewrite_time: profile.planNanos,
        collector: [
          {
            name: 'QueryPhaseCollector',
            reason: 'search_query_phase',
            time_in_nanos: profile.searchNanos,
            children: [
              {
                name: profile.collector,
                reason: counts ? 'search_count' : 'search_top_hits',
                time_in_nanos: profile.searchNanos,
              },
            ],
          },
        ],
      },
    ],
    aggregations: aggregationProfiles.map((aggregation) => aggregation.toJson()),
    fetch: profile.fetch.hits === 0 ? undefined : fetchObject(profile.fetch),
  }
}

function queryObject({ type, description, breakdown, children }: QueryProfile): Record<string, unknown> {
  const nanos = Object.entries(breakdown).reduce((sum, [key, value]) => (key.endsWith('_count') ? sum : sum + value), 0)
  return {
    type,
    description,
    time_in_nanos: nanos,
    breakdown,
    children: children.length === 0 ? undefined : children.map(queryObject),
  }
}

function fetchObject(fetch: FetchProfile): Record<string, unknown> {
  const phases = [...fetch.phases].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    type: 'fetch',
    description: '',
    time_in_nanos: fetch.nanos,
    breakdown: {
      next_reader: 0,
      next_reader_count: 0,
      load_stored_fields: fetch.nanos,
      load_stored_fields_count: fetch.hits,
    },
    debug: { stored_fields: ['_id', '_routing', '_source'] },
    children: phases.map(([type, { nanos, count }]) => ({
      type,
      description: '',
      time_in_nanos: nanos,
      breakdown: { process: nanos, process_count: count, next_reader: 0, next_reader_count: 0 },
    })),
  }
}
