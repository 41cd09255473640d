import { TransferClient } from '../transfer/transfer-client.ts'
import { ByteProgress } from './byte-progress.ts'
import type { SnapshotOptions } from './snapshot-options.ts'

/** Runs a command with a client that reports its retries beside the progress, and closes the client. */
export async function runWithProgress(
  options: SnapshotOptions,
  verb: string,
  run: (client: TransferClient, options: SnapshotOptions, progress: ByteProgress) => Promise<void>,
): Promise<void> {
  const progress = new ByteProgress(verb, options.isQuiet)
  const client = new TransferClient(options, (text) => progress.note(text))
  try {
    await run(client, options, progress)
  } finally {
    client.close()
  }
}
