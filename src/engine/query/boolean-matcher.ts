/**
 * Combines clauses window by window. Required clauses go from the rarest to the commonest, each looking only at what is
 * left. Scores add up as Lucene adds them: required clauses in double precision, optional ones in double precision, then
 * both as floats.
 */
import { NO_MORE_DOCS } from '../segment/segment-reader-api.ts'
import { Matcher } from './matcher.ts'
import { anyBit, releaseScratch, type Scratch, takeScratch, WINDOW_SIZE, WINDOW_WORDS } from './window.ts'

export interface MatcherClauses {
  readonly must: readonly Matcher[]
  readonly filter: readonly Matcher[]
  readonly should: readonly Matcher[]
  readonly mustNot: readonly Matcher[]
}

export class BooleanMatcher extends Matcher {
  readonly cost: number
  readonly #must: readonly Matcher[]
  readonly #filter: readonly Matcher[]
  readonly #required: readonly Matcher[]
  readonly #should: readonly Matcher[]
  readonly #mustNot: readonly Matcher[]
  readonly #minimum: number

  /** At least `minimum` of the optional clauses must match. */
  constructor(clauses: MatcherClauses, minimum: number) {
    super()
    this.#must = clauses.must
    this.#filter = [...clauses.filter].sort(byCost)
    this.#required = [...clauses.must, ...clauses.filter].sort(byCost)
    this.#should = clauses.should
    this.#mustNot = clauses.mustNot
    this.#minimum = minimum
    this.cost =
      this.#required.length > 0 ? this.#required[0]!.cost : clauses.should.reduce((sum, part) => sum + part.cost, 0)
  }

  override next(target: number): number {
    if (this.#required.length > 0) {
      // Leap from clause to clause: nothing matches before the furthest of them.
      let doc = target
      for (const part of this.#required) {
        const next = part.next(doc)
        if (next === NO_MORE_DOCS) return NO_MORE_DOCS
        if (next > doc) doc = next
      }
      return doc
    }
    let first = NO_MORE_DOCS
    for (const part of this.#should) first = Math.min(first, part.next(target))
    return first
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const [lead, ...others] = this.#required
    if (lead !== undefined) {
      lead.match(base, limit, bits)
      for (const part of others) part.narrow(base, limit, bits)
      if (!anyBit(bits)) return
    }
    if (this.#minimum > 0) {
      const scratch = takeScratch()
      this.#matchOptional(base, limit, scratch.bits)
      if (lead === undefined) bits.set(scratch.bits)
      else for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & scratch.bits[i]!
      releaseScratch(scratch)
    }
    this.#exclude(base, limit, bits)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const required = this.#must.length > 0 ? takeScratch() : undefined
    if (this.#required.length > 0) {
      this.#matchRequired(base, limit, bits, required)
      if (!anyBit(bits)) {
        if (required !== undefined) releaseScratch(required)
        return
      }
    }
    const optional = this.#should.length > 0 ? takeScratch() : undefined
    if (optional !== undefined) {
      optional.sums.fill(0)
      if (this.#minimum > 1) this.#accumulateCounted(base, limit, optional)
      else for (const part of this.#should) part.accumulate(base, limit, optional.bits, optional.sums)
      if (this.#required.length === 0) bits.set(optional.bits)
      else if (this.#minimum > 0) for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & optional.bits[i]!
    }
    this.#exclude(base, limit, bits)
    writeScores(bits, required, optional, scores)
    if (required !== undefined) releaseScratch(required)
    if (optional !== undefined) releaseScratch(optional)
  }

  #matchRequired(base: number, limit: number, bits: Uint32Array, sums: Scratch | undefined): void {
    let first = true
    if (sums !== undefined) {
      sums.sums.fill(0)
      const scratch = takeScratch()
      for (const part of this.#must) {
        scratch.bits.fill(0)
        part.accumulate(base, limit, scratch.bits, sums.sums)
        if (first) bits.set(scratch.bits)
        else for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & scratch.bits[i]!
        first = false
        if (!anyBit(bits)) break
      }
      releaseScratch(scratch)
    }
    for (const part of this.#filter) {
      if (first) part.match(base, limit, bits)
      else part.narrow(base, limit, bits)
      first = false
    }
  }

  #matchOptional(base: number, limit: number, bits: Uint32Array): void {
    const counts = this.#minimum > 1 ? new Uint16Array(WINDOW_SIZE) : undefined
    const scratch = takeScratch()
    for (const part of this.#should) {
      scratch.bits.fill(0)
      part.match(base, limit, scratch.bits)
      if (counts === undefined) for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! | scratch.bits[i]!
      else countBitsInto(scratch.bits, counts)
    }
    releaseScratch(scratch)
    if (counts !== undefined) keepCounted(counts, this.#minimum, bits)
  }

  #accumulateCounted(base: number, limit: number, optional: Scratch): void {
    const counts = new Uint16Array(WINDOW_SIZE)
    const scratch = takeScratch()
    for (const part of this.#should) {
      scratch.bits.fill(0)
      part.accumulate(base, limit, scratch.bits, optional.sums)
      countBitsInto(scratch.bits, counts)
    }
    releaseScratch(scratch)
    keepCounted(counts, this.#minimum, optional.bits)
  }

  #exclude(base: number, limit: number, bits: Uint32Array): void {
    for (const part of this.#mustNot) {
      if (!anyBit(bits)) return
      const scratch = takeScratch()
      part.match(base, limit, scratch.bits)
      for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & ~scratch.bits[i]!
      releaseScratch(scratch)
    }
  }
}

function byCost(a: Matcher, b: Matcher): number {
  return a.cost - b.cost
}

function countBitsInto(bits: Uint32Array, counts: Uint16Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    let word = bits[i]!
    while (word !== 0) {
      const lowest = word & -word
      const at = (i << 5) + (31 - Math.clz32(lowest))
      counts[at] = counts[at]! + 1
      word ^= lowest
    }
  }
}

function keepCounted(counts: Uint16Array, minimum: number, bits: Uint32Array): void {
  for (let at = 0; at < WINDOW_SIZE; at++) {
    if (counts[at]! >= minimum) bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
    else bits[at >> 5] = bits[at >> 5]! & ~(1 << (at & 31))
  }
}

function writeScores(
  bits: Uint32Array,
  required: Scratch | undefined,
  optional: Scratch | undefined,
  scores: Float32Array,
): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    let word = bits[i]!
    while (word !== 0) {
      const lowest = word & -word
      const at = (i << 5) + (31 - Math.clz32(lowest))
      const must = required === undefined ? 0 : Math.fround(required.sums[at]!)
      scores[at] = optional === undefined ? must : must + Math.fround(optional.sums[at]!)
      word ^= lowest
    }
  }
}
