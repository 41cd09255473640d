/**
 * The keys of the documents of one segment: the codes of all sources, signed for their order, with missing values
 * filled in.
 */
import type { SearchGuard } from '../../scoring/search-guard.ts'
import { WINDOW_SIZE } from '../../scoring/window.ts'
import { newValueBlock } from '../../segment/doc-values/doc-values-block.ts'
import type { SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import type { BoundSource } from './bound-source.ts'
import { isMissingFirst } from './source-settings.ts'
import type { CodeReader } from './sources/code-readers.ts'

/** The signed code of a missing value: before or after all others. */
export function missingCode({ settings }: BoundSource): number {
  return isMissingFirst(settings) ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

/** This many keys of multi-valued documents count as one step for the search guard. */
const KEYS_PER_STEP = 2_048

/** Receives `docs[from, to)`, which all have the current key. */
export type UseDocuments = (docs: Int32Array, from: number, to: number) => void

/** The buffer for the codes of one source. */
class CodeBlocks {
  readonly found: ValueBlock = newValueBlock()
  #filled: ValueBlock | undefined

  /** The buffer with codes for missing values, which few sources need. */
  get filled(): ValueBlock {
    this.#filled ??= newValueBlock()
    return this.#filled
  }
}

/** Documents with a key, if others of their block have none. */
const keyedDocs = new Int32Array(WINDOW_SIZE)

/** By source number. All searches of a thread share them: a block is read and used without interruption. */
const codeBlocks: CodeBlocks[] = []

function codeBlocksOf(source: number): CodeBlocks {
  let blocks = codeBlocks[source]
  if (blocks === undefined) codeBlocks[source] = blocks = new CodeBlocks()
  return blocks
}

export class SegmentKeys {
  readonly #sources: readonly SourceBlock[]
  readonly #guard: SearchGuard | undefined
  #combined = 0
  readonly key: Float64Array

  private constructor(sources: readonly SourceBlock[], guard: SearchGuard | undefined) {
    this.#sources = sources
    this.#guard = guard
    this.key = new Float64Array(sources.length)
  }

  /** Undefined if no document of the segment has a key. */
  static open(sources: readonly BoundSource[], view: SegmentView, guard?: SearchGuard): SegmentKeys | undefined {
    const opened: SourceBlock[] = []
    for (const [i, source] of sources.entries()) {
      const reader = source.codes(view)
      if (reader === undefined && !source.settings.missingBucket) return undefined
      opened.push(new SourceBlock(source, reader, codeBlocksOf(i)))
    }
    return new SegmentKeys(opened, guard)
  }

  isSingleValued(source: number): boolean {
    return !this.#sources[source]!.multiValued
  }

  /**
   * Calls `use` with `key` set for each key of `docs[0, count)`. Neighbours with the same key are passed together, as
   * is common in a sorted index or with documents in time order. `leading` has the codes of the first source if the
   * caller found the documents by them.
   */
  each(docs: Int32Array, count: number, use: UseDocuments, leading?: Float64Array): void {
    const sources = this.#sources
    let single = true
    let several = false
    for (let s = 0; s < sources.length; s++) {
      const source = sources[s]!
      if (s === 0 && leading !== undefined) source.give(leading)
      else source.load(docs, count)
      if (source.single) continue
      single = false
      if (source.multiValued) several = true
    }
    if (several) for (let i = 0; i < count; i++) this.#combine(docs, i, 0, use)
    else if (single) this.#eachSingle(docs, count, use)
    else this.#eachSingle(keyedDocs, this.#keepKeyed(docs, count), use)
  }

  /**
   * Stores the documents that have a code of every source in `keyedDocs`, with their codes at the same indexes; returns
   * their number. For sources with at most one code per document.
   */
  #keepKeyed(docs: Int32Array, count: number): number {
    const sources = this.#sources
    let kept = 0
    for (let i = 0; i < count; i++) {
      let present = 1
      for (let s = 0; s < sources.length; s++) {
        const { codes, offsets } = sources[s]!
        const at = offsets[i]!
        codes[kept] = codes[at]!
        present &= offsets[i + 1]! - at
      }
      keyedDocs[kept] = docs[i]!
      kept += present
    }
    return kept
  }

  #eachSingle(docs: Int32Array, count: number, use: UseDocuments): void {
    if (this.#sources.length === 2) this.#eachPair(docs, count, use)
    else this.#eachRow(docs, count, use)
  }

  #eachPair(docs: Int32Array, count: number, use: UseDocuments): void {
    const { key } = this
    const first = this.#sources[0]!.codes
    const second = this.#sources[1]!.codes
    for (let from = 0, to = 0; from < count; from = to) {
      const a = first[from]!
      const b = second[from]!
      to = from + 1
      while (to < count && second[to] === b && first[to] === a) to++
      key[0] = a
      key[1] = b
      use(docs, from, to)
    }
  }

  #eachRow(docs: Int32Array, count: number, use: UseDocuments): void {
    const { key } = this
    const sources = this.#sources
    for (let from = 0, to = 0; from < count; from = to) {
      to = count
      for (let s = 0; s < sources.length; s++) {
        const { codes } = sources[s]!
        const code = codes[from]!
        key[s] = code
        let end = from + 1
        while (end < to && codes[end] === code) end++
        to = end
      }
      use(docs, from, to)
    }
  }

  /** The first `parts` numbers of one document's key; false if it has none. */
  prefix(doc: Int32Array, parts: number): boolean {
    for (let s = 0; s < parts; s++) {
      const source = this.#sources[s]!
      source.load(doc, 1)
      if (source.offsets[0] === source.offsets[1]) return false
      this.key[s] = source.codes[source.offsets[0]!]!
    }
    return true
  }

  /**
   * Every combination of the values of entry i. With ten sources of ten values each the number is practically
   * unlimited.
   */
  #combine(docs: Int32Array, i: number, s: number, use: UseDocuments): void {
    if (s === this.#sources.length) {
      if (++this.#combined % KEYS_PER_STEP === 0) this.#guard?.isOver()
      use(docs, i, i + 1)
      return
    }
    const { offsets, codes } = this.#sources[s]!
    const start = offsets[i]!
    const end = offsets[i + 1]!
    for (let slot = start; slot < end; slot++) {
      if (isRepeated(codes, start, slot)) continue
      this.key[s] = codes[slot]!
      this.#combine(docs, i, s + 1, use)
    }
  }
}

