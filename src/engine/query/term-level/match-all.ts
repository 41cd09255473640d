/** `match_all` and `match_none`. */
import { ApiError } from '../../../base/api-error.ts'
import { END_OBJECT } from '../../../base/json/json-reader.ts'
import type { MemberParser, RequestReader } from '../../request/request-reader.ts'
import { constantTexts, matchNothing, type SearchExecutionContext, type Weight } from '../../scoring/query.ts'
import { AllScorer } from '../../scoring/scorers/constant-scorer.ts'
import type { Scorer } from '../../scoring/scorers/scorer.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'
import {
  type ClauseOptions,
  commonMembers,
  doesNotSupport,
  newOptions,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import { QueryNode } from '../query-node.ts'

export class MatchAllQuery extends QueryNode {
  override readonly kind = 'match_all'

  constructor(options: ClauseOptions = newOptions()) {
    super(options)
  }

  protected override bind(_context: SearchExecutionContext, _scoring: boolean, boost: number): Weight {
    return matchAll(boost)
  }
}

class MatchNoneQuery extends QueryNode {
  override readonly kind = 'match_none'

  constructor(options: ClauseOptions = newOptions()) {
    super(options)
  }

  protected override bind(): Weight {
    return { ...matchNothing('User requested "match_none" query.'), isRefused: true }
  }
}

/** Matches every document, with one score. */
export function matchAll(score: number): Weight {
  return {
    scorer({ reader }: SegmentView): Scorer {
      return new AllScorer(reader.docCount, score)
    },
    matches: 'all',
    score,
    ...constantTexts(score, () => '*:*'),
  }
}

export const matchAllClause: QueryClause = {
  name: 'match_all',
  parse(reader) {
    const options = newOptions()
    parseStrictObject(reader, 'match_all', options, {})
    return new MatchAllQuery(options)
  },
}

export const matchNoneClause: QueryClause = {
  name: 'match_none',
  parse(reader) {
    const options = newOptions()
    while (reader.next() !== END_OBJECT) {
      const member = reader.name
      reader.next()
      if (!reader.isValue) {
        throw reader.parsingError(`[match_none] unknown token [${reader.tokenName}] after [${member}]`)
      }
      if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'match_none', member)
    }
    return new MatchNoneQuery(options)
  },
}

/**
 * An object whose errors are reported twice: by the object parser, and again with the position of the current token.
 */
export function parseStrictObject(
  reader: RequestReader,
  clause: string,
  options: ClauseOptions,
  members: Record<string, MemberParser>,
): void {
  try {
    reader.parseObject(clause, [commonMembers(reader, options), members])
  } catch (error) {
    if (error instanceof ApiError && error.type === 'x_content_parse_exception') {
      throw reader.parsingError(error.message, error)
    }
    throw error
  }
}
