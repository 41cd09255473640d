/**
 * `filter_path` and `pretty`: select the members of a response and lay them out.
 *
 * Both work on the encoded response, so that a stored `_source`, a 64-bit integer or the decimal point of a double stay
 * as they are written. The text is our own encoding (or a `_source` that was validated on indexing), so the scanner
 * trusts its syntax.
 */

import { namePattern } from '../name-pattern.ts'
import { formatDouble } from './json-writer.ts'

/** The filter keeps everything below. */
const ALL = Symbol('all')
type Included = PathState | typeof ALL

export class PathFilter {
  readonly #includes: Included
  readonly #excludes: PathState

  private constructor(includes: Included, excludes: PathState) {
    this.#includes = includes
    this.#excludes = excludes
  }

  /** Parses `a.b,*.c,**.d,-e`; undefined if the list is empty. A dot within a name is written `\.`. */
  static parse(list: string): PathFilter | undefined {
    const patterns = list
      .split(',')
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== '')
    if (patterns.length === 0) return undefined
    const includes = patterns.filter((pattern) => !pattern.startsWith('-'))
    const excludes = patterns.filter((pattern) => pattern.startsWith('-')).map((pattern) => pattern.slice(1))
    return new PathFilter(includes.length === 0 ? ALL : startOf(includes), startOf(excludes))
  }

  /** Applies the filter; `{}` or `[]` if nothing is left. */
  apply(json: string, pretty: boolean): string {
    const shaper = new Shaper(json, pretty)
    return shaper.value(this.#includes, this.#excludes, '\n') ?? (json.trimStart().startsWith('[') ? '[]' : '{}')
  }
}

/** The same JSON with two spaces of indentation per level. */
export function prettyJson(json: string): string {
  return new Shaper(json, true).value(ALL, NOTHING, '\n') ?? json
}

class Shaper {
  readonly #text: string
  readonly #pretty: boolean
  #at = 0

  constructor(text: string, pretty: boolean) {
    this.#text = text
    this.#pretty = pretty
  }

  /**
   * The filtered and indented value at the cursor; undefined if the filter removes all of it. `line` starts a new line.
   */
  value(includes: Included, excludes: PathState, line: string): string | undefined {
    this.#skipBlank()
    const first = this.#text[this.#at]
    if (first === '{') return this.#container('{', '}', includes, excludes, line)
    if (first === '[') return this.#container('[', ']', includes, excludes, line)
    const scalar = this.#scalar()
    if (includes !== ALL) return undefined
    // A decimal in a `_source` loses its trailing zeros, because Elasticsearch parses and rewrites it.
    return first !== '"' && /[.eE]/.test(scalar) && /\d/.test(scalar) ? formatDouble(Number(scalar)) : scalar
  }

  #container(open: string, close: string, includes: Included, excludes: PathState, line: string): string | undefined {
    const inner = this.#pretty ? `${line}  ` : ''
    const parts: string[] = []
    let dropped = false
    this.#at++
    for (;;) {
      this.#skipBlank()
      if (this.#text[this.#at] === ',') {
        this.#at++
        continue
      }
      if (this.#text[this.#at] === close) {
        this.#at++
        break
      }
      const part = open === '{' ? this.#member(includes, excludes, inner) : this.value(includes, excludes, inner)
      if (part === undefined) dropped = true
      else parts.push(part)
    }
    if (parts.length > 0) {
      return this.#pretty
        ? `${open}${inner}${parts.join(`,${inner}`)}${line}${close}`
        : `${open}${parts.join(',')}${close}`
    }
    if (dropped || includes !== ALL) return undefined
    return this.#pretty ? `${open} ${close}` : `${open}${close}`
  }

  #member(includes: Included, excludes: PathState, line: string): string | undefined {
    const quoted = this.#string()
    this.#skipBlank()
    this.#at++
    const colon = this.#pretty ? ' : ' : ':'
    if (includes === ALL && excludes.isEmpty) return `${quoted}${colon}${this.value(ALL, excludes, line)}`

    const name = JSON.parse(quoted) as string
    const belowExcludes = excludes.step(name)
    const belowIncludes = includes === ALL ? ALL : includes.step(name)
    if (belowExcludes === ALL || (belowIncludes !== ALL && belowIncludes.isEmpty)) {
      this.#skipValue()
      return undefined
    }
    const value = this.value(belowIncludes, belowExcludes, line)
    return value === undefined ? undefined : `${quoted}${colon}${value}`
  }

  #skipValue(): void {
    this.#skipBlank()
    const first = this.#text[this.#at]
    if (first !== '{' && first !== '[') {
      this.#scalar()
      return
    }
    let depth = 0
    do {
      this.#skipBlank()
      const here = this.#text[this.#at]
      if (here === '{' || here === '[') depth++
      if (here === '}' || here === ']') depth--
      if (here === '"') this.#string()
      else this.#at++
    } while (depth > 0)
  }

  #scalar(): string {
    if (this.#text[this.#at] === '"') return this.#string()
    const start = this.#at
    while (this.#at < this.#text.length && !ENDS_SCALAR.has(this.#text[this.#at]!)) this.#at++
    return this.#text.slice(start, this.#at)
  }

  #string(): string {
    const start = this.#at++
    while (this.#text[this.#at] !== '"') this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    this.#at++
    return this.#text.slice(start, this.#at)
  }

  /** Skips white space, and comments that a stored `_source` may contain. */
  #skipBlank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code <= 0x20) this.#at++
      else if (code === 0x2f) {
        const isLine = this.#text[this.#at + 1] === '/'
        const end = this.#text.indexOf(isLine ? '\n' : '*/', this.#at + 2)
        this.#at = end < 0 ? this.#text.length : end + (isLine ? 1 : 2)
      } else return
    }
  }
}

