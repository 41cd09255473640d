/** The keys of the documents of one segment: the codes of all sources, signed for their order, with the missing ones filled in. */
import { newValueBlock } from '../../segment/column-block.ts'
import type { SegmentView, ValueBlock } from '../../segment/segment-reader-api.ts'
import type { BoundSource } from './bound-source.ts'
import type { CodeReader } from './code-readers.ts'

/** What stands for no value, in signed codes: before or behind all others. */
export function missingCode({ settings }: BoundSource): number {
  const first = settings.missingOrder === 'default' ? !settings.descending : settings.missingOrder === 'first'
  return first ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

export class SegmentKeys {
  readonly #sources: readonly SourceBlock[]
  readonly key: Float64Array

  private constructor(sources: readonly SourceBlock[]) {
    this.#sources = sources
    this.key = new Float64Array(sources.length)
  }

  /** Undefined where no document of the segment has a key. */
  static open(sources: readonly BoundSource[], view: SegmentView): SegmentKeys | undefined {
    const blocks: SourceBlock[] = []
    for (const source of sources) {
      const reader = source.codes(view)
      if (reader === undefined && !source.settings.missingBucket) return undefined
      blocks.push(new SourceBlock(source, reader))
    }
    return new SegmentKeys(blocks)
  }

  isSingleValued(source: number): boolean {
    return !this.#sources[source]!.multiValued
  }

  /**
   * Calls `use` once per key of each of `docs[0, count)`, with `key` set. `leading` gives the codes of the first source where the
   * caller found the documents by them.
   */
  each(docs: Int32Array, count: number, use: (doc: number) => void, leading?: Float64Array): void {
    const sources = this.#sources
    let single = true
    for (let s = 0; s < sources.length; s++) {
      const source = sources[s]!
      if (s === 0 && leading !== undefined) source.give(leading, count)
      else source.load(docs, count)
      if (!source.single) single = false
    }
    if (!single) {
      for (let i = 0; i < count; i++) this.#combine(docs[i]!, i, 0, use)
      return
    }
    const { key } = this
    if (sources.length === 1) {
      const { codes } = sources[0]!
      for (let i = 0; i < count; i++) {
        key[0] = codes[i]!
        use(docs[i]!)
      }
      return
    }
    const first = sources[0]!.codes
    const second = sources[1]!.codes
    for (let i = 0; i < count; i++) {
      key[0] = first[i]!
      key[1] = second[i]!
      for (let s = 2; s < sources.length; s++) key[s] = sources[s]!.codes[i]!
      use(docs[i]!)
    }
  }

  /** The first `parts` numbers of one document's key; false where it has none. */
  prefix(doc: Int32Array, parts: number): boolean {
    for (let s = 0; s < parts; s++) {
      const source = this.#sources[s]!
      source.load(doc, 1)
      if (source.offsets[0] === source.offsets[1]) return false
      this.key[s] = source.codes[source.offsets[0]!]!
    }
    return true
  }

  /** Every combination of the values of entry i. */
  #combine(doc: number, i: number, s: number, use: (doc: number) => void): void {
    if (s === this.#sources.length) {
      use(doc)
      return
    }
    const { offsets, codes } = this.#sources[s]!
    const start = offsets[i]!
    const end = offsets[i + 1]!
    for (let slot = start; slot < end; slot++) {
      if (isRepeated(codes, start, slot)) continue
      this.key[s] = codes[slot]!
      this.#combine(doc, i, s + 1, use)
    }
  }
}

/** Values of a document that fall into one bucket count once. */
function isRepeated(codes: Float64Array, start: number, slot: number): boolean {
  for (let before = start; before < slot; before++) if (codes[before] === codes[slot]) return true
  return false
}

class SourceBlock {
  readonly multiValued: boolean
  readonly #reader: CodeReader | undefined
  readonly #descending: boolean
  readonly #fills: boolean
  readonly #missing: number
  readonly #block: ValueBlock = newValueBlock()
  readonly #filled: ValueBlock = newValueBlock()
  codes: Float64Array
  offsets: Int32Array
  /** Every document of the block has exactly one code. */
  single = false

  constructor(source: BoundSource, reader: CodeReader | undefined) {
    this.#reader = reader
    this.#descending = source.settings.descending
    this.#fills = source.settings.missingBucket
    this.#missing = missingCode(source)
    this.multiValued = reader?.multiValued ?? false
    this.codes = this.#block.values
    this.offsets = this.#block.offsets
  }

  give(codes: Float64Array, count: number): void {
    this.codes = codes
    this.offsets = this.#block.offsets
    for (let i = 0; i <= count; i++) this.offsets[i] = i
    this.single = true
  }

  load(docs: Int32Array, count: number): void {
    const block = this.#block
    if (this.#reader === undefined) block.offsets.fill(0, 0, count + 1)
    else this.#reader.readBlock(docs, count, block)
    const found = block.offsets[count]!
    const codes = block.values
    if (this.#descending) for (let i = 0; i < found; i++) codes[i] = -codes[i]!
    this.codes = codes
    this.offsets = block.offsets
    this.single = found === count && isSingle(block.offsets, count)
    if (this.#fills && !this.single) this.#fill(docs, count)
  }

  #fill(docs: Int32Array, count: number): void {
    const { offsets, values } = this.#block
    const reader = this.#reader
    const into = this.#filled
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
