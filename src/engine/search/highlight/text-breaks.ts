/**
 * Word and sentence boundaries of a text. The rules are those of Java's break iterators, which determine
 * Elasticsearch's fragments and differ from the Unicode ones in many places; they were found by querying it.
 */

/** Closing quotes and brackets belong to the sentence they end. */
const CLOSING = `"'\\p{Pe}\\p{Pf}`
/** `!` and `?` always end a sentence. */
const HARD_END = `[!?\\u3002\\uff01\\uff1f][.\\uff0e!?\\u3002\\uff01\\uff1f${CLOSING}]*\\s*`
/** Characters allowed between a full stop and the word that decides whether a sentence starts. */
const OPENING = `[^\\p{L}\\p{N}\\s,.\\uff0e\\p{Pe}\\p{Pf}]`
/**
 * A full stop ends a sentence before a letter that is not lower case, a bracket or quote with a letter, or a wide gap.
 */
const SOFT_END = `[.\\uff0e][.\\uff0e${CLOSING}]*(?:\\s{2,}(?=\\p{L})|\\s(?=(?!\\p{Ll})\\p{L})|\\s*(?=${OPENING}+\\p{L}))`
const SENTENCE_END = new RegExp(`${HARD_END}|${SOFT_END}|\\u2029`, 'gu')

const LETTER = '(?:(?![\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])\\p{L})'
const LETTERS = `${LETTER}[\\p{M}\\u00ad\\u200d]*`
const NUMBER = '\\p{N}'
/** Words include marks between letters and between digits; ideographs and kana form their own runs. */
const WORD = new RegExp(
  [
    `\\p{Sc}?(?:${LETTERS}|${NUMBER})+(?:(?<=[\\p{L}\\p{M}])['._\\u2019-](?=\\p{L})(?:${LETTERS}|${NUMBER})+|(?<=\\p{N})[.,](?=\\p{N})(?:${LETTERS}|${NUMBER})+)*%?`,
    '\\p{Script=Han}+',
    '\\p{Script=Hiragana}+',
    '[\\p{Script=Katakana}\\u30fc]+',
    '\\s+',
    '.',
  ].join('|'),
  'gsu',
)

/**
 * A full stop where Java may believe that a sentence ended, when it searches backwards: with a mark behind it that could
 * begin a sentence, whether or not a letter follows.
 */
const SUPPOSED_END = new RegExp(
  `[.\\uff0e][${CLOSING}]*\\s*[\\p{Ps}\\p{Pi}"']*(?=[^\\p{L}\\p{N}\\p{M}\\p{Cf}\\s,.!?\\u3002\\uff01\\uff0e\\uff1f\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}"'])`,
  'gu',
)

/** The boundaries of a text in ascending order, including both ends. */
export class Boundaries {
  readonly #at: readonly number[]

  private constructor(at: readonly number[]) {
    this.#at = at
  }

  static sentences(text: string): Boundaries {
    const at = [0]
    for (const match of text.matchAll(SENTENCE_END)) {
      const end = match.index + match[0].length
      if (end < text.length) at.push(end)
    }
    if (text.length > 0) at.push(text.length)
    return new Boundaries(at)
  }

  static words(text: string): Boundaries {
    const at = [0]
    for (const match of text.matchAll(WORD)) at.push(match.index + match[0].length)
    return new Boundaries(at)
  }

  /** The last boundary before the offset, or -1. */
  preceding(offset: number): number {
    return this.#at[this.#firstFrom(offset) - 1] ?? -1
  }

  /** The first boundary after the offset, or -1. */
  following(offset: number): number {
    return this.#at[this.#firstFrom(offset + 1)] ?? -1
  }

  /** Index of the first boundary at or after the offset. */
  #firstFrom(offset: number): number {
    let low = 0
    let high = this.#at.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#at[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}

/**
 * Sentences as Java's iterator finds them step by step. It goes back to a full stop where a sentence seems to have ended,
 * and forwards from there. Without an end in between it returns that place, unless it remembers an earlier answer.
 */
export class SentenceSteps {
  readonly #ends: Boundaries
  /** Full stops, and where the mark is that has to be passed on the way back. */
  readonly #supposed: readonly { readonly at: number; readonly mark: number }[]
  #known = -1

  constructor(text: string) {
    this.#ends = Boundaries.sentences(text)
    this.#supposed = [...text.matchAll(SUPPOSED_END)].map(({ index, 0: { length } }) => ({
      at: index,
      mark: index + length,
    }))
  }

  preceding(offset: number): number {
    const from = this.#known >= 0 && this.#known < offset ? this.#known : this.#supposedBefore(offset)
    this.#known = Math.max(this.#ends.preceding(offset), from)
    return this.#known
  }

  following(offset: number): number {
    this.#known = this.#ends.following(offset)
    return this.#known
  }

  #supposedBefore(offset: number): number {
    let low = 0
    let high = this.#supposed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#supposed[middle]!.mark < offset) low = middle + 1
      else high = middle
    }
    // At the very beginning it does not stop.
    const at = this.#supposed[low - 1]?.at ?? 0
    return at > 1 ? at : -1
  }
}
