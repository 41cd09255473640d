/** The thread that copies files of snapshots. Started by `file-copier.ts`. */
import { parentPort } from 'node:worker_threads'
import { type CopyJob, runCopy } from './copy-file.ts'

const port = parentPort!

port.on('message', ({ id, job }: { id: number; job: CopyJob }) => {
  try {
    port.postMessage({ id, value: runCopy(job) })
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    port.postMessage({ id, error: { message, code } })
  }
})
