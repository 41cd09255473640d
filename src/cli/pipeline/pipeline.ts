/** `sandpiper pipeline`: runs Logstash configuration files. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Clock } from '../../base/clock.ts'
import { systemClock } from '../../base/clock.ts'
import { packageVersion } from '../../base/version.ts'
import { ConfigError } from '../../pipeline/config/config-error.ts'
import { findConfigFiles, parseConfigFiles, readConfigFile } from '../../pipeline/config/config-files.ts'
import { parseConfig } from '../../pipeline/config/parser.ts'
import type { Section } from '../../pipeline/config/syntax-tree.ts'
import { chooseEscapeStyle, type EscapeStyle } from '../../pipeline/event/field-reference.ts'
import type { EcsMode } from '../../pipeline/plugin/plugin-context.ts'
import { EVERYTHING } from '../../pipeline/plugin/touches.ts'
import { type BuiltPipeline, buildPipeline } from '../../pipeline/runner/build.ts'
import { lockDataFolder } from '../../pipeline/runner/data-lock.ts'
import { Pipeline } from '../../pipeline/runner/pipeline.ts'
import { createPipelineLog, type PipelineLog, type PipelineLogLevel } from '../../pipeline/runner/pipeline-log.ts'
import { type ReloadableSource, ReloadingPipeline, type StartedPipeline } from '../../pipeline/runner/reload.ts'
import type { PipelineSettings } from '../../pipeline/runner/settings.ts'
import { refuseForeignFolder } from '../arguments/data-folder.ts'
import { printHelp } from '../arguments/help.ts'
import { withKeystore } from './keystore-password.ts'
import { DRY_RUN_HELP, pipelineHelp } from './pipeline-help.ts'
import { describePipeline, startMonitoring, weaknessOfPassword } from './pipeline-monitoring.ts'
import { openDeadLetters, openQueue } from './pipeline-queue.ts'
import { PipelineSet } from './pipeline-set.ts'
import {
  FlagError,
  loadSettings,
  type PipelineSettingValues,
  parseFlags,
  parseYaml,
  readSettings,
  trialAllowance,
} from './pipeline-settings.ts'
import { stopOnSignals } from './pipeline-signals.ts'

export async function pipeline(args: readonly string[]): Promise<void> {
  try {
    await run(args)
  } catch (error) {
    if (!(error instanceof FlagError)) throw error
    process.stderr.write(`${error.message}\n\nsee: sandpiper pipeline --help\n`)
    process.exitCode = 1
  }
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'test') return (await import('./pipeline-test.ts')).pipelineTest(args.slice(1))
  if (args[0] === 'tap') return (await import('./pipeline-tap.ts')).pipelineTap(args.slice(1))
  if (args[0] === 'top') return (await import('./pipeline-top.ts')).pipelineTop(args.slice(1))
  if (args[0] === 'diff') return (await import('./pipeline-dry-run.ts')).pipelineDiff(args.slice(1))
  const {
    flags,
    warnings: flagWarnings,
    wantsHelp,
    wantsVersion,
    wantsDryRun,
    against,
    allowsNetwork,
    report,
  } = parseFlags(args)
  if (wantsHelp) return printHelp(wantsDryRun ? DRY_RUN_HELP : pipelineHelp())
  if (wantsVersion) return void process.stdout.write(`sandpiper ${packageVersion()}\n`)
  const environment = await withKeystore(String(flags.get('path.settings') ?? 'config'), process.env)
  const { settings, warnings } = loadSettings(flags, environment)
  const log = createPipelineLog({
    level: settings.text('log.level') as PipelineLogLevel,
    format: settings.text('log.format') as 'plain' | 'json',
    folder: settings.optional('path.logs'),
  })
  for (const warning of [...flagWarnings, ...warnings]) log.warn(warning)
  chooseEscapeStyle(settings.text('config.field_reference.escape_style') as EscapeStyle)
  if (report !== undefined) {
    const { pipelineReport } = await import('./pipeline-report.ts')
    return pipelineReport(report, settings.text('pipeline.ecs_compatibility') as EcsMode)
  }
  const definitions = pipelineDefinitions(settings, log)
  if (definitions === undefined) {
    process.exitCode = 1
    return
  }
  for (const definition of definitions) checkTogether(definition, log)
  if (wantsDryRun) {
    const { dryRun } = await import('./pipeline-dry-run.ts')
    const mayTouch = trialAllowance(allowsNetwork)
    return dryRun(definitions[0]!, { against, mayTouch }, (own) => readSections(own, log))
  }
  await (settings.flag('config.test_and_exit')
    ? check(definitions, log)
    : runAll(definitions, resolve(settings.text('path.data')), log, rereading(settings, log)))
}

/** The settings of each pipeline to run: a single one, or those of `pipelines.yml`. */
function pipelineDefinitions(settings: PipelineSettingValues, log: PipelineLog): PipelineSettingValues[] | undefined {
  const hasFile = settings.has('path.config')
  const hasText = settings.has('config.string')
  if (hasFile && hasText) {
    log.fatal("Settings 'path.config' (-f) and 'config.string' (-e) can't be used simultaneously.")
    return undefined
  }
  if (hasText && settings.flag('config.reload.automatic')) {
    log.fatal("Configuration reloading can't be used with 'config.string' (-e).")
    return undefined
  }
  if (hasFile || hasText) return [settings]
  const file = join(resolve(settings.text('path.settings')), 'pipelines.yml')
  if (!existsSync(file)) {
    log.fatal(`No configuration: give -f FILE or -e TEXT, or a pipelines.yml (looked for ${file})`)
    return undefined
  }
  return readPipelinesFile(file, settings, log)
}

