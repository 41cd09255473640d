/** `function_score`: the scores of a query, modified by functions of the document. */

import { ApiError } from '../../../base/api-error.ts'
import { setBit } from '../../../base/bit-set.ts'
import type { Query, SearchExecutionContext, Weight } from '../../scoring/query.ts'
import { retainAmong } from '../../scoring/retain-among.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_WORDS } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, newOptions } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { scriptDocuments } from '../script/script-documents.ts'
import { SCORE_ERROR, Skipping } from '../script/skipped-windows.ts'
import {
  combineBlock,
  combineScores,
  type FunctionScoreSettings,
  foldFunctions,
  type PlannedFunction,
} from './combine-functions.ts'
import { explainFunctionScore } from './explain-function-score.ts'
import type { DocFunction } from './score-functions.ts'

export class FunctionScoreQuery extends QueryNode {
  override readonly kind = 'function_score'
  readonly query: Query
  readonly settings: FunctionScoreSettings

  constructor(query: Query, settings: FunctionScoreSettings, options: ClauseOptions = newOptions()) {
    super(options)
    this.query = query
    this.settings = settings
  }

  children(): readonly Query[] {
    // A filter that matches everything is left out, with its name.
    const filters = this.settings.functions
      .map(({ filter }) => filter)
      .filter((filter) => filter !== undefined && filter.kind !== 'match_all') as Query[]
    return [this.query, ...filters]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    const filters = this.settings.functions.map(({ filter }) => filter?.plan(context, false, 1))
    // Elasticsearch leaves out filters that it rewrites to match_all, e.g. one on the name of the index.
    const settings = loneFunction({
      ...this.settings,
      functions: this.settings.functions.map((entry, i) =>
        entry.filter?.kind === 'match_all' || filters[i]?.matches === 'all' ? { ...entry, filter: undefined } : entry,
      ),
    })
    const scored = scoring || settings.minScore !== undefined
    // Where scores are not needed, Lucene removes the boosts around the query: a minimum is held against scores without them.
    const query = this.query.plan(context, scored, scoring ? boost : 1)
    if (query.isRefused === true) return query
    const functions = settings.functions.map((entry, i) => ({
      weight: entry.weight === undefined ? undefined : Math.fround(entry.weight),
      bind: entry.function.bind(context),
      filter: entry.filter === undefined ? undefined : filters[i],
    }))
    const text = (rewritten: boolean) =>
      `function score (${query.text(rewritten)}, functions: [${settings.functions.map(functionText).join('')}])`
    // Functions were bound above even though scores are not needed: their errors are always reported.
    if (!scored) {
      if (query.matches === 'none') return query
      return {
        text,
        explainedAs: query,
        explain: (segment, doc) => query.explain(segment, doc),
        scorer: (segment) => query.scorer(segment),
        words: (visitor) => query.words?.(visitor),
      }
    }
    return {
      text,
      explain(segment, doc) {
        const own = query.explain(segment, doc)
        return own.match ? explainFunctionScore({ query: this, own, functions, settings }, segment, doc) : own
      },
      scorer: (segment) => {
        const inner = query.scorer(segment)
        if (inner === undefined) return undefined
        const bound = functions.map((entry): BoundFunction => bindFunction(entry, segment))
        // A function is not evaluated for other documents, because it may fail for them.
        return new FunctionScoreScorer(inner, bound, settings, scriptDocuments(context, segment))
      },
      words: (visitor) => query.words?.(visitor),
    }
  }
}

/** A function with a filter or a weight of its own is shown without its text. */
function functionText(entry: FunctionScoreSettings['functions'][number]): string {
  const isBare = entry.filter === undefined && entry.weight === undefined
  return `{${(isBare ? entry.function.text : undefined) ?? ''}}`
}

/** A single function for all documents is its own value: there is nothing to average or choose from. */
function loneFunction(settings: FunctionScoreSettings): FunctionScoreSettings {
  const [first, second] = settings.functions
  const isLone = first !== undefined && second === undefined
  return isLone && first.filter === undefined ? { ...settings, scoreMode: 'first' } : settings
}

