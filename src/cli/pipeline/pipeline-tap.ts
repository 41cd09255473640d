/** `sandpiper pipeline tap`: shows live events before and after a filter, read from the monitoring API. */
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { commandArguments } from '../arguments/command-arguments.ts'
import { printedHelp } from '../arguments/help.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { usageError } from '../arguments/usage-error.ts'
import { monitoringAddress, readMonitoring, requestMonitoring } from './monitoring-client.ts'

const HELP = `sandpiper pipeline tap: shows live events before and after a filter of a running pipeline

Usage
  sandpiper pipeline tap FILTER [--pipeline ID] [--limit N] [--api HOST:PORT]

FILTER is the id of a filter (id => "…" in its configuration), or its name for all filters of that name.

Flags
  --pipeline ID      id of the pipeline (default main)
  --limit N          number of events (default 100)
  --api HOST:PORT    where the monitoring API listens (default: the first port from 9600 on that answers)

Example
  sandpiper pipeline tap grok --limit 5
`

interface Stats {
  readonly pipelines: Readonly<
    Record<string, { readonly plugins?: { readonly filters?: readonly { id: string; name: string }[] } }>
  >
}

export async function pipelineTap(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const { values, positionals } = commandArguments(args, HELP, {
    options: { api: { type: 'string' }, pipeline: { type: 'string' }, limit: { type: 'string' } },
    allowPositionals: true,
  })
  const [filter, extra] = positionals
  if (filter === undefined || extra !== undefined) throw usageError(HELP, 'tap needs the id of one filter')
  const address = await monitoringAddress(values.api)
  const pipeline = values.pipeline ?? 'main'
  const path = `/_node/pipelines/${encodeURIComponent(pipeline)}/tap/${encodeURIComponent(filter)}`
  const answer = await requestMonitoring(`${address}${path}?limit=${Number(values.limit ?? 100)}`)
  if (!answer.ok || answer.body === null) throw new SettingsError(await whatThereIs(address, pipeline, filter))
  for await (const line of createInterface({ input: Readable.fromWeb(answer.body as never) })) {
    const { stage, event } = JSON.parse(line) as { stage: string; event: unknown }
    process.stdout.write(`${stage.padEnd(6)} ${JSON.stringify(event)}\n`)
  }
}

async function whatThereIs(address: string, pipeline: string, filter: string): Promise<string> {
  const { pipelines } = await readMonitoring<Stats>(address, '/_node/stats')
  const one = pipelines[pipeline]
  if (one === undefined) return `no pipeline ${pipeline}; there is ${Object.keys(pipelines).join(', ')}`
  const filters = (one.plugins?.filters ?? []).map(({ id, name }) => `${name} (${id})`)
  return `no filter ${filter} in pipeline ${pipeline}; there is ${filters.join(', ') || 'none'}`
}
