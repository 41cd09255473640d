/** Prints results in the order of the request, under plain or typed names. */
import type { AggregationTree, Results } from './aggregation-tree.ts'

export class Printer {
  readonly #typedKeys: boolean

  constructor(typedKeys: boolean) {
    this.#typedKeys = typedKeys
  }

  /** The members a bucket (or the whole answer) has for its aggregations. */
  results(tree: AggregationTree, results: Results): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    let at = 0
    for (const part of [...tree.aggregations, ...tree.pipelines]) {
      const result = results[at++]
      if (result === undefined) continue
      const name = this.#typedKeys ? `${part.typedName(result)}#${part.name}` : part.name
      const printed = part.print(result, this)
      members[name] = part.meta === undefined ? printed : { meta: part.meta, ...printed }
    }
    return members
  }
}