function checkScore(score: number, doc: number): number {
  if (!Number.isNaN(score) && score !== Number.NEGATIVE_INFINITY) return score
  const shown = Number.isNaN(score) ? 'NaN' : '-Infinity'
  throw new ApiError(500, 'exception', `function score query returned an invalid score: ${shown} for doc: ${doc}`)
}

interface BoundFunction {
  readonly weight: number
  readonly value: DocFunction
  /** Null: applies to no document of the segment. */
  readonly filter: Scorer | undefined | null
}

function bindFunction(entry: PlannedFunction, segment: SegmentView): BoundFunction {
  const filter = entry.filter === undefined ? undefined : (entry.filter.scorer(segment) ?? null)
  return { weight: entry.weight ?? 1, value: entry.bind(segment), filter }
}

class FunctionScoreScorer extends Scorer {
  readonly cost: number
  readonly #inner: Scorer
  readonly #functions: readonly BoundFunction[]
  readonly #settings: FunctionScoreSettings
  readonly #counted: Uint32Array | undefined
  /** The only function, if it is for all documents and computes many values at once. */
  readonly #block: BoundFunction | undefined
  readonly #skipping = new Skipping()
  #values = new Float64Array(0)
  #listedBest = Number.POSITIVE_INFINITY

  constructor(
    inner: Scorer,
    functions: readonly BoundFunction[],
    settings: FunctionScoreSettings,
    counted: Uint32Array | undefined,
  ) {
    super()
    this.#counted = counted
    this.#inner = inner
    this.#functions = functions
    this.#settings = settings
    this.cost = inner.cost
    const [first] = functions
    const isLone = functions.length === 1 && first!.filter === undefined
    this.#block = isLone && first!.value.values !== undefined ? first : undefined
  }

