/** A slice as a filter, for code that iterates the documents of a search itself. */
import { setBit, wordsFor } from '../../base/bit-set.ts'
import { explainConstant } from '../scoring/explanation.ts'
import type { Query, SearchExecutionContext, Weight } from '../scoring/query.ts'
import { BitSetScorer } from '../scoring/scorers/bit-set-scorer.ts'
import type { Scorer } from '../scoring/scorers/scorer.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { ShardSlice, type Slice } from './slice.ts'

export class SliceQuery implements Query {
  readonly kind = 'slice'
  readonly boost = 1
  readonly name = undefined
  readonly #slice: Slice
  readonly #shardIndex: number
  readonly #shardCount: number

  constructor(slice: Slice, shardIndex: number, shardCount: number) {
    this.#slice = slice
    this.#shardIndex = shardIndex
    this.#shardCount = shardCount
  }

  plan(context: SearchExecutionContext): Weight {
    const slice = new ShardSlice(context, this.#slice, this.#shardIndex, this.#shardCount)
    const text = `slice [${this.#slice.id}/${this.#slice.max}]`
    const query: Weight = {
      scorer: (segment) => scorerOf(slice, segment),
      text: () => text,
      explain: (segment, doc) => explainConstant(query, segment, doc, text, 0),
    }
    return query
  }
}

function scorerOf(slice: ShardSlice, segment: SegmentView): Scorer | undefined {
  const { from, to, scorer } = slice.of(segment)
  if (from === to || scorer !== undefined) return scorer
  const bits = new Uint32Array(wordsFor(segment.reader.docCount))
  for (let doc = from; doc < to; doc++) setBit(bits, doc)
  return new BitSetScorer(bits, to - from, 1)
}
