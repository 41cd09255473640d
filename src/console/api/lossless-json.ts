/**
 * Lossless JSON: a number that JavaScript cannot represent exactly keeps its text, as an `ExactNumber`. All other
 * values are those of `JSON.parse`.
 */

/** A number as it was written, such as 90071992547409931. */
export class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toString(): string {
    return this.text
  }

  valueOf(): number {
    return Number(this.text)
  }
}

export type Json = unknown

/** Texts without a long number are parsed with `JSON.parse`. */
const MAY_LOSE = /\d{16}|\d\.\d{15}|\d[eE]|\.\d*0[,\]}\s]|-0[,\]}\s.]/

export function parseJson(text: string): Json {
  return MAY_LOSE.test(text) ? new Parser(text).parse() : JSON.parse(text)
}

/** A JavaScript number if it prints the same text, otherwise the text. `1.0` stays `1.0`. */
function numberOf(text: string): number | ExactNumber {
  const value = Number(text)
  return String(value) === text ? value : new ExactNumber(text)
}

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  parse(): Json {
    const value = this.#value()
    this.#blanks()
    if (this.#at < this.#text.length) this.#fail()
    return value
  }

  #value(): Json {
    this.#blanks()
    const char = this.#text[this.#at]
    if (char === '{') return this.#object()
    if (char === '[') return this.#array()
    if (char === '"') return this.#string()
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    NUMBER.lastIndex = this.#at
    const number = NUMBER.exec(this.#text)?.[0]
    if (number === undefined) this.#fail()
    this.#at += number.length
    return numberOf(number)
  }

  #object(): Json {
    const object: Record<string, Json> = {}
    this.#at++
    this.#blanks()
    if (this.#take('}')) return object
    for (;;) {
      this.#blanks()
      if (this.#text[this.#at] !== '"') this.#fail()
      const name = this.#string()
      this.#blanks()
      if (!this.#take(':')) this.#fail()
      const value = this.#value()
      // A member named __proto__ would otherwise change the prototype of the object.
      if (name === '__proto__')
        Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
      else object[name] = value
      this.#blanks()
      if (this.#take('}')) return object
      if (!this.#take(',')) this.#fail()
    }
  }

  #array(): Json {
    const array: Json[] = []
    this.#at++
    this.#blanks()
    if (this.#take(']')) return array
    for (;;) {
      array.push(this.#value())
      this.#blanks()
      if (this.#take(']')) return array
      if (!this.#take(',')) this.#fail()
    }
  }

  #string(): string {
    const start = this.#at
    for (this.#at++; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]
      if (char === '\\') this.#at++
      else if (char === '"') return JSON.parse(this.#text.slice(start, ++this.#at)) as string
    }
    return this.#fail()
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #blanks(): void {
    while (/[\s]/.test(this.#text[this.#at] ?? '')) this.#at++
  }

  #fail(): never {
    throw new SyntaxError(`no JSON at character ${this.#at}`)
  }
}

const WORDS: readonly [string, Json][] = [
  ['true', true],
  ['false', false],
  ['null', null],
]
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

/** Writes JSON with exact numbers as they were read. `indent` is the number of spaces per level; 0 writes one line. */
export function writeJson(value: Json, indent = 0, depth = 0): string {
  if (value instanceof ExactNumber) return value.text
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  const line = indent === 0 ? '' : `\n${' '.repeat(indent * (depth + 1))}`
  const end = indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]'
    return `[${line}${value.map((item) => writeJson(item, indent, depth + 1)).join(`,${line}`)}${end}]`
  }
  const members = Object.entries(value).filter(([, item]) => item !== undefined)
  if (members.length === 0) return '{}'
  const colon = indent === 0 ? ':' : ': '
  return `{${line}${members
    .map(([name, item]) => `${JSON.stringify(name)}${colon}${writeJson(item, indent, depth + 1)}`)
    .join(`,${line}`)}${end}}`
}

export function isObject(value: Json): value is Record<string, Json> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
}

/** A readable form of a value: text as it is, exact numbers, everything else as JSON on one line. */
export function textOf(value: Json): string {
  if (typeof value === 'string') return value
  if (value === undefined) return ''
  return writeJson(value)
}
