/** `sandpiper snapshot`: has a running service copy indices into a repository, and shows the progress. */
import { setTimeout as delay } from 'node:timers/promises'
import { formatByteSize } from '../../base/byte-size.ts'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { parseAnswer, type TransferClient } from '../transfer/transfer-client.ts'
import type { ByteProgress } from './byte-progress.ts'
import { runWithProgress } from './run-with-progress.ts'
import { COMMON_HELP, parseSnapshotOptions, type SnapshotOptions } from './snapshot-options.ts'

const HELP = `sandpiper snapshot: copies indices of a running service into a snapshot repository

Usage
  sandpiper snapshot --repository NAME [flags]

Flags
  --repository NAME      name of the repository; --location registers a new one
  --location FOLDER      registers the repository in this folder, which must be below --path-repo of the service
  --name NAME            name of the snapshot (default snapshot-YYYY.MM.DD-HH.MM.SS)
  --indices NAMES        indices, separated by commas; * stands for any characters (default all)
  --no-global-state      leave templates, cluster settings, scripts and ingest pipelines out
${COMMON_HELP}

Segments that an earlier snapshot of the repository contains are not copied again. Writes continue meanwhile.

Example
  sandpiper serve --path-repo /backups
  sandpiper snapshot --repository nightly --location nightly
  sandpiper restore --repository nightly --indices 'logs-*'
`

const POLL_MS = 300

interface Listed {
  readonly state: string
  readonly indices: readonly string[]
  readonly shards: { readonly total: number; readonly failed: number }
  readonly failures: readonly { readonly index: string; readonly shard_id: number; readonly reason: string }[]
}

interface Status {
  readonly stats: Readonly<
    Record<'total' | 'incremental', { readonly file_count: number; readonly size_in_bytes: number }>
  >
}

export async function snapshot(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const options = parseSnapshotOptions(args, HELP, {
    name: { type: 'string' },
    location: { type: 'string' },
    'no-global-state': { type: 'boolean' },
  })
  await runWithProgress(options, 'copied', run)
}

async function run(client: TransferClient, options: SnapshotOptions, progress: ByteProgress): Promise<void> {
  const repository = encodeURIComponent(options.repository)
  const location = options.own['location']
  if (location !== undefined) {
    const body = JSON.stringify({ type: 'fs', settings: { location } })
    await client.need('cannot register the repository', 'PUT', `/_snapshot/${repository}`, body)
  }
  const name = (options.own['name'] as string | undefined) ?? nameOf(new Date())
  const path = `/_snapshot/${repository}/${encodeURIComponent(name)}`
  const body = JSON.stringify({
    ...(options.indices === undefined ? {} : { indices: options.indices }),
    include_global_state: options.own['no-global-state'] !== true,
  })
  await client.need('cannot create the snapshot', 'PUT', path, body)
  for (;;) {
    await delay(POLL_MS)
    const found = await client.find<{ snapshots: Listed[] }>('cannot read the snapshot', path)
    const listed = found?.snapshots[0]
    if (listed === undefined) throw new SettingsError(`the snapshot ${name} failed; the log of the service says why`)
    const answer = await client.need('cannot read the status', 'GET', `${path}/_status`)
    const status = parseAnswer<{ snapshots: Status[] }>('cannot read the status', answer).snapshots[0]!
    const { total, incremental } = status.stats
    progress.show(total.file_count, total.size_in_bytes, undefined)
    if (listed.state === 'IN_PROGRESS') continue
    for (const { index, shard_id: shard, reason } of listed.failures) progress.note(`[${index}][${shard}] ${reason}`)
    progress.note(
      `${listed.state}: ${name} holds ${listed.indices.length} indices in ${total.file_count} files, ` +
        `${formatByteSize(total.size_in_bytes)}; ${formatByteSize(incremental.size_in_bytes)} of them new`,
    )
    if (listed.state !== 'SUCCESS') process.exitCode = 1
    return
  }
}

const nameOf = (now: Date): string =>
  `snapshot-${now.toISOString().slice(0, 19).replaceAll('-', '.').replace('T', '-').replaceAll(':', '.')}`
