/** Random choices from a seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0 || 1
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!
  }

  list<T>(max: number, make: () => T): T[] {
    return Array.from({ length: this.below(max + 1) }, make)
  }
}
