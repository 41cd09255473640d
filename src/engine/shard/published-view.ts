/** A view of a shard: the segments and live documents a search sees, unchanged for as long as somebody holds it. */
import type { SegmentView, ShardView } from '../segment/segment-reader-api.ts'
import type { ShardSegment } from './shard-segment.ts'

/** A view as plain data, for threads that open the same files and share the same memory. */
export interface ViewDescriptor {
  readonly generation: number
  readonly liveRoots: number
  readonly segments: readonly SegmentDescriptor[]
}

export interface SegmentDescriptor {
  readonly name: string
  readonly fileBytes: number
  /** Where the segment's section table is in the arena. */
  readonly tableAddress: number
  readonly live: Uint32Array | undefined
  readonly docCount: number
  readonly liveCount: number
  readonly docBase: number
}

export class PublishedView implements ShardView {
  readonly generation: number
  readonly segments: readonly SegmentView[]
  readonly liveRoots: number
  readonly #held: readonly ShardSegment[]
  #holders = 1

  constructor(generation: number, segments: readonly ShardSegment[]) {
    this.generation = generation
    this.#held = [...segments]
    let docBase = 0
    let liveRoots = 0
    this.segments = segments.map((segment) => {
      segment.hold()
      const view = {
        reader: segment.reader,
        live: segment.live.freeze(),
        liveCount: segment.liveCount,
        docBase,
      }
      docBase += segment.docCount
      liveRoots += segment.live.liveRoots
      return view
    })
    this.liveRoots = liveRoots
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    if (--this.#holders > 0) return
    for (const segment of this.#held) segment.release()
  }

  /** Live roots per segment are not part of what searches see, but commits need them. */
  get heldSegments(): readonly ShardSegment[] {
    return this.#held
  }

  describe(): ViewDescriptor {
    return {
      generation: this.generation,
      liveRoots: this.liveRoots,
      segments: this.segments.map(({ reader, live, liveCount, docBase }, i) => ({
        name: reader.name,
        fileBytes: this.#held[i]!.fileBytes,
        tableAddress: this.#held[i]!.reader.loader.tableAddress,
        live,
        docCount: reader.docCount,
        liveCount,
        docBase,
      })),
    }
  }
}
