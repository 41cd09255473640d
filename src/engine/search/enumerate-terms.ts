/**
 * Terms of a field in term order, for `_terms_enum`. Only term dictionaries are read, so terms of deleted documents are included.
 */
import type { FieldType } from '../mapping/field-type.ts'
import { ConstantKeywordType } from '../mapping/field-types/constant-keyword.ts'
import { storageName } from '../mapping/storage-name.ts'
import { foldCase, lowerCaseStartsWith } from '../query/multi-term/term-patterns.ts'
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'

export interface TermEnumeration {
  readonly prefix: string | undefined
  readonly ignoreCase: boolean
  /** Only terms after this one. */
  readonly after: string | undefined
  readonly size: number
}

interface TermList {
  readonly termCount: number
  term(ordinal: number): Uint8Array
  find(term: Uint8Array): number
}

/** At most `size` terms of each segment, unordered across segments and possibly repeated. */
export function enumerateTerms(
  segments: readonly SegmentView[],
  field: FieldType | undefined,
  request: TermEnumeration,
): string[] {
  if (field instanceof ConstantKeywordType) {
    const value = field.constantValue
    return value !== undefined && accepts(Buffer.from(value), value, request) ? [value] : []
  }
  if (field?.shape !== 'term') return []
  return segments.flatMap(({ reader }) => termsOf(reader, field, request))
}

function termsOf(reader: SegmentReader, field: FieldType, request: TermEnumeration): string[] {
  const name = storageName(field)
  const terms: TermList | undefined = reader.terms(name) ?? reader.sortedSetDocValues(name)
  const found: string[] = []
  if (terms === undefined) return found
  // Terms of types other than text are stored in another form: the user's input is compared with the printed form.
  const isText = field.traits.family !== 'ip' && field.readableTerm === undefined
  for (let ordinal = isText ? firstOrdinal(terms, request) : 0; ordinal < terms.termCount; ordinal++) {
    const term = terms.term(ordinal)
    const text = field.formatDocValue(term, undefined) as string
    if (accepts(isText ? term : Buffer.from(text), text, request)) {
      found.push(text)
      if (found.length >= request.size) break
    } else if (isText && !request.ignoreCase && request.prefix !== undefined && text > request.prefix) {
      if (!text.startsWith(request.prefix)) break
    }
  }
  return found
}

function firstOrdinal(terms: TermList, { prefix, after, ignoreCase }: TermEnumeration): number {
  const bounds = [after, ignoreCase ? undefined : prefix].filter((bound) => bound !== undefined)
  const ordinals = bounds.map((bound) => terms.find(Buffer.from(bound)))
  return Math.max(0, ...ordinals.map((ordinal) => (ordinal < 0 ? -ordinal - 1 : ordinal)))
}

function accepts(bytes: Uint8Array, text: string, { prefix, after, ignoreCase }: TermEnumeration): boolean {
  if (after !== undefined && Buffer.compare(bytes, Buffer.from(after)) <= 0) return false
  if (prefix === undefined) return true
  return ignoreCase ? lowerCaseStartsWith(bytes, foldCase(Buffer.from(prefix))) : text.startsWith(prefix)
}
