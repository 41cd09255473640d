/**
 * The clauses of a boolean query bound to a shard, simplified as Lucene does before a search: a single clause replaces
 * the whole, and nested disjunctions are inlined. The matching documents stay the same, but the order
 * in which scores are added, and thus their last digit, follows from the simplified form.
 */

import { planConstantScore } from '../../scoring/constant-weight.ts'
import { type Explanation, explained, notMatched, scoreOfDocument } from '../../scoring/explanation.ts'
import { type FilterIdentity, filterScorer, KEPT_LATER } from '../../scoring/filter-cache.ts'
import { boosted, filterText, keepBoost, matchNothing, visitFilterWords, type Weight } from '../../scoring/query.ts'
import { BooleanScorer } from '../../scoring/scorers/boolean-scorer.ts'
import { ConstantScoreScorer } from '../../scoring/scorers/constant-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { WordVisitor } from '../../scoring/word-visitor.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import { matchAll } from '../term-level/match-all.ts'

export interface PlannedClauses {
  readonly must: readonly Weight[]
  readonly filter: readonly Weight[]
  readonly should: readonly Weight[]
  readonly mustNot: readonly Weight[]
  /** Whether the excluded clauses were added after the optional ones, which shows in texts and explanations. */
  readonly excludesLast?: boolean | undefined
}

/** `needed` optional clauses must match; by default one if nothing else is required. */
export function planBoolean(clauses: PlannedClauses, needed: number | undefined, scoring: boolean): Weight {
  const none = clauses.must.length + clauses.filter.length + clauses.should.length === 0
  const whole = none ? { ...clauses, filter: [matchAll(1)] } : clauses
  const written = () => booleanText(whole, needed ?? 0, false)
  const plan = simplify(whole, needed ?? 0, scoring)
  return tellingAll(plan instanceof BooleanPlan ? plan.withText(written, true) : replacing(plan, written), clauses)
}

/** For visitors that need the query as written: also visits clauses that the simplified plan dropped. */
function tellingAll(plan: Weight, { must, filter, should }: PlannedClauses): Weight {
  const simplified = plan.words?.bind(plan)
  plan.words = (visitor) => {
    if (!visitor.asWritten) simplified?.(visitor)
    else for (const query of [...must, ...filter, ...should]) query.words?.(visitor)
  }
  return plan
}

/** A disjunction of queries, the form of most clauses with several words. */
export function planAny(queries: readonly Weight[], needed: number | undefined, scoring: boolean): Weight {
  if (queries.length === 1) return queries[0]!
  return planBoolean({ must: [], filter: [], should: queries, mustNot: [] }, needed, scoring)
}

export function planAll(queries: readonly Weight[], scoring: boolean): Weight {
  if (queries.length === 1) return queries[0]!
  return planBoolean({ must: queries, filter: [], should: [], mustNot: [] }, undefined, scoring)
}

/** A query that replaces one that was written as another class of Lucene. */
export function writtenAs(plan: Weight, written: () => string): Weight {
  return plan instanceof BooleanPlan ? plan.withText(written, false) : { ...replacing(plan, written), isOpaque: true }
}

/** A clause that replaces a boolean query that consists of it. */
function replacing(plan: Exclude<Weight, BooleanPlan>, written: () => string): Weight {
  const { repeated, ...rest } = plan
  const weight: Weight = {
    ...rest,
    scorer: (segment) => plan.scorer(segment),
    words: (visitor) => plan.words?.(visitor),
    explain: (segment, doc) => plan.explain(segment, doc),
    text: (rewritten) => (rewritten ? plan.text(true) : written()),
    filterText: () => filterText(plan),
    ...(repeated === undefined ? {} : { repeated }),
  }
  keepBoost(plan, weight)
  return weight
}

