/** Computed points as doc values. */
import { fitPoints } from '../segment/doc-values/doc-values-block.ts'
import type { DocFailures, GeoDocValues, PointBlock } from '../segment/segment-reader-api.ts'
import { ComputedSlots, type Slots, slotsOf } from './computed-slots.ts'
import type { PointCollector } from './value-collector.ts'

export interface PointContents extends Slots {
  readonly latitudes: Int32Array
  readonly longitudes: Int32Array
}

export class ComputedPoints extends ComputedSlots implements GeoDocValues {
  readonly #contents: PointContents

  static of(collector: PointCollector, docCount: number, failures: DocFailures | undefined): ComputedPoints {
    const count = collector.docs.length
    return new ComputedPoints({
      slots: slotsOf(collector, docCount),
      count,
      docCount,
      failures,
      latitudes: collector.latitudes.array.slice(0, count),
      longitudes: collector.longitudes.array.slice(0, count),
    })
  }

  constructor(contents: PointContents) {
    super(contents)
    this.#contents = contents
  }

  get byteLength(): number {
    return this.words.byteLength + this.#contents.latitudes.byteLength * 2
  }

  get unfailing(): GeoDocValues {
    return this.failures === undefined ? this : new ComputedPoints({ ...this.#contents, failures: undefined })
  }

  shared(): PointContents {
    return this.#contents
  }

  latitudeAt(slot: number): number {
    return this.#contents.latitudes[slot]!
  }

  longitudeAt(slot: number): number {
    return this.#contents.longitudes[slot]!
  }

  readBlock(docs: Int32Array, count: number, into: PointBlock): void {
    const slots = this.slotsOf(docs, count, into.offsets)
    const found = into.offsets[count]!
    fitPoints(into, found)
    const { latitudes, longitudes } = this.#contents
    for (let i = 0; i < found; i++) {
      into.latitudes[i] = latitudes[slots[i]!]!
      into.longitudes[i] = longitudes[slots[i]!]!
    }
  }
}
