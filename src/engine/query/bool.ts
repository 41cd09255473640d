/** `bool`: clauses that must, may or must not match. */
import { NULL } from '../../base/json/json-reader.ts'
import { BooleanMatcher } from './boolean-matcher.ts'
import { type ClauseOptions, newOptions, type QueryClause } from './clause.ts'
import { matchAll } from './match-all.ts'
import { AllMatcher, ConstantScoreMatcher, type Matcher } from './matcher.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'
import { multiplyBoost, NO_MATCH, type Query, type ShardQuery, type ShardQueryContext } from './query.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT_ARRAY,
  ACCEPTS_STRING,
  type MemberParser,
} from './request-reader.ts'

export interface BoolClauses {
  must?: readonly Query[]
  filter?: readonly Query[]
  should?: readonly Query[]
  mustNot?: readonly Query[]
  minimumShouldMatch?: string | undefined
}

export class BoolQuery implements Query {
  readonly kind = 'bool'
  readonly boost: number
  readonly name: string | undefined
  readonly must: readonly Query[]
  readonly filter: readonly Query[]
  readonly should: readonly Query[]
  readonly mustNot: readonly Query[]
  readonly minimumShouldMatch: string | undefined

  constructor(clauses: BoolClauses, options: ClauseOptions = newOptions()) {
    this.must = clauses.must ?? []
    this.filter = clauses.filter ?? []
    this.should = clauses.should ?? []
    this.mustNot = clauses.mustNot ?? []
    this.minimumShouldMatch = clauses.minimumShouldMatch
    this.boost = options.boost
    this.name = options.name
  }

  children(): readonly Query[] {
    return [...this.must, ...this.filter, ...this.should, ...this.mustNot]
  }

  plan(context: ShardQueryContext, scoring: boolean, outerBoost: number): ShardQuery {
    const boost = multiplyBoost(outerBoost, this.boost)
    if (this.children().length === 0) return matchAll(boost)
    // A query of exclusions alone is all the rest, whatever else it asks for.
    const onlyExcludes = this.must.length + this.filter.length + this.should.length === 0
    const needed =
      this.minimumShouldMatch === undefined || onlyExcludes
        ? undefined
        : minimumShouldMatch(this.should.length, this.minimumShouldMatch)
    return planBoolean(
      {
        must: this.must.map((query) => query.plan(context, scoring, boost)),
        filter: this.filter.map((query) => query.plan(context, false, 1)),
        should: this.should.map((query) => query.plan(context, scoring, boost)),
        mustNot: this.mustNot.map((query) => query.plan(context, false, 1)),
      },
      needed,
      scoring,
    )
  }
}

export interface PlannedClauses {
  readonly must: readonly ShardQuery[]
  readonly filter: readonly ShardQuery[]
  readonly should: readonly ShardQuery[]
  readonly mustNot: readonly ShardQuery[]
}

/** `needed` optional clauses must match; by default one when nothing else is required. */
export function planBoolean(clauses: PlannedClauses, needed: number | undefined, scoring: boolean): ShardQuery {
  const { must, filter, should, mustNot } = clauses
  const required = must.length + filter.length
  const least = required === 0 && should.length > 0 ? 1 : 0
  const minimum = Math.max(needed ?? 0, least)
  if (minimum > should.length) return NO_MATCH
  return {
    matcher(segment) {
      const musts = must.map((query) => query.matcher(segment))
      const filters = filter.map((query) => query.matcher(segment))
      if (musts.includes(undefined) || filters.includes(undefined)) return undefined
      const optional = should.map((query) => query.matcher(segment)).filter((matcher) => matcher !== undefined)
      if (optional.length < minimum) return undefined
      const excluded = mustNot.map((query) => query.matcher(segment)).filter((matcher) => matcher !== undefined)
      const { docCount } = segment.reader
      if (required === 0 && minimum === 0) {
        // Nothing is required: all documents, which score only by their optional clauses.
        filters.push(new AllMatcher(docCount, 0))
      }
      const only = musts.length + filters.length + optional.length === 1 && excluded.length === 0
      if (only && musts.length === 1) return musts[0]
      if (only && optional.length === 1) return optional[0]
      if (only && !scoring) return filters[0]
      if (only) return new ConstantScoreMatcher(filters[0]!, 0)
      return new BooleanMatcher(
        { must: musts as Matcher[], filter: filters as Matcher[], should: optional, mustNot: excluded },
        minimum,
      )
    },
    words(visitor) {
      visitor.within(this, () => {
        for (const query of [...must, ...filter, ...should]) query.words?.(visitor)
      })
    },
  }
}

const ACCEPTS_CLAUSES = [...ACCEPTS_OBJECT_ARRAY, NULL] as const

export const boolClause: QueryClause = {
  name: 'bool',
  parse(reader, inner) {
    const options = newOptions()
    const lists = { must: [] as Query[], filter: [] as Query[], should: [] as Query[], mustNot: [] as Query[] }
    let minimum: string | undefined
    const list = (into: Query[]): MemberParser => ({
      accepts: ACCEPTS_CLAUSES,
      parse: () => {
        if (reader.token !== NULL) reader.each(() => into.push(inner(reader)))
      },
    })
    reader.parseObject('bool', {
      must: list(lists.must),
      should: list(lists.should),
      must_not: list(lists.mustNot),
      filter: list(lists.filter),
      minimum_should_match: {
        accepts: [...ACCEPTS_NUMBER, ...ACCEPTS_BOOLEAN, NULL],
        parse: () => {
          minimum = reader.textOrNull() ?? undefined
        },
      },
      adjust_pure_negative: { accepts: ACCEPTS_BOOLEAN, parse: () => reader.boolean() },
      boost: {
        accepts: ACCEPTS_NUMBER,
        parse: () => {
          options.boost = reader.float()
        },
      },
      _name: {
        accepts: ACCEPTS_STRING,
        parse: () => {
          options.name = reader.text()
        },
      },
    })
    return new BoolQuery({ ...lists, minimumShouldMatch: minimum }, options)
  },
}
