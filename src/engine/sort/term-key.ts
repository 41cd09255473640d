/** Sorts by term doc values: by ordinal inside a segment, by bytes between segments. */
import type { FieldType } from '../mapping/field-type.ts'
import { storageName } from '../mapping/storage-name.ts'
import type { AfterValue } from '../request/search-after.ts'
import { newOrdinalBlock } from '../segment/doc-values/doc-values-block.ts'
import type { SegmentView, SortedSetDocValues } from '../segment/segment-reader-api.ts'
import { afterText } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

export interface TermKeyOptions {
  readonly field: FieldType | undefined
  readonly descending: boolean
  readonly mode: 'min' | 'max'
  readonly missing: 'first' | 'last' | Uint8Array
  readonly format: string | undefined
}

export class TermKey implements SortKey {
  readonly needsScores = false
  readonly valueType = 'STRING'
  readonly #options: TermKeyOptions
  readonly #sign: number

  constructor(options: TermKeyOptions) {
    this.#options = options
    this.#sign = options.descending ? -1 : 1
  }

  segment(view: SegmentView): SegmentKeys {
    const { field, mode, missing } = this.#options
    const name = storageName(field)
    const docValues = name === undefined ? undefined : view.reader.sortedSetDocValues(name)
    const substitute = missing === 'first' || missing === 'last' ? null : missing
    return new OrdinalKeys(docValues, mode, this.#sign, this.#missingKey(docValues), substitute)
  }

  /**
   * The position of a missing value among the ordinals; a substitute that is not a term of the segment falls between
   * two.
   */
  #missingKey(docValues: SortedSetDocValues | undefined): number {
    const { missing } = this.#options
    if (missing === 'first') return Number.NEGATIVE_INFINITY
    if (missing === 'last') return Number.POSITIVE_INFINITY
    const found = docValues === undefined ? -1 : docValues.find(missing)
    return this.#sign * (found >= 0 ? found : -found - 1.5)
  }

  compare(a: SortValue, b: SortValue): number {
    if (a === null || b === null) {
      if (a === b) return 0
      const first = this.#options.missing === 'first'
      return (a === null) === first ? -1 : 1
    }
    return this.#sign * Buffer.compare(a as Uint8Array, b as Uint8Array)
  }

  after(value: AfterValue): SortValue {
    return afterText(value, this.#options.field)
  }

  format(value: SortValue): unknown {
    if (value === null) return null
    const { field, format } = this.#options
    return field === undefined ? Buffer.from(value as Uint8Array).toString() : field.formatDocValue(value, format)
  }
}

/** Ordinals of the current block; a thread reads one block at a time. */
const block = newOrdinalBlock()

class OrdinalKeys implements SegmentKeys {
  readonly width = 1
  readonly #docValues: SortedSetDocValues | undefined
  readonly #mode: 'min' | 'max'
  readonly #sign: number
  readonly #missingKey: number
  readonly #substitute: Uint8Array | null

  constructor(
    docValues: SortedSetDocValues | undefined,
    mode: 'min' | 'max',
    sign: number,
    missingKey: number,
    substitute: Uint8Array | null,
  ) {
    this.#docValues = docValues
    this.#mode = mode
    this.#sign = sign
    this.#missingKey = missingKey
    this.#substitute = substitute
  }

  fill(
    docs: Int32Array,
    count: number,
    _base: number,
    _scores: Float32Array,
    out: Float64Array,
    stride: number,
    offset: number,
  ): void {
    const sign = this.#sign
    const missing = this.#missingKey
    if (this.#docValues === undefined) {
      for (let i = 0; i < count; i++) out[i * stride + offset] = missing
      return
    }
    this.#docValues.readBlock(docs, count, block)
    const { offsets, ordinals } = block
    const last = this.#mode === 'max'
    for (let i = 0; i < count; i++) {
      const start = offsets[i]!
      const end = offsets[i + 1]!
      out[i * stride + offset] = start === end ? missing : sign * ordinals[last ? end - 1 : start]!
    }
  }

  best(): number {
    const docValues = this.#docValues
    if (docValues === undefined) return this.#missingKey
    return Math.min(this.#missingKey, this.#sign > 0 ? 0 : 1 - docValues.termCount)
  }

  value(doc: number): SortValue {
    const docValues = this.#docValues
    if (!docValues?.has(doc)) return this.#substitute
    return docValues.term(this.#ordinal(docValues, doc)).slice()
  }

  bound(value: SortValue, out: Float64Array, offset: number): void {
    if (value === null) {
      out[offset] = this.#substitute === null ? this.#missingKey : Number.POSITIVE_INFINITY
      return
    }
    const found = this.#docValues === undefined ? -1 : this.#docValues.find(value as Uint8Array)
    out[offset] = this.#sign * (found >= 0 ? found : -found - 1.5 + this.#besideSubstitute(value as Uint8Array))
  }

  /** The value and the substitute may fall between the same two terms without being equal. */
  #besideSubstitute(value: Uint8Array): number {
    return this.#substitute === null ? 0 : 0.25 * Buffer.compare(value, this.#substitute)
  }

  #ordinal(docValues: SortedSetDocValues, doc: number): number {
    return docValues.ordinalAt(this.#mode === 'min' ? docValues.start(doc) : docValues.end(doc) - 1)
  }
}
