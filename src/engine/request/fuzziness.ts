/** The allowed edit distance: `AUTO`, `AUTO:3,6`, or a number of edits. */
import { illegalArgument, notANumber, parseFailure } from '../../base/api-error.ts'
import { DECIMAL, FALSE, TRUE } from '../../base/json/json-reader.ts'
import type { RequestReader } from './request-reader.ts'

export class Fuzziness {
  readonly #edits: number | undefined
  readonly #low: number
  readonly #high: number

  private constructor(edits: number | undefined, low = 3, high = 6) {
    this.#edits = edits
    this.#low = low
    this.#high = high
  }

  static readonly auto = new Fuzziness(undefined)

  /** The option at the current value; the fraction of a number is truncated. */
  static read(reader: RequestReader): Fuzziness {
    if (reader.is(TRUE) || reader.is(FALSE)) throw illegalArgument("Can't parse fuzziness on token: [VALUE_BOOLEAN]")
    return Fuzziness.parse(reader.is(DECIMAL) ? String(reader.integer()) : reader.text())
  }

  static parse(text: string): Fuzziness {
    const upper = text.toUpperCase()
    if (upper === 'AUTO') return Fuzziness.auto
    if (upper.startsWith('AUTO:')) return Fuzziness.#byLength(upper)
    if (text === '') throw illegalArgument('fuzziness cannot be null or empty.')
    const edits = Number(text)
    if (text.trim() === '' || Number.isNaN(edits)) {
      throw illegalArgument(`fuzziness cannot be [${text}].`, notANumber(upper))
    }
    if (!Number.isInteger(edits)) {
      throw illegalArgument(`fuzziness needs to be one of 0.0, 1.0 or 2.0 but was ${text}`)
    }
    if (edits !== 0 && edits !== 1 && edits !== 2) {
      throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${text}]`)
    }
    return new Fuzziness(edits)
  }

  static #byLength(text: string): Fuzziness {
    const bounds = text.slice('AUTO:'.length).split(',')
    if (bounds.length !== 2) throw parseFailure('failed to find low and high distance values')
    const wrong = bounds.find((bound) => !/^[+-]?\d+$/.test(bound))
    if (wrong !== undefined) throw parseFailure(`failed to parse [${text}] as a "auto:int,int"`, notANumber(wrong))
    const [low, high] = bounds.map(Number) as [number, number]
    if (low < 0 || high < low) {
      throw parseFailure(`fuzziness wrongly configured [${text}]. Must be 0 < lower value <= higher value.`)
    }
    return new Fuzziness(undefined, low, high)
  }

  /** The edits allowed for a word, fixed or by its length. */
  editsFor(word: string): number {
    if (this.#edits !== undefined) return this.#edits
    const length = [...word].length
    return length < this.#low ? 0 : length < this.#high ? 1 : 2
  }
}
