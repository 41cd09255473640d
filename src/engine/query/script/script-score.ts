/**
 * `script_score`: the documents of a query, scored by a script. This file also has the function of the same name in
 * `function_score`.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { setBit } from '../../../base/bit-set.ts'
import { requiredMember } from '../../../base/errors/query-errors.ts'
import { queryShardError } from '../../../base/errors/search-errors.ts'
import { END_OBJECT } from '../../../base/json/json-reader.ts'
import { formatDouble, formatFloat } from '../../../base/json/json-writer.ts'
import { scriptFieldsOf } from '../../mapping/runtime-field-types.ts'
import { ACCEPTS_NUMBER, ACCEPTS_OBJECT, type RequestReader } from '../../request/request-reader.ts'
import { readScript } from '../../request/script.ts'
import { type Explanation, explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import { checkExpensive, type Query, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { retainAmong } from '../../scoring/retain-among.ts'
import { Scorer } from '../../scoring/scorers/scorer.ts'
import { bitsToDocs, releaseScratch, takeScratch, WINDOW_WORDS } from '../../scoring/window.ts'
import { DocumentScript, type OpenScript, scriptText } from '../../scripts/document-script.ts'
import type { Script } from '../../scripts/script.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import type { ScoreFunction } from '../compound/score-functions.ts'
import { QueryNode } from '../query-node.ts'
import { scriptDocuments } from './script-documents.ts'
import { SCORE_ERROR, Skipping } from './skipped-windows.ts'

export class ScriptScoreQuery extends QueryNode {
  override readonly kind = 'script_score'
  readonly query: Query
  readonly script: Script
  readonly minScore: number | undefined

  constructor(query: Query, script: Script, minScore: number | undefined, options: ClauseOptions) {
    super(options)
    this.query = query
    this.script = script
    this.minScore = minScore
  }

  children(): readonly Query[] {
    return [this.query]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    checkExpensive(context, '[script score] queries')
    const script = new DocumentScript(this.script, 'score', scriptFieldsOf(context.mapping))
    const { minScore } = this
    const isScored = scoring || minScore !== undefined
    const query = this.query.plan(context, isScored && script.readsScore, 1)
    if (query.isRefused === true || !isScored) return query
    // Where scores are not needed, Lucene removes the boosts around the query.
    const factor = scoring ? boost : 1
    const open = (segment: SegmentView) => openScore(script, context, segment)
    return {
      // Lucene's text has no closing parenthesis either.
      text: (rewritten) => `script_score (${query.text(rewritten)}, script: {${scriptText(this.script)}}`,
      luceneName: 'ScriptScoreQuery',
      scorer(segment) {
        const inner = query.scorer(segment)
        if (inner === undefined) return undefined
        const asked = scriptDocuments(context, segment)
        return new ScriptScoreScorer(inner, open(segment), script.readsScore, factor, minScore, asked, segment.docBase)
      },
      explain: (segment, doc) => {
        const at = { doc, docBase: segment.docBase, boost, minScore }
        // A query that is not scored has no explanation of its own.
        const isMatch = script.readsScore || scoreOfDocument(query, segment, doc) !== undefined
        const own = isMatch && !script.readsScore ? undefined : query.explain(segment, doc)
        return own?.match === false ? own : explainScore(own, this.script, open(segment), at)
      },
      words: (visitor) => query.words?.(visitor),
    }
  }
}

const openScore = (
  script: DocumentScript,
  { index, shard }: SearchExecutionContext,
  { reader, docBase }: SegmentView,
) => script.open(reader, { docBase, indexName: index.name, shardId: shard })

const notPositive = (score: number, doc: number) =>
  illegalArgument(
    `script_score script returned an invalid score [${scoreText(score)}] for doc [${doc}]. Must be a non-negative score!`,
  )

const scoreText = (score: number) => (Number.isFinite(score) ? formatFloat(Math.fround(score)) : String(score))

interface ExplainedScore {
  readonly doc: number
  readonly docBase: number
  readonly boost: number
  readonly minScore: number | undefined
}

/** `own` is the explanation of the query if the script reads its score. */
function explainScore(own: Explanation | undefined, script: Script, open: OpenScript, at: ExplainedScore): Explanation {
  const score = Math.fround(open.run(at.doc, own?.value) as number)
  if (!(score >= 0)) throw notPositive(score, at.docBase + at.doc)
  const value = Math.fround(score * at.boost)
  const text = `script score function, computed with script:"${scriptText(script)}"`
  const inside = explained(score, text, own === undefined ? [] : [explained(own.value, '_score: ', [own])])
  const boosted = () => explained(value, 'Boosted score, product of:', [explained(at.boost, 'boost'), inside])
  const whole = at.boost === 1 ? inside : boosted()
  if (at.minScore === undefined || value >= at.minScore) return whole
  const shown = `expected at least ${formatFloat(at.minScore)} but got ${formatFloat(value)}`
  return notMatched(`Score value is too low, ${shown}`, [whole])
}

