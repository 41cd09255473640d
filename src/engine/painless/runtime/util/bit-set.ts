/** java.util.BitSet. */
import { indexOutOfBounds, negativeArraySize } from '../../errors/java-throwable.ts'
import { JArray, JObject } from '../java-object.ts'
import { spendMemory } from '../limits.ts'
import { registerConstructors, registerStatics } from '../registry.ts'

const WORD_BITS = 64
const wordsFor = (bits: number) => Math.ceil(bits / WORD_BITS)

class BitSet extends JObject {
  readonly #bits: Set<number>
  /** The number of words that Java would have allocated. */
  #words: number
  /** Whether the number of words was chosen. Otherwise cloning drops those that are not used. */
  readonly #isSized: boolean

  constructor(bits: Iterable<number> = [], words = 1, isSized = false) {
    super()
    this.#bits = new Set(bits)
    this.#words = words
    this.#isSized = isSized
  }

  get $class(): string {
    return 'java.util.BitSet'
  }

  #check(index: number): number {
    if (index < 0) throw indexOutOfBounds(`bitIndex < 0: ${index}`)
    return index
  }

  #put(index: number, on: boolean): void {
    this.#check(index)
    if (!on) this.#bits.delete(index)
    else {
      spendMemory(1)
      this.#bits.add(index)
      const words = wordsFor(index + 1)
      if (words > this.#words) this.#words = Math.max(2 * this.#words, words)
    }
  }

  #each(from: number, to: number, action: (index: number) => void): void {
    if (from < 0) throw indexOutOfBounds(`fromIndex < 0: ${from}`)
    if (to < 0) throw indexOutOfBounds(`toIndex < 0: ${to}`)
    if (from > to) throw indexOutOfBounds(`fromIndex: ${from} > toIndex: ${to}`)
    spendMemory(to - from)
    for (let i = from; i < to; i++) action(i)
  }

  #sorted(): number[] {
    return [...this.#bits].sort((a, b) => a - b)
  }

  set_1(index: number): void {
    this.#put(index, true)
  }

  set_2(from: number, to: number): void {
    this.#each(from, to, (i) => this.#put(i, true))
  }

  set_3(from: number, to: number, on: boolean): void {
    this.#each(from, to, (i) => this.#put(i, on))
  }

  clear_0(): void {
    this.#bits.clear()
  }

  clear_1(index: number): void {
    this.#put(index, false)
  }

  clear_2(from: number, to: number): void {
    this.#each(from, to, (i) => this.#put(i, false))
  }

  flip_1(index: number): void {
    this.#put(index, !this.#bits.has(this.#check(index)))
  }

  flip_2(from: number, to: number): void {
    this.#each(from, to, (i) => this.flip_1(i))
  }

  cardinality_0(): number {
    return this.#bits.size
  }

  isEmpty_0(): boolean {
    return this.#bits.size === 0
  }

  length_0(): number {
    return this.#bits.size === 0 ? 0 : Math.max(...this.#bits) + 1
  }

  size_0(): number {
    return this.#words * WORD_BITS
  }

  intersects_1(other: BitSet): boolean {
    return [...this.#bits].some((bit) => other.#bits.has(bit))
  }

  nextSetBit_1(from: number): number {
    if (from < 0) throw indexOutOfBounds(`fromIndex < 0: ${from}`)
    return this.#sorted().find((bit) => bit >= from) ?? -1
  }

  previousSetBit_1(from: number): number {
    if (from < -1) throw indexOutOfBounds(`fromIndex < -1: ${from}`)
    return this.#sorted().findLast((bit) => bit <= from) ?? -1
  }

  toByteArray_0(): JArray {
    const bytes = new Int8Array(Math.ceil(this.length_0() / 8))
    for (const bit of this.#bits) bytes[bit >> 3]! |= 1 << (bit & 7)
    return new JArray('byte[]', Array.from(bytes))
  }

  static ofLongs(array: JArray): BitSet {
    const set = new BitSet()
    for (const [i, word] of (array.items as bigint[]).entries()) {
      for (let bit = 0; bit < 64; bit++) if (((word >> BigInt(bit)) & 1n) === 1n) set.set_1(64 * i + bit)
    }
    set.#words = wordsFor(set.length_0())
    return set
  }

  clone_0(): BitSet {
    if (!this.#isSized) this.#words = wordsFor(this.length_0())
    return new BitSet(this.#bits, this.#words, this.#isSized)
  }

  nextClearBit_1(from: number): number {
    if (from < 0) throw indexOutOfBounds(`fromIndex < 0: ${from}`)
    let at = from
    while (this.#bits.has(at)) at++
    return at
  }

  previousClearBit_1(from: number): number {
    if (from < -1) throw indexOutOfBounds(`fromIndex < -1: ${from}`)
    let at = from
    while (at >= 0 && this.#bits.has(at)) at--
    return at
  }

  and_1(other: BitSet): void {
    for (const bit of this.#bits) if (!other.#bits.has(bit)) this.#bits.delete(bit)
  }

  or_1(other: BitSet): void {
    for (const bit of other.#bits) this.#put(bit, true)
  }

  xor_1(other: BitSet): void {
    for (const bit of [...other.#bits]) this.flip_1(bit)
  }

  andNot_1(other: BitSet): void {
    for (const bit of other.#bits) this.#bits.delete(bit)
  }

  toLongArray_0(): JArray {
    const words = new Array<bigint>(Math.ceil(this.length_0() / 64)).fill(0n)
    for (const bit of this.#bits) words[bit >> 6]! |= 1n << BigInt(bit & 63)
    return new JArray(
      'long[]',
      words.map((word) => BigInt.asIntN(64, word)),
    )
  }

  override equals_1(other: unknown): boolean {
    return other instanceof BitSet && other.toString_0() === this.toString_0()
  }

  override hashCode_0(): number {
    let hash = 1234n
    const words = this.toLongArray_0().items as bigint[]
    for (let i = words.length - 1; i >= 0; i--) hash = BigInt.asIntN(64, hash ^ (words[i]! * BigInt(i + 1)))
    return Number(BigInt.asIntN(32, (hash >> 32n) ^ hash))
  }

  override toString_0(): string {
    return `{${this.#sorted().join(', ')}}`
  }
}

registerConstructors('java.util.BitSet', {
  0: () => new BitSet(),
  1: (size: number) => {
    if (size < 0) throw negativeArraySize(`nbits < 0: ${size}`)
    return new BitSet([], wordsFor(size), true)
  },
})
registerStatics('java.util.BitSet', { valueOf_1: (array: JArray) => BitSet.ofLongs(array) })
