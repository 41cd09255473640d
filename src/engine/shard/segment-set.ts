/**
 * The documents of a shard: the write buffer, the segments it became, and the newest published view of them.
 *
 * Sealing (the buffer becomes a segment) and publishing (searches see it) are two steps, because a full buffer is
 * sealed before anybody asked for a refresh.
 */
import { countBits } from '../../base/bit-set.ts'
import type { Arena } from '../memory/arena.ts'
import type { IndexSortField } from '../segment/index-sort.ts'
import type { MergeContext } from '../segment/segment-merger.ts'
import { sealSegment } from '../segment/segment-writer.ts'
import { WriteBuffer } from '../segment/write-buffer.ts'
import type { Directory } from '../store/directory.ts'
import { PublishedView } from './published-view.ts'
import { ShardSegment } from './shard-segment.ts'

export interface SegmentSetOptions {
  readonly directory: Directory
  readonly arena: Arena
  readonly indexSort: readonly IndexSortField[]
  readonly bestCompression: () => boolean
  /** Paths of the newest mapping's nested objects. */
  readonly nestedPaths: () => readonly string[]
}

export const segmentFileName = (number: number) => `seg-${number}`

export function segmentNumberOf(fileName: string): number | undefined {
  const match = /^seg-(\d{1,15})$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

export class SegmentSet {
  buffer: WriteBuffer
  view: PublishedView
  nextSegment: number
  /** Oldest first. */
  segments: ShardSegment[]
  /** Views that somebody still holds, by generation. */
  readonly #views = new Map<number, PublishedView>()
  /** Something changed that the view does not show. */
  unpublished = false
  readonly directory: Directory
  readonly #options: SegmentSetOptions

  constructor(options: SegmentSetOptions, segments: ShardSegment[], nextSegment: number) {
    this.#options = options
    this.directory = options.directory
    this.segments = segments
    this.nextSegment = nextSegment
    this.buffer = this.#newBuffer()
    this.view = this.#newView(1)
  }

  /** Makes a segment of the buffer. When the file cannot be written, nothing has changed. */
  seal(): void {
    const { buffer } = this
    if (buffer.rootCount === 0) return
    if (buffer.liveRoots > 0) {
      const sealed = sealSegment(buffer, { nestedPaths: this.#options.nestedPaths() })
      const name = this.reserveName()
      try {
        this.directory.write(name, ...sealed.chunks)
      } catch (error) {
        this.directory.delete(name)
        throw error
      }
      const liveCount = sealed.live === undefined ? sealed.docCount : countBits(sealed.live)
      this.segments.push(this.open(name, { liveCount, liveRoots: buffer.liveRoots, live: sealed.live }))
    }
    this.buffer = this.#newBuffer()
    this.unpublished = true
  }

  /** A file name that no other segment of the shard ever has. */
  reserveName(): string {
    return segmentFileName(this.nextSegment++)
  }

  /** Opens a file that was written here. The caller puts it into the list. */
  open(name: string, alive?: { liveCount: number; liveRoots: number; live: Uint32Array | undefined }): ShardSegment {
    return ShardSegment.open(this.directory, this.#options.arena, name, alive)
  }

  mergeContext(): MergeContext {
    const { indexSort, bestCompression, nestedPaths } = this.#options
    return { indexSort, bestCompression: bestCompression(), nestedPaths: nestedPaths() }
  }

  /** Shows searches the segments as they are now. The buffer has to be sealed before. */
  publish(): void {
    const old = this.view
    // A segment without a live document serves nobody any more.
    const emptied = this.segments.filter((segment) => segment.liveCount === 0 && !segment.merging)
    if (emptied.length > 0) this.segments = this.segments.filter((segment) => !emptied.includes(segment))
    this.view = this.#newView(old.generation + 1)
    this.unpublished = false
    old.release()
    for (const segment of emptied) segment.release()
  }

  /** A view that somebody holds. */
  viewOf(generation: number): PublishedView | undefined {
    return this.#views.get(generation)
  }

  /** Puts a merged segment in the place of the first of those it was made of. */
  replace(inputs: readonly ShardSegment[], merged: ShardSegment | undefined): void {
    const at = this.segments.indexOf(inputs[0]!)
    const kept = this.segments.filter((segment) => !inputs.includes(segment))
    if (merged !== undefined) kept.splice(Math.min(at, kept.length), 0, merged)
    this.segments = kept
    for (const input of inputs) input.release()
  }

  close(): void {
    this.view.release()
    for (const segment of this.segments) segment.release()
    this.segments = []
  }

  #newView(generation: number): PublishedView {
    const view = new PublishedView(generation, this.segments, () => this.#views.delete(generation))
    this.#views.set(generation, view)
    return view
  }

  #newBuffer(): WriteBuffer {
    return new WriteBuffer({
      indexSort: this.#options.indexSort,
      bestCompression: this.#options.bestCompression(),
    })
  }
}
