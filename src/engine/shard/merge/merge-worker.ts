/**
 * The merge thread: opens the input files in its own memory, writes and syncs the merged file, and returns the document
 * maps.
 */
import { noteGarbage, plannedMemory } from '../../../base/memory/process-memory.ts'
import { Arena } from '../../memory/arena.ts'
import { mergeSegments } from '../../segment/merge/segment-merger.ts'
import { openSegment, type StoredSegment } from '../../segment/segment-reader.ts'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { answerJobs } from '../job-thread.ts'
import type { MergeMessage, MergeOutcome } from './merge-runner.ts'

answerJobs(merge)

/** Reused by every merge: WebAssembly memory never shrinks and is freed late. */
let arena: Arena | undefined

const ARENA_BYTES_MAX = 4 * 1024 ** 3

async function merge({ folder, inputs, context, outputName }: MergeMessage): Promise<MergeOutcome> {
  const directory = new DiskDirectory(folder)
  const bytes = inputs.reduce((sum, { name }) => sum + (directory.size(name) ?? 0), 0)
  const room = Math.max(plannedMemory().mergeBytes, bytes * 2)
  if (arena === undefined || arena.limitBytes < room) arena = Arena.create(Math.min(ARENA_BYTES_MAX, room))
  const inUse = arena
  const opened: { reader: StoredSegment; kept: Uint32Array | undefined }[] = []
  try {
    for (const { name, kept } of inputs) {
      const file = {
        name,
        size: directory.size(name) ?? 0,
        read: (offset: number, target: Uint8Array) => directory.read(name, offset, target),
      }
      opened.push({ reader: openSegment(file, inUse), kept })
    }
    const merged = mergeSegments(opened, context)
    if (merged.docCount > 0) {
      directory.write(outputName, ...merged.chunks)
      await directory.sync(outputName)
    }
    noteGarbage(merged.size)
    return { docMaps: merged.docMaps, docCount: merged.docCount, synced: true }
  } finally {
    for (const { reader } of opened) reader.loader.free()
    directory.close()
  }
}
