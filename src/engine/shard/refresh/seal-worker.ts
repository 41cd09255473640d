/** The sealing thread: writes buffers that another thread filled as segment files. */

import { noteGarbage } from '../../../base/memory/process-memory.ts'
import { reviveAnalyzer } from '../../analysis/index-analyzers/choose.ts'
import { threadListMemory } from '../../segment/buffer/list-memory.ts'
import { WriteBuffer } from '../../segment/buffer/write-buffer.ts'
import { sealSegment } from '../../segment/segment-writer.ts'
import { DiskDirectory } from '../../store/disk-directory.ts'
import { answerJobs } from '../job-thread.ts'
import type { SealMessage, SealOutcome } from './sealer.ts'

answerJobs(seal)

function seal({ folder, buffer, nestedPaths, outputName }: SealMessage): SealOutcome {
  const unpacked = WriteBuffer.unpack(buffer, { memory: threadListMemory, analyzer: reviveAnalyzer })
  const { chunks, docMap, live } = sealSegment(unpacked, { nestedPaths })
  new DiskDirectory(folder).write(outputName, ...chunks)
  unpacked.release()
  for (const { byteLength } of chunks) noteGarbage(byteLength)
  return { docMap, live }
}
