/**
 * Hyphenation by Liang's patterns: letters with digits between them. Odd digits allow a break, even ones forbid it, and
 * the largest digit at a position counts.
 *
 * Patterns come from files in the XML format of the FOP project, with classes of equivalent letters and words with
 * explicit breaks.
 */

export class HyphenationPatterns {
  /** The digits before each letter of a pattern and after its last. */
  readonly #patterns = new Map<string, readonly number[]>()
  readonly #exceptions = new Map<string, readonly number[]>()
  readonly #classOf = new Map<string, string>()
  #longest = 0

  /** Undefined if the text contains no patterns. */
  static fromXml(xml: string): HyphenationPatterns | undefined {
    const section = (name: string) => new RegExp(`<${name}[^>]*>([\\s\\S]*?)</${name}>`).exec(xml)?.[1] ?? ''
    const words = (text: string) => text.split(/\s+/).filter(Boolean)
    const patterns = words(section('patterns'))
    if (patterns.length === 0) return undefined
    const made = new HyphenationPatterns()
    for (const letters of words(section('classes'))) {
      const [first = '', ...others] = letters
      for (const letter of [first, ...others]) made.#classOf.set(letter, first)
    }
    for (const pattern of patterns) made.#addPattern(pattern)
    for (const exception of words(section('exceptions'))) made.#addException(exception)
    return made
  }

  #addPattern(pattern: string): void {
    let letters = ''
    const digits: number[] = [0]
    for (const char of pattern) {
      if (char >= '0' && char <= '9') digits[digits.length - 1] = Number(char)
      else {
        letters += char
        digits.push(0)
      }
    }
    this.#patterns.set(letters, digits)
    this.#longest = Math.max(this.#longest, letters.length)
  }

  #addException(word: string): void {
    const breaks: number[] = []
    let letters = ''
    for (const char of word) {
      if (char === '-') breaks.push(letters.length)
      else letters += char
    }
    this.#exceptions.set(letters, breaks)
  }

  /**
   * The positions of breaks, including the start and end of the word; undefined for a word without breaks or letters.
   */
  breaksOf(word: string): number[] | undefined {
    const letters = this.#normalize(word)
    if (letters === undefined) return undefined
    const { text, ignored } = letters
    const breaks = this.#exceptions.get(text) ?? this.#byPatterns(text)
    if (breaks.length === 0) return undefined
    return [0, ...breaks.map((at) => at + ignored), word.length]
  }

  /** The word in the letters of the classes. Leading symbols are skipped; no letter may follow a later symbol. */
  #normalize(word: string): { text: string; ignored: number } | undefined {
    if (this.#classOf.size === 0) return { text: word, ignored: 0 }
    let text = ''
    let ignored = 0
    let isOver = false
    for (const char of word) {
      const letter = this.#classOf.get(char)
      if (letter === undefined) {
        if (text === '') ignored++
        else isOver = true
      } else if (isOver) return undefined
      else text += letter
    }
    return text === '' ? undefined : { text, ignored }
  }

  #byPatterns(text: string): number[] {
    const dotted = `.${text}.`
    const values = new Uint8Array(dotted.length + 1)
    for (let start = 0; start < dotted.length; start++) {
      const end = Math.min(dotted.length, start + this.#longest)
      for (let stop = start + 1; stop <= end; stop++) {
        const digits = this.#patterns.get(dotted.slice(start, stop))
        digits?.forEach((digit, i) => {
          if (digit > values[start + i]!) values[start + i] = digit
        })
      }
    }
    const breaks: number[] = []
    for (let at = 1; at < text.length; at++) if (values[at + 1]! % 2 === 1) breaks.push(at)
    return breaks
  }
}
