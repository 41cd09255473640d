/**
 * The standard tokenizer, lower-casing and stop words in one pass over UTF-8 bytes.
 *
 * This is where most of the time of indexing text goes. A plain ASCII word between separators is copied, lower-cased,
 * in one loop; any other word (with an apostrophe, a dot, an accent) runs through the automaton code point by code point.
 */
import type { IndexAnalyzer, TokenSink } from '../../document/field-schema.ts'
import { lowerCodePoint } from '../letter-case.ts'
import {
  acceptedType,
  CLASS_COUNT,
  DEAD_STATE,
  nextState,
  START_STATE,
  wordBreakClass,
} from '../tokenizers/word-breaks.ts'
import type { ByteSet } from './byte-set.ts'
import { TermBytes } from './term-bytes.ts'
import { codePointAt, utf8Width } from './utf8.ts'

const SEPARATOR = 0
const WORD = 1
/** Joins words, or starts something longer than a byte: only the automaton knows. */
const UNSURE = 2

const kindOfByte = new Uint8Array(256).fill(UNSURE)
const lowerOfByte = new Uint8Array(256)
const classOfByte = new Uint8Array(128)
for (let byte = 0; byte < 128; byte++) {
  const char = String.fromCharCode(byte)
  classOfByte[byte] = wordBreakClass(byte)
  lowerOfByte[byte] = char.toLowerCase().charCodeAt(0)
  if (/[A-Za-z0-9]/.test(char)) kindOfByte[byte] = WORD
  else if (wordBreakClass(byte) === 0) kindOfByte[byte] = SEPARATOR
}

export class StandardBytesAnalyzer implements IndexAnalyzer {
  readonly #maxTokenLength: number
  readonly #lower: boolean
  readonly #stopWords: ByteSet | undefined
  readonly #term = new TermBytes()

  constructor(options: { maxTokenLength: number; lower: boolean; stopWords: ByteSet | undefined }) {
    this.#maxTokenLength = options.maxTokenLength
    this.#lower = options.lower
    this.#stopWords = options.stopWords
  }

  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    const stopWords = this.#stopWords
    const lower = this.#lower
    const scratch = this.#term.bytes
    // A word longer than this is left to the automaton, which knows where to cut.
    const plainMax = Math.min(this.#maxTokenLength, scratch.length)
    let increment = 1
    let at = start
    while (at < end) {
      const kind = kindOfByte[bytes[at]!]!
      if (kind === SEPARATOR) {
        at++
        continue
      }
      let termBytes = bytes
      let termStart = at
      let termEnd = -1
      if (kind === WORD) {
        const limit = Math.min(end, at + plainMax + 1)
        let i = at
        if (lower) {
          let length = 0
          while (i < limit) {
            const byte = bytes[i]!
            if (kindOfByte[byte] !== WORD) break
            scratch[length++] = lowerOfByte[byte]!
            i++
          }
        } else {
          while (i < limit && kindOfByte[bytes[i]!] === WORD) i++
        }
        if (i - at <= plainMax && (i === end || kindOfByte[bytes[i]!] === SEPARATOR)) {
          if (lower) {
            termBytes = scratch
            termStart = 0
            termEnd = i - at
          } else termEnd = i
          at = i
        }
      }
      if (termEnd < 0) {
        const tokenEnd = this.#scan(bytes, at, end)
        if (tokenEnd < 0) {
          at += utf8Width(codePointAt(bytes, at))
          continue
        }
        if (lower) {
          this.#lowerInto(bytes, at, tokenEnd)
          termBytes = this.#term.bytes
          termStart = 0
          termEnd = this.#term.length
        } else {
          termStart = at
          termEnd = tokenEnd
        }
        at = tokenEnd
      }
      if (stopWords?.has(termBytes, termStart, termEnd)) {
        increment++
        continue
      }
      sink.token(termBytes, termStart, termEnd, increment)
      increment = 1
    }
    sink.endOfValue(increment - 1)
  }

  /** Where the longest token that begins at `start` ends; -1 when none does. */
  #scan(bytes: Uint8Array, start: number, end: number): number {
    let unitsLeft = this.#maxTokenLength
    let state = START_STATE
    let found = -1
    let at = start
    while (at < end) {
      const byte = bytes[at]!
      let characterClass: number
      let width = 1
      if (byte < 0x80) {
        characterClass = classOfByte[byte]!
        unitsLeft--
      } else {
        const codePoint = codePointAt(bytes, at)
        characterClass = wordBreakClass(codePoint)
        width = utf8Width(codePoint)
        unitsLeft -= width === 4 ? 2 : 1
      }
      if (unitsLeft < 0) break
      state = nextState[state * CLASS_COUNT + characterClass]!
      if (state === DEAD_STATE) break
      at += width
      if (acceptedType[state] !== 0) found = at
    }
    return found
  }

  #lowerInto(bytes: Uint8Array, start: number, end: number): void {
    const term = this.#term
    term.length = 0
    // Lower case may take more bytes than upper case (Ⱥ: two, ⱥ: three).
    term.reserve((end - start) * 2 + 4)
    for (let at = start; at < end; ) {
      const byte = bytes[at]!
      if (byte < 0x80) {
        term.bytes[term.length++] = lowerOfByte[byte]!
        at++
      } else {
        const codePoint = codePointAt(bytes, at)
        term.append(lowerCodePoint(codePoint))
        at += utf8Width(codePoint)
      }
    }
  }
}
