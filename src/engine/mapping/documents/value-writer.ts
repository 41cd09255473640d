/**
 * Converts one JSON value to the entries of one field. This is the hottest code of indexing: the common paths create no
 * object, string or closure per value; text stays a range of bytes, and numbers and dates are parsed from the bytes.
 *
 * The methods throw the bare cause (`For input string: "abc"`); the document parser adds field, position and preview.
 */
import { ApiError, illegalArgument } from '../../../base/api-error.ts'
import { objectAsNumber, textExpected } from '../../../base/errors/mapping-errors.ts'
import { immenseTerm, TERM_BYTES_MAX } from '../../../base/errors/term-errors.ts'
import {
  DECIMAL,
  FALSE,
  INTEGER,
  JsonReader,
  NULL,
  START_ARRAY,
  START_OBJECT,
  STRING,
  TRUE,
} from '../../../base/json/json-reader.ts'
import { encodeJson, formatDouble } from '../../../base/json/json-writer.ts'
import { parserTokenName, tokenName } from '../../../base/json/token-names.ts'
import { NUMBER, ParsedDocument, ROOT, STORED, TERM, TEXT } from '../../document/parsed-document.ts'
import { parseBoolean } from '../../values/boolean.ts'
import { parseDouble } from '../../values/java-number.ts'
import { LONG_MAX, LONG_MIN, parseLong } from '../../values/long.ts'
import { checkLongMillis, instantNanos } from '../field-types/date.ts'
import { writePoint } from '../field-types/geo-point.ts'
import { finite, narrow, roundToBits } from '../field-types/number.ts'
import type { ParseContext } from '../mapping-api.ts'
import type { MappingLayout } from '../mapping-layout.ts'
import { type DocumentPlaces, tokenStart } from './document-place.ts'
import {
  type EntrySink,
  type FieldPlan,
  OP_BOOLEAN,
  OP_DATE,
  OP_DECIMAL,
  OP_GEO_POINT,
  OP_INTEGER,
  OP_KEYWORD,
  OP_LONG,
  OP_STRING,
  OP_TEXT,
  OP_VALUE,
} from './field-plan.ts'
import { readDecimal, readInteger, utf16Length } from './number-reader.ts'

const SAFE_DIGITS = 15

export class ValueWriter implements EntrySink {
  /** Reads the document. */
  readonly main = new JsonReader()
  /** The source of values: the document, or temporarily a value assembled from a dotted name. */
  reader = this.main
  out: ParsedDocument = new ParsedDocument()
  doc = ROOT
  layout!: MappingLayout
  places!: DocumentPlaces
  context!: ParseContext
  /** The current field, for errors. */
  current: FieldPlan | undefined = undefined
  /** Receives changes that a field's value requests for its definition. */
  learner: ((path: string, definition: Record<string, unknown>) => void) | undefined
  /** Handles `copy_to` targets, which may be unmapped. */
  copier: ((plan: FieldPlan, target: string, doc: number) => void) | undefined

  /** Writes the value at the current token; arrays only for types that accept them as a whole. */
  write(plan: FieldPlan, doc: number): void {
    this.current = plan
    if (plan.isPlain) this.#entry(plan, doc)
    else this.#full(plan, doc)
    this.current = undefined
  }

