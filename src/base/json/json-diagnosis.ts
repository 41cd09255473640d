/**
 * Diagnoses malformed JSON in the words of Jackson, the parser of Elasticsearch.
 *
 * Clients match on these messages and people search the web for them. The wording, the order of checks and the reported
 * column therefore follow Jackson, including its oddities. The diagnosis must not slow down parsing: `JsonReader` only
 * detects that something is wrong, and this slow second pass over the same bytes determines what.
 */
import {
  badNumberStart,
  badToken,
  examineNumber,
  examineWord,
  isIdentifierStart,
  notStandard,
  VALUE_LIST,
} from './faulty-numbers.ts'
import { describe, EOF, FaultySource } from './faulty-source.ts'
import { examineName, examineString } from './faulty-strings.ts'
import { JsonSyntaxError } from './json-syntax-error.ts'

export { NUMBER_LENGTH_MAX } from './faulty-numbers.ts'

export const DEPTH_MAX = 1000

interface Context {
  readonly type: 'root' | 'Array' | 'Object'
  /** Offset of the opening bracket. */
  readonly start: number
  readonly names: Set<string>
  entries: number
}

/** The first fault in `bytes[first, limit)`, or undefined when there is none. */
export function diagnose(bytes: Uint8Array, first: number, limit: number): JsonSyntaxError | undefined {
  try {
    new Diagnosis(bytes, first, limit).run()
    return undefined
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error
    throw error
  }
}

class Diagnosis {
  readonly #source: FaultySource
  readonly #contexts: Context[]

  constructor(bytes: Uint8Array, first: number, limit: number) {
    this.#source = new FaultySource(bytes, first, limit)
    this.#contexts = [{ type: 'root', start: first - 1, names: new Set(), entries: 0 }]
  }

  run(): void {
    for (;;) {
      let byte = this.#skipBlank()
      if (byte === EOF) {
        if (this.#context.type === 'root') return
        throw this.#source.end(
          `: expected close marker for ${this.#context.type} (start marker at ${this.#source.placeAt(this.#context.start)})`,
        )
      }
      if (byte === 0x5d || byte === 0x7d) {
        this.#close(byte)
        continue
      }
      if (this.#context.type !== 'root' && this.#context.entries > 0) {
        if (byte !== 0x2c)
          throw this.#source.unexpected(byte, `was expecting comma to separate ${this.#context.type} entries`)
        byte = this.#skipBlank()
        // Only at this place does the parser report the end of input as an ordinary error.
        if (byte === EOF) {
          throw this.#source.fail(
            `Unexpected end-of-input within/between ${this.#context.type} entries`,
            this.#source.at,
          )
        }
      }
      this.#context.entries++
      if (this.#context.type === 'Object') {
        this.#name(byte)
        byte = this.#colon()
      }
      this.#value(byte)
    }
  }

  get #context(): Context {
    return this.#contexts.at(-1)!
  }

  #skipBlank(): number {
    for (;;) {
      const byte = this.#source.next()
      if (byte === EOF) return EOF
      if (byte === 0x2f) this.#comment()
      else if (byte > 0x20) return byte
      else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) {
        throw this.#source.fail(
          `Illegal character (${describe(byte)}): only regular white space (\\r, \\n, \\t) is allowed between tokens`,
          this.#source.at,
        )
      }
    }
  }

  #comment(): void {
    const kind = this.#source.next()
    if (kind === EOF) throw this.#source.end(' in a comment')
    if (kind === 0x2f) {
      for (let byte = this.#source.next(); byte !== EOF && byte !== 0x0a && byte !== 0x0d; ) byte = this.#source.next()
      return
    }
    if (kind !== 0x2a) throw this.#source.unexpected(kind, "was expecting either '*' or '/' for a comment")
    for (let before = 0; ; ) {
      const byte = this.#source.next()
      if (byte === EOF) throw this.#source.end(' in a comment')
      if (before === 0x2a && byte === 0x2f) return
      before = byte
    }
  }

  #close(byte: number): void {
    const context = this.#context
    const expected = byte === 0x5d ? 'Array' : 'Object'
    if (context.type !== expected) {
      // The parser's root context reports a column of its own.
      const start = context.type === 'root' ? this.#source.placeText(1, 0) : this.#source.placeAt(context.start)
      throw this.#source.fail(
        `Unexpected close marker '${String.fromCharCode(byte)}': expected '${byte === 0x5d ? '}' : ']'}' ` +
          `(for ${context.type} starting at ${start})`,
        this.#source.at - 1,
      )
    }
    this.#contexts.pop()
    this.#source.begin(byte === 0x5d ? 'END_ARRAY' : 'END_OBJECT', this.#source.at - 1)
  }

  #open(type: 'Array' | 'Object', start: number): void {
    this.#contexts.push({ type, start, names: new Set(), entries: 0 })
    this.#source.begin(type === 'Array' ? 'START_ARRAY' : 'START_OBJECT', start)
    const depth = this.#contexts.length - 1
    if (depth <= DEPTH_MAX) return
    throw this.#source.overLimit(
      `Document nesting depth (${depth}) exceeds the maximum allowed (${DEPTH_MAX}, from ` +
        '`StreamReadConstraints.getMaxNestingDepth()`)',
    )
  }

  #name(byte: number): void {
    if (byte !== 0x22) {
      const code = this.#source.decode(byte)
      throw this.#source.unexpected(code & 0xffff, 'was expecting double-quote to start field name')
    }
    const start = this.#source.at - 1
    const text = examineName(this.#source)
    if (this.#context.names.has(text)) throw this.#source.fail(`Duplicate field '${text}'`, this.#source.at)
    this.#context.names.add(text)
    this.#source.begin('FIELD_NAME', start)
  }

  /** Reads the colon and returns the first byte of the value. */
  #colon(): number {
    const between = ` within/between ${this.#context.type} entries`
    let byte = this.#skipBlank()
    if (byte === EOF) throw this.#source.end(between)
    if (byte !== 0x3a) throw this.#source.unexpected(byte, 'was expecting a colon to separate field name and value')
    byte = this.#skipBlank()
    if (byte === EOF) throw this.#source.end(between)
    return byte
  }

  #value(byte: number): void {
    const start = this.#source.at - 1
    if (byte === 0x22) {
      this.#source.begin('VALUE_STRING', start)
      examineString(this.#source)
    } else if (byte === 0x7b) this.#open('Object', start)
    else if (byte === 0x5b) this.#open('Array', start)
    else if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39))
      examineNumber(this.#source, byte, start, this.#context.type === 'root')
    else if (byte === 0x74) examineWord(this.#source, 'true', start)
    else if (byte === 0x66) examineWord(this.#source, 'false', start)
    else if (byte === 0x6e) examineWord(this.#source, 'null', start)
    else throw this.#noValue(byte)
  }

  #noValue(byte: number): JsonSyntaxError {
    if (byte === 0x2c || byte === 0x7d || (byte === 0x5d && this.#context.type === 'Array')) {
      return this.#source.unexpected(byte, 'expected a value')
    }
    if (byte === 0x4e) return notStandard(this.#source, 'NaN', 1)
    if (byte === 0x49) return notStandard(this.#source, 'Infinity', 1)
    if (byte === 0x2b) {
      if (this.#source.at >= this.#source.limit) return this.#source.end(' in a Number value')
      return badNumberStart(this.#source, this.#source.next(), false)
    }
    if (isIdentifierStart(byte)) return badToken(this.#source, String.fromCharCode(byte))
    return this.#source.unexpected(byte, `expected a valid value ${VALUE_LIST}`)
  }
}
