/** Decides whether `sandpiper serve` launches the writer thread before it loads the service. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { EarlyWriter } from '../../threads/writer/writer-start.ts'
import type { Settings } from './settings.ts'

/** Undefined if the service has no indices yet or writes in the main thread: it would not need the thread at its start. */
export function launchWriterEarly({ threads, cluster, data }: Settings): EarlyWriter | undefined {
  return threads > 0 && cluster === undefined && hasIndices(data) ? new EarlyWriter() : undefined
}

function hasIndices(data: string): boolean {
  try {
    return readdirSync(join(data, 'indices')).length > 0
  } catch {
    return false
  }
}