  override next(target: number): number {
    return this.#inner.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    if (this.#settings.minScore === undefined) {
      this.#inner.match(base, limit, bits)
      return
    }
    const scratch = takeScratch()
    this.matchScored(base, limit, bits, scratch.scores)
    releaseScratch(scratch)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#matchAmong(undefined, base, limit, bits, scores)
  }

  /** A block of values is computed for a list of documents anyway. */
  override get lists(): boolean {
    return this.#block !== undefined
  }

  override listScored(
    base: number,
    limit: number,
    docs: Int32Array,
    scores: Float32Array,
    floor: number,
    counted: boolean,
  ): number {
    const block = this.#block
    this.#listedBest = Number.POSITIVE_INFINITY
    if (block === undefined) return super.listScored(base, limit, docs, scores, floor, counted)
    const scratch = takeScratch()
    this.#find(undefined, base, limit, scratch.bits, scores)
    const count = bitsToDocs(scratch.bits, base, docs)
    releaseScratch(scratch)
    this.#takeScores(block, docs, count, base, scores)
    if (this.#isBelow(block, floor, docs, count, base, scores)) {
      this.#listedBest = floor
      scores.fill(Number.NEGATIVE_INFINITY, docs[0]! - base, docs[count - 1]! - base + 1)
      return count
    }
    const kept = this.#scoreDocs(block, docs, count, base, scores)
    this.#listedBest = bestScore(docs, kept, base, scores)
    return kept
  }

  override get listedBest(): number {
    return this.#listedBest
  }

  /** Whether no document is known to score more than `floor`. */
  #isBelow(
    { value, weight }: BoundFunction,
    floor: number,
    docs: Int32Array,
    count: number,
    base: number,
    scores: Float32Array,
  ): boolean {
    const { boostMode, minScore } = this.#settings
    if (value.isWithin === undefined || (boostMode !== 'multiply' && boostMode !== 'replace')) return false
    if (!(floor > 0) || count === 0 || minScore !== undefined || !this.#skipping.isWorthwhile) return false
    const factor = boostMode === 'multiply' ? bestScore(docs, count, base, scores) * weight : weight
    if (!(factor > 0)) return false
    return this.#skipping.note(value.isWithin((floor / factor) * (1 - SCORE_ERROR), docs, count, this.#values))
  }

  /** Functions are evaluated only for these documents, because they may fail for others. */
  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    if (sums === undefined && this.#settings.minScore === undefined)
      return this.#inner.retain(base, limit, docs, count, sums, keepAll)
    const matchAmong = (asked: Uint32Array, bits: Uint32Array, scores: Float32Array) =>
      this.#matchAmong(asked, base, limit, bits, scores)
    return retainAmong(matchAmong, base, docs, count, sums, keepAll)
  }

  #matchAmong(
    asked: Uint32Array | undefined,
    base: number,
    limit: number,
    bits: Uint32Array,
    scores: Float32Array,
  ): void {
    this.#find(asked, base, limit, bits, scores)
    if (this.#block !== undefined) {
      this.#scoreBlock(this.#block, base, bits, scores)
      return
    }
    const applies = this.#functions.map(({ filter }) => {
      if (filter === undefined) return undefined
      const scratch = takeScratch()
      if (filter !== null) {
        scratch.bits.set(bits)
        filter.narrow(base, limit, scratch.bits)
      }
      return scratch
    })
    const { minScore } = this.#settings
    for (let i = 0; i < WINDOW_WORDS; i++) {
      let word = bits[i]!
      while (word !== 0) {
        const lowest = word & -word
        const at = (i << 5) + (31 - Math.clz32(lowest))
        const own = scores[at]!
        const factor = foldFunctions(this.#functions, this.#settings.scoreMode, base + at, own, (n) => {
          const scratch = applies[n]
          return scratch === undefined || (scratch.bits[i]! & lowest) !== 0
        })
        const combined = this.#functions.length === 0 ? own : combineScores(own, factor, this.#settings)
        const score = checkScore(combined, base + at)
        scores[at] = score
        if (minScore !== undefined && score < minScore) bits[i] = bits[i]! & ~lowest
        word ^= lowest
      }
    }
    for (const scratch of applies) if (scratch !== undefined) releaseScratch(scratch)
  }

  /** Finds the documents to score, with the scores of the query; with `asked`, only these. */
  #find(asked: Uint32Array | undefined, base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#inner.matchScored(base, limit, bits, scores)
    const counted = this.#counted
    if (counted !== undefined)
      for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (counted[(base >> 5) + i] ?? 0)
    if (asked !== undefined) for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & asked[i]!
  }

  /** Scores the documents of the window by a single function that computes many values at once. */
  #scoreBlock(block: BoundFunction, base: number, bits: Uint32Array, scores: Float32Array): void {
    const scratch = takeScratch()
    const { docs } = scratch
    const count = bitsToDocs(bits, base, docs)
    this.#takeScores(block, docs, count, base, scores)
    const kept = this.#scoreDocs(block, docs, count, base, scores)
    if (kept < count) {
      bits.fill(0)
      for (let i = 0; i < kept; i++) setBit(bits, docs[i]! - base)
    }
    releaseScratch(scratch)
  }

  /** Takes the scores that the function reads, in the order of the documents. */
  #takeScores({ value }: BoundFunction, docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    if (this.#values.length < count) this.#values = new Float64Array(count)
    const values = this.#values
    if (value.ignoresScore !== true) for (let i = 0; i < count; i++) values[i] = scores[docs[i]! - base]!
  }

  /** Scores documents and drops those below the minimum score; returns the number left. */
  #scoreDocs(
    { weight, value }: BoundFunction,
    docs: Int32Array,
    count: number,
    base: number,
    scores: Float32Array,
  ): number {
    const lowest = this.#settings.minScore ?? Number.NEGATIVE_INFINITY
    value.values!(docs, count, this.#values)
    combineBlock(scores, base, docs, count, this.#values, weight, this.#settings)
    let kept = 0
    for (let i = 0; i < count; i++) {
      const score = scores[docs[i]! - base]!
      if (!(score > Number.NEGATIVE_INFINITY)) checkScore(score, docs[i]!)
      if (score >= lowest) docs[kept++] = docs[i]!
    }
    return kept
  }
}

function bestScore(docs: Int32Array, count: number, base: number, scores: Float32Array): number {
  let best = Number.NEGATIVE_INFINITY
  for (let i = 0; i < count; i++) {
    const score = scores[docs[i]! - base]!
    if (score > best) best = score
  }
  return best
}