  #full(plan: FieldPlan, doc: number): void {
    const { reader } = this
    const isScalar = reader.token !== START_OBJECT && reader.token !== START_ARRAY
    // Points handle this themselves: of several, the valid ones stay.
    if (plan.ignoreMalformed && isScalar && plan.op !== OP_GEO_POINT) this.#lenient(plan, doc)
    else this.#entry(plan, doc)
    if (plan.stored && isScalar) this.#store(plan, doc)
    if (isScalar) for (const sub of plan.subFields) this.write(sub, doc)
    this.current = plan
    if (plan.copyTo.length > 0) for (const target of plan.copyTo) this.copier!(plan, target, doc)
  }

  #lenient(plan: FieldPlan, doc: number): void {
    const { reader, out } = this
    const depth = reader.depth - (reader.token === START_OBJECT || reader.token === START_ARRAY ? 1 : 0)
    const mark = out.entryCount
    try {
      this.#entry(plan, doc)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      out.entryCount = mark
      while (reader.depth > depth) reader.next()
      this.doc = doc
      this.ignore(plan.path)
    }
  }

  #entry(plan: FieldPlan, doc: number): void {
    switch (plan.op) {
      case OP_KEYWORD:
        this.#keyword(plan, doc)
        return
      case OP_TEXT:
        this.#text(plan, doc)
        return
      case OP_INTEGER:
        this.#integer(plan, doc)
        return
      case OP_LONG:
        this.#long(plan, doc)
        return
      case OP_DECIMAL:
        this.#decimal(plan, doc)
        return
      case OP_DATE:
        this.#date(plan, doc)
        return
      case OP_BOOLEAN:
        this.#boolean(plan, doc)
        return
      case OP_GEO_POINT:
        this.doc = doc
        writePoint(plan, this)
        return
      case OP_STRING:
        this.#string(plan, doc)
        return
      case OP_VALUE:
        this.doc = doc
        plan.writeValue!(plan, this)
        return
      default:
        this.reader.skipChildren()
    }
  }

  #keyword(plan: FieldPlan, doc: number): void {
    const { reader } = this
    const token = reader.token
    if (token === NULL) {
      if (plan.hasNullValue) this.#term(plan, Buffer.from(plan.nullValue as string), doc)
      return
    }
    if (token === START_OBJECT || token === START_ARRAY) throw this.#expectedText()
    const { start, end } = reader
    if (end - start > plan.ignoreAbove && utf16Length(reader.bytes, start, end) > plan.ignoreAbove) {
      this.doc = doc
      this.ignore(plan.path)
      return
    }
    if (plan.normalizer !== undefined) {
      this.#term(plan, Buffer.from(plan.normalizer.normalize(reader.text())), doc)
      return
    }
    if (!plan.writes) return
    if (end - start > TERM_BYTES_MAX) throw immenseTerm(plan.path, reader.bytes, start)
    this.out.add(plan.schema!, TERM, start, end, doc)
    if (plan.inFieldNames) this.#name(plan, doc)
  }

  #term(plan: FieldPlan, bytes: Uint8Array, doc: number): void {
    if (!plan.writes) return
    if (bytes.length > TERM_BYTES_MAX) throw immenseTerm(plan.path, bytes, 0)
    const start = this.put(bytes)
    this.out.add(plan.schema!, TERM, start, start + bytes.length, doc)
    if (plan.inFieldNames) this.#name(plan, doc)
  }

  #text(plan: FieldPlan, doc: number): void {
    const { reader } = this
    const token = reader.token
    if (token === NULL) return
    if (token === START_OBJECT || token === START_ARRAY) throw this.#expectedText()
    if (!plan.writes) return
    this.out.add(plan.schema!, TEXT, reader.start, reader.end, doc)
    if (plan.inFieldNames) this.#name(plan, doc)
  }

  #integer(plan: FieldPlan, doc: number): void {
    const { reader } = this
    if (reader.token === INTEGER && reader.end - reader.start <= SAFE_DIGITS) {
      const value = readInteger(reader.bytes, reader.start, reader.end)
      if (value >= plan.low && value <= plan.high) {
        this.#number(plan, value, doc)
        return
      }
    }
    const value = this.#anyNumber(plan, CLASS_NAMES[plan.type]!)
    if (value !== undefined) this.#number(plan, value, doc)
  }

  /** An integer that did not take the fast path: a fraction, a text, or an error. */
  #anyNumber(plan: FieldPlan, className: string): number | undefined {
    const { reader } = this
    switch (reader.token) {
      case NULL:
        return plan.hasNullValue ? (plan.nullValue as number) : undefined
      case STRING: {
        if (!plan.coerce) throw illegalArgument(`${className} value passed as String`)
        if (reader.end === reader.start) return plan.hasNullValue ? (plan.nullValue as number) : undefined
        const text = reader.text()
        const value = parseDouble(text)
        // The JVM casts NaN to zero.
        if (Number.isNaN(value)) return 0
        // A byte is parsed as an integer first.
        if (plan.type === 'byte') checkRange(value, -2147483648, 2147483647, text, 'integer')
        else checkRange(value, plan.low, plan.high, text, plan.type)
        return this.#inRange(plan, Math.trunc(value))
      }
      case INTEGER:
      case DECIMAL: {
        const value = readDecimal(reader.bytes, reader.start, reader.end)
        if (value < -2147483648 || value >= 2147483648) {
          throw this.#coercion(`out of range of int (-2147483648 - 2147483647)`)
        }
        if (!plan.coerce && value !== Math.trunc(value)) {
          throw illegalArgument(`${formatDouble(value)} cannot be converted to ${className} without data loss`)
        }
        const whole = Math.trunc(value)
        if (plan.type === 'short' && (whole < plan.low || whole > plan.high)) {
          throw this.#coercion('out of range of Java short')
        }
        return this.#inRange(plan, whole)
      }
      default:
        throw this.#notNumeric()
    }
  }

  #inRange(plan: FieldPlan, value: number): number {
    checkRange(value, plan.low, plan.high, String(value), plan.type)
    return value === 0 ? 0 : value
  }

  #long(plan: FieldPlan, doc: number): void {
    const { reader } = this
    if (reader.token === INTEGER && reader.end - reader.start <= SAFE_DIGITS) {
      this.#number(plan, readInteger(reader.bytes, reader.start, reader.end), doc)
      return
    }
    const value = this.#anyLong(plan)
    if (value === undefined || !plan.writes) return
    if (typeof value === 'number') this.#number(plan, value, doc)
    else {
      this.out.addLong(plan.schema!, value, doc)
      if (plan.inFieldNames) this.#name(plan, doc)
    }
  }

  #anyLong(plan: FieldPlan): number | bigint | undefined {
    const { reader } = this
    switch (reader.token) {
      case NULL:
        return plan.hasNullValue ? (plan.nullValue as number | bigint) : undefined
      case STRING: {
        if (!plan.coerce) throw illegalArgument('Long value passed as String')
        if (reader.end === reader.start) return plan.hasNullValue ? (plan.nullValue as number | bigint) : undefined
        return narrow(parseLong(reader.text(), true))
      }
      case INTEGER: {
        const value = BigInt(reader.integer())
        if (value < LONG_MIN || value > LONG_MAX) throw this.#coercion(LONG_RANGE)
        return narrow(value)
      }
      case DECIMAL: {
        const value = readDecimal(reader.bytes, reader.start, reader.end)
        if (value < -(2 ** 63) || value > 2 ** 63) throw this.#coercion(LONG_RANGE)
        if (!plan.coerce && value !== Math.trunc(value)) {
          throw illegalArgument(`${formatDouble(value)} cannot be converted to Long without data loss`)
        }
        // The only double above the range that passes the check is its end.
        return value === 2 ** 63 ? LONG_MAX : narrow(BigInt(Math.trunc(value)))
      }
      default:
        throw this.#notNumeric()
    }
  }

  #decimal(plan: FieldPlan, doc: number): void {
    const value = this.#anyDecimal(plan)
    if (value !== undefined) this.#number(plan, value, doc)
  }

  #anyDecimal(plan: FieldPlan): number | undefined {
    const { reader } = this
    let value: number
    switch (reader.token) {
      case INTEGER:
      case DECIMAL:
        value = readDecimal(reader.bytes, reader.start, reader.end)
        break
      case NULL:
        return plan.hasNullValue ? (plan.nullValue as number) : undefined
      case STRING:
        if (!plan.coerce) throw illegalArgument(`${plan.bits === 64 ? 'Double' : 'Float'} value passed as String`)
        if (reader.end === reader.start) return plan.hasNullValue ? (plan.nullValue as number) : undefined
        value = parseDouble(reader.text())
        break
      default:
        throw this.#notNumeric()
    }
    const rounded = plan.bits === 64 ? value : roundToBits(plan.bits, value)
    return rounded - rounded === 0 ? rounded : finite(plan.type, rounded, value)
  }

  #date(plan: FieldPlan, doc: number): void {
    const { reader } = this
    const token = reader.token
    if (token === NULL) {
      if (plan.hasNullValue) this.#instant(plan, plan.nullValue as number | bigint, doc)
      return
    }
    if (token === START_OBJECT || token === START_ARRAY) throw this.#expectedText()
    const format = plan.dateFormat!
    if (plan.nanos) {
      this.#instant(plan, narrow(instantNanos(format.parse(reader.text()))), doc)
      return
    }
    const ms = format.parseBytesMs(reader.bytes, reader.start, reader.end)
    checkLongMillis({ ms, nanosOfMs: 0 })
    this.#number(plan, ms, doc)
  }

  #instant(plan: FieldPlan, value: number | bigint, doc: number): void {
    if (typeof value === 'number') this.#number(plan, value, doc)
    else if (plan.writes) {
      this.out.addLong(plan.schema!, value, doc)
      if (plan.inFieldNames) this.#name(plan, doc)
    }
  }

  #boolean(plan: FieldPlan, doc: number): void {
    const { reader } = this
    switch (reader.token) {
      case TRUE:
        this.#number(plan, 1, doc)
        return
      case FALSE:
        this.#number(plan, 0, doc)
        return
      case NULL:
        if (plan.hasNullValue) this.#number(plan, plan.nullValue === true ? 1 : 0, doc)
        return
      case STRING:
        this.#number(plan, reader.end > reader.start && parseBoolean(reader.text()) ? 1 : 0, doc)
        return
      default:
        throw this.places.jsonError(
          'json_parse_exception',
          `Current token (${parserTokenName(reader.token)}) not of boolean type`,
          reader.end,
        )
    }
  }

  number(plan: FieldPlan): number | bigint | undefined {
    if (plan.op === OP_LONG) return this.#anyLong(plan)
    if (plan.op === OP_DECIMAL) return this.#anyDecimal(plan)
    return this.#anyNumber(plan, CLASS_NAMES[plan.type]!)
  }

  #string(plan: FieldPlan, doc: number): void {
    const { reader } = this
    const token = reader.token
    if (token === START_OBJECT || token === START_ARRAY) throw this.#expectedText()
    this.doc = doc
    if (token !== NULL) plan.writeText!(plan, reader.text(), this)
    else if (plan.hasNullValue) plan.writeText!(plan, plan.nullValue as string, this)
  }

  #number(plan: FieldPlan, value: number, doc: number): void {
    if (!plan.writes) return
    this.out.add(plan.schema!, NUMBER, value, 0, doc)
    if (plan.inFieldNames) this.#name(plan, doc)
  }

  name(plan: FieldPlan): void {
    this.#name(plan, this.doc)
  }

  #name(plan: FieldPlan, doc: number): void {
    const start = this.put(plan.pathBytes)
    this.out.add(this.layout.fieldNames, TERM, start, start + plan.pathBytes.length, doc)
  }

  /** Stores the value at the current token in the form of `stored_fields`. */
  #store(plan: FieldPlan, doc: number): void {
    const { reader } = this
    // `1.0` in a text field stays as written: as a number it would lose its point.
    const isText = plan.op === OP_KEYWORD || plan.op === OP_TEXT
    const given = reader.token === DECIMAL && isText ? formatDouble(reader.number()) : reader.value()
    const value = this.layout.types.get(plan.path)?.formatSourceValue(given, undefined)
    if (value === undefined) return
    // A field that is only stored still counts for `exists`.
    if (!plan.writes) this.#name(plan, doc)
    const json = encodeJson(value)
    const start = this.put(json)
    this.out.add(plan.schema!, STORED, start, start + json.length, doc)
  }

  ignore(field: string): void {
    const bytes = Buffer.from(field)
    const start = this.put(bytes)
    // A field ignored inside a nested object counts for the whole document.
    this.out.add(this.layout.ignored, TERM, start, start + bytes.length, ROOT)
  }

  learn(path: string, definition: Record<string, unknown>): void {
    this.learner!(path, definition)
  }

  put(bytes: Uint8Array): number {
    const { out, main } = this
    const start = out.reserve(bytes.length)
    out.bytes.set(bytes, start)
    // The document's own bytes moved when the buffer grew.
    if (main.bytes !== out.bytes) main.bytes = out.bytes
    return start
  }

  #expectedText(): ApiError {
    const { reader, places } = this
    return textExpected(places.at(tokenStart(reader)), tokenName(reader.token))
  }

  #notNumeric(): ApiError {
    const { reader } = this
    if (reader.token === START_OBJECT) return objectAsNumber()
    return this.places.notNumeric(reader)
  }

  #coercion(problem: string): ApiError {
    const { reader } = this
    return this.places.jsonError('input_coercion_exception', `Numeric value (${reader.text()}) ${problem}`, reader.end)
  }
}

const LONG_RANGE = 'out of range of long (-9223372036854775808 - 9223372036854775807)'

const CLASS_NAMES: Readonly<Record<string, string>> = { byte: 'Integer', short: 'Short', integer: 'Integer' }

/** A fraction beyond a limit is out of range, even if truncation would bring it back. */
function checkRange(value: number, low: number, high: number, text: string, type: string): void {
  if (value >= low && value <= high) return
  throw illegalArgument(`Value [${text}] is out of range for ${type === 'integer' ? 'an' : 'a'} ${type}`)
}
