import { hasBit } from '../../../base/bit-set.ts'
import { WINDOW_WORDS } from '../../scoring/window.ts'
import type { SegmentView } from '../../segment/segment-reader-api.ts'

/** Clears the documents of a window that are deleted or not root documents. */
export function maskDocuments(bits: Uint32Array, { live, reader }: SegmentView, base: number): void {
  if (live !== undefined) mask(bits, live, base)
  if (reader.nested !== undefined) mask(bits, reader.nested.roots, base)
}

/** Like `maskDocuments`, for listed documents; returns the number left. */
export function maskListed(docs: Int32Array, count: number, { live, reader }: SegmentView): number {
  const masked = live === undefined ? count : maskList(docs, count, live)
  return reader.nested === undefined ? masked : maskList(docs, masked, reader.nested.roots)
}

function maskList(docs: Int32Array, count: number, by: Uint32Array): number {
  let kept = 0
  for (let i = 0; i < count; i++) if (hasBit(by, docs[i]!)) docs[kept++] = docs[i]!
  return kept
}

function mask(bits: Uint32Array, by: Uint32Array, base: number): void {
  const from = base >> 5
  for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (by[from + i] ?? 0)
}
