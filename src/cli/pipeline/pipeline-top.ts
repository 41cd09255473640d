/**
 * `sandpiper pipeline top`: shows the event rate and the time per event of every plugin, read from the monitoring API.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { commandArguments } from '../arguments/command-arguments.ts'
import { printedHelp } from '../arguments/help.ts'
import { monitoringAddress, readMonitoring } from './monitoring-client.ts'

const HELP = `sandpiper pipeline top: shows the event rate and time of each plugin of the running pipelines, every two seconds

Usage
  sandpiper pipeline top [--api HOST:PORT] [--interval SECONDS] [--once]

Flags
  --api HOST:PORT       where the monitoring API listens (default: the first port from 9600 on that answers)
  --interval SECONDS    the time between two measurements (default 2)
  --once                print one measurement and exit

Columns: events taken and passed on per second, milliseconds spent per event, share of the time spent.
`

interface PluginStats {
  readonly id: string
  readonly name: string
  readonly events: { readonly in?: number; readonly out?: number; readonly duration_in_millis?: number }
}

interface Stats {
  readonly pipelines: Readonly<
    Record<
      string,
      {
        readonly plugins?: Readonly<Record<'inputs' | 'filters' | 'outputs', readonly PluginStats[]>>
        readonly queue?: { readonly events_count?: number }
      }
    >
  >
}

export async function pipelineTop(args: readonly string[]): Promise<void> {
  if (printedHelp(args, HELP)) return
  const { values } = commandArguments(args, HELP, {
    options: { api: { type: 'string' }, interval: { type: 'string' }, once: { type: 'boolean' } },
  })
  const address = await monitoringAddress(values.api)
  const intervalMs = Math.max(0.1, Number(values.interval ?? 2)) * 1000
  let before = await readMonitoring<Stats>(address, '/_node/stats')
  let beforeMs = performance.now()
  do {
    await sleep(intervalMs)
    const now = await readMonitoring<Stats>(address, '/_node/stats')
    const nowMs = performance.now()
    if (process.stdout.isTTY && values.once !== true) process.stdout.write('\x1b[2J\x1b[H')
    process.stdout.write(topTable(before, now, (nowMs - beforeMs) / 1000))
    before = now
    beforeMs = nowMs
  } while (values.once !== true)
}

/** Formats the difference between two samples as a table. */
export function topTable(before: Stats, now: Stats, seconds: number): string {
  let text = ''
  for (const [id, pipeline] of Object.entries(now.pipelines)) {
    const rows = (['inputs', 'filters', 'outputs'] as const).flatMap((kind) =>
      (pipeline.plugins?.[kind] ?? []).map((plugin) => {
        const old = before.pipelines[id]?.plugins?.[kind]?.find((one) => one.id === plugin.id)
        const grown = (name: 'in' | 'out' | 'duration_in_millis') =>
          (plugin.events[name] ?? 0) - (old?.events[name] ?? 0)
        return {
          kind: kind.slice(0, -1),
          plugin,
          taken: grown('in'),
          passed: grown('out'),
          ms: grown('duration_in_millis'),
        }
      }),
    )
    const allMs = rows.reduce((sum, { ms }) => sum + ms, 0)
    text += `pipeline ${id}, ${pipeline.queue?.events_count ?? 0} events in the queue\n`
    text += line('', 'plugin', 'id', 'in/s', 'out/s', 'ms/event', 'time')
    for (const { kind, plugin, taken, passed, ms } of rows) {
      const perEvent = taken > 0 ? (ms / taken).toFixed(3) : ''
      const share = allMs > 0 ? `${Math.round((ms / allMs) * 100)} %` : ''
      const takenShown = kind === 'input' ? '' : (taken / seconds).toFixed(0)
      text += line(kind, plugin.name, plugin.id, takenShown, (passed / seconds).toFixed(0), perEvent, share)
    }
  }
  return text
}

function line(kind: string, name: string, id: string, ...numbers: readonly string[]): string {
  const shown = numbers.map((number) => number.padStart(10)).join('')
  return `  ${kind.padEnd(7)} ${name.padEnd(16).slice(0, 16)} ${id.padEnd(24).slice(0, 24)}${shown}\n`
}
