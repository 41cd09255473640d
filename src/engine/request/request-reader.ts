/**
 * Reads request bodies token by token, in the order and with the errors of Elasticsearch's own parsers.
 *
 * A search body is small, but its errors must have the right message and the position of the token at which
 * Elasticsearch would have stopped. The parsers of queries and sorts therefore consume the tokens in the same way, and
 * the position is computed only for an error.
 */
import {
  ApiError,
  illegalArgument,
  illegalRequestState,
  parsingException,
  xContentParse,
} from '../../base/api-error.ts'
import { jsonSyntaxError, jsonValueError, notBoolean, notNumeric } from '../../base/errors/json-errors.ts'
import { textExpected } from '../../base/errors/mapping-errors.ts'
import { rootCauseOf } from '../../base/errors/search-errors.ts'
import { illegalNumber, notTrueOrFalse } from '../../base/errors/value-errors.ts'
import { FaultySource } from '../../base/json/faulty-source.ts'
import {
  DECIMAL,
  END_ARRAY,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  INTEGER,
  JsonReader,
  type JsonToken,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../base/json/json-reader.ts'
import { JsonSyntaxError, lineAndColumn } from '../../base/json/json-syntax-error.ts'
import { formatDouble } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { tokenName } from '../../base/json/token-names.ts'
import { didYouMean } from '../../base/suggest.ts'
import { parseDouble } from '../values/java-number.ts'
import { isLong, parseLong } from '../values/long.ts'

/** One member of an object parsed by `parseObject`: the tokens with which its value may start, and its parser. */
export interface MemberParser {
  readonly accepts: readonly JsonToken[]
  parse(): void
}

/** The members of an object by name. */
export type MemberTable = Readonly<Record<string, MemberParser>>

/** Members may come in several tables; the last table that has a name counts. Copying them into one costs more than reading a small object. */
export type Members = MemberTable | readonly MemberTable[]

function memberOf(members: Members, name: string): MemberParser | undefined {
  if (!Array.isArray(members)) return Object.hasOwn(members, name) ? (members as MemberTable)[name] : undefined
  for (let i = members.length - 1; i >= 0; i--) if (Object.hasOwn(members[i], name)) return members[i][name]
  return undefined
}

function namesOf(members: Members): string[] {
  return Array.isArray(members) ? members.flatMap(Object.keys) : Object.keys(members)
}

export const ACCEPTS_STRING: readonly JsonToken[] = [STRING]
export const ACCEPTS_NUMBER: readonly JsonToken[] = [INTEGER, DECIMAL, STRING]
export const ACCEPTS_BOOLEAN: readonly JsonToken[] = [TRUE, FALSE, STRING]
export const ACCEPTS_OBJECT: readonly JsonToken[] = [START_OBJECT]
export const ACCEPTS_OBJECT_ARRAY: readonly JsonToken[] = [START_OBJECT, START_ARRAY]
export const ACCEPTS_STRING_ARRAY: readonly JsonToken[] = [START_ARRAY, STRING]

/** Reusable readers: creating one costs as much as reading a small request. */
const spare: JsonReader[] = []
const SPARE_MAX = 4

export class RequestReader {
  readonly #reader: JsonReader
  readonly #original: Uint8Array
  /** The name before the current value, or the current name. */
  name: string
  /** Nesting depth of queries, which is limited. */
  queryDepth: number

  constructor(body: Uint8Array) {
    this.#original = body
    // The reader resolves escapes in place; error positions refer to the original body.
    this.#reader = (spare.pop() ?? new JsonReader()).reset(new Uint8Array(body))
    this.name = ''
    this.queryDepth = 0
  }

  /** Returns the reader for reuse. Nothing can be read any more. */
  release(): void {
    if (spare.length < SPARE_MAX) spare.push(this.#reader)
  }

  get token(): JsonToken {
    return this.#reader.token
  }

  /** The underlying reader, for callers that read a value in their own form. */
  get json(): JsonReader {
    return this.#reader
  }

  /**
   * Whether the current token is of this type; a method, because the compiler assumes that a property does not change.
   */
  is(token: JsonToken): boolean {
    return this.#reader.token === token
  }

  next(): JsonToken {
    const token = this.#reader.next()
    if (token === FIELD_NAME) this.name = this.#reader.text()
    return token
  }

  get tokenName(): string {
    return tokenName(this.#reader.token)
  }

  /** A string, number or boolean, but not null. */
  get isValue(): boolean {
    const token = this.#reader.token
    return token >= STRING && token !== NULL
  }

  get isStart(): boolean {
    const token = this.#reader.token
    return token === START_OBJECT || token === START_ARRAY
  }

  /** Offset of the current token's first byte, including the quote of a string. */
  get tokenOffset(): number {
    const token = this.#reader.token
    return token === STRING || token === FIELD_NAME ? this.#reader.start - 1 : this.#reader.start
  }

  skipChildren(): void {
    this.#reader.skipChildren()
  }

  /** The complete current value, as plain values. */
  value(): unknown {
    return this.#reader.value()
  }

  /** Like `value`, but whole numbers written with a point (`1.0`) are distinguished. */
  decimalValue(): unknown {
    return plainValue(this.#reader, true)
  }

  /**
   * A value to compare with those of a field. A whole number written with a point (`1.0`) stays text: for a keyword it
   * is that text, and numbers are parsed from it.
   */
  fieldValue(): unknown {
    const value = this.#reader.value()
    const isWhole = this.#reader.token === DECIMAL && Number.isInteger(value)
    return isWhole ? formatDouble(value as number) : value
  }

  /** Text of a string, number or boolean. */
  text(): string {
    if (!this.isValue) throw this.textExpected()
    return this.#reader.text()
  }

  textOrNull(): string | null {
    return this.#reader.token === NULL ? null : this.text()
  }

  /** A number, or a string that contains one. */
  float(): number {
    if (this.token === INTEGER || this.token === DECIMAL) return this.#reader.number()
    if (this.token === STRING) return parseDouble(this.#reader.text())
    throw this.#notNumeric()
  }

  integer(): number {
    if (this.token === INTEGER || this.token === DECIMAL) {
      const value = Math.trunc(this.#reader.number())
      if (isInt(value)) return value
      throw this.#outOfRange('int (-2147483648 - 2147483647)')
    }
    if (this.token !== STRING) throw this.#notNumeric()
    const text = this.#reader.text()
    const value = Math.trunc(parseDouble(text))
    if (!isInt(value)) throw illegalArgument(`Value [${text}] is out of range for an integer`)
    return value
  }

  /** Like `integer`, for more than 32 bits. */
  long(): number {
    if (this.token === INTEGER || this.token === DECIMAL) {
      const value = Math.trunc(this.#reader.number())
      if (Math.abs(value) < 2 ** 63 || isLong(this.#reader.text())) return value
      throw this.#outOfRange('long (-9223372036854775808 - 9223372036854775807)')
    }
    if (this.token !== STRING) throw this.#notNumeric()
    const text = this.#reader.text()
    if (text === '' || Number.isNaN(Number(text))) throw illegalNumber(text)
    return Number(parseLong(text, true))
  }

  boolean(): boolean {
    if (this.token === TRUE) return true
    if (this.token === FALSE) return false
    if (this.token === STRING) {
      const text = this.#reader.text()
      if (text === 'true') return true
      if (text === 'false' || text === '') return false
      throw notTrueOrFalse(text)
    }
    throw notBoolean(this.token, this.#faultySource(), this.#reader.position)
  }

  location(): { line: number; col: number } {
    const { line, column } = lineAndColumn(this.#original, 0, this.tokenOffset)
    return { line, col: column }
  }

  locationAt(offset: number): { line: number; col: number } {
    const { line, column } = lineAndColumn(this.#original, 0, offset)
    return { line, col: column }
  }

  /** `parsing_exception`, which has its position as members. */
  parsingError(reason: string, causedBy?: ApiError, at = this.tokenOffset): ApiError {
    return parsingException(reason, { details: this.locationAt(at), causedBy })
  }

  /** `x_content_parse_exception`, which has its position in the reason. */
  contentError(reason: string, causedBy?: ApiError, at = this.tokenOffset): ApiError {
    const { line, col } = this.locationAt(at)
    const error = xContentParse(`[${line}:${col}] ${reason}`, { causedBy })
    const root = rootCauseOf(error)
    if (root === error) return error
    return new ApiError(400, error.type, error.message, { causedBy, rootCauses: [root] })
  }

  /** The error for an unknown member of an object, or for a value of the wrong type. */
  unknownKey(member: string): ApiError {
    return this.parsingError(`Unknown key for a ${this.tokenName} in [${member}].`)
  }

  /** The error for an unknown member of a named object, for example of an aggregation. */
  unknownKeyOf(name: string, member: string): ApiError {
    return this.parsingError(`Unknown key for a ${this.tokenName} in [${name}]: [${member}].`)
  }

  /** The error for a value of the wrong type in a named object. */
  unexpectedToken(name: string): ApiError {
    return this.parsingError(`Unexpected token ${this.tokenName} in [${name}].`)
  }

  /** The error for a member of a clause whose value is an object or an array. */
  unknownTokenAfter(clause: string, member: string): ApiError {
    return this.parsingError(`[${clause}] unknown token [${this.tokenName}] after [${member}]`)
  }

  /** The error for a token after the end of the body or clause. */
  tokenAfterObject(): ApiError {
    return this.parsingError(`Unexpected token [${this.tokenName}] found after the main object.`)
  }

  /** The error for an object or array in place of a text. */
  textExpected(): ApiError {
    const { line, col } = this.location()
    return textExpected(`${line}:${col}`, this.tokenName)
  }

  /** The error for a body that is no object. */
  objectExpected(): ApiError {
    return this.parsingError(`Expected [START_OBJECT] but found [${this.tokenName}]`)
  }

  /** The error for an unknown kind, for example of queries. */
  unknownKind(name: string): ApiError {
    const { line, col } = this.location()
    return new ApiError(400, 'named_object_not_found_exception', `[${line}:${col}] unknown field [${name}]`)
  }

  /** Like `parseObject`, for the value of a name: a value that is not an object is an error itself. */
  parseMember(parserName: string, members: Members): void {
    if (this.token !== START_OBJECT) throw this.#noObject(parserName)
    this.parseObject(parserName, members)
  }

  /**
   * Reads the object at or after the current token, with a fixed set of members; errors name the parser. With `named`,
   * an unknown member is reported as an unknown kind.
   */
  parseObject(parserName: string, members: Members, named = false): void {
    if (this.token !== START_OBJECT && this.next() !== START_OBJECT) throw this.#noObject(parserName)
    while (this.next() !== END_OBJECT) {
      const name = this.name
      const nameOffset = this.tokenOffset
      this.next()
      const member = memberOf(members, name)
      if (member === undefined) {
        const hint = didYouMean(name, namesOf(members))
        if (named) {
          const cause = this.unknownKind(name)
          const reason = `[${parserName}] unknown field [${name}]${hint}`
          const { type, message } = this.contentError(reason, cause, nameOffset)
          throw new ApiError(400, type, message, { causedBy: cause, rootCauses: [cause] })
        }
        throw this.contentError(`[${parserName}] unknown field [${name}]${hint}`, undefined, nameOffset)
      }
      if (!member.accepts.includes(this.token)) {
        throw this.contentError(`[${parserName}] ${name} doesn't support values of type: ${this.tokenName}`)
      }
      const isObject = this.token === START_OBJECT
      try {
        member.parse()
      } catch (error) {
        throw this.#failedField(parserName, name, error)
      }
      if (isObject && !this.is(END_OBJECT)) throw this.contentError(`parser for [${name}] did not end on END_OBJECT`)
    }
  }

  /** Reads a member named by the user, and reports its errors like those of a fixed member. */
  inField(parserName: string, member: string, parse: () => void): void {
    try {
      parse()
    } catch (error) {
      throw this.#failedField(parserName, member, error)
    }
  }

  /** Calls `item` for each element of the array at the current token, or once for a single value. */
  each(item: () => void): void {
    if (this.token !== START_ARRAY) {
      item()
      return
    }
    while (this.next() !== END_ARRAY) item()
  }

  /** Like `each`, for a list of values and objects only. */
  items(item: () => void): void {
    this.each(() => {
      if (this.token < STRING && this.token !== START_OBJECT) {
        throw illegalRequestState(`expected value but got [${this.tokenName}]`)
      }
      item()
    })
  }

  /** An error inside a member is wrapped in an error of the member. */
  #failedField(parserName: string, member: string, error: unknown): unknown {
    const reason = `[${parserName}] failed to parse field [${member}]`
    if (error instanceof ApiError) return this.contentError(reason, error)
    if (!(error instanceof JsonSyntaxError)) return error
    const cause = jsonSyntaxError(error)
    return xContentParse(`[${error.line}:${error.column}] ${reason}`, {
      causedBy: cause,
      rootCauses: [cause],
    })
  }

  #noObject(parserName: string): ApiError {
    // An empty body is before the first column.
    const at = this.#original.length === 0 ? -1 : this.tokenOffset
    return this.contentError(`[${parserName}] Expected START_OBJECT but was: ${this.tokenName}`, undefined, at)
  }

  #outOfRange(range: string): ApiError {
    const reason = `Numeric value (${this.#reader.text()}) out of range of ${range}`
    return jsonValueError('input_coercion_exception', reason, this.#faultySource(), this.#reader.position)
  }

  #notNumeric(): ApiError {
    return notNumeric(this.token, this.#faultySource(), this.#reader.position)
  }

  #faultySource(): FaultySource {
    return new FaultySource(this.#original, 0, this.#original.length)
  }
}

function isInt(value: number): boolean {
  return value >= -0x80000000 && value <= 0x7fffffff
}
