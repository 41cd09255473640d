/** The merge thread: opens the input files in memory of its own, writes and syncs the merged one, and sends the maps. */
import { Arena } from '../../memory/arena.ts'
import { mergeSegments } from '../../segment/merge/segment-merger.ts'
import { openSegment } from '../../segment/segment-reader.ts'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { answerJobs } from '../job-thread.ts'
import type { MergeMessage, MergeOutcome } from './merge-runner.ts'

const ARENA_BYTES_MAX = 4 * 1024 ** 3

answerJobs(merge)

async function merge({ folder, inputs, context, outputName }: MergeMessage): Promise<MergeOutcome> {
  const directory = new DiskDirectory(folder)
  const arena = Arena.create(ARENA_BYTES_MAX)
  try {
    const opened = inputs.map(({ name, kept }) => {
      const file = {
        name,
        size: directory.size(name) ?? 0,
        read: (offset: number, target: Uint8Array) => directory.read(name, offset, target),
      }
      return { reader: openSegment(file, arena), kept }
    })
    const merged = mergeSegments(opened, context)
    if (merged.docCount > 0) {
      directory.write(outputName, ...merged.chunks)
      await directory.sync(outputName)
    }
    return { docMaps: merged.docMaps, docCount: merged.docCount, synced: true }
  } finally {
    directory.close()
  }
}
