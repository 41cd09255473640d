/** A slice as a filter, for what walks the documents of a search in its own way. */
import { setBit, wordsFor } from '../../base/bit-set.ts'
import { explainConstant } from '../scoring/explanation.ts'
import { BitSetMatcher } from '../scoring/matchers/bit-set-matcher.ts'
import type { Matcher } from '../scoring/matchers/matcher.ts'
import type { Query, ShardQuery, ShardQueryContext } from '../scoring/query.ts'
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

  plan(context: ShardQueryContext): ShardQuery {
    const slice = new ShardSlice(context, this.#slice, this.#shardIndex, this.#shardCount)
    const text = `slice [${this.#slice.id}/${this.#slice.max}]`
    const query: ShardQuery = {
      matcher: (segment) => matcherOf(slice, segment),
      text: () => text,
      explain: (segment, doc) => explainConstant(query, segment, doc, text, 0),
    }
    return query
  }
}

function matcherOf(slice: ShardSlice, segment: SegmentView): Matcher | undefined {
  const { from, to, matcher } = slice.of(segment)
  if (from === to || matcher !== undefined) return matcher
  const bits = new Uint32Array(wordsFor(segment.reader.docCount))
  for (let doc = from; doc < to; doc++) setBit(bits, doc)
  return new BitSetMatcher(bits, to - from, 1)
}
