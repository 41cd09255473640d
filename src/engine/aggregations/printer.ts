/** Prints results in the order of the request, under plain or typed names. */
import type { Explanation } from '../query/explanation.ts'
import type { FetchedHit } from '../search/fetch-hits.ts'
import type { AggregationTree, Results } from './aggregation-tree.ts'

/** A hit inside a result. */
export interface PrintedHit {
  readonly index: string
  readonly fetched: FetchedHit
  /** NaN when scores were not computed. */
  readonly score: number
  readonly sort: readonly unknown[] | undefined
  /** Why the hit has its score, and the number of its shard, when that was asked for. */
  readonly explained?: { readonly shard: number; readonly explanation: Explanation } | undefined
}

/** What an answer says about names and hits; a hit looks as it does in the list of a search's hits. */
export interface PrintOptions {
  readonly typedKeys: boolean
  hits(total: number, maxScore: number, hits: readonly PrintedHit[]): Record<string, unknown>
}

export class Printer {
  readonly #options: PrintOptions

  constructor(options: PrintOptions) {
    this.#options = options
  }

  /** The members a bucket (or the whole answer) has for its aggregations. */
  results(tree: AggregationTree, results: Results): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    let at = 0
    for (const part of [...tree.aggregations, ...tree.pipelines]) {
      const result = results[at++]
      // Only a pipeline may have nothing to say.
      if (result === undefined && at > tree.aggregations.length) continue
      const name = this.#options.typedKeys ? `${part.typedName(result)}#${part.name}` : part.name
      const printed = part.print(result, this)
      members[name] = part.meta === undefined ? printed : { meta: part.meta, ...printed }
    }
    return members
  }

  hits(total: number, maxScore: number, hits: readonly PrintedHit[]): Record<string, unknown> {
    return this.#options.hits(total, maxScore, hits)
  }
}
