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
import { difference } from '../../pipeline/dry-run/compare.ts'
import { DryRun } from '../../pipeline/dry-run/run-filters.ts'
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
  for await (const line of lines()) {
    for (const event of await run.take([line])) process.stdout.write(rubydebugText(event.fields))
  }
  for (const event of await run.finish()) process.stdout.write(rubydebugText(event.fields))
}

async function compare(before: DryRun, after: DryRun): Promise<void> {
  let count = 0
  let different = 0
  for await (const line of lines()) {
    count++
    const [old, now] = [await before.takeAsJson([line]), await after.takeAsJson([line])]
    const found =
      old.length === now.length
        ? old.flatMap((event, i) => difference(event, now[i]))
        : [`- ${old.length} events`, `+ ${now.length} events`]
    if (found.length === 0) continue
    different++
    process.stdout.write(`${line}\n${found.map((one) => `  ${one}\n`).join('')}`)
  }
  process.stdout.write(`${different} of ${count} lines come out differently\n`)
  if (different > 0) process.exitCode = 1
}

function lines(): AsyncIterable<string> {
  return createInterface({ input: process.stdin })
}
