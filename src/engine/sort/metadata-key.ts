/** Sort keys that every document has: its sequence number, version or index. */

import type { AfterValue } from '../request/search-after.ts'
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'
import { afterNumber, afterText } from './search-after.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

/** `_seq_no` and `_version`. */
export class MetadataKey implements SortKey {
  readonly needsScores = false
  readonly #field: string
  readonly #read: (reader: SegmentReader, doc: number) => number
  readonly #sign: number

  constructor(field: string, read: (reader: SegmentReader, doc: number) => number, descending: boolean) {
    this.#field = field
    this.#read = read
    this.#sign = descending ? -1 : 1
  }

  segment({ reader }: SegmentView): SegmentKeys {
    const read = this.#read
    const sign = this.#sign
    return {
      width: 1,
      fill(docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = sign * read(reader, docs[i]!)
      },
      value: (doc) => read(reader, doc),
      bound(value, out, offset) {
        out[offset] = sign * Number(value)
      },
    }
  }

  compare(a: SortValue, b: SortValue): number {
    return this.#sign * (Number(a) - Number(b))
  }

  format(value: SortValue): unknown {
    return value
  }

  after(value: AfterValue, position: number): SortValue {
    return afterNumber(value, position, this.#field, 'LONG')
  }
}

/** `_index`: the same for every document of a shard. */
export class IndexNameKey implements SortKey {
  readonly needsScores = false
  readonly #name: Uint8Array
  readonly #sign: number

  constructor(name: string, descending: boolean) {
    this.#name = Buffer.from(name)
    this.#sign = descending ? -1 : 1
  }

  segment(): SegmentKeys {
    return {
      width: 1,
      fill(_docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) out[i * stride + offset] = 0
      },
      value: () => this.#name,
      bound: (value, out, offset) => {
        out[offset] = this.compare(value, this.#name)
      },
    }
  }

  /** Missing values, which no index has, sort last. */
  compare(a: SortValue, b: SortValue): number {
    if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1
    return this.#sign * Buffer.compare(a as Uint8Array, b as Uint8Array)
  }

  format(value: SortValue): unknown {
    return Buffer.from(value as Uint8Array).toString()
  }

  after(value: AfterValue): SortValue {
    return afterText(value)
  }
}
