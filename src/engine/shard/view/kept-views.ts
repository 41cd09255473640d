/**
 * Views that outlive the process: a point in time or scroll is unchanged by a restart.
 *
 * A kept view is a small file, `view-N`, in the form of a commit point: its segments and their live documents. Its
 * segment files are synced before it is written and stay as long as it exists, whatever is merged meanwhile. A view
 * that several callers keep is written once and counted.
 */
import type { Arena } from '../../memory/arena.ts'
import { CorruptSegmentError } from '../../segment/segment-file.ts'
import { type CommitPoint, decodeCommitPoint, encodeCommitPoint } from '../../store/commit-point.ts'
import { type Directory, readWhole } from '../../store/directory.ts'
import { PublishedView } from './published-view.ts'
import { ShardSegment } from './shard-segment.ts'

const FILE_NAME = /^view-(\d{1,15})$/

const viewNumber = (name: string) => Number(FILE_NAME.exec(name)![1])

interface KeptView {
  readonly segments: readonly ShardSegment[]
  keepers: number
  /** For a view from before the restart: several callers may request it. */
  readonly saved?: CommitPoint
}

/** Kept views by file name. They are renamed into place when they are durable, so an incomplete one is damaged. */
export function readKeptViews(directory: Directory, files: readonly string[]) {
  const keptViews = new Map<string, CommitPoint>()
  const damagedViews: string[] = []
  for (const file of files) {
    if (!FILE_NAME.test(file)) continue
    const view = readView(directory, file)
    // Earlier versions wrote 0. Another number is that of another view's file.
    const isOwn = view?.generation === 0 || view?.generation === viewNumber(file)
    if (view === undefined || !isOwn) damagedViews.push(file)
    else keptViews.set(file, view)
  }
  return { keptViews, damagedViews }
}

/** Undefined if the file is damaged or cannot be read: documents do not depend on it. */
function readView(directory: Directory, file: string): CommitPoint | undefined {
  try {
    return decodeCommitPoint(readWhole(directory, file))
  } catch {
    return undefined
  }
}

export class KeptViews {
  readonly #directory: Directory
  readonly #arena: Arena
  /** Found at the start and not requested yet. */
  readonly #found: Map<string, CommitPoint>
  readonly #damaged: ReadonlySet<string>
  readonly #kept = new Map<string, KeptView>()
  readonly #names = new WeakMap<PublishedView, Promise<string>>()
  #next: number

  constructor(directory: Directory, arena: Arena, found: Map<string, CommitPoint>, damaged: readonly string[] = []) {
    this.#directory = directory
    this.#arena = arena
    this.#found = found
    this.#damaged = new Set(damaged)
    this.#next = Math.max(0, ...[...found.keys(), ...damaged].map(viewNumber)) + 1
  }

  /** Replaces segments that were closed and reopened: the new objects hold the files from now on. */
  replaceSegments(opened: readonly ShardSegment[]): void {
    const byName = new Map(opened.map((segment) => [segment.name, segment]))
    for (const [name, kept] of this.#kept) {
      const segments = kept.segments.map((segment) => {
        const again = byName.get(segment.name)
        if (again === undefined || again === segment) return segment
        again.keep()
        return again
      })
      this.#kept.set(name, { ...kept, segments })
    }
  }

  /** Resolves with the view's name when it would survive a power failure. */
  async keep(view: PublishedView, syncFiles: (segments: readonly ShardSegment[]) => Promise<void>): Promise<string> {
    const underWay = this.#names.get(view)
    if (underWay !== undefined) {
      const name = await underWay
      const same = this.#kept.get(name)
      if (same !== undefined) {
        same.keepers++
        return name
      }
    }
    const writing = this.#write(view, syncFiles)
    this.#names.set(view, writing)
    return await writing
  }

  /** One keeper less; the last one releases the view's files. */
  drop(name: string): void {
    const kept = this.#kept.get(name)
    if (kept === undefined || --kept.keepers > 0) return
    this.#kept.delete(name)
    this.#directory.delete(name)
    for (const segment of kept.segments) segment.unkeep()
  }