const ENDS_SCALAR = new Set([',', '}', ']', ' ', '\n', '\r', '\t', '/'])

/** A segment of a pattern with those after it. */
interface Segment {
  readonly number: number
  readonly text: string
  readonly matches: (name: string) => boolean
  readonly next: Segment | undefined
}

/** A segment that is matched next. A floating one, after a `**`, may match at any deeper level. */
interface Awaited {
  readonly segment: Segment
  readonly isFloating: boolean
}

/** Results of steps that a state keeps. */
const KEPT_MAX = 100

/**
 * What the patterns wait for at one level. Every member of a response is looked up here, so segments without wildcards
 * are found by their name, and a list in which nothing matches gives the same state each time. A segment is awaited
 * once, in however many ways it was reached: otherwise their number would double with each level of `**.**.**`.
 */
class PathState {
  readonly #floating: readonly Awaited[]
  readonly #exact = new Map<string, Segment[]>()
  readonly #wild: Segment[] = []
  readonly #kept = new Map<string, Included>()
  readonly isEmpty: boolean

  constructor(awaited: readonly Awaited[]) {
    this.isEmpty = awaited.length === 0
    this.#floating = awaited.filter(({ isFloating }) => isFloating)
    for (const { segment } of awaited) {
      const { text } = segment
      if (text.includes('*')) this.#wild.push(segment)
      else {
        const known = this.#exact.get(text)
        if (known === undefined) this.#exact.set(text, [segment])
        else known.push(segment)
      }
    }
  }

  /** What is awaited below `name`; ALL if a pattern matches completely. */
  step(name: string): Included {
    if (this.isEmpty) return this
    const matched = this.#wild.filter((segment) => segment.matches(name))
    matched.push(...(this.#exact.get(name) ?? []))
    const key = matched.map(({ number }) => number).join()
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const below = this.#below(matched)
    if (this.#kept.size < KEPT_MAX) this.#kept.set(key, below)
    return below
  }

  /** A `**` matches at least one level: `**.a` does not match a top-level `a`. */
  #below(matched: readonly Segment[]): Included {
    const awaited = new Map<string, Awaited>()
    const add = (one: Awaited) => awaited.set(`${one.segment.number}${one.isFloating ? '*' : ''}`, one)
    for (const one of this.#floating) add(one)
    for (const { text, next } of matched) {
      if (next === undefined) return ALL
      add({ segment: next, isFloating: text === '**' })
    }
    return new PathState([...awaited.values()])
  }
}

function startOf(patterns: readonly string[]): PathState {
  let number = 0
  const first = (pattern: string): Segment => {
    const parts = pattern.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
    return parts.reduceRight<Segment | undefined>(
      (next, text) => ({ number: number++, text, matches: namePattern(text), next }),
      undefined,
    )!
  }
  return new PathState(patterns.map((pattern) => ({ segment: first(pattern), isFloating: false })))
}

const NOTHING = new PathState([])
