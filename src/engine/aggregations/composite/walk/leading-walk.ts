/**
 * Finds the documents of a page in the order of its first source instead of reading all of them.
 *
 * If a query matches all documents (or a range of the first source itself), the values after `after` can be visited in
 * order: terms with their postings, numbers from the ordered index, or the documents themselves if the index is sorted
 * that way. All segments are walked together, always the one that is furthest behind, a few documents at a time. The
 * walk thus ends soon after the page is full, and paging to the end reads every document about once.
 */
import type { SearchGuard } from '../../../scoring/search-guard.ts'
import type { CompositePage } from '../composite-page.ts'
import { compareKeys } from '../key-table.ts'

/** Receives documents, with the signed codes of their first source if known. */
export type TakeDocuments = (docs: Int32Array, count: number, leading: Float64Array | undefined) => void

/** The documents of one segment in the order of the first sources. */
export interface LeadingCursor {
  /** The first numbers of the next key. */
  readonly key: Float64Array
  readonly isAtEnd: boolean
  /** Passes on the next documents: about one batch. */
  advance(): void
}

export function walkTogether(cursors: readonly LeadingCursor[], page: CompositePage, guard?: SearchGuard): void {
  for (;;) {
    const cursor = furthestBehind(cursors)
    if (cursor === undefined || page.isBeyond(cursor.key, cursor.key.length) || guard?.isOver() === true) return
    cursor.advance()
    page.settle()
  }
}

function furthestBehind(cursors: readonly LeadingCursor[]): LeadingCursor | undefined {
  let found: LeadingCursor | undefined
  for (const cursor of cursors) {
    if (cursor.isAtEnd) continue
    if (found === undefined || compareKeys(cursor.key, found.key, Math.min(cursor.key.length, found.key.length)) < 0)
      found = cursor
  }
  return found
}
