/**
 * `sandpiper pipeline --dry-run`: sends the lines of standard input through the filters of a configuration; outputs
 * receive nothing. With a second configuration (`--against`, or `sandpiper pipeline diff OLD NEW`) only events that
 * differ are shown.
 */
import { createInterface } from 'node:readline'
import type { Clock } from '../../base/clock.ts'
import { rubydebugText } from '../../pipeline/codecs/rubydebug.ts'
import { ConfigError } from '../../pipeline/config/config-error.ts'
import type { Section } from '../../pipeline/config/syntax-tree.ts'
import { type Difference, differences, kindOf } from '../../pipeline/dry-run/compare.ts'
import { DryRun } from '../../pipeline/dry-run/run-filters.ts'
import type { Event } from '../../pipeline/event/event.ts'
import type { EcsMode } from '../../pipeline/plugin/plugin-context.ts'
import type { Allowance } from '../../pipeline/plugin/touches.ts'
import { printedHelp } from '../arguments/help.ts'
import { DIFF_HELP } from './pipeline-help.ts'
import { FlagError, type PipelineSettingValues } from './pipeline-settings.ts'

/** Reads the configuration sections named by `path.config` or `config.string`. */
type ReadSections = (settings: PipelineSettingValues) => Section[] | undefined

export async function dryRun(
  settings: PipelineSettingValues,
  { against, mayTouch }: { readonly against: string | undefined; readonly mayTouch: Allowance },
  read: ReadSections,
): Promise<void> {
  try {
    const after = await open(settings, read, mayTouch)
    if (against === undefined) return await show(after)
    const older = settings.without('config.string').with(new Map([['path.config', against]]))
    await compare(await open(older, read, mayTouch), after)
  } catch (error) {
    if (error instanceof ConfigError) throw new FlagError(error.message)
    throw error
  }
}

export async function pipelineDiff(args: readonly string[]): Promise<void> {
  if (printedHelp(args, DIFF_HELP)) return
  const [before, after] = args
  if (before === undefined || after === undefined || args.length > 2) throw new FlagError(DIFF_HELP)
  const { pipeline } = await import('./pipeline.ts')
  await pipeline(['--dry-run', '-f', after, '--against', before])
}

async function open(settings: PipelineSettingValues, read: ReadSections, mayTouch: Allowance): Promise<DryRun> {
  const sections = read(settings)
  if (sections === undefined) throw new FlagError(`no configuration at ${settings.text('path.config')}`)
  return DryRun.open(sections, {
    environment: settings.environment,
    clock: ONE_MOMENT,
    mayTouch,
    ecs: settings.text('pipeline.ecs_compatibility') as EcsMode,
  })
}

/** Both configurations use the same time. Otherwise every `@timestamp` would differ. */
const startMs = Date.now()
const ONE_MOMENT: Clock = { nowMs: () => startMs }

async function show(run: DryRun): Promise<void> {
  let count = 0
  const shown = { events: 0, tags: new Map<string, number>() }
  const print = (events: readonly Event[]) => {
    for (const event of events) {
      shown.events++
      for (const tag of tagsOf(event)) shown.tags.set(tag, (shown.tags.get(tag) ?? 0) + 1)
      process.stdout.write(rubydebugText(event.fields))
    }
  }
  for await (const line of lines()) {
    count++
    print(await run.take([line]))
  }
  print(await run.finish())
  const tags = [...shown.tags].map(([tag, events]) => `, ${events} tagged ${tag}`).join('')
  // On standard error, so that the events can be passed on.
  process.stderr.write(`${counted(count, 'line')}, ${counted(shown.events, 'event')}${tags}\n`)
}

/** Shows the first line of each kind of difference, and at the end how many others differ in the same way. */
async function compare(before: DryRun, after: DryRun): Promise<void> {
  let count = 0
  const kinds = new Map<string, number>()
  for await (const line of lines()) {
    count++
    const found = differencesOf(await before.takeAsJson([line]), await after.takeAsJson([line]))
    if (found.length === 0) continue
    const key = kindOf(found)
    const known = kinds.get(key) ?? 0
    kinds.set(key, known + 1)
    if (known === 0)
      process.stdout.write(`${line}\n${found.map(({ sign, path, value }) => `  ${sign} ${path} ${value}\n`).join('')}`)
  }
  for (const [key, lines] of kinds) {
    if (lines > 1) process.stdout.write(`${counted(lines - 1, 'further line')} with ${key}\n`)
  }
  const different = [...kinds.values()].reduce((sum, lines) => sum + lines, 0)
  process.stdout.write(`${different} of ${count} lines come out differently\n`)
  if (different > 0) process.exitCode = 1
}

function differencesOf(old: readonly unknown[], now: readonly unknown[]): Difference[] {
  if (old.length === now.length) return old.flatMap((event, i) => differences(event, now[i]))
  return [
    { sign: '-', path: 'events', value: String(old.length) },
    { sign: '+', path: 'events', value: String(now.length) },
  ]
}

function tagsOf({ fields }: Event): readonly string[] {
  const tags = fields['tags'] ?? []
  return Array.isArray(tags) ? tags.map(String) : [String(tags)]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function lines(): AsyncIterable<string> {
  return createInterface({ input: process.stdin })
}
