/**
 * A segment of a shard: its reader, its live documents, and its reference count.
 *
 * The shard's own list holds it once, and every view that contains it once more. Without holders its memory is freed;
 * its file is deleted too, unless the last commit point or a kept view names it.
 */
import { countBits } from '../../../base/bit-set.ts'
import type { Arena } from '../../memory/arena.ts'
import { CorruptSegmentError } from '../../segment/segment-file.ts'
import { openSegment, type StoredSegment } from '../../segment/segment-reader.ts'
import type { CommittedSegment } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import { type IndexShape, luceneBytes, luceneUpdateBytes } from '../lucene-size/lucene-size.ts'
import { LiveDocs, withRetained } from './live-docs.ts'

/** The size of so few documents is computed in the time it takes to write them. */
const QUICK_DOCS_MAX = 16

export class ShardSegment {
  readonly name: string
  readonly reader: StoredSegment
  live: LiveDocs
  /** Whether the last commit point names the file. */
  committed = false
  /** Whether the file's bytes and name are synced. */
  synced = false
  merging = false
  readonly #directory: Directory
  /** Number of kept views that name the file. */
  #kept = 0
  #holders = 1
  #pinned = false
  /** The size as first written. */
  #luceneBytes: number | undefined
  /**
   * Root documents that were deleted when the segment was written: tombstones, and deleted documents that a merge kept.
   */
  #bornDead: number | undefined
  /** The last result of `keptCount`, and its arguments. */
  #lastKept = { retainedFrom: -1, liveCount: -1, count: 0 }

  constructor(directory: Directory, reader: StoredSegment, live: LiveDocs) {
    this.name = reader.name
    this.reader = reader
    this.live = live
    this.#directory = directory
  }

  /** Opens a file of the directory. `counts` and bits are those of a commit point; absent if every document is live. */
  static open(
    directory: Directory,
    arena: Arena,
    name: string,
    alive?: Pick<CommittedSegment, 'liveCount' | 'liveRoots' | 'live'> & Partial<CommittedSegment>,
  ): ShardSegment {
    const size = directory.size(name)
    if (size === undefined) throw new Error(`the segment file ${name} is missing`)
    if (alive?.fileBytes !== undefined && alive.fileBytes !== size) {
      throw new CorruptSegmentError(name, `it has ${size} bytes instead of ${alive.fileBytes}`)
    }
    const file = { name, size, read: (offset: number, target: Uint8Array) => directory.read(name, offset, target) }
    const reader = openSegment(file, arena)
    if (alive?.checksum !== undefined && alive.checksum !== reader.checksum) {
      reader.loader.free()
      throw new CorruptSegmentError(name, 'the file is that of another segment')
    }
    const { liveCount, liveRoots, live } = alive ?? {
      liveCount: reader.docCount,
      liveRoots: reader.rootCount,
      live: undefined,
    }
    return new ShardSegment(directory, reader, new LiveDocs(reader.docCount, liveCount, liveRoots, live))
  }

  get docCount(): number {
    return this.reader.docCount
  }

  get liveCount(): number {
    return this.live.liveCount
  }

  get fileBytes(): number {
    return this.reader.fileBytes
  }

  get checksum(): number {
    return this.reader.checksum
  }

  /** The size in Lucene's files. Documents deleted later add files of their own. */
  luceneBytes(shape: IndexShape): number {
    const { docCount, rootCount } = this.reader
    this.#luceneBytes ??= luceneBytes(this.use(), shape)
    if (this.live.liveRoots === rootCount) return this.#luceneBytes
    this.#bornDead ??= this.use().countNameless()
    if (rootCount - this.live.liveRoots === this.#bornDead) return this.#luceneBytes
    return this.#luceneBytes + luceneUpdateBytes(this.use(), shape, docCount - this.liveCount)
  }

  /** Called once the segment is published: documents deleted before are not counted as deletes of this segment. */
  settle(): void {
    this.#bornDead = this.reader.rootCount - this.live.liveRoots
  }

  /** An estimate of the size, or the exact size if it is quickly computed. */
  roughBytes(shape: IndexShape): number {
    return this.docCount > QUICK_DOCS_MAX ? this.fileBytes : this.luceneBytes(shape)
  }

  /**
   * Documents that a merge keeps: live ones, and deleted ones of operations from `retainedFrom` on. Undefined if it
   * keeps all.
   */
  keptDocs(retainedFrom: number): Uint32Array | undefined {
    const live = this.live.freeze()
    const { minSeqNo, maxSeqNo } = this.reader.directory
    if (live === undefined || retainedFrom > maxSeqNo) return live
    return retainedFrom <= minSeqNo ? undefined : withRetained(live, this.use(), retainedFrom)
  }

  /** The number of documents that a merge keeps. */
  keptCount(retainedFrom: number): number {
    const { liveCount } = this
    const last = this.#lastKept
    if (last.retainedFrom !== retainedFrom || last.liveCount !== liveCount) {
      const kept = this.keptDocs(retainedFrom)
      this.#lastKept = { retainedFrom, liveCount, count: kept === undefined ? this.docCount : countBits(kept) }
    }
    return this.#lastKept.count
  }

  /**
   * The reader, for use in this turn of the event loop, during which the sections stay in memory. One pin per turn,
   * because a bulk request looks up thousands of ids.
   */
  use(): StoredSegment {
    if (!this.#pinned) {
      this.#pinned = true
      this.reader.pin()
      setImmediate(() => this.#unpin())
    }
    return this.reader
  }

  /** Whether the reader is closed. */
  get isClosed(): boolean {
    return this.#holders === 0
  }

  /** Reverts the deletes since a commit. Views keep the bits they were published with. */
  resetLive(alive: { liveCount: number; liveRoots: number; live: Uint32Array | undefined }): void {
    this.live = new LiveDocs(this.docCount, alive.liveCount, alive.liveRoots, alive.live)
    this.#bornDead = undefined
    this.#lastKept = { retainedFrom: -1, liveCount: -1, count: 0 }
  }

  hold(): void {
    this.#holders++
  }

  release(): void {
    if (--this.#holders > 0) return
    this.#unpin()
    this.reader.close()
    this.reader.loader.free()
    this.#deleteWhenUnneeded()
  }

  /** A newer commit point no longer names the file. */
  uncommit(): void {
    this.committed = false
    this.#deleteWhenUnneeded()
  }

  /** A kept view names the file: it stays even if no view of this run contains the segment. */
  keep(): void {
    this.#kept++
  }

  unkeep(): void {
    this.#kept--
    this.#deleteWhenUnneeded()
  }

  #unpin(): void {
    if (!this.#pinned) return
    this.#pinned = false
    this.reader.unpin()
  }

  #deleteWhenUnneeded(): void {
    if (this.#holders === 0 && !this.committed && this.#kept === 0) this.#directory.delete(this.name)
  }
}
