/** java.util.Random. The sequence for a seed is part of its contract. */
import { illegalArgument } from '../../errors/java-throwable.ts'
import { type JArray, JObject } from '../java-object.ts'
import { spendSteps } from '../limits.ts'
import { registerConstructors } from '../registry.ts'

const MULTIPLIER = 0x5deece66dn
const MASK = (1n << 48n) - 1n

class Random extends JObject {
  #seed: bigint
  #gaussian: number | undefined

  constructor(seed: bigint) {
    super()
    this.#seed = (seed ^ MULTIPLIER) & MASK
  }

  get $class(): string {
    return 'java.util.Random'
  }

  #next(bits: number): number {
    this.#seed = (this.#seed * MULTIPLIER + 0xbn) & MASK
    return Number(BigInt.asIntN(32, this.#seed >> BigInt(48 - bits)))
  }

  setSeed_1(seed: bigint): void {
    this.#seed = (seed ^ MULTIPLIER) & MASK
    this.#gaussian = undefined
  }

  nextBytes_1(bytes: JArray): void {
    spendSteps(bytes.items.length)
    let bits = 0
    for (let i = 0; i < bytes.items.length; i++) {
      bits = i % 4 === 0 ? this.nextInt_0() : bits >> 8
      bytes.items[i] = (bits << 24) >> 24
    }
  }

  nextInt_0(): number {
    return this.#next(32)
  }

  nextBoolean_0(): boolean {
    return this.#next(1) !== 0
  }

  nextFloat_0(): number {
    return this.#next(24) / (1 << 24)
  }

  nextDouble_0(): number {
    return (this.#next(26) * 2 ** 27 + this.#next(27)) * 2 ** -53
  }

  nextLong_0(): bigint {
    return BigInt.asIntN(64, (BigInt(this.#next(32)) << 32n) + BigInt(this.#next(32)))
  }

  nextInt_1(bound: number): number {
    if (bound <= 0) throw illegalArgument('bound must be positive')
    let bits = this.#next(31)
    if ((bound & -bound) === bound) return Number((BigInt(bound) * BigInt(bits)) >> 31n)
    let value = bits % bound
    while (((bits - value + (bound - 1)) | 0) < 0) {
      bits = this.#next(31)
      value = bits % bound
    }
    return value
  }

  nextGaussian_0(): number {
    const kept = this.#gaussian
    if (kept !== undefined) {
      this.#gaussian = undefined
      return kept
    }
    while (true) {
      const a = 2 * this.nextDouble_0() - 1
      const b = 2 * this.nextDouble_0() - 1
      const s = a * a + b * b
      if (s >= 1 || s === 0) continue
      const factor = Math.sqrt((-2 * Math.log(s)) / s)
      this.#gaussian = b * factor
      return a * factor
    }
  }
}

registerConstructors('java.util.Random', {
  0: () => new Random(BigInt(Math.floor(Math.random() * Number.MAX_SAFE_INTEGER))),
  1: (seed: bigint) => new Random(seed),
})
