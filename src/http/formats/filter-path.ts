/**
 * `filter_path` and `pretty`: select the members of a response and lay them out.
 *
 * Both work on the encoded response, so that a stored `_source`, a 64-bit integer or the decimal point of a double stay
 * as they are written. The text is our own encoding (or a `_source` that was validated on indexing), so the scanner
 * trusts its syntax.
 */
import { formatDouble } from '../../base/json/json-writer.ts'

/** The segments of a pattern still to be matched. After a `**` they may match at any deeper level. */
interface Remaining {
  readonly segments: readonly string[]
  readonly floating: boolean
}
/** The filter keeps everything below. */
const ALL = Symbol('all')
type Included = readonly Remaining[] | typeof ALL

export class PathFilter {
  readonly #includes: Included
  readonly #excludes: readonly Remaining[]

  private constructor(includes: Included, excludes: readonly Remaining[]) {
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
    const includes = patterns.filter((pattern) => !pattern.startsWith('-')).map(segments)
    const excludes = patterns.filter((pattern) => pattern.startsWith('-')).map((pattern) => segments(pattern.slice(1)))
    return new PathFilter(includes.length === 0 ? ALL : includes, excludes)
  }

  /** Applies the filter; `{}` or `[]` if nothing is left. */
  apply(json: string, pretty: boolean): string {
    const shaper = new Shaper(json, pretty)
    return shaper.value(this.#includes, this.#excludes, '\n') ?? (json.trimStart().startsWith('[') ? '[]' : '{}')
  }
}

/** The same JSON with two spaces of indentation per level. */
export function prettyJson(json: string): string {
  return new Shaper(json, true).value(ALL, [], '\n') ?? json
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
  value(includes: Included, excludes: readonly Remaining[], line: string): string | undefined {
    this.#skipBlank()
    const first = this.#text[this.#at]
    if (first === '{') return this.#container('{', '}', includes, excludes, line)
    if (first === '[') return this.#container('[', ']', includes, excludes, line)
    const scalar = this.#scalar()
    if (includes !== ALL) return undefined
    // A decimal in a `_source` loses its trailing zeros, because Elasticsearch parses and rewrites it.
    return first !== '"' && /[.eE]/.test(scalar) && /\d/.test(scalar) ? formatDouble(Number(scalar)) : scalar
  }

  #container(
    open: string,
    close: string,
    includes: Included,
    excludes: readonly Remaining[],
    line: string,
  ): string | undefined {
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

  #member(includes: Included, excludes: readonly Remaining[], line: string): string | undefined {
    const quoted = this.#string()
    this.#skipBlank()
    this.#at++
    const colon = this.#pretty ? ' : ' : ':'
    if (includes === ALL && excludes.length === 0) return `${quoted}${colon}${this.value(ALL, excludes, line)}`

    const name = JSON.parse(quoted) as string
    const belowExcludes = step(excludes, name)
    const belowIncludes = includes === ALL ? ALL : step(includes, name)
    if (belowExcludes === ALL || (belowIncludes !== ALL && belowIncludes.length === 0)) {
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

function segments(pattern: string): Remaining {
  const parts = pattern.split(/(?<!\\)\./).map((segment) => segment.replaceAll('\\.', '.'))
  return { segments: parts, floating: false }
}

/**
 * The rest of each pattern below `name`; ALL if one of them matches completely. A `**` matches at least one level:
 * `**.a` does not match a top-level `a`.
 */
function step(patterns: readonly Remaining[], name: string): Included {
  const below: Remaining[] = []
  for (const pattern of patterns) {
    if (pattern.floating) below.push(pattern)
    const [segment, ...rest] = pattern.segments
    if (!matches(segment!, name)) continue
    if (rest.length === 0) return ALL
    below.push({ segments: rest, floating: segment === '**' })
  }
  return below
}

function matches(segment: string, name: string): boolean {
  if (segment === '*' || segment === name) return true
  if (!segment.includes('*')) return false
  let at = 0
  const parts = segment.split('*')
  const last = parts.pop()!
  for (const [i, part] of parts.entries()) {
    const found = name.indexOf(part, at)
    if (found < 0 || (i === 0 && found !== 0)) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
