/** Decides whether a process launches the writer thread before it loads the service. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EarlyWriter } from '../threads/writer/writer-start.ts'

/** Undefined if the service has no indices yet or writes in the main thread: it would not need the thread at its start. */
export function launchWriterEarly(options: {
  readonly threads: number
  readonly dataFolder: string
}): EarlyWriter | undefined {
  return options.threads > 0 && hasIndices(options.dataFolder) ? new EarlyWriter() : undefined
}

function hasIndices(dataFolder: string): boolean {
  try {
    return readdirSync(join(dataFolder, 'indices')).length > 0
  } catch {
    return false
  }
}
