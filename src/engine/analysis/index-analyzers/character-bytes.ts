/** A character tokenizer, lower-casing and stop words in one pass over UTF-8 bytes. */
import type { IndexAnalyzer, TokenSink } from '../../document/field-schema.ts'
import { lowerCodePoint } from '../letter-case.ts'
import type { ByteSet } from './byte-set.ts'
import { TermBytes } from './term-bytes.ts'
import { codePointAt, utf8Width } from './utf8.ts'

export interface CharacterBytesOptions {
  isTokenChar: (codePoint: number) => boolean
  maxTokenLength: number
  lower: boolean
  stopWords: ByteSet | undefined
}

export class CharacterBytesAnalyzer implements IndexAnalyzer {
  readonly #options: CharacterBytesOptions
  readonly #asciiTokenChar = new Uint8Array(128)
  readonly #asciiMapped = new Uint8Array(128)
  readonly #term = new TermBytes()
  #increment = 1

  constructor(options: CharacterBytesOptions) {
    this.#options = options
    for (let byte = 0; byte < 128; byte++) {
      this.#asciiTokenChar[byte] = options.isTokenChar(byte) ? 1 : 0
      this.#asciiMapped[byte] = options.lower ? lowerCodePoint(byte) : byte
    }
  }

  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    const { isTokenChar, maxTokenLength, lower } = this.#options
    const term = this.#term
    term.length = 0
    let units = 0
    this.#increment = 1
    for (let at = start; at < end; ) {
      const byte = bytes[at]!
      let width = 1
      let inside: boolean
      let codePoint = byte
      if (byte < 0x80) inside = this.#asciiTokenChar[byte] === 1
      else {
        codePoint = codePointAt(bytes, at)
        width = utf8Width(codePoint)
        inside = isTokenChar(codePoint)
      }
      at += width
      if (inside) {
        if (term.length + 4 > term.bytes.length) term.reserve(4)
        if (byte < 0x80) term.bytes[term.length++] = this.#asciiMapped[byte]!
        else term.append(lower ? lowerCodePoint(codePoint) : codePoint)
        units += width === 4 ? 2 : 1
        if (units < maxTokenLength) continue
      }
      if (units > 0) {
        this.#close(sink)
        units = 0
      }
    }
    if (units > 0) this.#close(sink)
    sink.endOfValue(this.#increment - 1)
  }

  #close(sink: TokenSink): void {
    const term = this.#term
    if (this.#options.stopWords?.has(term.bytes, 0, term.length)) this.#increment++
    else {
      sink.token(term.bytes, 0, term.length, this.#increment)
      this.#increment = 1
    }
    term.length = 0
  }
}
