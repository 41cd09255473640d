/** `sandpiper restore`: has a running service restore indices from a snapshot, and shows the progress. */
import { setTimeout as delay } from 'node:timers/promises'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { parseAnswer, type TransferClient } from '../transfer/transfer-client.ts'
import type { ByteProgress } from './byte-progress.ts'
import { runWithProgress } from './run-with-progress.ts'
import { COMMON_HELP, parseSnapshotOptions, type SnapshotOptions } from './snapshot-options.ts'

const HELP = `sandpiper restore: restores indices from a snapshot

Usage
  sandpiper restore --repository NAME [flags]

Flags
  --repository NAME      name of a registered repository
  --location FOLDER      registers the repository in this folder first, as read-only
  --name NAME            name of the snapshot (default the newest one)
  --indices NAMES        indices, separated by commas; * stands for any characters (default all)
  --rename PATTERN       a regular expression for names of indices, used with --to
  --to REPLACEMENT       replacement of each match; $1 stands for the first group
  --global-state         restore templates, cluster settings, scripts and ingest pipelines, too
${COMMON_HELP}

An open index of the same name prevents the restore; delete or close it, or restore under another name.

Example
  sandpiper restore --repository nightly --indices books --rename '(.+)' --to 'restored-$1'
`

const POLL_MS = 300

interface Restore {
  readonly repository: string
  readonly snapshot: string
  readonly indices: readonly string[]
  readonly state: 'running' | 'done' | 'failed'
  readonly files_done: number
  readonly bytes_done: number
  readonly bytes_total: number
  readonly reason?: string
}

export async function restore(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const options = parseSnapshotOptions(args, HELP, {
    name: { type: 'string' },
    location: { type: 'string' },
    rename: { type: 'string' },
    to: { type: 'string' },
    'global-state': { type: 'boolean' },
  })
  await runWithProgress(options, 'restored', run)
}

async function run(client: TransferClient, options: SnapshotOptions, progress: ByteProgress): Promise<void> {
  const repository = encodeURIComponent(options.repository)
  const { location, rename, to } = options.own
  if ((rename === undefined) !== (to === undefined)) throw new SettingsError('--rename and --to belong together')
  if (location !== undefined) {
    const body = JSON.stringify({ type: 'fs', settings: { location, readonly: true } })
    await client.need('cannot register the repository', 'PUT', `/_snapshot/${repository}`, body)
  }
  const name = (options.own['name'] as string | undefined) ?? (await newest(client, repository))
  const body = JSON.stringify({
    ...(options.indices === undefined ? {} : { indices: options.indices }),
    ...(rename === undefined ? {} : { rename_pattern: rename, rename_replacement: to }),
    include_global_state: options.own['global-state'] === true,
  })
  await client.need('cannot restore', 'POST', `/_snapshot/${repository}/${encodeURIComponent(name)}/_restore`, body)
  for (;;) {
    await delay(POLL_MS)
    const answer = await client.need('cannot read the progress', 'GET', '/_sandpiper/restores')
    const { restores } = parseAnswer<{ restores: Restore[] }>('cannot read the progress', answer)
    const found = restores.findLast((one) => one.repository === options.repository && one.snapshot === name)
    if (found === undefined) throw new SettingsError('the service has started anew: the restore is given up')
    progress.show(found.files_done, found.bytes_done, found.bytes_total)
    if (found.state === 'failed') throw new SettingsError(`the restore failed: ${found.reason}`)
    if (found.state === 'done') {
      progress.note(`restored ${found.indices.length} indices of ${name}: ${found.indices.join(', ')}`)
      return
    }
  }
}

async function newest(client: TransferClient, repository: string): Promise<string> {
  const path = `/_snapshot/${repository}/_all?sort=start_time&order=desc&size=1`
  const answer = await client.need('cannot read the repository', 'GET', path)
  const { snapshots } = parseAnswer<{ snapshots: { snapshot: string }[] }>('cannot read the repository', answer)
  if (snapshots[0] === undefined) throw new SettingsError('the repository has no snapshots')
  return snapshots[0].snapshot
}
