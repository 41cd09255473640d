/** Sorts by a number computed by a script. */
import { Double } from '../../base/json/json-writer.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { DocumentScript } from '../scripts/document-script.ts'
import type { QueryScores } from '../scripts/query-scores.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { afterNumber } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export class ScriptKey implements SortKey {
  /** A script does not make the search score its query. */
  readonly needsScores = false
  readonly mayFail = true
  readonly isRepeatable: boolean
  readonly #script: DocumentScript
  readonly #sign: number
  readonly #scores: QueryScores | undefined

  /** `scores` are the scores of the query, if another part of the search requests them. */
  constructor(script: DocumentScript, descending: boolean, scores: QueryScores | undefined) {
    this.#script = script
    this.isRepeatable = script.compiled.traits.deterministic
    this.#sign = descending ? -1 : 1
    this.#scores = script.readsScore ? scores : undefined
    if (this.#scores !== undefined) this.#scores.isUsed = true
  }

  segment(view: SegmentView): SegmentKeys {
    const sign = this.#sign
    const scores = this.#scores?.of(view.reader)
    const open = this.#script.open(view.reader)
    let results = new Float64Array(0)
    // NaN is greater than infinity, which the second key decides.
    return {
      width: 2,
      comparable: true,
      fill(docs, count, _base, _scores, out, stride, offset) {
        if (results.length < count) results = new Float64Array(count)
        if (scores === undefined) results.fill(0, 0, count)
        else for (let i = 0; i < count; i++) results[i] = scores[docs[i]!]!
        open.runBlock(docs, count, results, results)
        for (let i = 0; i < count; i++) {
          const value = results[i]!
          const isNotANumber = Number.isNaN(value)
          const at = i * stride + offset
          out[at] = sign * (isNotANumber ? Number.POSITIVE_INFINITY : value)
          out[at + 1] = isNotANumber ? sign : 0
        }
      },
      value: (doc) => open.run(doc, scores?.[doc]) as number,
      bound(value, out, offset) {
        const isNotANumber = Number.isNaN(value)
        out[offset] = sign * (isNotANumber ? Number.POSITIVE_INFINITY : (value as number))
        out[offset + 1] = isNotANumber ? sign : 0
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    if (a! < b!) return -this.#sign
    if (a! > b!) return this.#sign
    // NaN is greater than every number.
    return this.#sign * (Number(Number.isNaN(a)) - Number(Number.isNaN(b)))
  }

  format(value: SortValue): unknown {
    return new Double(value as number)
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, '_script', 'DOUBLE')
  }
}