/** Values of a document in the same bucket count once. */
function isRepeated(codes: Float64Array, start: number, slot: number): boolean {
  for (let before = start; before < slot; before++) if (codes[before] === codes[slot]) return true
  return false
}

/** Offsets of a block in which every document has one code. */
const ONE_EACH = Int32Array.from({ length: WINDOW_SIZE + 1 }, (_, i) => i)

class SourceBlock {
  readonly multiValued: boolean
  readonly #reader: CodeReader | undefined
  readonly #descending: boolean
  readonly #fills: boolean
  readonly #missing: number
  readonly #blocks: CodeBlocks
  codes: Float64Array
  offsets: Int32Array
  /** Whether every document of the block has exactly one code. */
  single = false

  constructor(source: BoundSource, reader: CodeReader | undefined, blocks: CodeBlocks) {
    this.#reader = reader
    this.#blocks = blocks
    this.#descending = source.settings.descending
    this.#fills = source.settings.missingBucket
    this.#missing = missingCode(source)
    this.multiValued = reader?.multiValued ?? false
    this.codes = blocks.found.values
    this.offsets = blocks.found.offsets
  }

  give(codes: Float64Array): void {
    this.codes = codes
    this.offsets = ONE_EACH
    this.single = true
  }

  load(docs: Int32Array, count: number): void {
    const block = this.#blocks.found
    if (this.#reader === undefined) block.offsets.fill(0, 0, count + 1)
    else this.#reader.readBlock(docs, count, block)
    const found = block.offsets[count]!
    const codes = block.values
    if (this.#descending) for (let i = 0; i < found; i++) codes[i] = -codes[i]!
    this.codes = codes
    this.offsets = block.offsets
    this.single = found === count && (!this.multiValued || isSingle(block.offsets, count))
    if (this.#fills && !this.single) this.#fill(docs, count)
  }

  #fill(docs: Int32Array, count: number): void {
    const { offsets, values } = this.#blocks.found
    const reader = this.#reader
    const into = this.#blocks.filled
    const most = offsets[count]! + count
    if (into.values.length < most) into.values = new Float64Array(most * 2)
    let at = 0
    for (let i = 0; i < count; i++) {
      into.offsets[i] = at
      if (offsets[i] === offsets[i + 1]) {
        if (reader?.hasValue?.(docs[i]!) !== true) into.values[at++] = this.#missing
      } else for (let slot = offsets[i]!; slot < offsets[i + 1]!; slot++) into.values[at++] = values[slot]!
    }
    into.offsets[count] = at
    this.codes = into.values
    this.offsets = into.offsets
    this.single = at === count && isSingle(into.offsets, count)
  }
}

function isSingle(offsets: Int32Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (offsets[i] !== i) return false
  return true
}
