/**
 * Fills the directory of a new shard with copies of other shards' segments: `_clone` copies one shard, `_shrink` joins
 * several, `_split` keeps some documents of one. The commit point is written last, because it makes the shard complete.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { unavailableShards } from '../../../base/api-error.ts'
import { clearBit, countBits, hasBit, setAll, wordsFor } from '../../../base/bit-set.ts'
import type { Arena } from '../../memory/arena.ts'
import type { SegmentReader } from '../../segment/segment-reader-api.ts'
import { type CommittedSegment, writeCommitPoint } from '../../store/commit-point.ts'
import type { Directory } from '../../store/directory.ts'
import type { Shard } from '../shard.ts'
import type { ViewEntry } from '../view/published-view.ts'
import { ShardSegment } from '../view/shard-segment.ts'
import { closedCommit } from './closed-commit.ts'

export interface CopySource {
  readonly directory: Directory
  /** Oldest first. */
  readonly segments: readonly ViewEntry[]
  readonly maxSeqNo: number
  readonly primaryTerm: number
  release(): void
}

/** The documents of an open shard that are searchable now. */
export function shownSource(directory: Directory, shard: Shard, release: () => void): CopySource {
  const view = shard.holdView()
  const { maxSeqNo, primaryTerm } = shard
  const done = () => {
    view.release()
    release()
  }
  return { directory, segments: view.byAge, maxSeqNo, primaryTerm, release: done }
}

/** The documents of a closed shard. */
export function committedSource(
  directory: Directory,
  arena: Arena,
  expectsSyncedLength: boolean,
  release: () => void,
): CopySource {
  const commit = closedCommit(directory, expectsSyncedLength)
  const segments = commit.segments.map((committed) => {
    const { live, liveCount, liveRoots, name } = committed
    const segment = ShardSegment.open(directory, arena, name, committed)
    // Keeps the file when the segment is released.
    segment.committed = true
    return { segment, live, liveCount, liveRoots }
  })
  const { maxSeqNo, primaryTerm } = commit
  const done = () => {
    for (const { segment } of segments) segment.release()
    release()
  }
  return { directory, segments, maxSeqNo, primaryTerm, release: done }
}

/** Whether a document belongs to the new shard, by its id and routing. */
export type KeepsDocument = (id: string, routing: string | undefined) => boolean

const CHUNK_BYTES = 1024 * 1024

/** Resolves when the copy would survive a power failure. Without `keeps`, all live documents are copied. */
export async function copyShard(
  target: Directory,
  sources: readonly CopySource[],
  keeps: KeepsDocument | undefined,
): Promise<void> {
  const segments: CommittedSegment[] = []
  for (const { directory, segments: entries } of sources) {
    for (const { segment, live, liveCount, liveRoots } of entries) {
      const alive = keeps === undefined ? { live, liveCount, liveRoots } : await filtered(segment, live, keeps)
      if (alive.liveRoots === 0) continue
      const name = `seg-${segments.length + 1}`
      await copyFile(directory, segment.name, target, name)
      const { fileBytes, checksum, docCount } = segment
      segments.push({ name, fileBytes, checksum, docCount, ...alive })
    }
  }
  await writeCommitPoint(target, {
    generation: 1,
    maxSeqNo: Math.max(-1, ...sources.map(({ maxSeqNo }) => maxSeqNo)),
    primaryTerm: Math.max(1, ...sources.map(({ primaryTerm }) => primaryTerm)),
    logGeneration: 1,
    nextSegment: segments.length + 1,
    segments,
  })
}

/** Copies by chunks, so that the thread can do other work in between. */
async function copyFile(from: Directory, name: string, to: Directory, newName: string): Promise<void> {
  const size = from.size(name)
  if (size === undefined) throw sourceChanged(name)
  const file = to.create(newName)
  try {
    const chunk = new Uint8Array(Math.min(size, CHUNK_BYTES))
    for (let offset = 0; offset < size; offset += chunk.length) {
      const length = Math.min(chunk.length, size - offset)
      readSource(from, name, offset, length === chunk.length ? chunk : chunk.subarray(0, length))
      await file.write(chunk, 0, length, offset)
    }
    await file.sync()
  } finally {
    file.close()
  }
}

function readSource(from: Directory, name: string, offset: number, target: Uint8Array): void {
  try {
    from.read(name, offset, target)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? sourceChanged(name) : error
  }
}

/** The files of an index that is deleted, or opened and merged, while it is copied may be gone. */
const sourceChanged = (name: string) =>
  unavailableShards(
    `the segment file ${name} of the source is gone: the index was deleted or opened while it was copied`,
  )

type Alive = Pick<CommittedSegment, 'live' | 'liveCount' | 'liveRoots'>

/** Documents looked at before other work of the thread has its turn. */
const DOCS_PER_TURN = 50_000

/** Nested documents are directly before their root and share its fate. */
async function filtered(segment: ShardSegment, live: Uint32Array | undefined, keeps: KeepsDocument): Promise<Alive> {
  const { docCount } = segment
  let reader: SegmentReader = segment.use()
  const bits = new Uint32Array(wordsFor(docCount))
  if (live === undefined) setAll(bits, docCount)
  else bits.set(live)
  const pathOf = reader.nested?.pathOf
  let liveRoots = 0
  let first = 0
  for (let doc = 0; doc < docCount; doc++) {
    if (pathOf !== undefined && pathOf[doc] !== 0) continue
    if (hasBit(bits, doc)) {
      if (keeps(reader.id(doc), reader.routing(doc))) liveRoots++
      else for (let one = first; one <= doc; one++) clearBit(bits, one)
    }
    first = doc + 1
    if (doc % DOCS_PER_TURN !== DOCS_PER_TURN - 1) continue
    await nextTurn()
    reader = segment.use()
  }
  const liveCount = countBits(bits)
  return { live: liveCount === docCount ? undefined : bits, liveCount, liveRoots }
}
