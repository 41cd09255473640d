import { WINDOW_WORDS } from '../query/window.ts'
import type { SegmentView } from '../segment/segment-reader-api.ts'

/** Clears the documents of a window that are deleted or no root documents. */
export function maskDocuments(bits: Uint32Array, { live, reader }: SegmentView, base: number): void {
  if (live !== undefined) mask(bits, live, base)
  if (reader.nested !== undefined) mask(bits, reader.nested.roots, base)
}

function mask(bits: Uint32Array, by: Uint32Array, base: number): void {
  const from = base >> 5
  for (let i = 0; i < WINDOW_WORDS; i++) bits[i] = bits[i]! & (by[from + i] ?? 0)
}
