/** JSON with exact whole numbers: those beyond 2^53 become bigints, so that sort values and keys can be compared and sent back. */
export type Json = null | boolean | number | bigint | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [name: string]: Json
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** A member of an object, as an object; empty if it is absent. */
export function member(value: Json | undefined, name: string): JsonObject {
  const found = isObject(value) ? value[name] : undefined
  return isObject(found) ? found : {}
}

export function listOf(value: Json | undefined): readonly Json[] {
  if (value === undefined) return []
  return isList(value) ? value : [value]
}

export function print(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (isList(value)) return `[${value.map(print).join(',')}]`
  if (isObject(value))
    return `{${Object.entries(value)
      .map(([name, item]) => `${JSON.stringify(name)}:${print(item)}`)
      .join(',')}}`
  return JSON.stringify(value)
}

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const STRING = /"(?:[^"\\]|\\.)*"/y

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(): Json {
    this.#space()
    const first = this.#text[this.#at]
    if (first === '{') return this.#object()
    if (first === '[') return this.#list()
    if (first === '"') return JSON.parse(this.#take(STRING)) as string
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length
        return value
      }
    }
    const digits = this.#take(NUMBER)
    const number = Number(digits)
    return /^-?\d+$/.test(digits) && !Number.isSafeInteger(number) ? BigInt(digits) : number
  }

  #object(): Json {
    const members: [string, Json][] = []
    this.#at++
    while (!this.#ends('}')) {
      this.#space()
      const name = JSON.parse(this.#take(STRING)) as string
      this.#space()
      this.#at++
      members.push([name, this.value()])
    }
    return Object.fromEntries(members)
  }

  #list(): Json {
    const items: Json[] = []
    this.#at++
    while (!this.#ends(']')) items.push(this.value())
    return items
  }

  /** Skips a comma, or the closing bracket, after which it is true. */
  #ends(bracket: string): boolean {
    this.#space()
    const next = this.#text[this.#at]
    if (next === bracket || next === ',') this.#at++
    if (next === undefined) throw new SyntaxError('the text ends inside JSON')
    return next === bracket
  }

  #space(): void {
    while (' \n\r\t'.includes(this.#text[this.#at] ?? 'x')) this.#at++
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) throw new SyntaxError(`not JSON at ${this.#at}: ${this.#text.slice(this.#at, this.#at + 40)}`)
    this.#at = pattern.lastIndex
    return found[0]
  }
}

export function parse(text: string): Json {
  return new Parser(text).value()
}
