/**
 * Finds the hits in the bytes of a search response. Documents are copied unparsed, because a JavaScript value cannot
 * represent everything in them (64-bit integers, the order and spelling of numbers).
 */
import { CLOSE_ARRAY, CLOSE_OBJECT, COMMA, OPEN_ARRAY, OPEN_OBJECT } from '../../base/json/punctuation.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** A byte range in a JSON text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The members of the object that starts at `start`. */
export function* members(json: Buffer, start: number): Generator<readonly [name: string, value: Span]> {
  for (let at = skipBlanks(json, start + 1); json[at] !== CLOSE_OBJECT; ) {
    const nameEnd = skipValue(json, at)
    const name = JSON.parse(json.toString('utf8', at, nameEnd)) as string
    const valueStart = skipBlanks(json, skipBlanks(json, nameEnd) + 1)
    const end = skipValue(json, valueStart)
    yield [name, { start: valueStart, end }]
    at = skipBlanks(json, end)
    if (json[at] === COMMA) at = skipBlanks(json, at + 1)
  }
}

/** The elements of the array that starts at `start`. */
export function* elements(json: Buffer, start: number): Generator<Span> {
  for (let at = skipBlanks(json, start + 1); json[at] !== CLOSE_ARRAY; ) {
    const end = skipValue(json, at)
    yield { start: at, end }
    at = skipBlanks(json, end)
    if (json[at] === COMMA) at = skipBlanks(json, at + 1)
  }
}

/** The value at a path of names, or undefined. */
export function find(json: Buffer, path: readonly string[]): Span | undefined {
  let span: Span | undefined = { start: skipBlanks(json, 0), end: json.length }
  for (const wanted of path) {
    let found: Span | undefined
    for (const [name, value] of members(json, span.start)) if (name === wanted) found = value
    if (found === undefined) return undefined
    span = found
  }
  return span
}

export function textOf(json: Buffer, span: Span): string {
  return json.toString('utf8', span.start, span.end)
}

/** The end of the value that starts at `at`. */
function skipValue(json: Buffer, at: number): number {
  const first = json[at]
  if (first === QUOTE) return skipString(json, at)
  if (first !== OPEN_OBJECT && first !== OPEN_ARRAY) {
    let end = at
    while (end < json.length && !isEnd(json[end]!)) end++
    return end
  }
  let depth = 0
  for (let i = at; i < json.length; i++) {
    const byte = json[i]!
    if (byte === QUOTE) i = skipString(json, i) - 1
    else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if ((byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) && --depth === 0) return i + 1
  }
  throw new Error('the answer ends in the middle of a value')
}

function skipString(json: Buffer, at: number): number {
  for (let i = at + 1; i < json.length; i++) {
    if (json[i] === BACKSLASH) i++
    else if (json[i] === QUOTE) return i + 1
  }
  throw new Error('the answer ends in the middle of a text')
}

function skipBlanks(json: Buffer, at: number): number {
  let i = at
  while (json[i]! <= 0x20) i++
  return i
}

const isEnd = (byte: number) => byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY || byte <= 0x20
