/**
 * Which structures of which fields of a segment a search reads, for `_field_usage_stats`. A reader marks a structure when it hands
 * it out, that is per search, field and segment, never per document. Merges and statistics read the same segments, so
 * marks count only while a search runs.
 */

import { runningSearch } from '../running/running-search.ts'
import type { ShardView } from './segment-reader-api.ts'

export const STRUCTURES = [
  'terms',
  'postings',
  'term_frequencies',
  'positions',
  'stored_fields',
  'doc_values',
  'points',
  'norms',
] as const
export type Structure = (typeof STRUCTURES)[number]

const bitOf = (structure: Structure) => 1 << STRUCTURES.indexOf(structure)

export const USES_TERMS = bitOf('terms')
export const USES_POSTINGS = bitOf('postings')
export const USES_FREQUENCIES = bitOf('term_frequencies')
export const USES_POSITIONS = bitOf('positions')
export const USES_STORED_FIELDS = bitOf('stored_fields')
export const USES_DOC_VALUES = bitOf('doc_values')
export const USES_POINTS = bitOf('points')
export const USES_NORMS = bitOf('norms')

/** The marks of one segment in one thread. */
export class FieldUsage {
  readonly #marks = new Map<string, number>()
  /** The last mark: loops over terms and documents repeat it. */
  #lastField = ''
  #lastBits = 0
  #showsIds = false
  #showsSources = false

  mark(field: string, bits: number): void {
    if (!runningSearch().countsUsage || (field === this.#lastField && (this.#lastBits & bits) === bits)) return
    const marked = (this.#marks.get(field) ?? 0) | bits
    this.#marks.set(field, marked)
    this.#lastField = field
    this.#lastBits = marked
  }

  /** `_id` and `_source` are read in turns, hit by hit. */
  markId(): void {
    if (runningSearch().countsUsage) this.#showsIds = true
  }

  markSource(): void {
    if (runningSearch().countsUsage) this.#showsSources = true
  }

  /** Adds the marks to those of other segments and forgets them. */
  moveTo(marks: Map<string, number>): void {
    if (this.#showsIds) add(marks, '_id', USES_STORED_FIELDS)
    if (this.#showsSources) add(marks, '_source', USES_STORED_FIELDS)
    this.#showsIds = false
    this.#showsSources = false
    if (this.#marks.size === 0) return
    for (const [field, bits] of this.#marks) add(marks, field, bits)
    this.#marks.clear()
    this.#lastField = ''
    this.#lastBits = 0
  }
}

/** The marks of all segments of a shard, which start over. */
export function takeUsage({ segments }: ShardView): Map<string, number> {
  const marks = new Map<string, number>()
  for (const { reader } of segments) reader.usage?.moveTo(marks)
  return marks
}

function add(marks: Map<string, number>, field: string, bits: number): void {
  marks.set(field, (marks.get(field) ?? 0) | bits)
}
