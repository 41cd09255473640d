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

/** States that fit before the tables are enlarged. */
const STATES_AT_FIRST = 64

export class EditAutomaton {
  readonly maxEdits: number
  /** UTF-8 of the letters that must be equal. */
  readonly prefix: Uint8Array
  /** The number of letters of the shortest and longest word within the limit. */
  readonly lettersMin: number
  readonly lettersMax: number
  /** The class of every ASCII letter; all letters of a class behave alike. */
  readonly asciiClass = new Uint8Array(128)
  readonly classCount: number
  /** The letters of the word (`letter-sets.ts`). */
  readonly letterSet: number
  readonly #transpositions: boolean
  /** The word as letter classes. */
  readonly #target: Uint32Array
  readonly #classes = new Map<number, number>()
  /** The cells of a row: one more than the word has letters. */
  readonly #width: number
  /**
   * By state, a row and the cells of the row before that a transposition may need. The cells after the last state hold
   * the state that is being computed.
   */
  #cells: Uint8Array
  #stateCount = 2
  /** A hash table of the states by their cells, with linear probing. 0 is a free slot: DEAD needs none. */
  #stateByCells: Int32Array
  #next: Int32Array

  constructor(word: string, { maxEdits, prefixLength, transpositions }: EditLimits) {
    const letters = [...word].map((character) => character.codePointAt(0)!)
    this.maxEdits = maxEdits
    this.letterSet = letterSetOf(letters)
    this.prefix = Buffer.from(String.fromCodePoint(...letters.slice(0, prefixLength)))
    this.lettersMin = letters.length - maxEdits
    this.lettersMax = letters.length + maxEdits
    this.#transpositions = transpositions
    this.#target = new Uint32Array(letters.length)
    for (const [i, letter] of letters.entries()) this.#target[i] = this.#classOf(letter)
    this.classCount = this.#classes.size + 1
    this.#width = letters.length + 1
    this.#next = new Int32Array(STATES_AT_FIRST * this.classCount).fill(UNKNOWN)
    this.#stateByCells = new Int32Array(STATES_AT_FIRST * 2)
    this.#cells = new Uint8Array(STATES_AT_FIRST * 2 * this.#width)
    this.#cells.fill(maxEdits + 1, 0, 4 * this.#width)
    for (let i = 0; i <= maxEdits && i < this.#width; i++) this.#cells[START * 2 * this.#width + i] = i
    this.#insert(START)
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
    return next === UNKNOWN ? this.#compute(state, letterClass) : next
  }

  /** Edits between the word and the input of the state; beyond the limit if more than allowed. */
  edits(state: number): number {
    return this.#cells[state * 2 * this.#width + this.#width - 1]!
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

  /** The class of a letter of the word. Class 0 is every letter that is not in the word. */
  #classOf(letter: number): number {
    let known = this.#classes.get(letter)
    if (known === undefined) {
      known = this.#classes.size + 1
      this.#classes.set(letter, known)
      if (letter < 128) this.asciiClass[letter] = known
    }
    return known
  }

  #compute(state: number, letterClass: number): number {
    const reached = this.#writeCells(state, letterClass) ? this.#findOrInsert() : DEAD
    this.#next[state * this.classCount + letterClass] = reached
    return reached
  }

  /** Writes the cells after one more letter behind the last state. Returns whether a word within the limit can follow. */
  #writeCells(state: number, letterClass: number): boolean {
    const cells = this.#cells
    const width = this.#width
    const target = this.#target
    const far = this.maxEdits + 1
    const above = state * 2 * width
    const before = above + width
    const row = this.#stateCount * 2 * width
    const swappable = row + width
    let left = Math.min(cells[above]! + 1, far)
    let isAlive = left < far
    cells[row] = left
    cells[swappable] = far
    for (let j = 1; j < width; j++) {
      const isEqual = target[j - 1] === letterClass
      let best = Math.min(cells[above + j]! + 1, left + 1, cells[above + j - 1]! + (isEqual ? 0 : 1), far)
      if (j > 1 && target[j - 2] === letterClass) best = Math.min(best, cells[before + j]! + 1)
      cells[row + j] = best
      left = best
      // The distance two positions before, on which a transposition with the next letter builds.
      const kept = this.#transpositions && isEqual && j > 1 ? cells[above + j - 2]! : far
      cells[swappable + j] = kept
      isAlive ||= best < far || kept + 1 < far
    }
    return isAlive
  }

  /** The state with the cells behind the last state, which becomes a new state if there is none. */
  #findOrInsert(): number {
    const slots = this.#stateByCells
    const state = this.#stateCount
    let slot = this.#hash(state) & (slots.length - 1)
    for (; slots[slot] !== 0; slot = (slot + 1) & (slots.length - 1)) {
      if (this.#hasSameCells(slots[slot]!, state)) return slots[slot]!
    }
    slots[slot] = state
    this.#stateCount++
    if (this.#stateCount * this.classCount >= this.#next.length) this.#enlarge()
    return state
  }

  #hasSameCells(a: number, b: number): boolean {
    const size = 2 * this.#width
    for (let i = 0; i < size; i++) if (this.#cells[a * size + i] !== this.#cells[b * size + i]) return false
    return true
  }

  #insert(state: number): void {
    const slots = this.#stateByCells
    let slot = this.#hash(state)
    while (slots[slot & (slots.length - 1)] !== 0) slot++
    slots[slot & (slots.length - 1)] = state
  }

  /** FNV-1a. */
  #hash(state: number): number {
    const size = 2 * this.#width
    let hash = 0x811c9dc5
    for (let i = state * size; i < (state + 1) * size; i++) hash = Math.imul(hash ^ this.#cells[i]!, 0x01000193)
    return (hash ^ (hash >>> 15)) >>> 0
  }

  #enlarge(): void {
    const next = new Int32Array(this.#next.length * 2).fill(UNKNOWN)
    next.set(this.#next)
    this.#next = next
    const cells = new Uint8Array(this.#cells.length * 2)
    cells.set(this.#cells)
    this.#cells = cells
    this.#stateByCells = new Int32Array(this.#stateByCells.length * 2)
    for (let state = START; state < this.#stateCount; state++) this.#insert(state)
  }
}

/** Code point of the UTF-8 sequence at `at`, which ends before `end`. */
export function codePointAt(bytes: Uint8Array, at: number, end: number): number {
  return decodeUtf8(bytes, at, end).codePointAt(0)!
}