/** A function that rereads `pipelines.yml`; undefined if the configuration comes from elsewhere. */
function rereading(settings: PipelineSettingValues, log: PipelineLog): (() => PipelineSettingValues[]) | undefined {
  if (settings.has('path.config') || settings.has('config.string')) return undefined
  const file = join(resolve(settings.text('path.settings')), 'pipelines.yml')
  return () => {
    const definitions = readPipelinesFile(file, settings, log)
    for (const definition of definitions) checkTogether(definition, log)
    return definitions
  }
}

function readPipelinesFile(file: string, settings: PipelineSettingValues, log: PipelineLog): PipelineSettingValues[] {
  const items = parseYaml(readFileSync(file, 'utf8'), file)
  if (items === null || items === undefined) throw new FlagError(`Pipelines YAML file is empty. Location: ${file}`)
  if (!Array.isArray(items)) {
    const found = typeof items === 'object' ? 'Hash' : typeof items
    throw new FlagError(`Pipelines YAML file must contain an array of pipeline configs. Found "${found}" in ${file}`)
  }
  const definitions = items.map((item: unknown) => {
    const { values, warnings } = readSettings(item, settings.environment)
    for (const warning of warnings) log.warn(`${warning} (${file})`)
    return settings.with(values)
  })
  const ids = definitions.map((definition) => definition.text('pipeline.id'))
  const twice = ids.find((id, i) => ids.indexOf(id) !== i)
  if (twice !== undefined)
    throw new FlagError(`Pipelines YAML file contains duplicate pipeline ids: ["${twice}"]. Location: ${file}`)
  return definitions
}

/** Rejects settings that are valid alone but contradict each other or require something that is missing. */
function checkTogether(settings: PipelineSettingValues, log: PipelineLog): void {
  const refuse = (reason: string) => {
    throw new FlagError(`Your settings are invalid. Reason: ${reason}`)
  }
  if (settings.text('pipeline.ordered') === 'true' && settings.number('pipeline.workers') > 1) {
    refuse("enabling the 'pipeline.ordered' setting requires the use of a single pipeline worker (-w 1)")
  }
  if (!settings.flag('allow_superuser') && process.getuid?.() === 0) {
    refuse('allow_superuser is false, and this is the superuser: start as another user')
  }
  const weak = weaknessOfPassword(settings)
  if (weak !== undefined && settings.text('api.auth.basic.password_policy.mode') === 'ERROR') refuse(weak)
  if (weak !== undefined) log.warn(weak)
}

const DEFAULT_INPUT = 'input { stdin { type => stdin } }'
const DEFAULT_OUTPUT = 'output { stdout { codec => rubydebug } }'

function readSections(settings: PipelineSettingValues, log: PipelineLog): Section[] | undefined {
  const options = { supportEscapes: settings.flag('config.support_escapes') }
  const text = settings.optional('config.string')
  if (text !== undefined) {
    const sections = parseConfig(text, undefined, options)
    if (!sections.some(({ kind }) => kind === 'input')) sections.push(...parseConfig(DEFAULT_INPUT))
    if (!sections.some(({ kind }) => kind === 'output')) sections.push(...parseConfig(DEFAULT_OUTPUT))
    return sections
  }
  const pattern = settings.text('path.config')
  const { paths, skipped } = findConfigFiles(pattern)
  for (const path of skipped) log.warn(`Skipping a backup file: ${path}`)
  if (paths.length > 0) return parseConfigFiles(paths.map(readConfigFile), options)
  log.error('No config files found in path', { path: pattern })
  return undefined
}

async function check(definitions: readonly PipelineSettingValues[], log: PipelineLog): Promise<void> {
  for (const settings of definitions) {
    try {
      const sections = readSections(settings, log)
      if (sections === undefined) throw new ConfigError([{ message: 'No config files found' }])
      sayEcsModes(settings, await buildPipeline(sections, runSettings(settings, log)), log)
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error
      log.fatal(`The given configuration is invalid. Reason: ${error.message}`)
      process.exitCode = 1
      return
    }
  }
  process.stdout.write('Configuration OK\n')
}

