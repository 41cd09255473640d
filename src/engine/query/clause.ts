/** The interface of a query clause, and the grammar that several clauses share. */
import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { END_ARRAY, END_OBJECT, FIELD_NAME, NULL, START_ARRAY, START_OBJECT } from '../../base/json/json-reader.ts'
import { ACCEPTS_NUMBER, ACCEPTS_STRING, type MemberParser, type RequestReader } from '../request/request-reader.ts'
import type { Query } from '../scoring/query.ts'

export interface QueryClause {
  readonly name: string
  /**
   * Called at the clause's START_OBJECT; returns at its END_OBJECT. Inner clauses are parsed by `inner`, which is
   * passed in because the registry imports the clauses.
   */
  parse(reader: RequestReader, inner: (reader: RequestReader) => Query): Query
}

/** Options of every clause. */
export interface ClauseOptions {
  boost: number
  name: string | undefined
}

export function newOptions(): ClauseOptions {
  return { boost: 1, name: undefined }
}

function readBoost(reader: RequestReader): number {
  const boost = reader.float()
  if (boost < 0 || Object.is(boost, -0)) throw negativeBoost()
  return boost
}

export const negativeBoost = () =>
  illegalArgument('negative [boost] are not allowed, use a value between 0 and 1 to deboost')

/** Reads `boost` or `_name` at the current value; false if the member is neither. */
export function readCommonOption(reader: RequestReader, member: string, options: ClauseOptions): boolean {
  if (member === 'boost') {
    options.boost = readBoost(reader)
    return true
  }
  if (member === '_name') {
    options.name = reader.text()
    return true
  }
  return false
}

/** The same for clauses parsed by `parseObject`. */
export function commonMembers(reader: RequestReader, options: ClauseOptions): Record<string, MemberParser> {
  const read = (member: string) => () => void readCommonOption(reader, member, options)
  return {
    boost: { accepts: ACCEPTS_NUMBER, parse: read('boost') },
    _name: { accepts: ACCEPTS_STRING, parse: read('_name') },
  }
}

export const doesNotSupport = (reader: RequestReader, clause: string, member: string): ApiError =>
  reader.parsingError(`[${clause}] query does not support [${member}]`)

function checkSingleField(reader: RequestReader, clause: string, known: string | undefined, found: string): void {
  if (known === undefined) return
  throw reader.parsingError(`[${clause}] query doesn't support multiple fields, found [${known}] and [${found}]`)
}

/**
 * `{field: {options}}`, the form of most clauses on one field. `option` reads one option at its value token; `short`
 * reads the short form `{field: value}`, if the clause has one. A clause that does not accept `null` then has no field.
 */
export function parseFieldClause(
  reader: RequestReader,
  clause: string,
  option: (member: string) => void,
  short?: () => void,
  takesNull = false,
): string | undefined {
  let field: string | undefined
  while (reader.next() !== END_OBJECT) {
    if (reader.token === FIELD_NAME) continue
    const name = reader.name
    if (reader.token === START_OBJECT) {
      checkSingleField(reader, clause, field, name)
      field = name
      while (reader.next() !== END_OBJECT) {
        const member = reader.name
        reader.next()
        option(member)
      }
    } else {
      const before: string | undefined = field
      shortField(before)
    }
  }
  return field

  function shortField(before: string | undefined): void {
    const name = reader.name
    if (short === undefined) {
      // Elasticsearch skips the brackets of an array and reads its elements as values of the member.
      if (reader.is(NULL) || reader.is(START_ARRAY) || reader.is(END_ARRAY)) return
      throw doesNotSupport(reader, clause, name)
    }
    const takes = takesNull && reader.is(NULL)
    if (reader.isValue || reader.isStart || takes) checkSingleField(reader, clause, before, name)
    short()
    if (reader.isValue || takes) field = name
  }
}

/**
 * A clause that searches text in one field: `{field: text}` or `{field: {query: text, options}}`. `readOption` reads
 * the clause's own options and returns whether it knew the member.
 */
export function parseTextClause(
  reader: RequestReader,
  clause: string,
  readOption: (member: string) => boolean,
): { field: string; value: unknown; options: ClauseOptions } {
  const options = newOptions()
  let value: unknown
  const field = parseFieldClause(
    reader,
    clause,
    (member) => {
      if (!reader.isValue) throw reader.unknownTokenAfter(clause, member)
      if (member === 'query') value = reader.fieldValue()
      else if (!readOption(member) && !readCommonOption(reader, member, options)) {
        throw doesNotSupport(reader, clause, member)
      }
    },
    () => {
      // An array or object has no text, which `text` reports.
      if (reader.isStart) reader.text()
      value = reader.isValue ? reader.fieldValue() : undefined
    },
    true,
  )
  if (field === undefined) throw illegalArgument(`[${clause}] requires fieldName`)
  if (value === undefined) throw illegalArgument(`[${clause}] requires query value`)
  return { field, value, options }
}
