/** The doc values of selected terms: of each document, the ordinals in the selection. */
import { checkGuard } from '../runtime-fields/evaluation-guard.ts'
import { readOrdinals } from '../segment/doc-values/doc-values-block.ts'
import type { OrdinalBlock, SortedSetDocValues } from '../segment/segment-reader-api.ts'
import type { TermSelection } from './term-selection.ts'

/** Documents between two checks of the search's guard, and of one of its steps. */
const BLOCK_DOCS = 4096
const DOCS_PER_STEP = 128

export class SelectedOrdinals implements SortedSetDocValues {
  readonly docsWithValue: number
  readonly valueCount: number
  readonly multiValued: boolean
  readonly termCount: number
  readonly termBytes: Uint8Array
  readonly termOffsets: Uint32Array
  readonly #selection: TermSelection
  /** Ordinals of document d: `ordinals[offsets[d] .. offsets[d + 1])`, ascending. */
  readonly #offsets: Uint32Array
  readonly #ordinals: Int32Array

  constructor(selection: TermSelection, all: SortedSetDocValues, docCount: number) {
    this.#selection = selection
    this.termCount = selection.termCount
    this.termBytes = selection.termBytes
    this.termOffsets = selection.termOffsets
    const selected = selection.ordinalsOf(all.termCount)
    const offsets = new Uint32Array(docCount + 1)
    const ordinals = new Int32Array(all.valueCount)
    let docsWithValue = 0
    let multiValued = false
    let at = 0
    for (let doc = 0; doc < docCount; doc++) {
      if (doc % BLOCK_DOCS === 0) checkGuard(BLOCK_DOCS / DOCS_PER_STEP)
      const end = all.has(doc) ? addSelected(all, doc, selected, ordinals, at) : at
      if (end > at) docsWithValue++
      if (end > at + 1) multiValued = true
      at = end
      offsets[doc + 1] = at
    }
    this.docsWithValue = docsWithValue
    this.multiValued = multiValued
    this.valueCount = at
    this.#offsets = offsets
    this.#ordinals = ordinals.slice(0, at)
  }

  get byteLength(): number {
    return this.#offsets.byteLength + this.#ordinals.byteLength
  }

  has(doc: number): boolean {
    return this.#offsets[doc + 1]! > this.#offsets[doc]!
  }

  start(doc: number): number {
    return this.#offsets[doc]!
  }

  end(doc: number): number {
    return this.#offsets[doc + 1]!
  }

  ordinalAt(slot: number): number {
    return this.#ordinals[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: OrdinalBlock): void {
    readOrdinals(this, docs, count, into)
  }

  term(ordinal: number): Uint8Array {
    return this.#selection.term(ordinal)
  }

  find(term: Uint8Array): number {
    return this.#selection.find(term)
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
