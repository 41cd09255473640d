/** `bool`: clauses that must, may or must not match. */
import { ApiError } from '../../../base/api-error.ts'
import { NULL } from '../../../base/json/json-reader.ts'
import {
  ACCEPTS_BOOLEAN,
  ACCEPTS_NUMBER,
  ACCEPTS_OBJECT_ARRAY,
  type MemberParser,
} from '../../request/request-reader.ts'
import {
  matchNothing,
  type Query,
  rewrittenToNone,
  type SearchExecutionContext,
  type Weight,
} from '../../scoring/query.ts'
import { type ClauseOptions, commonMembers, newOptions, type QueryClause } from '../clause.ts'
import { QueryNode } from '../query-node.ts'
import { matchAll } from '../term-level/match-all.ts'
import { unwrappedErrors } from '../unwrapped-errors.ts'
import { type PlannedClauses, planBoolean } from './boolean-plan.ts'
import { minimumShouldMatch } from './minimum-should-match.ts'

export interface BoolClauses {
  must?: readonly Query[]
  filter?: readonly Query[]
  should?: readonly Query[]
  mustNot?: readonly Query[]
  minimumShouldMatch?: string | undefined
  /** Whether must_not clauses alone match all other documents; otherwise they match nothing. */
  excludesAlone?: boolean
}

export class BoolQuery extends QueryNode {
  override readonly kind = 'bool'
  readonly must: readonly Query[]
  readonly filter: readonly Query[]
  readonly should: readonly Query[]
  readonly mustNot: readonly Query[]
  readonly minimumShouldMatch: string | undefined
  readonly excludesAlone: boolean

  constructor(clauses: BoolClauses, options: ClauseOptions = newOptions()) {
    super(options)
    this.must = clauses.must ?? []
    this.filter = clauses.filter ?? []
    this.should = clauses.should ?? []
    this.mustNot = clauses.mustNot ?? []
    this.minimumShouldMatch = clauses.minimumShouldMatch
    this.excludesAlone = clauses.excludesAlone ?? true
  }

  children(): readonly Query[] {
    return [...this.must, ...this.mustNot, ...this.should, ...this.filter]
  }

  protected override bind(context: SearchExecutionContext, scoring: boolean, boost: number): Weight {
    if (this.children().length === 0) return matchAll(boost)
    // A query of only must_not clauses matches all other documents, whatever other options it has.
    const onlyExcludes = this.must.length + this.filter.length + this.should.length === 0
    if (onlyExcludes && !this.excludesAlone) return matchNothing('pure negative BooleanQuery')
    const needed =
      this.minimumShouldMatch === undefined || onlyExcludes
        ? undefined
        : minimumShouldMatch(this.should.length, this.minimumShouldMatch)
    const plans = new ClausePlans()
    const clauses = {
      must: this.must.map((query) => plans.of(() => query.plan(context, scoring, boost))),
      filter: this.filter.map((query) => plans.of(() => query.plan(context, false, 1))),
      should: this.should.map((query) => plans.of(() => query.plan(context, scoring, boost))),
      mustNot: this.mustNot.map((query) => plans.of(() => query.plan(context, false, 1))),
    }
    const excludesAll = this.mustNot.some(({ kind }) => kind === 'match_all')
    if (excludesAll || isRefused(clauses)) return rewrittenToNone('bool')
    if (plans.failure !== undefined) throw plans.failure
    return planBoolean(clauses, needed, scoring)
  }
}

/**
 * Plans clauses and holds back the first error: Elasticsearch builds no query for a clause next to one that cannot
 * match, so an error in it is never reported.
 */
class ClausePlans {
  failure: ApiError | undefined

  of(plan: () => Weight): Weight {
    try {
      return plan()
    } catch (error) {
      if (!(error instanceof ApiError) || unwrappedErrors.has(error)) throw error
      this.failure ??= error
      return FAILED
    }
  }
}

const FAILED = matchNothing('failed')

/** Whether a required clause, or every alternative, is known to match nothing, or everything is excluded. */
function isRefused({ must, filter, should, mustNot }: PlannedClauses): boolean {
  const required = [...must, ...filter]
  if (required.some((query) => query.isRefused === true)) return true
  if (mustNot.some((query) => query.matches === 'all')) return true
  return required.length === 0 && should.length > 0 && should.every((query) => query.isRefused === true)
}

const ACCEPTS_CLAUSES = [...ACCEPTS_OBJECT_ARRAY, NULL] as const
const ACCEPTS_MINIMUM = [...ACCEPTS_NUMBER, ...ACCEPTS_BOOLEAN, NULL] as const

export const boolClause: QueryClause = {
  name: 'bool',
  parse(reader, inner) {
    const options = newOptions()
    const lists = { must: [] as Query[], filter: [] as Query[], should: [] as Query[], mustNot: [] as Query[] }
    let minimum: string | undefined
    let excludesAlone = true
    const list = (into: Query[]): MemberParser => ({
      accepts: ACCEPTS_CLAUSES,
      parse: () => {
        if (reader.token !== NULL) reader.items(() => into.push(inner(reader)))
      },
    })
    reader.parseObject('bool', [
      {
        must: list(lists.must),
        should: list(lists.should),
        must_not: list(lists.mustNot),
        mustNot: list(lists.mustNot),
        filter: list(lists.filter),
        minimum_should_match: {
          accepts: ACCEPTS_MINIMUM,
          parse: () => {
            minimum = reader.textOrNull() ?? undefined
          },
        },
        adjust_pure_negative: {
          accepts: ACCEPTS_BOOLEAN,
          parse: () => {
            excludesAlone = reader.boolean()
          },
        },
      },
      commonMembers(reader, options),
    ])
    return new BoolQuery({ minimumShouldMatch: minimum, excludesAlone, ...lists }, options)
  },
}
