/**
 * Flush: writes a commit point with everything so far and trims the log.
 *
 * The order matters. The view and the number of its last operation are captured atomically, together with a new log
 * generation. Then the segment files are synced, then the commit point is written, and only then is the old log
 * removed.
 */
import { ensure } from '../../../base/assert.ts'
import { deleteOtherCommitPoints, writeCommitPoint } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import type { OperationLog } from '../../store/operation-log.ts'
import { SYNCED_FILE } from '../../store/synced-length.ts'
import type { PublishedView } from '../view/published-view.ts'
import type { SegmentSet } from '../view/segment-set.ts'
import type { ShardSegment } from '../view/shard-segment.ts'

/** The moment that a commit captures. */
export interface Cut {
  readonly maxSeqNo: number
  readonly primaryTerm: number
  /** Operations after it are in this log generation and later ones. */
  readonly logGeneration: number
}

export class Committer {
  readonly #directory: Directory
  readonly #segments: SegmentSet
  #generation: number
  #committed: readonly ShardSegment[]
  /** Segments named by a commit point that may or may not be on disk, because writing it failed. */
  readonly #maybeCommitted = new Set<ShardSegment>()
  #committedSeqNo: number

  readonly #shard: number
  readonly #onLost: (error: Error) => void

  /** `shard` is the number that its files have in common. `onLost` is called if a segment file could not be synced and can no longer be relied on. */
  constructor(
    directory: Directory,
    segments: SegmentSet,
    last: { generation: number; maxSeqNo: number },
    shard: number,
    onLost: (error: Error) => void,
  ) {
    this.#shard = shard
    this.#onLost = onLost
    this.#directory = directory
    this.#segments = segments
    this.#generation = last.generation
    this.#committedSeqNo = last.maxSeqNo
    this.#committed = segments.segments.filter((segment) => segment.committed)
  }

  get committedSeqNo(): number {
    return this.#committedSeqNo
  }

  /** The segments named by the last commit point. */
  get committed(): readonly ShardSegment[] {
    return this.#committed
  }

  /** Every segment whose file may still be needed on disk. */
  get possiblyCommitted(): readonly ShardSegment[] {
    return [...new Set([...this.#committed, ...this.#maybeCommitted])]
  }

  get generation(): number {
    return this.#generation
  }

  /** Whether a commit would contain anything new. */
  isDue(maxSeqNo: number): boolean {
    const { view, isCurrent } = this.#segments
    return (
      maxSeqNo !== this.#committedSeqNo ||
      !isCurrent ||
      view.heldSegments.length !== this.#committed.length ||
      view.heldSegments.some((segment) => !this.#committed.includes(segment))
    )
  }

  /** Commits a view that contains exactly the operations up to `maxSeqNo`; later ones start at `logGeneration`. */
  async commit(view: PublishedView, log: OperationLog, cut: Cut): Promise<void> {
    const { nextSegment } = this.#segments
    const { maxSeqNo, primaryTerm, logGeneration } = cut
    const held = view.heldSegments
    ensure(maxSeqNo >= this.#committedSeqNo, 'a commit point has the operations of the one before')
    for (const { reader } of held) {
      ensure(
        reader.directory.maxSeqNo <= maxSeqNo,
        'the segments of a commit point have no operation after its last one',
      )
    }
    const segments = view.byAge.map(({ segment, live, liveCount, liveRoots }) => ({
      name: segment.name,
      fileBytes: segment.fileBytes,
      checksum: segment.checksum,
      docCount: segment.docCount,
      liveCount,
      liveRoots,
      live,
    }))
    const generation = this.#generation + 1
    view.hold()
    try {
      await this.syncFiles(held)
      const hasSyncedLength = this.#directory.size(SYNCED_FILE) !== undefined
      const shard = this.#shard
      const commit = { generation, segments, maxSeqNo, primaryTerm, logGeneration, nextSegment, hasSyncedLength, shard }
      for (const segment of held) {
        segment.committed = true
        this.#maybeCommitted.add(segment)
      }
      this.#directory.assertOwned()
      await writeCommitPoint(this.#directory, commit)
      this.#directory.assertOwned()
      this.#generation = generation
      this.#committedSeqNo = maxSeqNo
      this.#adopt(held)
      log.noteCommit(generation)
      log.trim(logGeneration)
      deleteOtherCommitPoints(this.#directory, generation)
    } finally {
      view.release()
    }
  }

  /** Resolves when the files would survive a power failure. */
  async syncFiles(segments: readonly ShardSegment[]): Promise<void> {
    const unsynced = segments.filter((segment) => !segment.synced)
    if (unsynced.length === 0) return
    try {
      await Promise.all(unsynced.map((segment) => this.#directory.sync(segment.name)))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).syscall === 'fsync') this.#onLost(error as Error)
      throw error
    }
    await this.#directory.syncFolder()
    for (const segment of unsynced) segment.synced = true
  }

  /** Called after the shard was read again from this commit point. */
  reset(last: { generation: number; maxSeqNo: number }, segments: readonly ShardSegment[]): void {
    this.#generation = last.generation
    this.#committedSeqNo = last.maxSeqNo
    this.#adopt(segments)
  }

  #adopt(segments: readonly ShardSegment[]): void {
    const old = new Set([...this.#committed, ...this.#maybeCommitted])
    this.#maybeCommitted.clear()
    this.#committed = segments
    for (const segment of segments) segment.committed = true
    const names = new Set(segments.map(({ name }) => name))
    for (const segment of old) if (!names.has(segment.name)) segment.uncommit()
  }
}
