/**
 * Computes the edit distance between a word and a term that is fed letter by letter.
 *
 * The table of edit distances has a row per letter; a state is such a row plus the part of the previous row that a
 * transposition may need. Few different rows occur, so each is computed once, and then a letter costs one table lookup.
 * All letters that are not in the word behave alike and share a column.
 */
import { decodeUtf8 } from '../../../base/json/json-reader.ts'
import { letterSetOf } from './letter-sets.ts'

export interface EditLimits {
  readonly maxEdits: number
  /** Leading letters that must be equal. */
  readonly prefixLength: number
  readonly transpositions: boolean
}

/** Nothing within the limit can follow. */
export const DEAD = 0
/** A transition that is not computed yet. */
export const UNKNOWN = -1
const START = 1

export class EditAutomaton {
  readonly maxEdits: number
  /** UTF-8 of the letters that must be equal. */
  readonly prefix: Uint8Array
  /** The number of letters of the shortest and longest word within the limit. */
  readonly lettersMin: number
  readonly lettersMax: number
  /** The class of every ASCII letter; all letters of a class behave alike. */
  readonly asciiClass: Uint8Array
  readonly classCount: number
  /** The letters of the word (`letter-sets.ts`). */
  readonly letterSet: number
  readonly #transpositions: boolean
  /** The word as letter classes. */
  readonly #target: readonly number[]
  readonly #classes: ReadonlyMap<number, number>
  readonly #rows: Uint8Array[] = []
  readonly #rowsBefore: Uint8Array[] = []
  readonly #stateOf = new Map<string, number>()
  #next: Int32Array

  constructor(word: string, { maxEdits, prefixLength, transpositions }: EditLimits) {
    const letters = [...word].map((character) => character.codePointAt(0)!)
    this.maxEdits = maxEdits
    this.letterSet = letterSetOf(letters)
    this.prefix = Buffer.from(String.fromCodePoint(...letters.slice(0, prefixLength)))
    this.lettersMin = letters.length - maxEdits
    this.lettersMax = letters.length + maxEdits
    this.#transpositions = transpositions
    // Class 0 is every letter that is not in the word.
    const classes = new Map([...new Set(letters)].map((letter, i) => [letter, i + 1]))
    this.#classes = classes
    this.classCount = classes.size + 1
    this.#target = letters.map((letter) => classes.get(letter)!)
    this.asciiClass = Uint8Array.from({ length: 128 }, (_, letter) => classes.get(letter) ?? 0)
    this.#next = new Int32Array(64 * this.classCount).fill(UNKNOWN)
    const far = new Uint8Array(letters.length + 1).fill(maxEdits + 1)
    this.#state(far, far)
    this.#state(
      Uint8Array.from(far, (limit, i) => Math.min(i, limit)),
      far,
    )
  }

  get start(): number {
    return START
  }

  /**
   * The state after a letter, at `state * classCount + class`; UNKNOWN until `step` has computed it. May be replaced by
   * `step`.
   */
  get table(): Int32Array {
    return this.#next
  }

  /** The state after one more letter, given by its code point. */
  step(state: number, letter: number): number {
    const letterClass = letter < 128 ? this.asciiClass[letter]! : (this.#classes.get(letter) ?? 0)
    const next = this.#next[state * this.classCount + letterClass]!
    return next === UNKNOWN ? this.#work(state, letterClass) : next
  }

  /** Edits between the word and the input of the state; beyond the limit if more than allowed. */
  edits(state: number): number {
    return this.#rows[state]![this.#target.length]!
  }

  /** Edits between the word and a term; beyond the limit if more than allowed. */
  distance(term: Uint8Array): number {
    let state = START
    for (const letter of decodeUtf8(term, 0, term.length)) {
      state = this.step(state, letter.codePointAt(0)!)
      if (state === DEAD) return this.maxEdits + 1
    }
    return this.edits(state)
  }

  #work(state: number, letterClass: number): number {
    const above = this.#rows[state]!
    const before = this.#rowsBefore[state]!
    const target = this.#target
    const far = this.maxEdits + 1
    const row = new Uint8Array(above.length)
    row[0] = Math.min(above[0]! + 1, far)
    for (let j = 1; j < row.length; j++) {
      const replaced = above[j - 1]! + (target[j - 1] === letterClass ? 0 : 1)
      let best = Math.min(above[j]! + 1, row[j - 1]! + 1, replaced, far)
      if (j > 1 && target[j - 2] === letterClass) best = Math.min(best, before[j]! + 1)
      row[j] = best
    }
    const next = this.#state(row, this.#swappable(above, letterClass))
    this.#next[state * this.classCount + letterClass] = next
    return next
  }

  /**
   * For every position of the word that the letter equals, the distance two positions before, on which a transposition
   * builds.
   */
  #swappable(above: Uint8Array, letterClass: number): Uint8Array {
    const kept = new Uint8Array(above.length).fill(this.maxEdits + 1)
    if (!this.#transpositions) return kept
    for (let j = 2; j < above.length; j++) if (this.#target[j - 1] === letterClass) kept[j] = above[j - 2]!
    return kept
  }

  #state(row: Uint8Array, before: Uint8Array): number {
    const key = String.fromCharCode(...row, ...before)
    const known = this.#stateOf.get(key)
    if (known !== undefined) return known
    const dead =
      this.#rows.length > START &&
      row.every((edits) => edits > this.maxEdits) &&
      before.every((edits) => edits + 1 > this.maxEdits)
    const state = dead ? DEAD : this.#rows.length
    this.#stateOf.set(key, state)
    if (dead) return DEAD
    this.#rows.push(row)
    this.#rowsBefore.push(before)
    if (this.#rows.length * this.classCount > this.#next.length) {
      const larger = new Int32Array(this.#next.length * 2).fill(UNKNOWN)
      larger.set(this.#next)
      this.#next = larger
    }
    return state
  }
}

/** Code point of the UTF-8 sequence at `at`, which ends before `end`. */
export function codePointAt(bytes: Uint8Array, at: number, end: number): number {
  return decodeUtf8(bytes, at, end).codePointAt(0)!
}
