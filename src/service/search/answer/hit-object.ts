/** The wire format of a hit, in Elasticsearch's member order. */
import { newMembers } from '../../../base/json/members.ts'
import type { FetchedHit, InnerHits } from '../../../engine/search/fetch/fetched-hit.ts'
import type { NestedStep } from '../../../engine/search/fetch/nested-place.ts'
import { hashOrder } from '../../../engine/values/java-text.ts'
import type { ExplainedHit } from './explain-page.ts'
import { explanationObject } from './explanation-object.ts'
import { scoreValue } from './search-response.ts'

export interface HitParts {
  readonly fetched: FetchedHit
  /** NaN if scores were not computed. */
  readonly score: number
  readonly sort: readonly unknown[] | undefined
  readonly matchedQueries: readonly string[]
  /** Shown in place of the names of matched queries, if their scores were requested. */
  readonly matchedScores?: ReadonlyMap<string, number> | undefined
  /** Shard, node and explanation, if requested. */
  readonly explained?: ExplainedHit | undefined
  /** Inner hits by name. */
  readonly innerHits: Record<string, unknown>
}

export function hitObject(index: string, parts: HitParts): Record<string, unknown> {
  const { fetched, matchedQueries, innerHits, explained } = parts
  return {
    _shard: explained?.shard,
    _node: explained?.node,
    _index: index,
    _id: fetched._id,
    _nested: fetched.nestedSteps.length === 0 ? undefined : nestedObject(fetched.nestedSteps),
    _version: fetched._version,
    _seq_no: fetched._seq_no,
    _primary_term: fetched._primary_term,
    _score: scoreValue(parts.score),
    _routing: fetched._routing,
    _ignored: fetched._ignored,
    _source: fetched._source,
    fields: fetched.fields,
    ignored_field_values: fetched.ignored_field_values,
    highlight: fetched.highlight,
    sort: parts.sort,
    _explanation: explained === undefined ? undefined : explanationObject(explained.explanation),
    matched_queries: matchedQueries.length === 0 ? undefined : matchedObject(parts),
    inner_hits: Object.keys(innerHits).length === 0 ? undefined : innerHits,
  }
}

function matchedObject({ matchedQueries, matchedScores }: HitParts): unknown {
  const names = hashOrder(matchedQueries)
  if (matchedScores === undefined) return names
  return Object.fromEntries(names.map((name) => [name, scoreValue(matchedScores.get(name)!)]))
}

/** `{field, offset, _nested: {field, offset}}`, level by level. */
function nestedObject([step, ...inside]: readonly NestedStep[]): Record<string, unknown> {
  return {
    field: step!.field,
    offset: step!.offset,
    _nested: inside.length === 0 ? undefined : nestedObject(inside),
  }
}

/** `place` is the shard and node of the hits, for explanations. */
export function innerHitsObject(
  index: string,
  lists: readonly InnerHits[],
  totalAsInteger: boolean,
  place?: Pick<ExplainedHit, 'shard' | 'node'>,
): Record<string, unknown> {
  const objects: Record<string, unknown> = newMembers()
  for (const { name, total, maxScore, hits } of lists) {
    objects[name] = {
      hits: {
        total: totalAsInteger ? total : { value: total, relation: 'eq' },
        max_score: scoreValue(maxScore),
        hits: hits.map((hit) => {
          const innerHits = innerHitsObject(index, hit.fetched.innerHits, totalAsInteger, place)
          const { explanation } = hit
          const explained = explanation === undefined || place === undefined ? undefined : { ...place, explanation }
          return hitObject(index, { explained, innerHits, ...hit })
        }),
      },
    }
  }
  return { ...objects }
}
