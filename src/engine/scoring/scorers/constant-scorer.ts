/** Scorers with one score for all their documents. */
import { NO_MORE_DOCS } from '../../segment/segment-reader-api.ts'
import { setRange } from '../window.ts'
import { Scorer } from './scorer.ts'

export abstract class ConstantScorer extends Scorer {
  readonly score: number

  constructor(score: number) {
    super()
    this.score = Math.fround(score)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.match(base, limit, bits)
    scores.fill(this.score, 0, limit - base)
  }

  override maxScore(): number {
    return this.score
  }

  override nextAbove(target: number, floor: number): number {
    return this.score <= floor ? NO_MORE_DOCS : this.next(target)
  }
}

/** Every document of the segment. */
export class AllScorer extends ConstantScorer {
  readonly cost: number

  constructor(docCount: number, score: number) {
    super(score)
    this.cost = docCount
  }

  override get exactCount(): number {
    return this.cost
  }

  override has(): boolean {
    return true
  }

  override next(target: number): number {
    return target < this.cost ? target : NO_MORE_DOCS
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    setRange(bits, 0, limit - base)
  }

  override narrow(): void {}
}

/** Gives another scorer's documents one score. */
export class ConstantScoreScorer extends ConstantScorer {
  readonly cost: number
  readonly #inner: Scorer

  constructor(inner: Scorer, score: number) {
    super(score)
    this.#inner = inner
    this.cost = inner.cost
  }

  override get exactCount(): number {
    return this.#inner.exactCount
  }

  override get isMasked(): boolean {
    return this.#inner.isMasked
  }

  override get canList(): boolean {
    return this.#inner.canList
  }

  override nextDocs(docs: Int32Array): number {
    return this.#inner.nextDocs(docs)
  }

  override get canLookUp(): boolean {
    return this.#inner.canLookUp
  }

  override next(target: number): number {
    return this.#inner.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    this.#inner.match(base, limit, bits)
  }

  override narrow(base: number, limit: number, bits: Uint32Array): void {
    this.#inner.narrow(base, limit, bits)
  }

  protected override keep(base: number, limit: number, docs: Int32Array, count: number): number {
    return this.#inner.retain(base, limit, docs, count, undefined, false)
  }
}