function simplify(clauses: PlannedClauses, needed: number, scoring: boolean): Weight {
  if (needed <= 1 && clauses.should.length === 1 && countOf(clauses) === 1) return clauses.should[0]!
  const { must, filter, should, mustNot } = reduced(clauses, needed)
  const impossible = [...must, ...filter].find(({ matches }) => matches === 'none')
  if (impossible !== undefined) return impossible
  if (mustNot.some(({ matches }) => matches === 'all')) return matchNothing('MUST_NOT clause is MatchAllDocsQuery')
  if (needed > should.length && clauses.should.length > 0)
    return matchNothing('SHOULD clause count less than minimumNumberShouldMatch')
  // Without optional clauses it matches nothing either, but is explained by its other clauses.
  if (needed > should.length) return new BooleanPlan({ must, filter, should, mustNot }, needed)
  if (needed > 0 && needed === should.length) {
    return simplify({ must: [...must, ...should], filter, should: [], mustNot }, 0, scoring)
  }
  const optional = needed <= 1 ? merged(should) : should
  const required = merged(must)
  const count = required.length + filter.length + optional.length + mustNot.length
  if (count === 0) return matchNothing('empty BooleanQuery')
  if (count === mustNot.length) return matchNothing('pure negative BooleanQuery')
  if (count === 1 && needed === 0) {
    const lone = required[0] ?? optional[0]
    if (lone !== undefined) return lone
    if (filter.length === 1) return scoring ? boosted(planConstantScore(filter[0]!, 0), 0) : filter[0]!
  }
  const [first] = required
  if (required.length === 1 && optional.length === 0 && filter.length > 0 && first?.matches === 'all') {
    // match_all restricted by filters scores what match_all scores.
    const inside = simplify({ must: [], filter, should: [], mustNot }, 0, false)
    return planConstantScore(inside, first.score ?? 1)
  }
  const { excludesLast } = clauses
  return new BooleanPlan({ must: required, filter, should: optional, mustNot, excludesLast }, needed)
}

const countOf = ({ must, filter, should, mustNot }: PlannedClauses) =>
  must.length + filter.length + should.length + mustNot.length

/** Inlines the clauses of inner disjunctions, and drops clauses without effect. Lucene 9 does not inline conjunctions. */
function reduced({ must, filter, should, mustNot }: PlannedClauses, needed: number): PlannedClauses {
  const possible = should.filter(({ matches }) => matches !== 'none')
  const flat = possible.flatMap((query) => (needed <= 1 && isDisjunction(query) ? query.clauses.should : [query]))
  const selective = filter.filter(({ matches }) => matches !== 'all')
  // A filter that matches everything is redundant next to other required clauses; alone it makes alternatives optional.
  const required = must.length + selective.length > 0
  return {
    must,
    filter: required ? selective : filter.slice(0, 1),
    should: flat,
    mustNot: mustNot.filter(({ matches }) => matches !== 'none'),
  }
}

function isDisjunction(query: Weight): query is BooleanPlan {
  if (!(query instanceof BooleanPlan) || query.needed > 1) return false
  const { must, filter, mustNot } = query.clauses
  return must.length + filter.length + mustNot.length === 0
}

/** Merges equal clauses into one with their total weight. */
function merged(queries: readonly Weight[]): readonly Weight[] {
  if (queries.length < 2) return queries
  const said = new Map<string, { count: number; weight: number }>()
  const keys = queries.map(({ repeated }) => {
    const key = repeated?.key()
    if (key === undefined) return undefined
    const soFar = said.get(key) ?? { count: 0, weight: 0 }
    said.set(key, { count: soFar.count + 1, weight: soFar.weight + (repeated!.weight ?? 1) })
    return key
  })
  if (![...said.values()].some(({ count }) => count > 1)) return queries
  return queries.flatMap((query, i) => {
    const key = keys[i]
    if (key === undefined || said.get(key)!.count === 1) return [query]
    return keys.indexOf(key) === i ? [query.repeated!.times(said.get(key)!.weight)] : []
  })
}

export class BooleanPlan implements Weight {
  readonly luceneName = 'BooleanQuery'
  readonly parts: readonly Weight[]
  readonly clauses: PlannedClauses
  /** The number of required optional clauses, if the request gives it. */
  readonly needed: number
  readonly #minimum: number
  readonly #written: (() => string) | undefined
  /** False if the query was written as another kind. */
  readonly isWritten: boolean