  /** A view kept before the restart, held once by the caller; `current` provides segments that are still open. */
  reopen(name: string, current: readonly ShardSegment[]): PublishedView {
    const known = this.#kept.get(name)
    const commit = this.#found.get(name) ?? known?.saved
    if (commit === undefined)
      throw new Error(`the kept view ${name} is ${this.#damaged.has(name) ? 'damaged' : 'gone'}`)
    this.#found.delete(name)
    const opened: ShardSegment[] = []
    const entries = commit.segments.map((saved) => {
      const shared = current.find((segment) => segment.name === saved.name) ?? this.#segmentOfOthers(saved.name)
      // The view of another shard may name a segment that this one has as well.
      if (shared !== undefined && (saved.checksum ?? shared.checksum) !== shared.checksum) {
        throw new CorruptSegmentError(saved.name, `the kept view ${name} is that of another shard`)
      }
      const segment = shared ?? ShardSegment.open(this.#directory, this.#arena, saved.name, saved)
      if (shared === undefined) opened.push(segment)
      segment.synced = true
      if (known === undefined) segment.keep()
      const { live, liveCount, liveRoots } = saved
      return { segment, live, liveCount, liveRoots }
    })
    const view = new PublishedView(entries)
    // The view holds them now.
    for (const segment of opened) segment.release()
    if (known !== undefined) known.keepers++
    else this.#kept.set(name, { segments: entries.map(({ segment }) => segment), keepers: 1, saved: commit })
    this.#names.set(view, Promise.resolve(name))
    return view
  }

  /** Drops the views of an earlier run that no context claimed, and segment files that only they needed. */
  dropUnclaimed(inUse: (segmentName: string) => boolean): void {
    const unclaimed = [...this.#found]
    this.#found.clear()
    for (const [name, { segments }] of unclaimed) {
      this.#directory.delete(name)
      for (const segment of segments)
        if (!inUse(segment.name) && !this.isKept(segment.name)) this.#directory.delete(segment.name)
    }
  }

  isKept(segmentName: string): boolean {
    for (const { segments } of this.#found.values()) if (segments.some(({ name }) => name === segmentName)) return true
    return this.#segmentOfOthers(segmentName) !== undefined
  }

  #segmentOfOthers(segmentName: string): ShardSegment | undefined {
    for (const { segments } of this.#kept.values()) {
      for (const segment of segments) if (segment.name === segmentName) return segment
    }
    return undefined
  }

  async #write(view: PublishedView, syncFiles: (segments: readonly ShardSegment[]) => Promise<void>): Promise<string> {
    const number = this.#next++
    const name = `view-${number}`
    const segments = view.heldSegments
    view.hold()
    for (const segment of segments) segment.keep()
    try {
      await syncFiles(segments)
      const temporary = `${name}.tmp`
      this.#directory.write(temporary, encodeCommitPoint(describe(view, number)))
      await this.#directory.sync(temporary)
      this.#directory.rename(temporary, name)
      await this.#directory.syncFolder()
      this.#kept.set(name, { segments, keepers: 1 })
      return name
    } catch (error) {
      for (const segment of segments) segment.unkeep()
      this.#names.delete(view)
      throw error
    } finally {
      view.release()
    }
  }
}

/** Numbers of operations and logs are meaningless for a view. */
function describe(view: PublishedView, number: number): CommitPoint {
  return {
    generation: number,
    maxSeqNo: -1,
    primaryTerm: 0,
    logGeneration: 0,
    nextSegment: 0,
    segments: view.heldSegments.map((segment, i) => ({
      name: segment.name,
      fileBytes: segment.fileBytes,
      checksum: segment.checksum,
      docCount: segment.docCount,
      liveCount: view.segments[i]!.liveCount,
      liveRoots: view.rootsOf(i),
      live: view.segments[i]!.live,
    })),
  }
}
