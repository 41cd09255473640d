/**
 * The documents of a shard: the buffered ones, the segments, and the newest published view.
 *
 * Sealing (writing a buffer as a segment) and publishing (making it searchable) are separate steps, because a full
 * buffer is sealed before a refresh is requested. Sealing happens in this thread or concurrently: then the buffer is
 * frozen, a new one takes the writes, and at most one is frozen at a time.
 */
import { countBits } from '../../../base/bit-set.ts'
import type { Arena } from '../../memory/arena.ts'
import { threadListMemory } from '../../segment/buffer/list-memory.ts'
import type { IndexSortField } from '../../segment/index-sort.ts'
import type { MergeContext } from '../../segment/merge/segment-merger.ts'
import { sealSegment } from '../../segment/segment-writer.ts'
import type { Directory } from '../../store/directory.ts'
import type { IndexShape } from '../lucene-size/lucene-size.ts'
import { BufferedDocuments } from '../refresh/buffered-documents.ts'
import type { BufferedIds } from '../refresh/buffered-ids.ts'
import type { DiskRoom } from '../refresh/disk-room.ts'
import type { SealOutcome } from '../refresh/sealer.ts'
import { newestFirst } from './newest-first.ts'
import { entryOf, PublishedView, type ViewEntry } from './published-view.ts'
import { ShardSegment } from './shard-segment.ts'

export interface SegmentSetOptions {
  readonly directory: Directory
  readonly arena: Arena
  readonly indexSort: readonly IndexSortField[]
  readonly bestCompression: () => boolean
  /** Whether the disk has room for another segment. */
  readonly room: DiskRoom
  /** Paths of the newest mapping's nested objects. */
  readonly nestedPaths: () => readonly string[]
  readonly fieldOf?: IndexShape['fieldOf'] | undefined
  /** Whether searches visit the segments with the latest `@timestamp` first. */
  readonly newestFirst?: boolean | undefined
  /** Merges keep operations from this sequence number on, including deleted documents. */
  readonly retainedFrom: () => number
}

const noFields = () => undefined

export const segmentFileName = (number: number) => `seg-${number}`

export function segmentNumberOf(fileName: string): number | undefined {
  const match = /^seg-(\d{1,15})$/.exec(fileName)
  return match === null ? undefined : Number(match[1])
}

/** A buffer that was written as a file. */
export interface SealedFile extends SealOutcome {
  readonly name: string
}

export class SegmentSet {
  /** The buffer that takes the writes. */
  active: BufferedDocuments
  /** The buffer whose segment is being written, or could not be written yet. */
  frozen: BufferedDocuments | undefined
  view: PublishedView
  nextSegment: number
  /** Oldest first. */
  segments: ShardSegment[]
  /** Held views by generation. */
  readonly #views = new Map<number, PublishedView>()
  /** Whether something changed that the view does not show. */
  unpublished = false
  readonly directory: Directory
  readonly #options: SegmentSetOptions
  /** Whether a view of the current state is about to be published. */
  #publishing = false
  #spareIds: BufferedIds | undefined

  constructor(options: SegmentSetOptions, segments: ShardSegment[], nextSegment: number) {
    this.#options = options
    this.directory = options.directory
    this.segments = segments
    this.nextSegment = nextSegment
    this.active = this.#newBuffer()
    this.view = this.#newView(segments.map(entryOf))
  }

  /** Whether the view shows everything except buffered documents. */
  get isCurrent(): boolean {
    return !this.unpublished && !this.#publishing
  }

  get bufferBytes(): number {
    return this.active.memoryBytes + (this.frozen?.memoryBytes ?? 0)
  }

  /** Whether documents wait to become a segment. An empty buffer keeps its memory for the next ones. */
  get isBuffering(): boolean {
    return !this.active.isEmpty || this.frozen !== undefined
  }

  get nestedPaths(): readonly string[] {
    return this.#options.nestedPaths()
  }

  get shape(): IndexShape {
    const { fieldOf = noFields, indexSort } = this.#options
    return { fieldOf, isSorted: indexSort.length > 0 }
  }

  get retainedFrom(): number {
    return this.#options.retainedFrom()
  }

  /**
   * Writes all buffered documents as segments in this thread. A buffer that cannot be written stays frozen until the
   * next attempt.
   */
  sealHere(): void {
    if (this.isBuffering) this.#options.room.assertRoom(this.#contentBytes)
    while (this.frozen !== undefined || !this.active.isEmpty) this.adopt(this.#write(this.frozen ?? this.freeze()))
  }

  /** Starts a new buffer for writes. The frozen one becomes a segment by `adopt`, or later by `sealHere`. */
  freeze(): BufferedDocuments {
    const frozen = this.active
    frozen.freeze()
    this.frozen = frozen
    this.active = this.#newBuffer()
    return frozen
  }

  /**
   * Adds the segment of the frozen buffer, even if all of its documents are deleted: they affect scores. With
   * `captured`, the state at the moment of freezing, the new view is published.
   */
  adopt(sealed: SealedFile, captured?: PublishedView): void {
    const frozen = this.frozen!
    const segment = this.#openSealed(sealed, frozen)
    if (captured === undefined) this.unpublished = true
    else {
      this.#show([...captured.byAge, entryOf(segment)])
      captured.release()
      this.#publishing = false
    }
    this.segments.push(segment)
    this.#options.room.succeeded()
    if (frozen.deletedSince.length > 0) {
      const { nested } = segment.use()
      for (const doc of frozen.deletedSince) segment.live.delete(sealed.docMap?.[doc] ?? doc, nested)
      this.unpublished = true
    }
    this.frozen = undefined
    this.#spareIds = frozen.release()
  }

  /** Whether a segment did not fit onto the disk, and the next one is unlikely to. */
  get isShortOfDisk(): boolean {
    return this.#options.room.isShort(this.#contentBytes)
  }

  assertRoom(): void {
    this.#options.room.assertRoom(this.#contentBytes)
  }

  sealFailed(error: Error): void {
    this.#options.room.failed(error)
  }

  get #contentBytes(): number {
    return this.active.contentBytes + (this.frozen?.contentBytes ?? 0)
  }

