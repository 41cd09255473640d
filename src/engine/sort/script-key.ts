/** Sorts by a number computed by a script. */
import { Double } from '../../base/json/json-writer.ts'
import type { AfterValue } from '../request/search-after.ts'
import type { DocumentScript } from '../scripts/document-script.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'
import { afterNumber } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export class ScriptKey implements SortKey {
  readonly needsScores: boolean
  readonly mayFail = true
  readonly #script: DocumentScript
  readonly #sign: number

  constructor(script: DocumentScript, descending: boolean) {
    this.#script = script
    this.needsScores = script.readsScore
    this.#sign = descending ? -1 : 1
  }

  segment(view: SegmentView): SegmentKeys {
    const sign = this.#sign
    const { needsScores } = this
    const open = this.#script.open(view.reader)
    let results = new Float64Array(0)
    return {
      width: 1,
      comparable: true,
      fill(docs, count, base, scores, out, stride, offset) {
        if (results.length < count) results = new Float64Array(count)
        if (needsScores) for (let i = 0; i < count; i++) results[i] = scores[docs[i]! - base]!
        open.runBlock(docs, count, results, results)
        for (let i = 0; i < count; i++) {
          const value = results[i]!
          out[i * stride + offset] = sign * (Number.isNaN(value) ? Number.POSITIVE_INFINITY : value)
        }
      },
      value: (doc, score) => open.run(doc, score) as number,
      bound(value, out, offset) {
        out[offset] = sign * (value as number)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return a! < b! ? -this.#sign : a! > b! ? this.#sign : 0
  }

  format(value: SortValue): unknown {
    return new Double(value as number)
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, null, 'DOUBLE')
  }
}
