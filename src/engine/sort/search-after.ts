/**
 * Values of `search_after`: how each sort key parses the value of a request, and which documents come after it.
 *
 * A request sends back the sort values of a hit (or any other value), so a value may be a string, number or boolean for
 * any field. It is parsed as in Elasticsearch, with the same errors.
 */

import { ApiError, illegalArgument, notANumber } from '../../base/api-error.ts'
import type { FieldType } from '../mapping/field-type.ts'
import type { AfterValue } from '../request/search-after.ts'
import { parseDouble, parseFloat32 } from '../values/java-number.ts'
import { javaText } from '../values/java-text.ts'
import { LONG_MAX, LONG_MIN, parseUnsignedDigits, UNSIGNED_SHIFT } from '../values/long.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

/** Elasticsearch's names of the number types used in sorting. */
export type AfterKind = 'INT' | 'LONG' | 'FLOAT' | 'DOUBLE' | 'SCORE' | 'DOC'

const INT_MAX = 0x7fffffff

/** The values of a request in the form that the keys of a shard compare. */
export function readAfter(keys: readonly SortKey[], values: readonly AfterValue[]): SortValue[] {
  if (keys.length !== values.length) {
    throw illegalArgument(`search_after has ${values.length} value(s) but sort has ${keys.length}.`)
  }
  return keys.map((key, i) => key.after(values[i]!, i))
}

export const sortNeeded = () => illegalArgument('Sort must contain at least one field.')

export const collapseAfter = () =>
  illegalArgument(
    'Cannot use [collapse] in conjunction with [search_after] unless the search is sorted on the same field. Multiple ' +
      'sort fields are not allowed.',
  )

/** `field` is null for keys that are not fields. */
function nullAfter(position: number, field: string | null, kind: AfterKind): ApiError {
  return illegalArgument(
    `[search_after] value at position ${position} cannot be null for sort field [${field}] of type [${kind}].`,
  )
}

/** A number; `parseText` parses strings if a field has its own format. */
export function afterNumber(
  value: AfterValue,
  position: number,
  field: string | null,
  kind: AfterKind,
  parseText?: (text: string) => number | bigint,
): number | bigint {
  if (value === null) throw nullAfter(position, field, kind)
  const isNumber = typeof value === 'number' || (typeof value === 'bigint' && value <= LONG_MAX && value >= LONG_MIN)
  try {
    if (isNumber) return asNumber(value, kind)
    if (parseText !== undefined) return parseText(javaText(value))
    return parseNumber(javaText(value), kind)
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'number_format_exception') throw error
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, error)
  }
}

/** An unsigned number of 64 bits, in its stored form; texts and numbers are read alike. */
export function afterUnsigned(value: AfterValue, position: number, field: string | null): number | bigint {
  if (value === null) throw nullAfter(position, field, 'LONG')
  try {
    return narrow(parseUnsignedDigits(javaText(value)) + UNSIGNED_SHIFT)
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'number_format_exception') throw error
    throw illegalArgument(`Failed to parse search_after value for field [${field}].`, error)
  }
}

/** Java's conversions: fractions are truncated, and too large values become the largest. */
function asNumber(value: number | bigint, kind: AfterKind): number | bigint {
  switch (kind) {
    case 'INT':
    case 'DOC':
      return Math.max(-INT_MAX - 1, Math.min(INT_MAX, Math.trunc(Number(value))))
    case 'LONG':
      return typeof value === 'bigint' ? value : truncated(value)
    case 'FLOAT':
    case 'SCORE':
      return Math.fround(Number(value))
    case 'DOUBLE':
      return Number(value)
  }
}

function parseNumber(text: string, kind: AfterKind): number | bigint {
  switch (kind) {
    case 'INT':
    case 'DOC': {
      const value = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN
      if (!(value >= -INT_MAX - 1 && value <= INT_MAX)) throw notANumber(text)
      return value
    }
    case 'LONG':
      if (/^[+-]?\d+$/.test(text)) {
        const exact = BigInt(text.replace('+', ''))
        if (exact <= LONG_MAX && exact >= LONG_MIN) return narrow(exact)
      }
      return truncated(Math.floor(parseDouble(text)))
    case 'FLOAT':
    case 'SCORE':
      return parseFloat32(text)
    case 'DOUBLE':
      return parseDouble(text)
  }
}

/** A 64-bit integer; values beyond the range become its limit. */
export function truncated(value: number): number | bigint {
  if (value >= Number(LONG_MAX)) return LONG_MAX
  if (value <= Number(LONG_MIN)) return LONG_MIN
  return Math.trunc(value)
}

function narrow(value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** The term of a field, which has the type's own encoding; `null` means documents without a value. */
export function afterText(value: AfterValue, field?: FieldType): Uint8Array | null {
  return value === null ? null : (field?.parseDocValue?.(value) ?? Buffer.from(javaText(value)))
}

/** Drops the documents of a block that do not come after a bound, together with their keys. */
export class AfterFilter {
  readonly #bound: Float64Array

  constructor(sources: readonly SegmentKeys[], after: readonly SortValue[], stride: number) {
    this.#bound = new Float64Array(stride)
    let offset = 0
    for (let i = 0; i < sources.length; i++) {
      sources[i]!.bound(after[i]!, this.#bound, offset)
      offset += sources[i]!.width
    }
  }

  /** The first document of a segment after the bound, if the first key is the document number in the view. */
  firstDoc(sources: readonly SegmentKeys[], docBase: number): number {
    const bound = this.#bound[0]! - docBase
    const doc = Math.max(-1, Math.ceil(bound))
    if (doc < 0 || bound !== doc) return Math.max(doc, 0)
    // Equal numbers belong to different shards; the later keys decide which comes first.
    const stride = this.#bound.length
    const keys = new Float64Array(stride)
    let offset = 0
    for (const source of sources) {
      source.bound(source.value(doc, Number.NaN), keys, offset)
      offset += source.width
    }
    return this.#behind(keys, 0) ? doc : doc + 1
  }

  /** Whether the keys of one document come after the bound. */
  isBehind(keys: Float64Array): boolean {
    const first = this.#bound[0]!
    return keys[0]! > first || (keys[0] === first && this.#behind(keys, 0))
  }

  /** Moves the kept entries to the front; returns their number. */
  keep(docs: Int32Array, count: number, keys: Float64Array): number {
    const bound = this.#bound
    const stride = bound.length
    const first = bound[0]!
    let kept = 0
    for (let i = 0; i < count; i++) {
      const at = i * stride
      const key = keys[at]!
      if (key < first || (key === first && !this.#behind(keys, at))) continue
      if (kept !== i) {
        docs[kept] = docs[i]!
        for (let j = 0; j < stride; j++) keys[kept * stride + j] = keys[at + j]!
      }
      kept++
    }
    return kept
  }

  /** The first keys are equal: the later ones decide, and equal ones were already seen. */
  #behind(keys: Float64Array, at: number): boolean {
    const bound = this.#bound
    for (let j = 1; j < bound.length; j++) {
      if (keys[at + j]! > bound[j]!) return true
      if (keys[at + j]! < bound[j]!) return false
    }
    return false
  }
}
