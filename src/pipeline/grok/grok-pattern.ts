/** A compiled grok pattern: matches a text and returns its captures. */
import { Double } from '../../base/json/json-writer.ts'
import { expandPattern, type PatternLookup } from '../../text/grok/expand.ts'
import { boundedSearch } from '../../text/regex/bounded-search.ts'
import { type RubyMatch, RubyRegexp } from '../../text/regex/ruby-regexp.ts'
import { stepBudget, TooManyStepsError } from '../../text/regex/stepwise.ts'
import {
  type FieldReference,
  fieldReference,
  InvalidFieldReferenceError,
  referenceWithin,
} from '../event/field-reference.ts'

export interface CaptureSlot {
  readonly field: string
  /** Undefined if the name is not a valid reference. */
  readonly reference: FieldReference | undefined
  readonly type: 'int' | 'float' | undefined
  /** The name of an ordinary top-level field; undefined for nested and reserved fields. */
  readonly plainName: string | undefined
  /** The index of the group in the expression, from 0. */
  readonly group: number
}

export class GrokPattern {
  readonly source: string
  readonly slots: readonly CaptureSlot[]
  /** Texts up to this length need no watchdog. */
  readonly surelyFastLength: number
  readonly #regexp: RubyRegexp

  constructor(pattern: string, lookup: PatternLookup, options: { namedOnly: boolean; target?: string | undefined }) {
    const { source, captures } = expandPattern(pattern, lookup, options.namedOnly)
    this.source = pattern
    this.#regexp = new RubyRegexp(source, { dotAll: true })
    this.surelyFastLength = this.#regexp.surelyFastLength
    const converted = new Set<string>()
    const slots: CaptureSlot[] = []
    this.#regexp.groups.forEach((name, group) => {
      const known = name === undefined ? undefined : captures[Number(name.slice(1))]
      if (known === undefined) return
      // Of several groups with the same name only the first is converted, as in Logstash.
      const type = known.type !== undefined && !converted.has(known.field) ? known.type : undefined
      if (type !== undefined) converted.add(known.field)
      const reference = referenceOf(referenceWithin(options.target, known.field))
      const plainName = reference === undefined ? undefined : plainNameOf(reference)
      slots.push({ field: known.field, reference, type, plainName, group })
    })
    this.slots = slots
  }

  /** Matches without a look at the time; throws a `TooManyStepsError` if the expression is searched stepwise. */
  exec(text: string): RubyMatch | null {
    return this.#regexp.exec(text)
  }

  /** Undefined if the match needs too many steps. `isSlow` if JavaScript's engine has already been too slow for it. */
  execWithin(text: string, isSlow = false): RubyMatch | null | undefined {
    try {
      if (!isSlow && text.length <= this.surelyFastLength) return this.#regexp.exec(text)
      const search = () => this.#regexp.exec(text)
      return isSlow ? this.#regexp.stepwise(stepBudget(), search) : boundedSearch(this.#regexp, text, search)
    } catch (error) {
      if (error instanceof TooManyStepsError) return undefined
      throw error
    }
  }

  /** The complete expression, for a worker thread that compiles it too. */
  get expression(): string {
    return this.#regexp.source
  }

  /** The group indexes of the last match, by their number in the expression. */
  get lastGroupNumbers(): readonly number[] {
    return this.#regexp.lastGroupNumbers
  }
}

export function convertCapture(text: string, type: 'int' | 'float' | undefined): string | number | bigint | Double {
  if (type === undefined) return text
  if (type === 'int') {
    const digits = /^\s*[+-]?\d+/.exec(text)?.[0].trim() ?? '0'
    const value = Number(digits)
    return Number.isSafeInteger(value) ? value : BigInt(digits.replace('+', ''))
  }
  const value = Number(/^\s*[+-]?(?:\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+)/.exec(text)?.[0] ?? 0)
  return Number.isInteger(value) ? new Double(value) : value
}

function referenceOf(text: string): FieldReference | undefined {
  try {
    return fieldReference(text)
  } catch (error) {
    if (error instanceof InvalidFieldReferenceError) return undefined
    throw error
  }
}

function plainNameOf({ path, inMetadata }: FieldReference): string | undefined {
  const [name] = path
  return inMetadata || path.length !== 1 || name === '@timestamp' || name === 'tags' ? undefined : name
}
