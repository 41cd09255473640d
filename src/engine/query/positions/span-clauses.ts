/** Parses the span clauses: `span_term`, `span_near`, `span_or`, `span_first`, `span_not`, … */

import { illegalArgument } from '../../../base/api-error.ts'
import { fieldNameMissing, valueMissing } from '../../../base/errors/query-errors.ts'
import { END_OBJECT, FIELD_NAME, START_ARRAY, START_OBJECT } from '../../../base/json/json-reader.ts'
import { formatFloat } from '../../../base/json/json-writer.ts'
import type { RequestReader } from '../../request/request-reader.ts'
import type { Query } from '../../scoring/query.ts'
import {
  type ClauseOptions,
  doesNotSupport,
  newOptions,
  parseFieldClause,
  type QueryClause,
  readCommonOption,
} from '../clause.ts'
import {
  SpanContainQuery,
  SpanFirstQuery,
  SpanGapQuery,
  SpanMaskQuery,
  SpanMultiQuery,
  SpanNearQuery,
  SpanNotQuery,
  SpanOrQuery,
  SpanQuery,
  SpanTermQuery,
} from './span-queries.ts'

type Inner = (reader: RequestReader) => Query

/** Parses a clause inside a span clause, which must itself be a span clause without a boost. */
function readSpan(reader: RequestReader, inner: Inner, where: string): SpanQuery {
  const query = inner(reader)
  if (!(query instanceof SpanQuery)) throw reader.parsingError(`${where} must be of type span query`)
  if (query.boost !== 1) {
    const boost = formatFloat(Math.fround(query.boost))
    throw reader.parsingError(`${where} as a nested span clause can't have non-default boost value [${boost}]`)
  }
  return query
}

/** Reads the members of a clause: `object` and `value` return whether they know a member with a value of that kind. */
function readMembers(
  reader: RequestReader,
  clause: string,
  readers: {
    object?: (member: string) => boolean
    list?: (member: string) => boolean
    value?: (member: string) => boolean
  },
): ClauseOptions {
  const options = newOptions()
  let member = ''
  while (reader.next() !== END_OBJECT) {
    if (reader.is(FIELD_NAME)) {
      member = reader.name
      continue
    }
    const known = reader.is(START_OBJECT)
      ? readers.object?.(member)
      : reader.is(START_ARRAY)
        ? readers.list?.(member)
        : readers.value?.(member) || readCommonOption(reader, member, options)
    if (known !== true) throw doesNotSupport(reader, clause, member)
  }
  return options
}

function readClauses(
  reader: RequestReader,
  inner: Inner,
  clause: string,
  into: SpanQuery[],
): (member: string) => boolean {
  return (member) => {
    if (member !== 'clauses') return false
    reader.each(() => into.push(readSpan(reader, inner, `${clause} [clauses]`)))
    return true
  }
}

const spanTermClause: QueryClause = {
  name: 'span_term',
  parse(reader) {
    const options = newOptions()
    let value: unknown
    const field = parseFieldClause(
      reader,
      'span_term',
      (member) => {
        if (member === 'value' || member === 'term') value = reader.value()
        else if (!readCommonOption(reader, member, options)) throw doesNotSupport(reader, 'span_term', member)
      },
      () => {
        if (reader.isStart) {
          throw reader.parsingError(
            `[span_term] query doesn't support multiple fields, found [${reader.name}] and [null]`,
          )
        }
        value = reader.isValue ? reader.value() : undefined
      },
      true,
    )
    if (field === undefined || field === '') throw fieldNameMissing()
    if (value === undefined || value === null) throw valueMissing()
    return new SpanTermQuery(field, value, options)
  },
}

const spanNearClause: QueryClause = {
  name: 'span_near',
  parse(reader, inner) {
    const clauses: SpanQuery[] = []
    let slop = 0
    let inOrder = true
    const options = readMembers(reader, 'span_near', {
      list: readClauses(reader, inner, 'span_near', clauses),
      value: (member) => {
        if (member === 'slop') slop = reader.integer()
        else if (member === 'in_order') inOrder = reader.boolean()
        else return false
        return true
      },
    })
    if (clauses.length === 0) throw reader.parsingError('span_near must include [clauses]')
    return new SpanNearQuery(clauses, slop, inOrder, options)
  },
}

const spanOrClause: QueryClause = {
  name: 'span_or',
  parse(reader, inner) {
    const clauses: SpanQuery[] = []
    const options = readMembers(reader, 'span_or', { list: readClauses(reader, inner, 'span_or', clauses) })
    if (clauses.length === 0) throw reader.parsingError('span_or must include [clauses]')
    return new SpanOrQuery(clauses, options)
  },
}

