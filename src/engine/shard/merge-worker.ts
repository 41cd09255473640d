/** The merge thread: opens the input files in memory of its own, writes and syncs the merged one, and sends the maps. */
import { parentPort } from 'node:worker_threads'
import { Arena } from '../memory/arena.ts'
import { CorruptSegmentError } from '../segment/segment-file.ts'
import { mergeSegments } from '../segment/segment-merger.ts'
import { openSegment } from '../segment/segment-reader.ts'
import { DiskDirectory } from '../store/disk-directory.ts'
import type { MergeMessage, MergeReply } from './merge-runner.ts'

const ARENA_BYTES_MAX = 4 * 1024 ** 3

parentPort!.on('message', (message: MergeMessage) => {
  merge(message).then(
    (reply) => parentPort!.postMessage(reply),
    (error: NodeJS.ErrnoException) => {
      const corrupt = error instanceof CorruptSegmentError
      parentPort!.postMessage({ error: error.message, code: error.code, corrupt } satisfies MergeReply)
    },
  )
})

async function merge({ folder, inputs, context, outputName }: MergeMessage): Promise<MergeReply> {
  const directory = new DiskDirectory(folder)
  const arena = Arena.create(ARENA_BYTES_MAX)
  try {
    const opened = inputs.map(({ name, live }) => {
      const file = {
        name,
        size: directory.size(name) ?? 0,
        read: (offset: number, target: Uint8Array) => directory.read(name, offset, target),
      }
      return { reader: openSegment(file, arena), live }
    })
    const merged = mergeSegments(opened, context)
    if (merged.docCount > 0) {
      directory.write(outputName, ...merged.chunks)
      await directory.sync(outputName)
    }
    return { outcome: { docMaps: merged.docMaps, docCount: merged.docCount, synced: true } }
  } finally {
    directory.close()
  }
}
