/**
 * The terms of a field within a few edits of a word.
 *
 * Terms are visited in order through an automaton, whose states are kept for the bytes two neighbours share. Once a prefix
 * is too far away, the terms that start with it are passed over: one by one while they are few, then by one search in
 * the dictionary.
 */
import { decodeUtf8 } from '../../base/json/json-reader.ts'
import type { TermsReader } from '../segment/segment-reader-api.ts'
import { codePointAt, DEAD, type EditAutomaton, UNKNOWN } from './edit-automaton.ts'
import { prefixEnd } from './term-patterns.ts'

const BYTES_PER_LETTER_MAX = 4
/** So many neighbours with the same far prefix are looked at before the dictionary is searched for its end. */
const RUN_MAX = 256

/** Calls `found` for every term within the distance, in order of the terms. */
export function fuzzyTerms(
  terms: TermsReader,
  automaton: EditAutomaton,
  found: (ordinal: number, text: string, edits: number) => void,
): void {
  const { termBytes: bytes, termOffsets: offsets } = terms
  const place = (key: Uint8Array) => {
    const at = terms.find(key)
    return at < 0 ? -at - 1 : at
  }
  const first = automaton.prefix
  const last = prefixEnd(first)
  const end = last === undefined ? terms.termCount : place(last)
  // states[n] is the state after the first n bytes of the last term, up to `known`; 0 bytes more were fatal if `dead`.
  const states = new Int32Array((automaton.lettersMax + 2) * BYTES_PER_LETTER_MAX)
  states[0] = automaton.start
  const { asciiClass, classCount, lettersMin } = automaton
  let { table } = automaton
  let known = 0
  let dead = false
  let lastStart = 0
  let run = 0
  for (let ordinal = first.length === 0 ? 0 : place(first); ordinal < end; ordinal++) {
    const start = offsets[ordinal]!
    const length = offsets[ordinal + 1]! - start
    // Every letter takes a byte at least.
    if (length < lettersMin) continue
    let depth = 0
    const shared = Math.min(length, known)
    while (depth < shared && bytes[start + depth] === bytes[lastStart + depth]) depth++
    if (dead && depth === known) {
      if (++run < RUN_MAX) continue
      const beyond = prefixEnd(bytes.slice(start, start + known))
      ordinal = (beyond === undefined ? end : Math.max(ordinal + 1, place(beyond))) - 1
      run = 0
      continue
    }
    run = 0
    while (depth > 0 && depth < length && isContinuation(bytes[start + depth]!)) depth--
    let state = states[depth]!
    while (depth < length) {
      const byte = bytes[start + depth]!
      let after = depth + 1
      if (byte >= 0x80) while (after < length && isContinuation(bytes[start + after]!)) after++
      const next = byte < 0x80 ? table[state * classCount + asciiClass[byte]!]! : UNKNOWN
      if (next !== UNKNOWN) state = next
      else {
        state = automaton.step(state, byte < 0x80 ? byte : codePointAt(bytes, start + depth, start + after))
        table = automaton.table
      }
      depth = after
      if (state === DEAD) break
      states[depth] = state
    }
    dead = state === DEAD
    known = depth
    lastStart = start
    if (dead) continue
    const edits = automaton.edits(state)
    if (edits <= automaton.maxEdits) found(ordinal, decodeUtf8(bytes, start, start + length), edits)
  }
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
