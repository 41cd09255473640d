/** The text of a field in one document: its values and their tokens. */
import type { QueryAnalyzer } from '../../scoring/query.ts'

/** Offsets count from the start of the field: its values are joined with one character in between. */
export interface TextToken {
  readonly term: string
  readonly start: number
  readonly end: number
  readonly position: number
}

export class FieldText {
  readonly values: readonly string[]
  /** Where each value begins. */
  readonly starts: readonly number[]
  /** Length of all values with the unit between them. */
  readonly length: number
  readonly #joined: string
  /** Positions between the words of two values, which keep phrases from matching across them. */
  readonly #gap: number

  constructor(values: readonly string[], gap: number) {
    this.values = values
    this.#joined = values.join('\0')
    this.#gap = gap
    const starts: number[] = []
    let at = 0
    for (const value of values) {
      starts.push(at)
      at += value.length + 1
    }
    this.starts = starts
    this.length = Math.max(0, at - 1)
  }

  /** Tokens up to an offset of each value; without an analyzer a value is one token. */
  tokens(analyzer: QueryAnalyzer | undefined, offsetMax: number | undefined): TextToken[] {
    const tokens: TextToken[] = []
    let position = 0
    this.values.forEach((value, i) => {
      const first = position
      for (const token of valueTokens(value, analyzer)) {
        const base = this.starts[i]!
        if (offsetMax !== undefined && token.start > offsetMax) break
        tokens.push({
          term: token.term,
          start: base + token.start,
          end: base + token.end,
          position: first + token.position,
        })
        position = Math.max(position, first + token.position + 1)
      }
      position += this.#gap
    })
    return tokens
  }

  part(from: number, to: number): string {
    return this.#joined.slice(from, to)
  }

  /** The value that contains an offset. */
  valueAt(offset: number): number {
    let i = this.starts.length - 1
    while (i > 0 && this.starts[i]! > offset) i--
    return i
  }
}

export function valueTokens(value: string, analyzer: QueryAnalyzer | undefined): TextToken[] {
  if (analyzer === undefined) return [{ term: value, start: 0, end: value.length, position: 0 }]
  return analyzer
    .tokens(value)
    .map(({ term, startOffset, endOffset, position }) => ({ term, start: startOffset, end: endOffset, position }))
}
