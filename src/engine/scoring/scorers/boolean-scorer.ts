/**
 * Combines clauses window by window. Required clauses are evaluated from the rarest to the most common, each only for
 * the remaining documents. Scores are added as in Lucene: required clauses in double precision, optional ones in double
 * precision, then both as floats.
 *
 * If only the best documents are needed, optional clauses whose maximum scores together do not reach the floor cannot
 * make a document competitive: they are evaluated only for documents that other clauses have found (MaxScore).
 */
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import {
  anyBit,
  bitsToDocs,
  releaseScratch,
  type Scratch,
  takeScratch,
  WINDOW_SIZE,
  WINDOW_WORDS,
  windowBase,
} from '../window.ts'
import { Scorer } from './scorer.ts'
import { TermScorer } from './term-scorer.ts'

export interface ScorerClauses {
  readonly must: readonly Scorer[]
  readonly filter: readonly Scorer[]
  readonly should: readonly Scorer[]
  readonly mustNot: readonly Scorer[]
}

const f = Math.fround
const NO_FLOOR = Number.NEGATIVE_INFINITY
/**
 * After this many consecutive windows that cannot exceed the floor, `next` is called for the first match after them.
 */
const BOUNDED_WINDOWS = 16

export class BooleanScorer extends Scorer {
  readonly cost: number
  readonly #must: readonly Scorer[]
  /** From the rarest to the most common, and whether each contributes to the score. */
  readonly #required: readonly Scorer[]
  readonly #scored: readonly boolean[]
  readonly #should: readonly Scorer[]
  readonly #mustNot: readonly Scorer[]
  readonly #minimum: number
  /** The optional clauses by their maximum score in the current window, and these scores. */
  readonly #byMax: Scorer[]
  readonly #maxes: Float64Array
  /** The maximum that each required clause and those after it can add in the current window. */
  readonly #rest: Float64Array

  /** At least `minimum` of the optional clauses must match. */
  constructor(clauses: ScorerClauses, minimum: number) {
    super()
    this.#must = clauses.must
    this.#required = [...clauses.must, ...clauses.filter].sort(byCost)
    this.#scored = this.#required.map((part) => clauses.must.includes(part))
    this.#should = clauses.should
    this.#mustNot = clauses.mustNot
    this.#minimum = minimum
    this.#byMax = [...clauses.should]
    this.#maxes = new Float64Array(clauses.should.length)
    this.#rest = new Float64Array(this.#required.length + 1)
    this.cost =
      this.#required.length > 0 ? this.#required[0]!.cost : clauses.should.reduce((sum, part) => sum + part.cost, 0)
  }

