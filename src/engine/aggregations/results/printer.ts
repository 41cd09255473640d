/** Prints results in request order, under plain or typed names. */

import type { JsonOutput } from '../../../base/json/json-output.ts'
import { writeJson } from '../../../base/json/json-writer.ts'
import { setMember } from '../../../base/json/members.ts'
import type { Explanation } from '../../scoring/explanation.ts'
import type { FetchedHit } from '../../search/fetch/fetched-hit.ts'
import type { Aggregation } from '../aggregation.ts'
import type { AggregationTree, Results } from '../aggregation-tree.ts'
import type { PipelineAggregation } from '../pipelines/pipeline.ts'

/** A hit inside a result. */
export interface PrintedHit {
  readonly index: string
  readonly fetched: FetchedHit
  /** NaN if scores were not computed. */
  readonly score: number
  readonly sort: readonly unknown[] | undefined
  /** The score explanation and the number of the shard, if requested. */
  /** The named queries the hit matches, with the score each gives it. */
  readonly matched: ReadonlyMap<string, number>
  readonly explained?: { readonly shard: number; readonly explanation: Explanation } | undefined
}

/** How names and hits are printed; a hit has the same form as in a search. */
export interface PrintOptions {
  readonly typedKeys: boolean
  hits(total: number, maxScore: number, hits: readonly PrintedHit[]): Record<string, unknown>
}

type PrintedPart = Aggregation | PipelineAggregation

const COMMA = 0x2c
const COLON = 0x3a

export class Printer {
  readonly #options: PrintOptions

  constructor(options: PrintOptions) {
    this.#options = options
  }

  /** The members of a bucket (or of the whole response) for its aggregations. */
  results(tree: AggregationTree, results: Results): Record<string, unknown> {
    const members: Record<string, unknown> = {}
    const { aggregations, pipelines } = tree
    for (let i = 0; i < aggregations.length; i++) {
      setMember(members, this.#name(aggregations[i]!, results[i]), this.#print(aggregations[i]!, results[i]))
    }
    for (let i = 0; i < pipelines.length; i++) {
      const result = results[aggregations.length + i]
      // Only a pipeline may have no result.
      if (result !== undefined)
        setMember(members, this.#name(pipelines[i]!, result), this.#print(pipelines[i]!, result))
    }
    return members
  }

  /** Writes the same members after others. */
  writeResults({ aggregations, pipelines }: AggregationTree, results: Results, out: JsonOutput): void {
    for (let i = 0; i < aggregations.length; i++) this.#write(aggregations[i]!, results[i], out)
    for (let i = 0; i < pipelines.length; i++) {
      const result = results[aggregations.length + i]
      if (result !== undefined) this.#write(pipelines[i]!, result, out)
    }
  }

  #write(part: PrintedPart, result: unknown, out: JsonOutput): void {
    out.addByte(COMMA)
    out.addString(this.#name(part, result))
    out.addByte(COLON)
    writeJson(this.#print(part, result), out)
  }

  #name(part: PrintedPart, result: unknown): string {
    return this.#options.typedKeys ? `${part.typedName(result)}#${part.name}` : part.name
  }

  #print(part: PrintedPart, result: unknown): Record<string, unknown> {
    const printed = part.print(result, this)
    return part.meta === undefined ? printed : { meta: part.meta, ...printed }
  }

  hits(total: number, maxScore: number, hits: readonly PrintedHit[]): Record<string, unknown> {
    return this.#options.hits(total, maxScore, hits)
  }
}
