/** The doc values of selected terms: of each document, the ordinals in the selection. */
import { checkGuard } from '../runtime-fields/evaluation-guard.ts'
import { ListedOrdinals } from '../segment/postings/listed-ordinals.ts'
import type { SortedSetDocValues } from '../segment/segment-reader-api.ts'
import type { TermSelection } from './term-selection.ts'

/** Documents between two checks of the search's guard, and of one of its steps. */
const BLOCK_DOCS = 4096
const DOCS_PER_STEP = 128

export class SelectedOrdinals extends ListedOrdinals {
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array

  constructor(selection: TermSelection, all: SortedSetDocValues, docCount: number) {
    const selected = selection.ordinalsOf(all.termCount)
    const offsets = new Uint32Array(docCount + 1)
    const ordinals = new Int32Array(all.valueCount)
    let at = 0
    for (let doc = 0; doc < docCount; doc++) {
      if (doc % BLOCK_DOCS === 0) checkGuard(BLOCK_DOCS / DOCS_PER_STEP)
      if (all.has(doc)) at = addSelected(all, doc, selected, ordinals, at)
      offsets[doc + 1] = at
    }
    super(selection, offsets, ordinals.slice(0, at))
    this.termBytes = selection.termBytes
    this.termOffsets = selection.termOffsets
  }
}

/** Writes the distinct selected ordinals of a document, ascending, from `at` on; returns their end. */
function addSelected(
  all: SortedSetDocValues,
  doc: number,
  selected: Int32Array,
  ordinals: Int32Array,
  at: number,
): number {
  let found = at
  const end = all.end(doc)
  for (let slot = all.start(doc); slot < end; slot++) {
    const ordinal = selected[all.ordinalAt(slot)]!
    if (ordinal >= 0) ordinals[found++] = ordinal
  }
  if (found - at < 2) return found
  ordinals.subarray(at, found).sort()
  let kept = at + 1
  for (let i = at + 1; i < found; i++) if (ordinals[i] !== ordinals[kept - 1]) ordinals[kept++] = ordinals[i]!
  return kept
}