/** `reread` returns the current definitions if they come from a file. */
async function runAll(
  definitions: readonly PipelineSettingValues[],
  dataFolder: string,
  log: PipelineLog,
  reread: (() => PipelineSettingValues[]) | undefined,
): Promise<void> {
  try {
    refuseForeignFolder(dataFolder, 'pipeline', '--path.data')
    process.on('exit', lockDataFolder(dataFolder))
  } catch (error) {
    log.fatal((error as Error).message)
    process.exitCode = 1
    return
  }
  const running = new PipelineSet((settings) => startOne(settings, log), log)
  await running.follow(definitions)
  if (running.size === 0) {
    process.exitCode = 1
    return
  }
  const [first] = definitions
  const describe = () => running.all.map(({ settings, pipeline: one }) => describePipeline(settings, one))
  void startMonitoring(first!, describe, log)
  stopOnSignals(running, first!.flag('pipeline.unsafe_shutdown'), log)
  // The reader of our output has exited (`| head`), so nothing can be written any more.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(1)
  })
  if (reread !== undefined) running.watch(reread, first!.flag('config.reload.automatic') ? reloadMs(first!) : undefined)
  if (!(await running.ended())) process.exitCode = 1
  // Signal handlers and idle sockets must not keep a finished process alive.
  process.exit()
}

function reloadMs(settings: PipelineSettingValues): number {
  return settings.durationMs('config.reload.interval')
}

async function startOne(settings: PipelineSettingValues, log: PipelineLog): Promise<ReloadingPipeline | undefined> {
  const id = settings.text('pipeline.id')
  const reloads = settings.flag('config.reload.automatic')
  // After a reload, file inputs continue at their old positions.
  let isFirst = true
  const source: ReloadableSource = {
    read: () => configText(settings),
    build() {
      const readsFromBeginning = isFirst && settings.flag('file.from_beginning')
      isFirst = false
      return buildOne(settings, log, readsFromBeginning)
    },
  }
  const intervalMs = reloads ? settings.durationMs('config.reload.interval') : undefined
  const pipeline = new ReloadingPipeline(source, { intervalMs, log })
  try {
    await pipeline.start()
    return pipeline
  } catch (error) {
    log.error(`Failed to execute action to start pipeline ${id}: ${(error as Error).message}`)
    return undefined
  }
}

async function buildOne(
  settings: PipelineSettingValues,
  log: PipelineLog,
  readsFromBeginning = false,
): Promise<StartedPipeline> {
  const sections = readSections(settings, log)
  if (sections === undefined) throw new ConfigError([{ message: 'No config files found in path' }])
  const own = { ...runSettings(settings, log), readsFromBeginning }
  const built = await buildPipeline(sections, own)
  sayEcsModes(settings, built, log)
  let pipeline: Pipeline | undefined
  return {
    get pipeline() {
      return pipeline!
    },
    // A persistent queue belongs to one pipeline at a time. It is opened here because the old pipeline has ended by
    // now.
    async start() {
      pipeline = new Pipeline(built, await openQueue(settings, own), own)
      await pipeline.start()
    },
    reloadable: settings.flag('pipeline.reloadable') && !built.inputs.some(({ name }) => name === 'stdin'),
  }
}

/** Says in one line which names fields have, if a plugin of the pipeline depends on that. */
function sayEcsModes(settings: PipelineSettingValues, { ecsModes }: BuiltPipeline, log: PipelineLog): void {
  const parts = [...ecsModes].flatMap(([mode, names]) => (names.length === 0 ? [] : `${mode}: ${names.join(', ')}`))
  if (parts.length === 0) return
  const setting = settings.text('pipeline.ecs_compatibility')
  log.info(
    `Pipeline ${settings.text('pipeline.id')} runs with pipeline.ecs_compatibility ${setting}. Fields by mode: ${parts.join('; ')}`,
  )
}

/** The complete text a configuration depends on, used to detect changes. */
function configText(settings: PipelineSettingValues): string {
  const text = settings.optional('config.string')
  if (text !== undefined) return text
  const { paths } = findConfigFiles(settings.text('path.config'))
  return paths.map((path) => `${path}\n${readFileSync(path, 'utf8')}`).join('\n')
}

/** CPU time per event above which filters move to threads: ten times the cost of moving an event between threads. */
const HEAVY_EVENT_MS = 0.15

function runSettings(settings: PipelineSettingValues, log: PipelineLog): PipelineSettings {
  return {
    id: settings.text('pipeline.id'),
    workers: Math.max(1, settings.number('pipeline.workers')),
    batchSize: Math.max(1, settings.number('pipeline.batch.size')),
    batchDelayMs: settings.number('pipeline.batch.delay'),
    ecs: settings.text('pipeline.ecs_compatibility') as EcsMode,
    supportEscapes: settings.flag('config.support_escapes'),
    dataFolder: resolve(settings.text('path.data')),
    hostName: settings.text('node.name'),
    environment: settings.environment,
    clock: clockFromEnvironment(),
    log,
    heavyEventMs: HEAVY_EVENT_MS,
    mayTouch: EVERYTHING,
    deadLetters: openDeadLetters(settings, log),
  }
}

/** The fixed time of a test case, used for dates without a year. */
function clockFromEnvironment(): Clock {
  const now = process.env['SANDPIPER_TEST_NOW']
  const ms = now === undefined ? Number.NaN : Date.parse(now)
  return Number.isNaN(ms) ? systemClock : { nowMs: () => ms }
}
