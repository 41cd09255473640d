/**
 * Converts between JSON and field values. Numbers keep their kind: whole floats stay floats (`100.0`), and integers of
 * any size stay exact. Most texts contain neither and use the built-in parser.
 */
import { Double, formatDouble } from '../../base/json/json-writer.ts'
import { Fields, type FieldValue, toFieldValue } from './fields.ts'
import { Timestamp } from './timestamp.ts'

/**
 * Matches a whole float, an exponent or a possibly too long integer in the position of a number: after a colon, comma
 * or bracket, and before the end of a value. Strings rarely contain such text (`Firefox/121.0` and `10.0.0.1` do not
 * match).
 */
const NEEDS_CARE = /(?:^|[:,[])\s*-?(?:\d{16}[\d.eE+-]*|\d+\.0+|\d+(?:\.\d+)?[eE][+-]?\d+)\s*(?:$|[,}\]])/

/** Throws a SyntaxError if the text is not JSON. */
export function parseJson(text: string): FieldValue {
  const plain = JSON.parse(text) as unknown
  return NEEDS_CARE.test(text) ? new CarefulReader(text).read() : toFieldValue(plain)
}

/** Parses text that is known to be valid JSON. */
class CarefulReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  read(): FieldValue {
    this.#blanks()
    const char = this.#text[this.#at]
    if (char === '{') return this.#object()
    if (char === '[') return this.#array()
    if (char === '"') return this.#string()
    if (char === 't' || char === 'n') this.#at += 4
    else if (char === 'f') this.#at += 5
    else return this.#number()
    return char === 't' ? true : char === 'f' ? false : null
  }

  #object(): FieldValue {
    const fields = new Fields()
    this.#at++
    this.#blanks()
    while (this.#text[this.#at] !== '}') {
      const name = this.#string()
      this.#blanks()
      this.#at++
      fields[name] = this.read()
      this.#separator()
    }
    this.#at++
    return fields
  }

  #array(): FieldValue {
    const items: FieldValue[] = []
    this.#at++
    this.#blanks()
    while (this.#text[this.#at] !== ']') {
      items.push(this.read())
      this.#separator()
    }
    this.#at++
    return items
  }

  #separator(): void {
    this.#blanks()
    if (this.#text[this.#at] === ',') this.#at++
    this.#blanks()
  }

  #string(): string {
    STRING.lastIndex = this.#at
    const quoted = STRING.exec(this.#text)![0]
    this.#at += quoted.length
    return JSON.parse(quoted) as string
  }

  #number(): FieldValue {
    NUMBER.lastIndex = this.#at
    const digits = NUMBER.exec(this.#text)![0]
    this.#at += digits.length
    const value = Number(digits)
    if (!/[.eE]/.test(digits)) return Number.isSafeInteger(value) ? value : BigInt(digits)
    return Number.isInteger(value) ? new Double(value) : value
  }

  #blanks(): void {
    BLANKS.lastIndex = this.#at
    this.#at += BLANKS.exec(this.#text)![0].length
  }
}

const STRING = /"(?:[^"\\]|\\.)*"/y
const NUMBER = /[-+.\deE]+/y
const BLANKS = /[ \t\r\n]*/y

/** Compact JSON. */
export function jsonText(value: FieldValue | undefined): string {
  switch (typeof value) {
    case 'string':
      return quote(value)
    case 'number':
      return Number.isInteger(value) ? wholeNumber(value) : formatDouble(value)
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return arrayText(value)
      if (value instanceof Timestamp) return `"${value.toString()}"`
      return value instanceof Double ? formatDouble(value.value) : objectText(value as Fields)
    case 'undefined':
      return 'null'
    default:
      return String(value)
  }
}

function wholeNumber(value: number): string {
  return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString()
}

const SPECIAL = /["\\\0-\x1f\ud800-\udfff]/

function quote(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`
}

function arrayText(items: readonly FieldValue[]): string {
  let text = '['
  for (let i = 0; i < items.length; i++) text += (i === 0 ? '' : ',') + jsonText(items[i])
  return `${text}]`
}

/** Compact JSON of an object. The built-in encoder is the fastest and is correct unless a number needs care. */
export function objectText(fields: Fields): string {
  return isPlain(fields) ? JSON.stringify(fields) : carefulText(fields)
}

/** Whether JSON.stringify prints all values, at any depth, as we do. */
function isPlain(fields: Fields): boolean {
  for (const name in fields) if (!isPlainValue(fields[name])) return false
  return true
}

function isPlainValue(value: FieldValue | undefined): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true
  if (typeof value === 'number') return Number.isInteger(value)
  if (typeof value !== 'object' || value instanceof Double) return value === undefined
  if (value instanceof Timestamp) return true
  return Array.isArray(value) ? value.every(isPlainValue) : isPlain(value as Fields)
}

function carefulText(fields: Fields): string {
  let text = ''
  for (const name in fields) {
    const value = fields[name]
    if (value !== undefined) text += (text === '' ? '{' : ',') + memberStart(name) + jsonText(value)
  }
  return text === '' ? '{}' : `${text}}`
}

const memberStarts = new Map<string, string>()
const MEMBER_STARTS_MAX = 5000

/** `"name":`, cached for names that occur in every event. */
function memberStart(name: string): string {
  const known = memberStarts.get(name)
  if (known !== undefined) return known
  const text = `${quote(name)}:`
  if (memberStarts.size < MEMBER_STARTS_MAX) memberStarts.set(name, text)
  return text
}