  override next(target: number): number {
    if (this.#required.length > 0) {
      // Advance from clause to clause: no document before the furthest position can match.
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

  override get canList(): boolean {
    const [lead, ...others] = this.#required
    if (lead === undefined || this.#minimum > 0 || this.#mustNot.length > 0) return false
    return lead.canList && others.every(({ canLookUp }) => canLookUp)
  }

  /** The matches of the rarest clause that the others match too. */
  override nextDocs(docs: Int32Array): number {
    const required = this.#required
    for (;;) {
      let count = required[0]!.nextDocs(docs)
      if (count === 0) return 0
      for (let i = 1; i < required.length && count > 0; i++) {
        count = required[i]!.retain(0, NO_MORE_DOCS, docs, count, undefined, false)
      }
      if (count > 0) return count
    }
  }

  /** Two terms: the documents of each, minus those of both. */
  override countExactly(): number {
    const [a, b] = this.#should
    const plain = this.#required.length === 0 && this.#mustNot.length === 0 && this.#minimum <= 1
    if (!plain || this.#should.length !== 2 || !(a instanceof TermScorer && b instanceof TermScorer)) return -1
    return a.cost + b.cost - a.countWith(b)
  }

  override get leastCount(): number {
    if (this.#required.length > 0 || this.#mustNot.length > 0 || this.#minimum > 1) return 0
    return this.#should.reduce((most, part) => Math.max(most, part.leastCount), 0)
  }

  override maxScore(base: number, limit: number): number {
    return f(f(sumOfMax(this.#must, base, limit)) + f(sumOfMax(this.#should, base, limit)))
  }

  /** Filters are evaluated completely for the remaining documents. */
  override get skips(): boolean {
    const isScored = this.#required.length === this.#must.length && this.#mustNot.length === 0
    return isScored && this.#must.every(({ skips }) => skips) && this.#should.every(({ skips }) => skips)
  }

  override nextAbove(target: number, floor: number): number {
    if (floor === NO_FLOOR) return this.next(target)
    for (let doc = target, windows = 1; doc < NO_MORE_DOCS; windows++) {
      const base = windowBase(doc)
      const limit = base + WINDOW_SIZE
      const most = this.maxScore(base, limit)
      if (most > floor) return doc
      // Bounds do not reveal where the documents end, and an empty window may be the first of many.
      doc = most > 0 && windows % BOUNDED_WINDOWS !== 0 ? limit : this.next(limit)
    }
    return NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    const lead = this.#required[0]
    if (lead !== undefined) {
      lead.match(base, limit, bits)
      for (let i = 1; i < this.#required.length; i++) this.#required[i]!.narrow(base, limit, bits)
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
    this.matchAbove(base, limit, bits, scores, NO_FLOOR)
  }

  override matchAbove(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    if (this.#required.length > 0) this.#matchRequired(base, limit, bits, scores, floor)
    else if (this.#minimum > 1) this.#matchSeveral(base, limit, bits, scores)
    else this.#matchAny(base, limit, bits, scores, floor)
    if (this.#mustNot.length > 0) this.#exclude(base, limit, bits)
  }

  /** Either only required clauses, or optional ones of which one is enough. */
  override get lists(): boolean {
    if (this.#mustNot.length > 0) return false
    return this.#required.length > 0 ? this.#should.length === 0 : this.#minimum <= 1
  }

  override list(base: number, limit: number, docs: Int32Array, sums: Float64Array | undefined): number {
    if (this.#required.length === 0 || !this.lists || sums !== undefined) return super.list(base, limit, docs, sums)
    const required = this.#required
    let count = required[0]!.list(base, limit, docs, undefined)
    for (let i = 1; i < required.length && count > 0; i++) {
      count = required[i]!.retain(base, limit, docs, count, undefined, false)
    }
    return count
  }

  override listScored(
    base: number,
    limit: number,
    docs: Int32Array,
    scores: Float32Array,
    floor: number,
    counted: boolean,
  ): number {
    const isAny = this.#required.length === 0
    if (isAny && (counted || floor === NO_FLOOR)) return super.listScored(base, limit, docs, scores, floor, counted)
    const scratch = takeScratch()
    const { sums } = scratch
    const count = isAny
      ? this.#listAny(base, limit, docs, sums, floor)
      : this.#listRequired(base, limit, docs, sums, floor, counted)
    for (let i = 0; i < count; i++) scores[docs[i]! - base] = sums[docs[i]! - base]!
    releaseScratch(scratch)
    return count
  }

  #matchRequired(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    const required = takeScratch()
    const optional = takeScratch()
    const { docs } = required
    let count = this.#listRequired(base, limit, docs, required.sums, floor, false)
    if (count > 0 && this.#should.length > 0) count = this.#addOptional(base, limit, docs, count, optional)
    const scored = this.#should.length > 0 ? optional.sums : undefined
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
      const must = f(required.sums[at]!)
      scores[at] = scored === undefined ? must : must + f(scored[at]!)
    }
    releaseScratch(required)
    releaseScratch(optional)
  }

  /** Lists the matches of the rarest clause, and evaluates the others only for those. */
  #listRequired(
    base: number,
    limit: number,
    docs: Int32Array,
    sums: Float64Array,
    floor: number,
    counted: boolean,
  ): number {
    const required = this.#required
    const scored = this.#scored
    if (floor !== NO_FLOOR) this.#boundRest(base, limit)
    let count = required[0]!.list(base, limit, docs, scored[0] === true ? sums : undefined)
    if (scored[0] !== true) clearSums(docs, count, base, sums)
    for (let i = 1; i < required.length && count > 0; i++) {
      const least = floor === NO_FLOOR ? NO_FLOOR : floor / ROUNDING - this.#rest[i]!
      if (!counted && scored[i - 1] === true) count = keepAbove(docs, count, base, sums, least)
      count = required[i]!.retain(base, limit, docs, count, scored[i] === true ? sums : undefined, false, least)
    }
    return count
  }

  #boundRest(base: number, limit: number): void {
    let sum = sumOfMax(this.#should, base, limit)
    for (let i = this.#required.length; i >= 0; i--) {
      if (this.#scored[i] === true) sum += this.#required[i]!.maxScore(base, limit)
      this.#rest[i] = sum
    }
  }

  #addOptional(base: number, limit: number, docs: Int32Array, count: number, optional: Scratch): number {
    if (this.#minimum === 0) {
      clearSums(docs, count, base, optional.sums)
      for (const part of this.#should) part.retain(base, limit, docs, count, optional.sums, true)
      return count
    }
    if (this.#minimum > 1) this.#accumulateCounted(base, limit, optional)
    else for (const part of this.#should) part.accumulate(base, limit, optional.bits, optional.sums)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const at = docs[i]! - base
      if (((optional.bits[at >> 5]! >>> (at & 31)) & 1) === 1) docs[kept++] = docs[i]!
    }
    return kept
  }

  /** Documents of any optional clause. */
  #matchAny(base: number, limit: number, bits: Uint32Array, scores: Float32Array, floor: number): void {
    const scratch = takeScratch()
    const { sums, docs } = scratch
    if (floor === NO_FLOOR) {
      for (const part of this.#should) part.accumulate(base, limit, bits, sums)
      writeScores(bits, sums, scores)
    } else {
      const count = this.#listAny(base, limit, docs, sums, floor)
      for (let i = 0; i < count; i++) {
        const at = docs[i]! - base
        bits[at >> 5] = bits[at >> 5]! | (1 << (at & 31))
        scores[at] = sums[at]!
      }
    }
    releaseScratch(scratch)
  }

  /** Documents of any optional clause that can exceed the floor. */
  #listAny(base: number, limit: number, docs: Int32Array, sums: Float64Array, floor: number): number {
    const { parts, maxes } = this.#weakestFirst(base, limit)
    // The first parts together stay below the floor: a competitive document has one of the others.
    let below = 0
    let sumBelow = 0
    while (below < parts.length && f(sumBelow + maxes[below]!) <= floor) sumBelow += maxes[below++]!
    const least = floor / ROUNDING
    let count = 0
    if (below === parts.length - 1) count = parts[below]!.listAbove(base, limit, docs, sums, least - sumBelow)
    else if (below < parts.length) {
      const scratch = takeScratch()
      for (let i = below; i < parts.length; i++) parts[i]!.accumulate(base, limit, scratch.bits, sums)
      count = bitsToDocs(scratch.bits, base, docs)
      releaseScratch(scratch)
    }
    for (let i = below - 1; i >= 0; i--) {
      count = keepAbove(docs, count, base, sums, least - sumBelow)
      if (count === 0) break
      parts[i]!.retain(base, limit, docs, count, sums, true)
      sumBelow -= maxes[i]!
    }
    return count
  }

  /** The optional clauses by their maximum score in the window. */
  #weakestFirst(base: number, limit: number): { readonly parts: readonly Scorer[]; readonly maxes: Float64Array } {
    const parts = this.#byMax
    const maxes = this.#maxes
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const max = part.maxScore(base, limit)
      let at = i
      for (; at > 0 && maxes[at - 1]! > max; at--) {
        parts[at] = parts[at - 1]!
        maxes[at] = maxes[at - 1]!
      }
      parts[at] = part
      maxes[at] = max
    }
    return { parts, maxes }
  }

  /** Documents that match at least `minimum_should_match` of the optional clauses. */
  #matchSeveral(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    this.#accumulateCounted(base, limit, scratch)
    bits.set(scratch.bits)
    writeScores(bits, scratch.sums, scores)
    releaseScratch(scratch)
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
    optional.sums.fill(0)
    for (const part of this.#should) {
      scratch.bits.fill(0)
      part.matchScored(base, limit, scratch.bits, scratch.scores)
      addScores(scratch.bits, scratch.scores, optional.sums)
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

function byCost(a: Scorer, b: Scorer): number {
  return a.cost - b.cost
}

function sumOfMax(parts: readonly Scorer[], base: number, limit: number): number {
  let sum = 0
  for (const part of parts) sum += part.maxScore(base, limit)
  return sum
}

/** Exceeds what rounding to floats may add to a sum. */
const ROUNDING = 1.000001

/** Keeps the documents whose sums exceed `least`. */
function keepAbove(docs: Int32Array, count: number, base: number, sums: Float64Array, least: number): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (sums[docs[i]! - base]! > least) docs[kept++] = docs[i]!
  return kept
}

function clearSums(docs: Int32Array, count: number, base: number, sums: Float64Array): void {
  for (let i = 0; i < count; i++) sums[docs[i]! - base] = 0
}

function addScores(bits: Uint32Array, scores: Float32Array, sums: Float64Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    for (let word = bits[i]!; word !== 0; word &= word - 1) {
      const at = (i << 5) + (31 - Math.clz32(word & -word))
      sums[at] = sums[at]! + scores[at]!
    }
  }
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

function writeScores(bits: Uint32Array, sums: Float64Array, scores: Float32Array): void {
  for (let i = 0; i < WINDOW_WORDS; i++) {
    let word = bits[i]!
    while (word !== 0) {
      const lowest = word & -word
      const at = (i << 5) + (31 - Math.clz32(lowest))
      scores[at] = sums[at]!
      word ^= lowest
    }
  }
}
