/** How far a word may be from what was asked: `AUTO`, `AUTO:3,6`, or a number of edits. */
import { illegalArgument } from '../../base/api-error.ts'

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

  static parse(text: string): Fuzziness {
    const auto = /^auto(?::([^,]*),([^,]*))?$/i.exec(text)
    if (auto !== null) {
      if (auto[1] === undefined) return Fuzziness.auto
      const low = Number(auto[1])
      const high = Number(auto[2])
      if (!Number.isInteger(low) || !Number.isInteger(high) || low < 0 || high < low) {
        throw illegalArgument('fuzziness wrongly configured')
      }
      return new Fuzziness(undefined, low, high)
    }
    const edits = Number(text)
    if (text.trim() === '' || Number.isNaN(edits)) {
      throw illegalArgument(`Invalid fuzziness value: ${text}`)
    }
    if (edits !== 0 && edits !== 1 && edits !== 2) {
      throw illegalArgument(`Valid edit distances are [0, 1, 2] but was [${text}]`)
    }
    return new Fuzziness(edits)
  }

  /** Edits allowed for a word: by itself, or by its length. */
  editsFor(word: string): number {
    if (this.#edits !== undefined) return this.#edits
    const length = [...word].length
    return length < this.#low ? 0 : length < this.#high ? 1 : 2
  }
}