class ScriptScoreScorer extends Scorer {
  readonly cost: number
  readonly #inner: Scorer
  readonly #script: OpenScript
  readonly #readsScore: boolean
  readonly #boost: number
  readonly #minScore: number | undefined
  readonly #asked: Uint32Array | undefined
  readonly #docBase: number
  #results = new Float64Array(0)
  #listedBest = Number.POSITIVE_INFINITY
  readonly #skipping = new Skipping()

  constructor(
    inner: Scorer,
    script: OpenScript,
    readsScore: boolean,
    boost: number,
    minScore: number | undefined,
    asked: Uint32Array | undefined,
    docBase: number,
  ) {
    super()
    this.cost = inner.cost
    this.#inner = inner
    this.#script = script
    this.#readsScore = readsScore
    this.#boost = boost
    this.#minScore = minScore
    this.#asked = asked
    this.#docBase = docBase
  }

  override next(target: number): number {
    return this.#inner.next(target)
  }

  override match(base: number, limit: number, bits: Uint32Array): void {
    if (this.#minScore === undefined) {
      this.#inner.match(base, limit, bits)
      return
    }
    const scratch = takeScratch()
    this.matchScored(base, limit, bits, scratch.scores)
    releaseScratch(scratch)
  }

  override matchScored(base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    this.#scoreAmong(undefined, base, limit, bits, scores)
  }

  /** The script runs for a list of documents anyway. */
  override get lists(): boolean {
    return true
  }

  override listScored(base: number, limit: number, docs: Int32Array, scores: Float32Array, floor: number): number {
    const scratch = takeScratch()
    this.#find(undefined, base, limit, scratch.bits, scores)
    const count = bitsToDocs(scratch.bits, base, docs)
    releaseScratch(scratch)
    this.#takeScores(docs, count, base, scores)
    if (this.#isBelow(floor, docs, count)) {
      this.#listedBest = floor
      scores.fill(Number.NEGATIVE_INFINITY, docs[0]! - base, docs[count - 1]! - base + 1)
      return count
    }
    const kept = this.#score(docs, count, base, scores)
    this.#listedBest = bestResult(this.#results, count, this.#boost)
    return kept
  }

  override get listedBest(): number {
    return this.#listedBest
  }

  override retain(
    base: number,
    limit: number,
    docs: Int32Array,
    count: number,
    sums: Float64Array | undefined,
    keepAll: boolean,
  ): number {
    if (sums === undefined && this.#minScore === undefined) {
      return this.#inner.retain(base, limit, docs, count, sums, keepAll)
    }
    const matchAmong = (asked: Uint32Array, bits: Uint32Array, scores: Float32Array) =>
      this.#scoreAmong(asked, base, limit, bits, scores)
    return retainAmong(matchAmong, base, docs, count, sums, keepAll)
  }

