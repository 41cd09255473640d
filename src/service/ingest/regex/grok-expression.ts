/**
 * Grok expressions of ingest pipelines. Every `%{NAME:field:type}` is replaced by the pattern of that name until a
 * plain regular expression remains, whose named groups are the captures. Several patterns become alternatives of one
 * expression.
 */
import { ApiError, illegalArgument, notANumber, runtimeFailure } from '../../../base/api-error.ts'
import { JArrayList, JDouble, JFloat } from '../../../engine/painless/index.ts'
import { parseDouble, parseFloat32 } from '../../../engine/values/java-number.ts'
import { renameReferences } from '../../../text/grok/expand.ts'
import { boundedSearch, unlessTooLong } from '../../../text/regex/bounded-search.ts'
import { type RubyMatch, RubyRegexp } from '../../../text/regex/ruby-regexp.ts'
import { isWatched } from './match-watch.ts'

const REFERENCE = /%\{([A-Za-z0-9_]+)(?::([A-Za-z0-9@[\]_:.-]+))?(?:=((?:[^{}]|\\.)+))?\}/
const REPLACEMENTS_MAX = 10_000

type Convert = (text: string) => unknown

const WHOLE = /^[+-]?\d{1,19}$/

const toInteger: Convert = (text) => {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN
  if ((value | 0) !== value) throw notANumber(text)
  return value
}

const toLong: Convert = (text) => {
  if (!WHOLE.test(text)) throw notANumber(text)
  return text.length < 16 ? BigInt(Number(text)) : BigInt(text.replace('+', ''))
}

const CONVERSIONS: Readonly<Record<string, Convert>> = {
  int: toInteger,
  integer: toInteger,
  long: toLong,
  float: (text) => new JFloat(parseFloat32(text)),
  double: (text) => new JDouble(parseDouble(text)),
  boolean: (text) => text.toLowerCase() === 'true',
}

interface Capture {
  readonly field: string
  readonly convert: Convert | undefined
  /** The numbers of the groups with this name. */
  readonly groups: number[]
}

export type PatternLookup = (name: string) => string | undefined

export class GrokExpression {
  readonly #regexp: RubyRegexp
  readonly #captures: readonly Capture[]

  /** Throws illegal_argument_exception for an invalid pattern. */
  constructor(pattern: string, lookup: PatternLookup) {
    const names: string[] = []
    const source = renameReferences(nameGroups(expand(pattern, lookup), names), names)
    try {
      this.#regexp = new RubyRegexp(source)
    } catch (error) {
      if (error instanceof ApiError) throw error
      throw illegalArgument((error as Error).message.replace(/: \/[\s\S]*$/, ''))
    }
    const captures = new Map<string, Capture>()
    this.#regexp.groups.forEach((group, number) => {
      const name = group === undefined ? undefined : names[Number(group.slice(1))]
      if (name === undefined) return
      const known = captures.get(name)
      if (known !== undefined) {
        known.groups.push(number)
        return
      }
      const [field, type] = splitType(name)
      captures.set(name, { field, convert: type === undefined ? undefined : CONVERSIONS[type], groups: [number] })
    })
    this.#captures = [...captures.values()]
  }

  /** Calls `found` for every capture that matched. Returns false if the text does not match. */
  match(text: string, found: (field: string, value: unknown) => void): boolean {
    const match = unlessTooLong(() => this.#find(text))
    if (match === undefined) throw runtimeFailure('grok pattern matching was interrupted: it needs too many steps')
    if (match === null) return false
    const numbers = this.#regexp.lastGroupNumbers
    for (const { field, convert, groups } of this.#captures) {
      let value: unknown
      let list: unknown[] | undefined
      for (let i = 0; i < groups.length; i++) {
        const captured = match[numbers[groups[i]!]!]
        if (captured === undefined) continue
        const converted = convert === undefined ? captured : convert(captured)
        if (value === undefined) value = converted
        else if (list === undefined) list = [value, converted]
        else list.push(converted)
      }
      if (value !== undefined) found(field, list === undefined ? value : new JArrayList(list))
    }
    return true
  }

  /** A batch that has a time limit of its own is run again, document by document, if it exceeds it. */
  #find(text: string): RubyMatch | null {
    return isWatched() ? this.#regexp.exec(text) : boundedSearch(this.#regexp, text, () => this.#regexp.exec(text))
  }
}

/** Splits `a:int` into the field and its type. With an unknown type the value stays a string. */
function splitType(name: string): [field: string, type: string | undefined] {
  const colon = name.indexOf(':')
  if (colon < 0) return [name, undefined]
  return [name.slice(0, colon), name.slice(colon + 1)]
}

function expand(pattern: string, lookup: PatternLookup): string {
  const defined = new Map<string, string>()
  let source = pattern
  for (let count = 0; ; count++) {
    const match = REFERENCE.exec(source)
    if (match === null) return source
    if (count === REPLACEMENTS_MAX) throw illegalArgument('too many references to other patterns')
    const [whole, name, field, definition] = match as unknown as [string, string, string?, string?]
    if (definition !== undefined) defined.set(name, definition)
    const inner = defined.get(name) ?? lookup(name)
    if (inner === undefined) throw illegalArgument(`Unable to find pattern [${name}] in Grok's pattern dictionary`)
    const group = field === undefined ? '?:' : `?<${field}>`
    source = `${source.slice(0, match.index)}(${group}${inner})${source.slice(match.index + whole.length)}`
    if (source.length > 1_000_000) throw illegalArgument('the pattern is too long with its references')
  }
}

/** Field names are not valid group names, so groups are numbered. */
function nameGroups(source: string, names: string[]): string {
  return source.replace(/(\\[\s\S])|\(\?<(?![=!])([^>]+)>/g, (whole, escaped: string | undefined, name: string) => {
    if (escaped !== undefined) return whole
    return `(?<c${names.push(name) - 1}>`
  })
}

/** Finds circular references among the patterns that a pattern uses. */
export function checkCircles(pattern: string, lookup: PatternLookup): void {
  const done = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw illegalArgument(`circular reference detected: ${[...path, name].join('->')}`)
    if (done.has(name)) return
    for (const next of referencesOf(lookup(name) ?? '')) visit(next, [...path, name])
    done.add(name)
  }
  for (const name of referencesOf(pattern)) visit(name, [])
}

const referencesOf = (pattern: string): string[] =>
  [...pattern.matchAll(new RegExp(REFERENCE, 'g'))].map(([, name]) => name!)
