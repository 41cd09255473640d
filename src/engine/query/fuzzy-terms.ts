/**
 * The terms of a field within a few edits of a word.
 *
 * Terms are visited in order, and the table of edit distances is kept for the letters two neighbours share. As soon as a
 * prefix is too far away, all terms that start with it are passed over by one search in the dictionary: the work
 * follows the terms that are near, not the size of the dictionary.
 */
import { decodeUtf8 } from '../../base/json/json-reader.ts'
import type { TermsReader } from '../segment/segment-reader-api.ts'
import { prefixEnd } from './term-patterns.ts'

export interface FuzzySettings {
  readonly maxEdits: number
  readonly prefixLength: number
  readonly transpositions: boolean
}

/** Calls `found` for every term within the distance, in order of the terms. */
export function fuzzyTerms(
  terms: TermsReader,
  word: string,
  settings: FuzzySettings,
  found: (ordinal: number, text: string, edits: number) => void,
): void {
  const target = [...word].map((character) => character.codePointAt(0)!)
  const { maxEdits, transpositions } = settings
  const fixed = String.fromCodePoint(...target.slice(0, settings.prefixLength))
  const first = Buffer.from(fixed)
  const last = prefixEnd(first)
  const place = (bytes: Uint8Array) => {
    const at = terms.find(bytes)
    return at < 0 ? -at - 1 : at
  }
  let ordinal = first.length === 0 ? 0 : place(first)
  const end = last === undefined ? terms.termCount : place(last)
  const width = target.length + 1
  // rows[depth] holds the distances between the first `depth` letters of the term and every prefix of the word.
  const rows: Int32Array[] = [Int32Array.from({ length: width }, (_, i) => i)]
  let previous: number[] = []
  while (ordinal < end) {
    const text = decodeUtf8(terms.term(ordinal), 0, terms.term(ordinal).length)
    const letters = [...text].map((character) => character.codePointAt(0)!)
    let depth = 0
    while (depth < previous.length && depth < letters.length && previous[depth] === letters[depth]) depth++
    let tooFar = -1
    for (; depth < letters.length; depth++) {
      const row = (rows[depth + 1] ??= new Int32Array(width))
      if (fillRow(rows, depth, letters, target, transpositions, row) > maxEdits) {
        tooFar = depth + 1
        break
      }
    }
    if (tooFar < 0) {
      const edits = rows[letters.length]![width - 1]!
      if (edits <= maxEdits) found(ordinal, text, edits)
      previous = letters
      ordinal++
      continue
    }
    previous = letters.slice(0, tooFar)
    const beyond = prefixEnd(Buffer.from(String.fromCodePoint(...previous)))
    ordinal = beyond === undefined ? end : Math.max(ordinal + 1, place(beyond))
  }
}

/** Distances after one more letter; returns the least of this row and the one before, which a swap may still use. */
function fillRow(
  rows: readonly Int32Array[],
  depth: number,
  letters: readonly number[],
  target: readonly number[],
  transpositions: boolean,
  row: Int32Array,
): number {
  const above = rows[depth]!
  const letter = letters[depth]!
  row[0] = depth + 1
  let least = row[0]
  for (let j = 1; j <= target.length; j++) {
    const same = target[j - 1] === letter
    let best = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1))
    const swapped =
      transpositions && depth > 0 && j > 1 && target[j - 2] === letter && target[j - 1] === letters[depth - 1]
    if (swapped) best = Math.min(best, rows[depth - 1]![j - 2]! + 1)
    row[j] = best
    if (best < least) least = best
  }
  if (transpositions) for (let j = 0; j < above.length; j++) if (above[j]! < least) least = above[j]!
  return least
}
