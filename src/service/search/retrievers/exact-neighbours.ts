/** Explains the score of a neighbour by its similarity, for retrievers that rank what they found themselves. */

import { formatFloat } from '../../../base/json/json-writer.ts'
import type { KnnSection } from '../../../engine/query/vectors/knn-section.ts'
import { explained } from '../../../engine/scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../../../engine/scoring/query.ts'

export class ExactNeighbours implements Query {
  readonly kind = 'knn'
  readonly boost = 1
  readonly name = undefined
  readonly #neighbours: KnnSection

  constructor(neighbours: KnnSection) {
    this.#neighbours = neighbours
  }

  plan(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const own = this.#neighbours.plan(context, scoring, boost)
    return {
      scorer: (segment) => own.scorer(segment),
      text: (rewritten) => own.text(rewritten),
      explain(segment, doc) {
        const found = own.explain(segment, doc)
        if (!found.match) return found
        return explained(found.value, `found vector with calculated similarity: ${formatFloat(found.value)}`)
      },
    }
  }
}
