/** A published view of a shard: segments and live documents as a search sees them. It is immutable while it is held. */
import { ensure } from '../../../base/assert.ts'
import { wordsFor } from '../../../base/bit-set.ts'
import type { SegmentView, ShardView } from '../../segment/segment-reader-api.ts'
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
  /** Address of the segment's section table in the arena. */
  readonly tableAddress: number
  readonly live: Uint32Array | undefined
  readonly docCount: number
  readonly liveCount: number
  readonly docBase: number
}

/** A segment with its live documents in the view. */
export interface ViewEntry {
  readonly segment: ShardSegment
  readonly live: Uint32Array | undefined
  readonly liveCount: number
  readonly liveRoots: number
}

let lastGeneration = 0

/** Continues the numbers of another thread, whose views may still be held. */
export function continueGenerations(after: number): void {
  lastGeneration = Math.max(lastGeneration, after)
}

/** A view without bits has only live documents. */
export function checkLive({ live, liveCount }: Pick<ViewEntry, 'live' | 'liveCount'>, docCount: number): void {
  ensure(liveCount <= docCount, 'no more documents are live than a segment has')
  if (live === undefined) ensure(liveCount === docCount, 'all documents are live where no bits say which')
  else ensure(live.length >= wordsFor(docCount), 'every document has a bit that says whether it is live')
}

export class PublishedView implements ShardView {
  /** Unique among the views of this thread, even if a shard was closed and reopened. */
  readonly generation = ++lastGeneration
  readonly segments: readonly SegmentView[]
  readonly liveRoots: number
  /** In the order in which searches visit them. */
  readonly #entries: readonly ViewEntry[]
  readonly #byAge: readonly ViewEntry[]
  readonly #held: readonly ShardSegment[]
  readonly #onReleased: (() => void) | undefined
  #holders = 1

  /**
   * `byAge` has the oldest segment first, `entries` the order in which searches visit them. `onReleased` is called when
   * the last holder has released the view.
   */
  constructor(byAge: readonly ViewEntry[], entries: readonly ViewEntry[] = byAge, onReleased?: () => void) {
    this.#onReleased = onReleased
    this.#byAge = byAge
    this.#entries = entries
    this.#held = entries.map(({ segment }) => segment)
    let docBase = 0
    let liveRoots = 0
    this.segments = entries.map((entry) => {
      checkLive(entry, entry.segment.docCount)
      ensure(entry.liveRoots <= entry.liveCount, 'live root documents are live documents')
      entry.segment.hold()
      const view = { reader: entry.segment.reader, live: entry.live, liveCount: entry.liveCount, docBase }
      docBase += entry.segment.docCount
      liveRoots += entry.liveRoots
      return view
    })
    this.liveRoots = liveRoots
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    ensure(this.#holders > 0, 'a view is released as often as it is held')
    if (--this.#holders > 0) return
    for (const segment of this.#held) segment.release()
    this.#onReleased?.()
  }

  /** The segments, oldest first. */
  get byAge(): readonly ViewEntry[] {
    return this.#byAge
  }

  get heldSegments(): readonly ShardSegment[] {
    return this.#held
  }

  /** Live roots of one segment: not needed by searches, but by commits. */
  rootsOf(index: number): number {
    return this.#entries[index]!.liveRoots
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

/** The current state of the segment. */
export function entryOf(segment: ShardSegment): ViewEntry {
  const { live, liveCount } = segment
  return { segment, live: live.freeze(), liveCount, liveRoots: live.liveRoots }
}
