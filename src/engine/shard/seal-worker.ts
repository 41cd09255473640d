/** The sealing thread: turns buffers that another thread filled into segment files. */
import { sealSegment } from '../segment/segment-writer.ts'
import { WriteBuffer } from '../segment/write-buffer.ts'
import { DiskDirectory } from '../store/disk-directory.ts'
import { answerJobs } from './job-thread.ts'
import type { SealMessage, SealOutcome } from './sealer.ts'

answerJobs(seal)

function seal({ folder, buffer, nestedPaths, outputName }: SealMessage): SealOutcome {
  const { chunks, docMap, live } = sealSegment(WriteBuffer.unpack(buffer), { nestedPaths })
  new DiskDirectory(folder).write(outputName, ...chunks)
  return { docMap, live }
}