  constructor(clauses: PlannedClauses, needed: number, written?: () => string, isWritten = true) {
    this.isWritten = isWritten
    this.clauses = clauses
    this.parts = [...clauses.must, ...clauses.mustNot, ...clauses.should, ...clauses.filter]
    this.needed = needed
    this.#minimum = Math.max(needed, clauses.must.length + clauses.filter.length === 0 ? 1 : 0)
    this.#written = written
  }

  withText(written: () => string, isWritten: boolean): BooleanPlan {
    return new BooleanPlan(this.clauses, this.needed, written, isWritten)
  }

  scorer(segment: SegmentView): Scorer | undefined {
    const { must, filter, should, mustNot } = this.clauses
    const filters = scorersOfAll(filter, (query) => filterScorer(query, segment))
    const musts = filters && scorersOfAll(must, (query) => query.scorer(segment))
    if (filters === undefined || musts === undefined) return undefined
    const optional = should.map((query) => query.scorer(segment)).filter((scorer) => scorer !== undefined)
    if (optional.length < this.#minimum) return undefined
    const excluded = mustNot.map((query) => filterScorer(query, segment)).filter((scorer) => scorer !== undefined)
    if (excluded.length === 0 && musts.length + filters.length + optional.length === 1) {
      if (filters.length === 1) return new ConstantScoreScorer(filters[0]!, 0)
      return musts[0] ?? optional[0]
    }
    return new BooleanScorer({ must: musts, filter: filters, should: optional, mustNot: excluded }, this.#minimum)
  }

  /** Identified by its parts, if all of them are. */
  get asFilter(): FilterIdentity | undefined {
    const { must, filter, should, mustNot } = this.clauses
    if (!this.parts.every(({ asFilter }) => asFilter !== undefined)) return undefined
    const keys = (queries: readonly Weight[]) => queries.map((query) => query.asFilter!.key()).join(',')
    const key = () => `bool(${keys([...must, ...filter])};${keys(should)};${keys(mustNot)};${this.#minimum})`
    return { key, keptAtUse: KEPT_LATER }
  }

  words(visitor: WordVisitor): void {
    const { must, filter, should } = this.clauses
    visitor.within(this, () => {
      for (const query of must) query.words?.(visitor)
      for (const query of filter) visitFilterWords(query, visitor)
      for (const query of should) query.words?.(visitor)
    })
  }

  filterWords(visitor: WordVisitor): void {
    const { must, filter, should } = this.clauses
    const required = [...must, ...filter]
    const counted = this.needed > 0 || required.length === 0 ? [...required, ...should] : required
    visitor.within(this, () => {
      for (const query of counted) visitFilterWords(query, visitor)
    })
  }

  text(rewritten: boolean): string {
    if (!rewritten && this.#written !== undefined) return this.#written()
    return booleanText(this.clauses, this.needed, rewritten)
  }

  /** Required clauses are filters, beside which optional ones do not matter. */
  filterText(): string {
    const { must, filter, should } = this.clauses
    const required = [...must, ...filter]
    const isOptional = this.needed === 0 && required.length > 0
    if (isOptional && required.length === 1 && this.clauses.mustNot.length === 0) return filterText(required[0]!)
    const signed = (sign: string) => (query: Weight) => `${sign}${nestedFilterText(query)}`
    return joinedText(this.clauses, this.needed, {
      must: must.map(signed('#')),
      should: isOptional ? [] : should.map(signed('')),
    })
  }

  explain(segment: SegmentView, doc: number): Explanation {
    const { must, filter, should, mustNot, excludesLast } = this.clauses
    const details: Explanation[] = []
    let failed = false
    let matched = 0
    let optional = 0
    const require = (text: string, explanation: Explanation, shown: Explanation) => {
      if (explanation.match) {
        details.push(shown)
        matched++
      } else {
        details.push(notMatched(`no match on required clause (${text})`, [explanation]))
        failed = true
      }
    }
    for (const query of must) {
      const explanation = query.explain(segment, doc)
      require(query.text(true), explanation, explanation)
    }
    const exclude = () => {
      for (const query of mustNot) {
        const explanation = explainFilter(query, segment, doc)
        if (!explanation.match) continue
        details.push(notMatched(`match on prohibited clause (${filterText(query)})`, [explanation]))
        failed = true
      }
    }
    if (excludesLast !== true) exclude()
    for (const query of should) {
      const explanation = query.explain(segment, doc)
      if (!explanation.match) continue
      details.push(explanation)
      matched++
      optional++
    }
    if (excludesLast === true) exclude()
    for (const query of filter) {
      const explanation = explainFilter(query, segment, doc)
      const shown = explained(0, 'match on required clause, product of:', [explained(0, '# clause'), explanation])
      require(filterText(query), explanation, shown)
    }
    if (failed) return notMatched('Failure to meet condition(s) of required/prohibited clause(s)', details)
    if (matched === 0) return notMatched('No matching clauses', details)
    if (optional < this.needed) {
      return notMatched(`Failure to match minimum number of optional clauses: ${this.needed}`, details)
    }
    return explained(scoreOfDocument(this, segment, doc) ?? 0, 'sum of:', details)
  }
}

/** A filter is explained by its text alone. */
export function explainFilter(query: Weight, segment: SegmentView, doc: number): Explanation {
  const text = filterText(query.explainedAs ?? query)
  return scoreOfDocument(query, segment, doc) === undefined
    ? notMatched(`${text} doesn't match id ${doc}`)
    : explained(1, text)
}

/**
 * The scorers of required clauses; undefined if one of them matches nothing. Weights whose scorers read all documents
 * on creation come last, because another clause may already match nothing.
 */
function scorersOfAll(queries: readonly Weight[], make: (query: Weight) => Scorer | undefined) {
  const scorers = new Array<Scorer>(queries.length)
  for (const looksAhead of [false, true]) {
    for (const [i, query] of queries.entries()) {
      if ((query.looksAhead ?? false) !== looksAhead) continue
      const scorer = make(query)
      if (scorer === undefined) return undefined
      scorers[i] = scorer
    }
  }
  return scorers
}

/** A boolean query inside another is parenthesized. */
export function nestedText(query: Weight, rewritten: boolean): string {
  const text = query.text(rewritten)
  const isBoolean = query instanceof BooleanPlan ? rewritten || query.isWritten : rewritten && query.isCompound === true
  return isBoolean ? `(${text})` : text
}

/** Like `nestedText`, where only matching counts. */
function nestedFilterText(query: Weight): string {
  const isBoolean = query instanceof BooleanPlan || query.isCompound === true
  return isBoolean ? `(${filterText(query)})` : filterText(query)
}

function booleanText(clauses: PlannedClauses, needed: number, rewritten: boolean): string {
  const scored = (sign: string) => (query: Weight) => `${sign}${nestedText(query, rewritten)}`
  const texts = { must: clauses.must.map(scored('+')), should: clauses.should.map(scored('')) }
  return joinedText(clauses, needed, texts, rewritten)
}

/** The texts of clauses that count for the score, and those of the others, in the order in which Lucene has them. */
function joinedText(
  clauses: PlannedClauses,
  needed: number,
  { must, should }: { must: readonly string[]; should: readonly string[] },
  rewritten = true,
): string {
  const unscored = (sign: string) => (query: Weight) =>
    `${sign}${rewritten ? nestedFilterText(query) : nestedText(query, false)}`
  const excluded = clauses.mustNot.map(unscored('-'))
  const isLast = clauses.excludesLast === true
  const parts = [...must, ...(isLast ? [] : excluded), ...should, ...(isLast ? excluded : [])]
  const text = [...parts, ...clauses.filter.map(unscored('#'))].join(' ')
  return needed > 0 ? `(${text})~${needed}` : text
}
