/** Merges the best hits of all shards to the page of the response, and fetches only its documents. */
import type { ApiError } from '../../../base/api-error.ts'
import { ensureOrdered } from '../../../base/assert.ts'
import { allShardsFailed, type ShardFailure } from '../../../base/errors/search-errors.ts'
import { HitFetcher } from '../../../engine/search/fetch/fetch-hits.ts'
import { MatchedQueries } from '../../../engine/search/fetch/matched-queries.ts'
import { groupName } from '../../../engine/search/ranking/collapse.ts'
import type { ShardHit } from '../../../engine/search/ranking/hit-ranking.ts'
import { compareSortValues, type SortValue } from '../../../engine/sort/sort-key.ts'
import { type SearchBody, TRACK_ALL } from '../request/search-body.ts'
import { type AnsweredShard, fetchRequest, type SearchShard } from '../shards/shard-search.ts'
import { PageExplainer } from './explain-page.ts'
import { hitObject, innerHitsObject } from './hit-object.ts'
import type { PendingLookup } from './lookup-fields.ts'
import { queriesWithNames } from './named-queries.ts'
import { checkSortTypes } from './sort-types.ts'

/** A hit with its shard. */
export interface RankedHit {
  readonly answered: AnsweredShard
  readonly hit: ShardHit
}

/** The page [from, from + size) of all shards' hits. Equal hits keep the order of the shards. */
export function mergeHits(answered: readonly AnsweredShard[], from: number, size: number): RankedHit[] {
  const [only] = answered
  if (only !== undefined && answered.length === 1) {
    const { hits } = only.result
    const page = from === 0 && hits.length <= size ? hits : hits.slice(from, from + size)
    return page.map((hit) => ({ answered: only, hit }))
  }
  const ranked: RankedHit[] = []
  for (const shard of answered) for (const hit of shard.result.hits) ranked.push({ answered: shard, hit })
  if (only !== undefined) {
    checkSortTypes(answered)
    const { keys } = only.result
    ranked.sort((a, b) => compareSortValues(keys, a.hit.sort, b.hit.sort))
  }
  const inOrder = (i: number) => compareSortValues(only!.result.keys, ranked[i - 1]!.hit.sort, ranked[i]!.hit.sort) <= 0
  ensureOrdered(ranked.length, inOrder, 'the hits of all shards are in the order of the sort')
  const collapsed = ranked.some(({ hit }) => hit.group !== undefined)
  return (collapsed ? firstOfGroups(ranked) : ranked).slice(from, from + size)
}

/** With `collapse`, several shards may each have a best hit of the same group. */
function firstOfGroups(ranked: readonly RankedHit[]): RankedHit[] {
  const seen = new Set<string>()
  return ranked.filter(({ hit }) => {
    const name = groupName(hit.group ?? null)
    if (seen.has(name)) return false
    seen.add(name)
    return true
  })
}

/**
 * `terminated_early` is shown if `terminate_after` was given, and as false for searches without hits whose total is
 * exact and that neither aggregate nor suggest.
 */
export function terminatedEarly(
  answered: readonly AnsweredShard[],
  body: SearchBody,
  size: number,
  totalAsInteger: boolean,
): boolean | undefined {
  if (body.terminateAfter !== undefined && body.terminateAfter > 0) {
    return answered.some(({ result }) => result.terminatedEarly)
  }
  const exact = body.trackTotalHits === TRACK_ALL || (totalAsInteger && body.trackTotalHits === undefined)
  const isPlain = body.aggregations === undefined && body.suggest === undefined
  return size === 0 && exact && isPlain ? false : undefined
}

/** The best score of all matches; null on the wire if scores were not requested. */
export function maxScore(answered: readonly AnsweredShard[], body: SearchBody, size: number): number {
  const sorted = answered[0]?.order.byScore === false
  if (size === 0 || (sorted && body.trackScores !== true)) return Number.NaN
  let best = Number.NaN
  for (const { result } of answered)
    if (!(result.maxScore <= best)) best = Number.isNaN(result.maxScore) ? best : result.maxScore
  return best
}

/** The named queries that each hit of the page matches. */
function namedQueries(page: readonly RankedHit[], body: SearchBody): Map<AnsweredShard, MatchedQueries> {
  const queries = queriesWithNames(body)
  const matched = new Map<AnsweredShard, MatchedQueries>()
  if (queries.length === 0) return matched
  for (const { answered } of page) {
    if (matched.has(answered)) continue
    const hits = page.filter((ranked) => ranked.answered === answered).map(({ hit }) => hit)
    matched.set(answered, new MatchedQueries(answered.context, queries, hits, body.namedQueryScores === true))
  }
  return matched
}