  /** A file name that no other segment of the shard ever has. */
  reserveName(): string {
    return segmentFileName(this.nextSegment++)
  }

  /** Opens a file that was written here. The caller adds it to the list. */
  open(name: string, alive?: { liveCount: number; liveRoots: number; live: Uint32Array | undefined }): ShardSegment {
    return ShardSegment.open(this.directory, this.#options.arena, name, alive)
  }

  mergeContext(): MergeContext {
    const { indexSort, bestCompression, nestedPaths } = this.#options
    return { indexSort, bestCompression: bestCompression(), nestedPaths: nestedPaths() }
  }

  /** Publishes the current segments. The buffer must be sealed before. */
  publish(): void {
    this.#dropEmptied()
    this.#show(this.segments.map(entryOf))
    this.unpublished = false
  }

  /** Holds the current segments, to be published by `adopt` together with the buffer that is frozen next. */
  capture(): PublishedView {
    this.#dropEmptied()
    this.#publishing = true
    this.unpublished = false
    return new PublishedView(this.segments.map(entryOf))
  }

  /** The captured state will not be published. */
  letGo(captured: PublishedView): void {
    captured.release()
    this.#publishing = false
    this.unpublished = true
  }

  /** A held view by generation. */
  viewOf(generation: number): PublishedView | undefined {
    return this.#views.get(generation)
  }

  /** Replaces the inputs of a merge by its result, at the position of the first input. */
  replace(inputs: readonly ShardSegment[], merged: ShardSegment | undefined): void {
    const first = this.segments.find((segment) => inputs.includes(segment))!
    const at = this.segments.indexOf(first)
    const kept = this.segments.filter((segment) => !inputs.includes(segment))
    if (merged !== undefined) kept.splice(Math.min(at, kept.length), 0, merged)
    this.segments = kept
    for (const input of inputs) input.release()
  }

  /**
   * Drops the buffers and all segments except these. Published views stay until the next one. The caller's reference to
   * each segment passes to this set.
   */
  reset(segments: ShardSegment[]): void {
    const old = this.segments
    this.segments = segments
    for (const segment of old) segment.release()
    this.active.release()
    this.frozen?.release()
    this.frozen = undefined
    this.#spareIds = undefined
    this.active = this.#newBuffer()
    this.#publishing = false
    this.unpublished = true
  }

  /** Publishes the captured state, without anything later. */
  show(captured: PublishedView): void {
    this.#show(captured.byAge)
    captured.release()
    this.#publishing = false
  }

  close(): void {
    this.#options.room.close()
    this.view.release()
    for (const segment of this.segments) segment.release()
    this.segments = []
    this.active.release()
    this.frozen?.release()
    this.frozen = undefined
  }

  #write({ buffer }: BufferedDocuments): SealedFile {
    const { chunks, docMap, live } = sealSegment(buffer, { nestedPaths: this.nestedPaths })
    const name = this.reserveName()
    try {
      this.directory.write(name, ...chunks)
    } catch (error) {
      this.directory.delete(name)
      this.sealFailed(error as Error)
      throw error
    }
    return { name, docMap, live }
  }

  #openSealed({ name, live }: SealedFile, { buffer }: BufferedDocuments): ShardSegment {
    const liveCount = live === undefined ? buffer.docCount : countBits(live)
    return this.open(name, { liveCount, liveRoots: buffer.liveRoots, live })
  }

  #show(entries: readonly ViewEntry[]): void {
    const old = this.view
    this.view = this.#newView(entries)
    old.release()
  }

  #newView(entries: readonly ViewEntry[]): PublishedView {
    const shown = this.#options.newestFirst === true ? newestFirst(entries) : entries
    const view: PublishedView = new PublishedView(entries, shown, () => this.#views.delete(view.generation))
    this.#views.set(view.generation, view)
    return view
  }

  /** Removes segments without live documents, once none of their operations is retained. */
  #dropEmptied(): void {
    const { retainedFrom } = this
    const emptied = this.segments.filter(
      ({ liveCount, merging, reader }) => liveCount === 0 && !merging && reader.directory.maxSeqNo < retainedFrom,
    )
    if (emptied.length === 0) return
    this.segments = this.segments.filter((segment) => !emptied.includes(segment))
    for (const segment of emptied) segment.release()
  }

  #newBuffer(): BufferedDocuments {
    const { indexSort, bestCompression } = this.#options
    const ids = this.#spareIds
    this.#spareIds = undefined
    return new BufferedDocuments({ indexSort, bestCompression: bestCompression(), memory: threadListMemory }, ids)
  }
}
