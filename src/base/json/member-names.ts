/**
 * The member names seen so far in each open object, for duplicate detection.
 *
 * Most objects are small: their names are compared by hash, one after another, in one flat stack for all depths. That
 * is quadratic in the number of members and would take hours for an object of a million members, so a large object uses
 * a set.
 */
import { decodeUtf8 } from './json-bytes.ts'

/** Objects with more members than this use the set. */
const SCANNED_MAX = 48
/** Entries per name: hash, start, end. */
const WIDTH = 3

export class MemberNames {
  #names = new Int32Array(WIDTH * 64)
  #count = 0
  /** Where the names of the open object at each depth begin. */
  readonly #base: Int32Array
  readonly #sets: (Set<string> | undefined)[] = []

  constructor(depthMax: number) {
    this.#base = new Int32Array(depthMax + 1)
  }

  clear(): void {
    this.#count = 0
  }

  open(depth: number): void {
    this.#base[depth] = this.#count
    this.#sets[depth] = undefined
  }

  close(depth: number): void {
    this.#count = this.#base[depth]!
  }

  /** Adds the name `bytes[start, end)`. Returns false if the object already has it. */
  add(depth: number, hash: number, bytes: Uint8Array, start: number, end: number): boolean {
    const names = this.#names
    const count = this.#count
    const base = this.#base[depth]!
    if (count - base > SCANNED_MAX) return this.#addToSet(depth, bytes, start, end)
    for (let i = base; i < count; i++) {
      if (names[i * WIDTH] === hash && sameBytes(bytes, names[i * WIDTH + 1]!, names[i * WIDTH + 2]!, start, end)) {
        return false
      }
    }
    if (count * WIDTH + WIDTH > names.length) this.#grow()
    this.#names[count * WIDTH] = hash
    this.#names[count * WIDTH + 1] = start
    this.#names[count * WIDTH + 2] = end
    this.#count = count + 1
    return true
  }

  #addToSet(depth: number, bytes: Uint8Array, start: number, end: number): boolean {
    let set = this.#sets[depth]
    if (set === undefined) {
      set = new Set()
      for (let i = this.#base[depth]!; i < this.#count; i++) {
        set.add(decodeUtf8(bytes, this.#names[i * WIDTH + 1]!, this.#names[i * WIDTH + 2]!))
      }
      this.#sets[depth] = set
    }
    const name = decodeUtf8(bytes, start, end)
    if (set.has(name)) return false
    set.add(name)
    return true
  }

  #grow(): void {
    const grown = new Int32Array(this.#names.length * 2)
    grown.set(this.#names)
    this.#names = grown
  }
}

function sameBytes(bytes: Uint8Array, start: number, end: number, otherStart: number, otherEnd: number): boolean {
  if (end - start !== otherEnd - otherStart) return false
  for (let i = start, j = otherStart; i < end; i++, j++) if (bytes[i] !== bytes[j]) return false
  return true
}