/**
 * A shard whose documents cannot be fetched has failed, as in the query phase: its hits are missing, and `failures` has
 * the reason, as `failureOf` gives it for an error. `groupHits` lists the members of a collapsed hit's group. `lookups` receives the values that are read from
 * other indices.
 */
export function fetchPage(
  page: readonly RankedHit[],
  body: SearchBody,
  totalAsInteger: boolean,
  failures: ShardFailure[],
  failureOf: (shard: SearchShard, error: unknown) => ApiError | undefined,
  groupHits: (group: SortValue) => Record<string, unknown> | undefined,
  lookups: PendingLookup[] = [],
): Record<string, unknown>[] {
  if (page.length === 0) return []
  const fetchers = new Map<AnsweredShard, HitFetcher>()
  const request = fetchRequest(body)
  const named = namedQueries(page, body)
  const explainer = body.explain === true ? new PageExplainer(body) : undefined
  const fetchHit = ({ answered, hit }: RankedHit) => {
    let fetcher = fetchers.get(answered)
    if (fetcher === undefined)
      fetchers.set(answered, (fetcher = new HitFetcher(answered.context, request, answered.profile?.fetch)))
    const segment = answered.context.view.segments[hit.segment]!
    const fetched = fetcher.fetch(segment, hit.doc)
    const { fields } = fetched
    const index = answered.shard.index.name
    const { matchedQueries, matchedScores } = matchedParts(named.get(answered)?.of(hit), body)
    const printed = hitObject(index, {
      fetched: {
        ...fetched,
        fields: hit.group === undefined ? fields : withGroup(answered, body, hit.group, fields),
      },
      score: hit.score,
      sort: sortValues(answered, hit),
      explained: explainer?.of(answered, hit),
      matchedQueries,
      matchedScores,
      innerHits: {
        ...(hit.group === undefined ? undefined : groupHits(hit.group)),
        ...innerHitsObject(index, fetched.innerHits, totalAsInteger, {
          shard: `[${index}][${answered.shard.key.shard}]`,
          node: answered.node,
        }),
      },
    })
    for (const [name, values] of Object.entries(fetched.lookups ?? {})) lookups.push({ hit: printed, name, values })
    return printed
  }
  const failed = new Set<AnsweredShard>()
  const fetched: { answered: AnsweredShard; hit: Record<string, unknown> }[] = []
  for (const ranked of page) {
    const { answered } = ranked
    if (failed.has(answered)) continue
    try {
      fetched.push({ answered, hit: fetchHit(ranked) })
    } catch (error) {
      const { shard, node } = answered
      const failure = failureOf(shard, error)
      if (failure === undefined) throw error
      failed.add(answered)
      failures.push({ shard: shard.key.shard, index: shard.index.name, node, error: failure })
    }
  }
  const hits = fetched.filter(({ answered }) => !failed.has(answered)).map(({ hit }) => hit)
  // A search of a single shard fetches inside the query phase.
  if (failed.size > 0 && hits.length === 0) throw allShardsFailed(failures)
  return hits
}

/** Names of the queries that a hit matches, or their scores if requested. */
function matchedParts(matched: ReadonlyMap<string, number> | undefined, body: SearchBody) {
  return {
    matchedQueries: [...(matched?.keys() ?? [])],
    matchedScores: body.namedQueryScores === true ? matched : undefined,
  }
}

/** The sort values that a hit shows, without the tie-breaking key. */
function sortValues({ result, order }: AnsweredShard, hit: ShardHit): unknown[] | undefined {
  if (order.shown === 0) return undefined
  return result.keys.slice(0, order.shown).map((key, i) => key.format(hit.sort[i]!))
}

/** A collapsed hit shows the value of its group. */
function withGroup(
  { context }: AnsweredShard,
  body: SearchBody,
  group: SortValue,
  fields: Record<string, unknown[]> | undefined,
): Record<string, unknown[]> | undefined {
  const name = body.collapse?.field
  if (group === null || name === undefined) return fields
  return { ...fields, [name]: [context.mapping.field(name)!.formatDocValue(group, undefined)] }
}
