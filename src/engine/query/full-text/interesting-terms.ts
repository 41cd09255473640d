/** The most characteristic terms of a text: frequent in it, rare in the index. Used by `more_like_this`. */

import type { SearchExecutionContext } from '../../scoring/query.ts'
import { ScoreQueue } from '../../scoring/score-queue.ts'
import { hashOrder } from '../../values/java-text.ts'
import { documentFrequency } from '../term-level/term-query.ts'

export interface TermChoice {
  readonly maxQueryTerms: number
  readonly minTermFreq: number
  readonly minDocFreq: number
  readonly maxDocFreq: number
}

export interface InterestingTerm {
  /** The field in which the term is searched: the one with the most documents. */
  readonly field: string
  readonly term: string
  readonly score: number
}

/** The selected terms, least interesting first. */
export function interestingTerms(
  context: SearchExecutionContext,
  fields: readonly string[],
  frequencies: ReadonlyMap<string, number>,
  choice: TermChoice,
): InterestingTerm[] {
  const limit = Math.min(choice.maxQueryTerms, frequencies.size)
  const docs = context.view.segments.reduce((sum, { liveCount }) => sum + liveCount, 0)
  const queue = new ScoreQueue<InterestingTerm>(limit)
  for (const term of hashOrder([...frequencies.keys()])) {
    const freq = frequencies.get(term)!
    if (freq < choice.minTermFreq) continue
    const { field, docFreq } = fieldWithMost(context, fields, Buffer.from(term))
    if (docFreq === 0 || docFreq < choice.minDocFreq || docFreq > choice.maxDocFreq) continue
    const idf = Math.fround(Math.log((docs + 1) / (docFreq + 1)) + 1)
    const score = Math.fround(freq * idf)
    queue.offer({ field, term, score })
  }
  return queue.drain()
}

function fieldWithMost(context: SearchExecutionContext, fields: readonly string[], term: Uint8Array) {
  let field = fields[0]!
  let docFreq = 0
  for (const name of fields) {
    const found = localFrequency(context, name, term)
    if (found <= docFreq) continue
    field = name
    docFreq = found
  }
  return { field, docFreq }
}

/** The frequency in this shard: the terms are chosen by it even if scores use the frequencies of all shards. */
function localFrequency(context: SearchExecutionContext, field: string, term: Uint8Array): number {
  return documentFrequency({ counted: context.view.segments }, field, term)
}
