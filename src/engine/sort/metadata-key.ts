/** Sort by what every document has: its sequence number, version or index. */
import type { SegmentReader, SegmentView } from '../segment/segment-reader-api.ts'
import type { SegmentKeys, SortKey, SortValue } from './sort-key.ts'

type ReadValue = (reader: SegmentReader, doc: number) => number | Uint8Array

export class MetadataKey implements SortKey {
  readonly needsScores = false
  readonly #read: ReadValue
  readonly #sign: number

  /** Text is taken to be the same for every document of the shard. */
  constructor(read: ReadValue, descending: boolean) {
    this.#read = read
    this.#sign = descending ? -1 : 1
  }

  segment({ reader }: SegmentView): SegmentKeys {
    const read = this.#read
    const sign = this.#sign
    return {
      width: 1,
      fill(docs, count, _base, _scores, out, stride, offset) {
        for (let i = 0; i < count; i++) {
          const value = read(reader, docs[i]!)
          out[i * stride + offset] = typeof value === 'number' ? sign * value : 0
        }
      },
      value: (doc) => read(reader, doc),
    }
  }

  compare(a: SortValue, b: SortValue): number {
    if (typeof a === 'number') return this.#sign * (a - (b as number))
    return this.#sign * Buffer.compare(a as Uint8Array, b as Uint8Array)
  }

  format(value: SortValue): unknown {
    return typeof value === 'number' ? value : Buffer.from(value as Uint8Array).toString()
  }
}
