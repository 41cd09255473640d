/**
 * Text that remembers the original offsets of its characters.
 *
 * Tokens have offsets in the text as the user sent it, so every change of length is recorded as (offset in the new
 * text, total difference so far).
 */
export class FilteredText {
  readonly text: string
  readonly #offsets: readonly number[]
  readonly #differences: readonly number[]
  readonly #before: FilteredText | undefined

  private constructor(text: string, offsets: number[], differences: number[], before: FilteredText | undefined) {
    this.text = text
    this.#offsets = offsets
    this.#differences = differences
    this.#before = before
  }

  static of(text: string): FilteredText {
    return new FilteredText(text, [], [], undefined)
  }

  /** Maps an offset in this text to the original text. */
  correct(offset: number): number {
    let low = 0
    let high = this.#offsets.length - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      if (this.#offsets[middle]! <= offset) low = middle + 1
      else high = middle - 1
    }
    const corrected = high < 0 ? offset : offset + this.#differences[high]!
    return this.#before === undefined ? corrected : this.#before.correct(corrected)
  }

  /** Starts a modified text on top of this one. */
  rewrite(): Rewriter {
    return new Rewriter((text, offsets, differences) => new FilteredText(text, offsets, differences, this))
  }
}

class Rewriter {
  readonly #finish: (text: string, offsets: number[], differences: number[]) => FilteredText
  readonly #parts: string[] = []
  readonly #offsets: number[] = []
  readonly #differences: number[] = []
  #length = 0

  constructor(finish: (text: string, offsets: number[], differences: number[]) => FilteredText) {
    this.#finish = finish
  }

  get length(): number {
    return this.#length
  }

  get difference(): number {
    return this.#differences.at(-1) ?? 0
  }

  append(text: string): void {
    this.#parts.push(text)
    this.#length += text.length
  }

  /** From `offset` of the new text on, original offsets are larger by `difference`. */
  correctFrom(offset: number, difference: number): void {
    const last = this.#offsets.length - 1
    if (last >= 0 && this.#offsets[last] === offset) this.#differences[last] = difference
    else {
      this.#offsets.push(offset)
      this.#differences.push(difference)
    }
  }

  /** Replaces `inputLength` characters by `replacement`; each surplus character maps to the end of the match. */
  replace(inputLength: number, replacement: string): void {
    const change = inputLength - replacement.length
    const previous = this.difference
    if (change > 0) {
      this.correctFrom(this.#length + replacement.length, previous + change)
    } else if (change < 0) {
      for (let i = 0; i < -change; i++) this.correctFrom(this.#length + inputLength + i, previous - i - 1)
    }
    this.append(replacement)
  }

  finish(): FilteredText {
    return this.#finish(this.#parts.join(''), this.#offsets, this.#differences)
  }
}