const spanFirstClause: QueryClause = {
  name: 'span_first',
  parse(reader, inner) {
    let match: SpanQuery | undefined
    let end: number | undefined
    const options = readMembers(reader, 'span_first', {
      object: (member) => {
        if (member === 'match') match = readSpan(reader, inner, 'span_first [match]')
        return member === 'match'
      },
      value: (member) => {
        if (member === 'end') end = reader.integer()
        return member === 'end'
      },
    })
    if (match === undefined) throw reader.parsingError('span_first must have [match] span query clause')
    if (end === undefined) throw reader.parsingError('span_first must have [end] set for it')
    if (end < 0) throw illegalArgument('parameter [end] needs to be positive.')
    return new SpanFirstQuery(match, end, options)
  },
}

const spanNotClause: QueryClause = {
  name: 'span_not',
  parse(reader, inner) {
    const spans: { include?: SpanQuery; exclude?: SpanQuery } = {}
    const distance: { dist?: number; pre?: number; post?: number } = {}
    const options = readMembers(reader, 'span_not', {
      object: (member) => {
        if (member !== 'include' && member !== 'exclude') return false
        spans[member] = readSpan(reader, inner, `span_not [${member}]`)
        return true
      },
      value: (member) => {
        if (member !== 'dist' && member !== 'pre' && member !== 'post') return false
        distance[member] = reader.integer()
        return true
      },
    })
    const { dist, pre, post } = distance
    if (spans.include === undefined) throw reader.parsingError('span_not must have [include] span query clause')
    if (spans.exclude === undefined) throw reader.parsingError('span_not must have [exclude] span query clause')
    if (dist !== undefined && (pre !== undefined || post !== undefined)) {
      throw reader.parsingError('span_not can either use [dist] or [pre] & [post] (or none)')
    }
    const around = { pre: dist ?? pre ?? 0, post: dist ?? post ?? 0 }
    return new SpanNotQuery(spans.include, spans.exclude, around, options)
  },
}

function containClause(name: 'span_containing' | 'span_within'): QueryClause {
  return {
    name,
    parse(reader, inner) {
      const spans: { big?: SpanQuery; little?: SpanQuery } = {}
      const options = readMembers(reader, name, {
        object: (member) => {
          if (member !== 'big' && member !== 'little') return false
          spans[member] = readSpan(reader, inner, `${name} [${member}]`)
          return true
        },
      })
      const { big, little } = spans
      const missing = (member: string) =>
        name === 'span_containing'
          ? illegalArgument(`inner clause [${member}] cannot be null.`)
          : reader.parsingError(`span_within must include [${member}]`)
      if (big === undefined) throw missing('big')
      if (little === undefined) throw missing('little')
      return new SpanContainQuery(name, big, little, options)
    },
  }
}

const spanContainingClause = containClause('span_containing')
const spanWithinClause = containClause('span_within')

const MULTI_TERM: ReadonlySet<string> = new Set(['prefix', 'wildcard', 'regexp', 'fuzzy', 'range'])

const spanMultiClause: QueryClause = {
  name: 'span_multi',
  parse(reader, inner) {
    let match: Query | undefined
    const options = readMembers(reader, 'span_multi', {
      object: (member) => {
        if (member !== 'match') return false
        match = inner(reader)
        if (MULTI_TERM.has(match.kind)) return true
        throw reader.parsingError('[span_multi] [match] must be of type multi term query')
      },
    })
    if (match === undefined) throw reader.parsingError('[span_multi] must have [match] multi term query clause')
    return new SpanMultiQuery(match as Query & { field: string }, options)
  },
}

const spanFieldMaskingClause: QueryClause = {
  name: 'span_field_masking',
  parse(reader, inner) {
    let query: SpanQuery | undefined
    let field: string | undefined
    const options = readMembers(reader, 'span_field_masking', {
      object: (member) => {
        if (member === 'query') query = readSpan(reader, inner, '[span_field_masking] query')
        return member === 'query'
      },
      value: (member) => {
        if (member === 'field') field = reader.text()
        return member === 'field'
      },
    })
    if (query === undefined) throw reader.parsingError('span_field_masking must have [query] span query clause')
    if (field === undefined) throw reader.parsingError('span_field_masking must have [field] set for it')
    return new SpanMaskQuery(query, field, options)
  },
}

const spanGapClause: QueryClause = {
  name: 'span_gap',
  parse(reader) {
    let gap: SpanGapQuery | undefined
    readMembers(reader, 'span_gap', {
      value: (member) => {
        gap = new SpanGapQuery(member, reader.integer())
        return true
      },
    })
    if (gap === undefined) throw illegalArgument('[span_gap] field name is null or empty')
    return gap
  },
}

export const SPAN_CLAUSES: readonly QueryClause[] = [
  spanTermClause,
  spanNearClause,
  spanOrClause,
  spanFirstClause,
  spanNotClause,
  spanContainingClause,
  spanWithinClause,
  spanMultiClause,
  spanFieldMaskingClause,
  { ...spanFieldMaskingClause, name: 'field_masking_span' },
  spanGapClause,
]