  /** Scores documents of the window; with `among`, only these. */
  #scoreAmong(
    among: Uint32Array | undefined,
    base: number,
    limit: number,
    bits: Uint32Array,
    scores: Float32Array,
  ): void {
    this.#find(among, base, limit, bits, scores)
    const scratch = takeScratch()
    const { docs } = scratch
    const count = bitsToDocs(bits, base, docs)
    const kept = this.#run(docs, count, base, scores)
    if (kept < count) {
      bits.fill(0)
      for (let i = 0; i < kept; i++) setBit(bits, docs[i]! - base)
    }
    releaseScratch(scratch)
  }

  /** Finds the documents to score, and the scores that the script reads. */
  #find(among: Uint32Array | undefined, base: number, limit: number, bits: Uint32Array, scores: Float32Array): void {
    if (this.#readsScore) this.#inner.matchScored(base, limit, bits, scores)
    else this.#inner.match(base, limit, bits)
    const asked = this.#asked
    if (asked !== undefined) for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (asked[(base >> 5) + i] ?? 0)
    if (among !== undefined) for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & among[i]!
  }

  /** Takes the scores that the script reads, in the order of the documents. */
  #takeScores(docs: Int32Array, count: number, base: number, scores: Float32Array): void {
    if (this.#results.length < count) this.#results = new Float64Array(count)
    const results = this.#results
    if (this.#readsScore) for (let i = 0; i < count; i++) results[i] = scores[docs[i]! - base]!
  }

  /** Whether no document is known to score more than `floor`. The difference is more than scores are rounded. */
  #isBelow(floor: number, docs: Int32Array, count: number): boolean {
    if (!(floor > 0) || count === 0 || this.#minScore !== undefined || !this.#skipping.isWorthwhile) return false
    const limit = (floor / this.#boost) * (1 - SCORE_ERROR)
    return this.#skipping.note(this.#script.isWithin(limit, docs, count, this.#results))
  }

  /** Scores documents and drops those below the minimum score; returns the number left. */
  #run(docs: Int32Array, count: number, base: number, scores: Float32Array): number {
    this.#takeScores(docs, count, base, scores)
    return this.#score(docs, count, base, scores)
  }

  #score(docs: Int32Array, count: number, base: number, scores: Float32Array): number {
    const results = this.#results
    const done = this.#script.tryBlock(docs, count, results, results)
    const invalid = storeScores(results, docs, done, base, this.#boost, scores)
    if (invalid < done) throw notPositive(Math.fround(results[invalid]!), this.#docBase + docs[invalid]!)
    if (done < count) throw this.#script.failure
    const minScore = this.#minScore
    if (minScore === undefined) return count
    let kept = 0
    for (let i = 0; i < count; i++) if (scores[docs[i]! - base]! >= minScore) docs[kept++] = docs[i]!
    return kept
  }
}

/** Stores the results of the documents as their scores. Returns the place of the first invalid one, or `count`. */
function storeScores(
  results: Float64Array,
  docs: Int32Array,
  count: number,
  base: number,
  boost: number,
  scores: Float32Array,
): number {
  // Most often every document of the window matches.
  const isRange = count > 0 && docs[count - 1]! - docs[0]! === count - 1
  if (boost === 1 && isRange) {
    const first = docs[0]! - base
    for (let i = 0; i < count; i++) {
      const score = Math.fround(results[i]!)
      if (!(score >= 0)) return i
      scores[first + i] = score
    }
    return count
  }
  for (let i = 0; i < count; i++) {
    const score = Math.fround(results[i]!)
    if (!(score >= 0)) return i
    scores[docs[i]! - base] = Math.fround(score * boost)
  }
  return count
}

/** The best of valid results as a score. */
function bestResult(results: Float64Array, count: number, boost: number): number {
  let best = 0
  for (let i = 0; i < count; i++) if (results[i]! > best) best = results[i]!
  return Math.fround(Math.fround(best) * boost)
}

export const scriptScoreClause: QueryClause = {
  name: 'script_score',
  parse(reader, inner) {
    const options = newOptions()
    let query: Query | undefined
    let script: Script | undefined
    let minScore: number | undefined
    reader.parseObject('script_score', [
      {
        query: { accepts: ACCEPTS_OBJECT, parse: () => void (query = inner(reader)) },
        script: { accepts: ACCEPTS_OBJECT, parse: () => void (script = readScript(reader)) },
        min_score: { accepts: ACCEPTS_NUMBER, parse: () => void (minScore = Math.fround(reader.float())) },
      },
      commonMembers(reader, options),
    ])
    if (query === undefined && script === undefined) throw requiredMember('query, script')
    if (query === undefined) throw requiredMember('query')
    if (script === undefined) throw requiredMember('script')
    return new ScriptScoreQuery(query, script, minScore, options)
  },
}

/** `script_score` among the functions of `function_score`. */
export function readScriptFunction(reader: RequestReader): ScoreFunction {
  let script: Script | undefined
  while (reader.next() !== END_OBJECT) {
    const member = reader.name
    reader.next()
    if (member !== 'script') throw reader.parsingError(`script_score query does not support [${member}]`)
    script = readScript(reader)
  }
  if (script === undefined) throw reader.parsingError("script_score requires 'script' field")
  return scriptFunction(script)
}

function loaded(given: Script, context: SearchExecutionContext): DocumentScript {
  try {
    return new DocumentScript(given, 'score', scriptFieldsOf(context.mapping))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw queryShardError(context.index, 'script_score: the script could not be loaded', error)
  }
}

function scriptFunction(given: Script): ScoreFunction {
  return {
    text: `script${scriptText(given)}`,
    bind(context) {
      const script = loaded(given, context)
      return (segment) => {
        const open = openScore(script, context, segment)
        const checked = (result: number) => {
          if (result < 0) {
            throw illegalArgument(
              `script score function must not produce negative scores, but got: [${formatDouble(result)}]`,
            )
          }
          if (Number.isNaN(result)) throw illegalArgument('script_score returned NaN')
          return result
        }
        const value = (doc: number, score: number) => checked(open.run(doc, score) as number)
        const values = (docs: Int32Array, count: number, scores: Float64Array) => {
          const done = open.tryBlock(docs, count, scores, scores)
          for (let i = 0; i < done; i++) if (!(scores[i]! >= 0)) checked(scores[i]!)
          if (done < count) throw open.failure
        }
        const explain = (doc: number, score: number, own: Explanation) => {
          const text = `script score function, computed with script:"${scriptText(given)}"`
          return explained(Math.fround(value(doc, score)), text, [explained(score, '_score: ', [own])])
        }
        const isWithin = (limit: number, docs: Int32Array, count: number, scores: Float64Array) =>
          open.isWithin(limit, docs, count, scores)
        return { value, values, isWithin, explain, ignoresScore: !script.readsScore }
      }
    },
  }
}
