/**
 * Parses the action lines of a bulk body: the operation, the document and index, and the conditions.
 *
 * One reader serves a whole body. The values of a line are in its members until the next line is read. Strings are
 * unescaped in place, and ids and routings are given as ranges.
 */

import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { bulkBodyMalformed, unknownVersionType } from '../../../base/errors/document-errors.ts'
import { jsonSyntaxError, jsonValueError, notBoolean, notNumeric } from '../../../base/errors/json-errors.ts'
import { textExpected } from '../../../base/errors/mapping-errors.ts'
import { illegalNumber, notTrueOrFalse } from '../../../base/errors/value-errors.ts'
import { FaultySource } from '../../../base/json/faulty-source.ts'
import {
  END,
  END_OBJECT,
  FALSE,
  FIELD_NAME,
  JsonReader,
  NULL,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { JsonSyntaxError, lineAndColumn } from '../../../base/json/json-syntax-error.ts'
import { KnownNames } from '../../../base/json/known-names.ts'
import { newMembers } from '../../../base/json/members.ts'
import { tokenName } from '../../../base/json/token-names.ts'
import { RequestReader } from '../../../engine/request/request-reader.ts'
import { readSourceFilter } from '../../../engine/request/source-selection.ts'
import { parseDouble } from '../../../engine/values/java-number.ts'
import type { SourceFilter } from '../shard-host.ts'
import { knownPrimaryTerm, knownSeqNo, parseVersionType } from '../write/write-rules.ts'
import { type BulkAction, type BulkExtras, CREATE, DELETE, INDEX, newExtras, UPDATE } from './bulk-items.ts'

/** Defaults for action lines without these members. */
export interface ActionDefaults {
  readonly requireAlias: boolean
  readonly requireDataStream: boolean
}

/** The words of action lines, shared by all bodies. */
const WORDS = new KnownNames()

export class BulkActionReader {
  action: BulkAction = INDEX
  /** The id is `body[idStart, idEnd)`; -1 without one. */
  idStart = -1
  idEnd = -1
  routingStart = -1
  routingEnd = -1
  indexName: string | undefined
  requireAlias = false
  requireDataStream = false
  /** Members that few action lines have. */
  extras: BulkExtras | undefined
  readonly #body: Buffer
  readonly #defaults: ActionDefaults
  readonly #reader = new JsonReader()

  // The last index name, which most lines share, is recognized without building a string.
  #lastNameStart = -1
  #lastNameEnd = -1
  #lastName: string | undefined

  constructor(body: Buffer, defaults: ActionDefaults) {
    this.#body = body
    this.#defaults = defaults
  }

  /** Parses the action line; false if it contains only white space. */
  read(line: number, from: number, end: number): boolean {
    const reader = this.#reader.reset(this.#body, from, end)
    try {
      const first = reader.next()
      if (first === END) return false
      if (first !== START_OBJECT) {
        throw malformed(line, `expected START_OBJECT but found [${tokenName(first)}]`)
      }
      const second = reader.next()
      if (second !== FIELD_NAME) throw malformed(line, `expected FIELD_NAME but found [${tokenName(second)}]`)
      this.action = this.#actionOf(line)
      this.#readMetadata(line, from, end)
      if (this.action === UPDATE || this.action === DELETE) this.#checkExisting(line)
      this.#readRest()
    } catch (error) {
      throw error instanceof JsonSyntaxError ? jsonSyntaxError(error) : error
    }
    return true
  }

  /** A second key and a missing brace are tolerated, but the rest must still be JSON. */
  #readRest(): void {
    const reader = this.#reader
    try {
      if (reader.next() !== END_OBJECT) return
    } catch (error) {
      if (error instanceof JsonSyntaxError && error.atEnd) return
      throw error
    }
    reader.next()
  }

  /** Rejects parameters that apply to index and create only. */
  #checkExisting(line: number): void {
    const templates = this.extras?.dynamicTemplates
    if (templates !== undefined && Object.keys(templates).length > 0) {
      const kind = this.action === UPDATE ? 'Update' : 'Delete'
      throw illegalArgument(`${kind} request in line [${line}] does not accept dynamic_templates`)
    }
    if (this.action === UPDATE && this.requireDataStream) {
      throw illegalArgument(
        'Update requests do not support the `require_data_stream` flag, as data streams do not support update operations',
      )
    }
    if (this.action === DELETE) {
      this.requireAlias = false
      this.requireDataStream = false
    }
  }

  #actionOf(line: number): BulkAction {
    const name = WORDS.of(this.#reader)
    switch (name) {
      case 'index':
        return INDEX
      case 'create':
        return CREATE
      case 'update':
        return UPDATE
      case 'delete':
        return DELETE
      default:
        throw malformed(line, `expected field [create], [delete], [index] or [update] but found [${name}]`)
    }
  }

  #readMetadata(line: number, lineStart: number, lineEnd: number): void {
    const reader = this.#reader
    this.idStart = -1
    this.routingStart = -1
    this.indexName = undefined
    this.requireAlias = this.#defaults.requireAlias
    this.requireDataStream = this.#defaults.requireDataStream
    this.extras = undefined

    const token = reader.next()
    if (token === END_OBJECT) return
    if (token !== START_OBJECT) {
      throw malformed(line, `expected START_OBJECT or END_OBJECT but found [${tokenName(token)}]`)
    }
    while (reader.next() !== END_OBJECT) {
      const name = WORDS.of(reader)
      if (name === '_id') {
        const value = reader.next()
        if (value === NULL) continue
        if (value < STRING) throw notSimple(line, '_id', value)
        this.idStart = reader.start
        this.idEnd = reader.end
        continue
      }
      const value = reader.next()
      if (value === NULL) continue
      if (value >= STRING) this.#readValue(line, name, lineStart, lineEnd)
      else if (value === START_OBJECT && (name === '_source' || name === 'dynamic_templates')) {
        this.#readObject(name, lineStart, lineEnd)
      } else throw notSimple(line, name, value)
    }
  }

  #readValue(line: number, name: string, lineStart: number, lineEnd: number): void {
    const reader = this.#reader
    switch (name) {
      case '_index':
        this.indexName = this.#nameText()
        return
      case 'routing':
        if (reader.end === reader.start) return
        this.routingStart = reader.start
        this.routingEnd = reader.end
        return
      case 'op_type':
        if (this.action === INDEX && reader.text() === 'create') this.action = CREATE
        return
      case 'version':
        this.extra().version = this.#long(lineStart, lineEnd)
        return
      case 'version_type': {
        const type = parseVersionType(reader.text())
        if (type === undefined) throw unknownVersionType(reader.text())
        this.extra().versionType = type
        return
      }
      case 'if_seq_no':
        this.extra().ifSeqNo = knownSeqNo(this.#long(lineStart, lineEnd))
        return
      case 'if_primary_term':
        this.extra().ifPrimaryTerm = knownPrimaryTerm(this.#long(lineStart, lineEnd))
        return
      case 'retry_on_conflict':
        this.extra().retryOnConflict = this.#int(lineStart, lineEnd)
        return
      case 'pipeline':
        this.extra().pipeline = reader.text()
        return
      case 'require_alias':
        this.requireAlias = this.#boolean(lineStart, lineEnd)
        return
      case 'require_data_stream':
        this.requireDataStream = this.#boolean(lineStart, lineEnd)
        return
      case 'list_executed_pipelines':
        this.extra().listPipelines = this.#boolean(lineStart, lineEnd)
        return
      case '_source':
        this.extra().sourceFilter = this.#sourceFilter(lineStart, lineEnd)
        return
      default:
        throw illegalArgument(`Action/metadata line [${line}] contains an unknown parameter [${name}]`)
    }
  }

  #readObject(name: string, lineStart: number, lineEnd: number): void {
    const reader = this.#reader
    if (name === 'dynamic_templates') {
      const templates: Record<string, string> = newMembers()
      while (reader.next() !== END_OBJECT) {
        const path = reader.text()
        const token = reader.next()
        if (token < STRING || token === NULL) {
          const { line, column } = lineAndColumn(this.#body.subarray(0, lineEnd), lineStart, reader.start)
          throw textExpected(`${line}:${column}`, tokenName(token))
        }
        templates[path] = reader.text()
      }
      this.extra().dynamicTemplates = templates
      return
    }
    const value = reader.value() as Record<string, unknown>
    const list = (patterns: unknown) =>
      patterns === undefined ? [] : Array.isArray(patterns) ? patterns.map(String) : [String(patterns)]
    this.extra().sourceFilter = {
      enabled: true,
      includes: list(value['includes'] ?? value['include']),
      excludes: list(value['excludes'] ?? value['exclude']),
    }
  }

  #sourceFilter(lineStart: number, lineEnd: number): SourceFilter {
    const { token } = this.#reader
    if (token === TRUE || token === FALSE || token === STRING) {
      const enabled = token !== FALSE
      return { enabled, includes: token === STRING ? [this.#reader.text()] : [], excludes: [] }
    }
    // A number: its position in the error requires parsing the line again.
    const line = new RequestReader(this.#body.subarray(lineStart, lineEnd))
    while (line.next() !== FIELD_NAME || line.name !== '_source');
    line.next()
    try {
      return readSourceFilter(line)
    } catch (error) {
      throw error instanceof ApiError ? bulkBodyMalformed(error) : error
    }
  }

  /** A number truncated to an integer, or a string that contains one. */
  #int(lineStart: number, lineEnd: number): number {
    if (this.#reader.token !== STRING) {
      const value = this.#number(lineStart, lineEnd)
      if (value !== (value | 0)) throw this.#outOfRange('int (-2147483648 - 2147483647)', lineStart, lineEnd)
      return value
    }
    const text = this.#reader.text()
    const value = Math.trunc(parseDouble(text))
    if (value !== (value | 0)) throw illegalArgument(`Value [${text}] is out of range for an integer`)
    return value
  }

  #long(lineStart: number, lineEnd: number): number {
    const text = this.#reader.text()
    if (this.#reader.token === STRING) {
      if (!/^[+-]?\d+$/.test(text)) throw illegalNumber(text)
      if (isBeyondLong(text)) throw illegalArgument(`Value [${text}] is out of range for a long`)
      return Number(text)
    }
    const value = this.#number(lineStart, lineEnd)
    if (Math.abs(value) < LONG_END || !isBeyondLong(text)) return value
    throw this.#outOfRange('long (-9223372036854775808 - 9223372036854775807)', lineStart, lineEnd)
  }

  #number(lineStart: number, lineEnd: number): number {
    const { token, end } = this.#reader
    if (token === TRUE || token === FALSE) {
      throw notNumeric(token, new FaultySource(this.#body, lineStart, lineEnd), end)
    }
    return Math.trunc(this.#reader.number())
  }

  #outOfRange(type: string, lineStart: number, lineEnd: number): ApiError {
    const reason = `Numeric value (${this.#reader.text()}) out of range of ${type}`
    const source = new FaultySource(this.#body, lineStart, lineEnd)
    return jsonValueError('input_coercion_exception', reason, source, this.#reader.end)
  }

  #boolean(lineStart: number, lineEnd: number): boolean {
    const { token, end } = this.#reader
    const text = this.#reader.text()
    if (text === 'true') return true
    if (text === 'false') return false
    if (token === STRING) throw notTrueOrFalse(text)
    throw notBoolean(token, new FaultySource(this.#body, lineStart, lineEnd), end)
  }

  #nameText(): string {
    const { bytes, start, end } = this.#reader
    if (this.#lastName !== undefined && sameBytes(bytes, this.#lastNameStart, this.#lastNameEnd, start, end)) {
      return this.#lastName
    }
    this.#lastNameStart = start
    this.#lastNameEnd = end
    this.#lastName = this.#reader.text()
    return this.#lastName
  }

  /** The line's extras, created on demand. */
  extra(): BulkExtras {
    this.extras ??= newExtras()
    return this.extras
  }
}

const LONG_END = 2 ** 63

/** Whether a number is not a long; the doubles nearest to the limits are compared exactly. */
function isBeyondLong(text: string): boolean {
  if (!/^[+-]?\d+$/.test(text)) return true
  const exact = BigInt(text.replace(/^\+/, ''))
  return exact !== BigInt.asIntN(64, exact)
}

function malformed(line: number, problem: string): ApiError {
  return illegalArgument(`Malformed action/metadata line [${line}], ${problem}`)
}

function notSimple(line: number, name: string, token: number): ApiError {
  return malformed(line, `expected a simple value for field [${name}] but found [${tokenName(token)}]`)
}

function sameBytes(bytes: Uint8Array, aStart: number, aEnd: number, bStart: number, bEnd: number): boolean {
  if (aEnd - aStart !== bEnd - bStart) return false
  for (let i = 0; i < aEnd - aStart; i++) if (bytes[aStart + i] !== bytes[bStart + i]) return false
  return true
}
