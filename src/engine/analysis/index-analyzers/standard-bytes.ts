/**
 * The standard tokenizer, lower-casing and stop words in one pass over UTF-8 bytes.
 *
 * Most of the time of text indexing is spent here. A plain ASCII word between separators takes one loop, and is only
 * copied if it has upper-case letters; any other word (with an apostrophe, a dot, an accent) runs through the automaton
 * code point by code point.
 */
import { TERM_BYTES_MAX } from '../../../base/errors/term-errors.ts'
import type { IndexAnalyzer, PortableAnalyzer, TokenSink } from '../../document/field-schema.ts'
import { lowerCodePoint } from '../letter-case.ts'
import {
  acceptedType,
  CLASS_COUNT,
  DEAD_STATE,
  nextState,
  START_STATE,
  wordBreakClass,
} from '../tokenizers/word-breaks.ts'
import { ByteSet } from './byte-set.ts'
import { TermBytes } from './term-bytes.ts'
import { codePointAt, utf8Width } from './utf8.ts'

/** The byte to index for an ASCII letter or digit, else 0: one lookup both tests and maps. */
const wordBytes = new Uint8Array(256)
const lowerWordBytes = new Uint8Array(256)
/** The effect of a byte after a plain word. */
const MAY_JOIN = 0
const ENDS_WORD = 1
/** Joins two words but cannot end one, so an ending byte after it ends the word before it. */
const MIDDLE = 2
const afterWord = new Uint8Array(256)
/** 1: no token starts with this byte. */
const skipped = new Uint8Array(256)
const lowerOfByte = new Uint8Array(128)
const classOfByte = new Uint8Array(128)
for (let byte = 0; byte < 128; byte++) {
  const char = String.fromCharCode(byte)
  classOfByte[byte] = wordBreakClass(byte)
  lowerOfByte[byte] = char.toLowerCase().charCodeAt(0)
  if (/[A-Za-z0-9]/.test(char)) {
    wordBytes[byte] = byte
    lowerWordBytes[byte] = lowerOfByte[byte]!
  } else {
    // `#` and `*` start keycap emoji, and a double quote joins only Hebrew letters.
    afterWord[byte] = char === '_' ? MAY_JOIN : ".,:;'".includes(char) ? MIDDLE : ENDS_WORD
    if (char !== '_' && char !== '#' && char !== '*') skipped[byte] = 1
  }
}

/** A character takes at most three bytes of UTF-8, or two characters four. Lower case may take half as many again. */
const PORTABLE_TOKEN_MAX = TERM_BYTES_MAX / 5

export class StandardBytesAnalyzer implements IndexAnalyzer {
  readonly portable: PortableAnalyzer | undefined
  readonly #maxTokenLength: number
  readonly #lower: boolean
  readonly #stopWords: ByteSet | undefined
  readonly #term = new TermBytes()

  constructor(options: { maxTokenLength: number; lower: boolean; stopWords: Iterable<string> | undefined }) {
    const stopWords = options.stopWords === undefined ? [] : [...options.stopWords]
    this.#maxTokenLength = options.maxTokenLength
    this.#lower = options.lower
    this.#stopWords = stopWords.length === 0 ? undefined : new ByteSet(stopWords)
    // A longer token could be rejected for its size, which must be reported for its document immediately.
    const isSafe = options.maxTokenLength <= PORTABLE_TOKEN_MAX
    this.portable = isSafe ? { kind: 'standard', ...options, stopWords } : undefined
  }

  analyze(bytes: Uint8Array, start: number, end: number, sink: TokenSink): void {
    const stopWords = this.#stopWords
    const map = this.#lower ? lowerWordBytes : wordBytes
    const follow = afterWord
    const skip = skipped
    const term = this.#term
    // A longer word is left to the automaton, which determines where to split it.
    const plainMax = Math.min(this.#maxTokenLength, term.bytes.length)
    let increment = 1
    let at = start
    while (at < end) {
      const first = bytes[at]!
      if (skip[first] === 1) {
        at++
        continue
      }
      const limit = Math.min(end, at + plainMax)
      let next = at
      let changed = 0
      while (next < limit) {
        const byte = bytes[next]!
        const mapped = map[byte]!
        if (mapped === 0) break
        changed |= mapped ^ byte
        next++
      }
      let plain = next > at
      if (plain && next < end) {
        const ending = follow[bytes[next]!]!
        plain =
          ending === ENDS_WORD || (ending === MIDDLE && (next + 1 === end || follow[bytes[next + 1]!] === ENDS_WORD))
      }
      let termBytes = bytes
      let termStart = at
      let termEnd = next
      if (!plain) {
        const tokenEnd = this.#scan(bytes, at, end)
        if (tokenEnd < 0) {
          at += utf8Width(codePointAt(bytes, at))
          continue
        }
        this.#copyInto(bytes, at, tokenEnd)
        termBytes = term.bytes
        termStart = 0
        termEnd = term.length
        next = tokenEnd
      } else if (changed !== 0) {
        termBytes = term.bytes
        termStart = 0
        termEnd = next - at
        for (let i = 0; i < termEnd; i++) termBytes[i] = map[bytes[at + i]!]!
      }
      at = next
      if (stopWords?.has(termBytes, termStart, termEnd)) {
        increment++
        continue
      }
      sink.token(termBytes, termStart, termEnd, increment)
      increment = 1
    }
    sink.endOfValue(increment - 1)
  }

  /** The end of the longest token that starts at `start`; -1 if there is none. */
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

  #copyInto(bytes: Uint8Array, start: number, end: number): void {
    const term = this.#term
    const lower = this.#lower
    term.length = 0
    // Lower case may take more bytes than upper case (Ⱥ: two, ⱥ: three).
    term.reserve((end - start) * 2 + 4)
    for (let at = start; at < end; ) {
      const byte = bytes[at]!
      if (byte < 0x80) {
        term.bytes[term.length++] = lower ? lowerOfByte[byte]! : byte
        at++
      } else {
        const codePoint = codePointAt(bytes, at)
        term.append(lower ? lowerCodePoint(codePoint) : codePoint)
        at += utf8Width(codePoint)
      }
    }
  }
}
