/**
 * The terms of a field within a few edits of a word. Most terms are ruled out by the letters they contain. The others pass
 * through an automaton in order, and terms that share a prefix with a term that was too far are skipped.
 */
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import type { TermsReader } from '../../segment/segment-reader-api.ts'
import { codePointAt, DEAD, type EditAutomaton, UNKNOWN } from './edit-automaton.ts'
import { letterSets, nextNear, OTHERS } from './letter-sets.ts'
import { prefixEnd } from './term-patterns.ts'

/** Calls `found` for every term within the distance, in term order. */
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
  const from = first.length === 0 ? 0 : place(first)
  const end = last === undefined ? terms.termCount : place(last)
  const sets = letterSets(terms, from, end)
  const { asciiClass, classCount, lettersMin, lettersMax, letterSet, maxEdits } = automaton
  let { table } = automaton
  // The first `deadLength` bytes at `deadStart` are too far, whatever follows.
  let deadStart = 0
  let deadLength = 0
  const near = (ordinal: number) => nextNear(sets, ordinal, end, letterSet, maxEdits)
  for (let ordinal = near(from); ordinal < end; ordinal = near(ordinal + 1)) {
    const start = offsets[ordinal]!
    const length = offsets[ordinal + 1]! - start
    // Every letter takes at least one byte, and an ASCII letter exactly one.
    if (length < lettersMin || (length > lettersMax && (sets[ordinal]! & OTHERS) === 0)) continue
    let depth = 0
    while (depth < deadLength && depth < length && bytes[start + depth] === bytes[deadStart + depth]) depth++
    if (deadLength > 0 && depth === deadLength) continue
    let state = automaton.start
    for (depth = 0; depth < length && state !== DEAD; ) {
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
    }
    if (state === DEAD) {
      deadStart = start
      deadLength = depth
      continue
    }
    const edits = automaton.edits(state)
    if (edits <= maxEdits) found(ordinal, decodeUtf8(bytes, start, start + length), edits)
  }
}

const isContinuation = (byte: number): boolean => (byte & 0xc0) === 0x80
