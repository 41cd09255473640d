/**
 * The query string with typed access.
 *
 * Every getter marks its name as known. A parameter that nothing has read when the handler returns is an error, and the
 * known names are the candidates for its suggestion.
 */
import type { ApiError } from '../base/api-error.ts'
import { parseDuration } from '../base/duration.ts'
import {
  badNumberParameter,
  badParameterEscape,
  cannotConvertToBoolean,
  unrecognized,
} from '../base/errors/http-errors.ts'
import { notTrueOrFalse } from '../base/errors/value-errors.ts'
import { didYouMean } from '../base/suggest.ts'
import { percentDecode } from './percent-decoding.ts'

export class QueryParameters {
  readonly #values: Map<string, string> | undefined
  /** The names that were read, possibly repeatedly. Few are sent, so that searching a list costs less than filling a set. */
  readonly #known: string[]

  /** `query` is the encoded text after the question mark. If a name occurs twice, the last value wins. */
  constructor(query: string) {
    this.#values = query === '' ? undefined : parseQuery(query)
    // Known names are collected only if parameters were sent; otherwise none can be unknown.
    this.#known = query === '' ? NOTHING_ASKED : []
  }

  /** True if no parameter was sent, so that callers can skip reading many of them. */
  get isEmpty(): boolean {
    return this.#values === undefined
  }

  has(name: string): boolean {
    return this.#values?.has(name) ?? false
  }

  string(name: string): string | undefined
  string(name: string, absent: string): string
  string(name: string, absent?: string): string | undefined {
    if (this.#values === undefined) return absent
    this.#known.push(name)
    return this.#values.get(name) ?? absent
  }

  /** `true`, `false`, or an empty value, which means true. */
  boolean(name: string): boolean | undefined
  boolean(name: string, absent: boolean): boolean
  boolean(name: string, absent?: boolean): boolean | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    if (text === 'true' || text === '') return true
    if (text === 'false') return false
    throw notTrueOrFalse(text)
  }

  /** Like `boolean`, but an empty value is rejected: `ignore_unavailable` and similar parameters. */
  strictBoolean(name: string): boolean | undefined
  strictBoolean(name: string, absent: boolean): boolean
  strictBoolean(name: string, absent?: boolean): boolean | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    if (text === 'true') return true
    if (text === 'false') return false
    throw cannotConvertToBoolean(name, text)
  }

  /** A 32-bit integer. */
  integer(name: string): number | undefined
  integer(name: string, absent: number): number
  integer(name: string, absent?: number): number | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    const value = Number(text)
    if (!INTEGER.test(text) || value < -0x8000_0000 || value > 0x7fff_ffff) throw badNumberParameter('int', name, text)
    return value
  }

  /** A 64-bit integer. Beyond 2^53 it is the nearest number, which no version or sequence number reaches. */
  long(name: string): number | undefined
  long(name: string, absent: number): number
  long(name: string, absent?: number): number | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    if (!INTEGER.test(text) || BigInt.asIntN(64, BigInt(text)) !== BigInt(text)) {
      throw badNumberParameter('long', name, text)
    }
    return Number(text)
  }

  float(name: string): number | undefined
  float(name: string, absent: number): number
  float(name: string, absent?: number): number | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    const value = Number(text)
    if (text.trim() === '' || Number.isNaN(value)) throw badNumberParameter('float', name, text)
    return value
  }

  /** Milliseconds; -1 if the client sent `-1`. */
  duration(name: string): number | undefined
  duration(name: string, absentMs: number): number
  duration(name: string, absentMs?: number): number | undefined {
    const text = this.string(name)
    return text === undefined ? absentMs : parseDuration(text, name)
  }

  /** A comma-separated list; an empty value is an empty list. */
  list(name: string): string[] | undefined
  list(name: string, absent: string[]): string[]
  list(name: string, absent?: string[]): string[] | undefined {
    const text = this.string(name)
    if (text === undefined) return absent
    return text === '' ? [] : text.split(',')
  }

  /**
   * Marks parameters as known that have no effect or are read elsewhere. Timeouts among them must still be valid
   * durations.
   */
  accept(...names: string[]): void {
    if (this.#values === undefined) return
    for (const name of names) {
      if (name === 'timeout' || name === 'master_timeout') this.duration(name)
      else this.#known.push(name)
    }
  }

  /** The error for unread parameters, or undefined if there are none. */
  unknownParameters(path: string): ApiError | undefined {
    if (this.#values === undefined) return undefined
    const unknown = [...this.#values.keys()].filter((name) => !this.#known.includes(name)).sort()
    if (unknown.length === 0) return undefined
    const described = unknown.map((name) => {
      const suggestion = didYouMean(name, this.#known)
      return suggestion === '' ? `[${name}]` : `[${name}] ->${suggestion}`
    })
    return unrecognized(decoded(path), 'parameter', described)
  }
}

const NOTHING_ASKED: string[] = []
const INTEGER = /^[+-]?\d+$/

function parseQuery(query: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const part of query.includes(';') ? query.split(/[&;]/) : query.split('&')) {
    if (part === '') continue
    const at = part.indexOf('=')
    // `=x` is the parameter `x` without a value.
    if (at <= 0) values.set(decode(at === 0 ? part.slice(1) : part), '')
    else values.set(decode(part.slice(0, at)), decode(part.slice(at + 1)))
  }
  return values
}

function decode(text: string): string {
  try {
    return percentDecode(text.includes('+') ? text.replaceAll('+', ' ') : text)
  } catch (error) {
    throw badParameterEscape(error as ApiError)
  }
}

/** A path as errors show it. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
