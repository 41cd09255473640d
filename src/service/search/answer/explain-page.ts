/** `explain: true`: adds shard, node and score explanation to every hit of the page. */

import { MatchAllQuery } from '../../../engine/query/term-level/match-all.ts'
import type { Explanation } from '../../../engine/scoring/explanation.ts'
import { HitExplainer } from '../../../engine/search/fetch/explain-hit.ts'
import type { ShardHit } from '../../../engine/search/ranking/hit-ranking.ts'
import type { SearchBody } from '../request/search-body.ts'
import { type AnsweredShard, indexBoost } from '../shards/shard-search.ts'

export interface ExplainedHit {
  readonly shard: string
  readonly node: string
  readonly explanation: Explanation
}

export class PageExplainer {
  readonly #body: SearchBody
  readonly #explainers = new Map<AnsweredShard, HitExplainer>()

  constructor(body: SearchBody) {
    this.#body = body
  }

  of(answered: AnsweredShard, hit: ShardHit): ExplainedHit {
    const { shard, context, node } = answered
    let explainer = this.#explainers.get(answered)
    if (explainer === undefined) {
      const { query, rescores } = this.#body
      explainer = new HitExplainer(context, {
        query: query ?? new MatchAllQuery(),
        filters: shard.filters,
        boost: indexBoost(this.#body, shard.index),
        rescores,
      })
      this.#explainers.set(answered, explainer)
    }
    const segment = context.view.segments[hit.segment]!
    return {
      shard: `[${shard.index.name}][${shard.key.shard}]`,
      node,
      explanation: explainer.explain(segment, hit.doc, hit.rescoredBy),
    }
  }
}
