/**
 * Flags and settings of the pipeline tool, with Logstash's names, defaults and messages. A flag overrides
 * `logstash.yml`, which overrides the default.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism, hostname } from 'node:os'
import { join, resolve } from 'node:path'
import { parseDuration } from '../../base/duration.ts'
import { closestWords } from '../../base/suggest.ts'
import { type Environment, substituteVariables } from '../../pipeline/config/environment.ts'
import { type Allowance, EVERYTHING, thisMachine } from '../../pipeline/plugin/touches.ts'
import { standardPipelineFolder } from '../arguments/data-folder.ts'

export type SettingValue = string | number | boolean
type Kind = 'text' | 'number' | 'boolean' | 'duration' | 'size'

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']

interface Definition {
  readonly kind: Kind
  readonly standard: SettingValue | undefined
  /** Short and deprecated names of the flag. */
  readonly flags?: readonly string[]
  readonly about?: string
  /** The allowed values. */
  readonly words?: readonly string[]
}

const text = (standard?: string, flags?: string[], about?: string): Definition =>
  definition('text', standard, flags, about)
const number = (standard: number, flags?: string[], about?: string) => definition('number', standard, flags, about)
const flag = (standard: boolean, flags?: string[], about?: string) => definition('boolean', standard, flags, about)
const duration = (standard: string, about?: string) => definition('duration', standard, undefined, about)
const size = (standard: string) => definition('size', standard)
/** The first value is the default, unless `standard` names another. */
const words = (all: readonly string[], about?: string, standard = all[0]): Definition => ({
  ...definition('text', standard, undefined, about),
  words: all,
})

function definition(kind: Kind, standard: SettingValue | undefined, flags?: string[], about?: string): Definition {
  return { kind, standard, ...(flags === undefined ? {} : { flags }), ...(about === undefined ? {} : { about }) }
}

export const DEFINITIONS: Readonly<Record<string, Definition>> = {
  'path.config': text(undefined, ['-f'], 'configuration file, folder or pattern'),
  'config.string': text(undefined, ['-e'], 'the configuration itself'),
  'config.test_and_exit': flag(false, ['-t'], 'check the configuration and exit'),
  'config.reload.automatic': flag(false, ['-r'], 'run the new configuration when it changes'),
  'config.reload.interval': duration('3s', 'how often to look for changes'),
  'config.debug': flag(false),
  'config.support_escapes': flag(false),
  'config.field_reference.escape_style': {
    ...words(['none', 'percent', 'ampersand']),
    flags: ['--field-reference-escape-style'],
  },
  'file.from_beginning': flag(
    false,
    ['--from-beginning'],
    'read files from their start once, whatever their positions are',
  ),
  'pipeline.id': text('main'),
  'pipeline.workers': number(availableParallelism(), ['-w'], 'batches in flight at once'),
  'pipeline.batch.size': number(125, ['-b'], 'events a worker takes at once'),
  'pipeline.batch.delay': number(50, ['-u'], 'milliseconds to wait for a full batch'),
  'pipeline.ordered': words(['auto', 'true', 'false'], 'true: events leave as they came, with one worker only'),
  'pipeline.ecs_compatibility': words(
    ['disabled', 'v1', 'v8'],
    'v8: fields of the Elastic Common Schema; disabled: those of Logstash 7',
    'v8',
  ),
  'pipeline.unsafe_shutdown': flag(false),
  'pipeline.reloadable': flag(true),
  'pipeline.separate_logs': flag(false),
  'pipeline.system': flag(false),
  'node.name': text(hostname(), ['-n']),
  'path.data': text(standardPipelineFolder(), undefined, 'where positions and queues are kept'),
  'path.logs': text(undefined, ['-l'], 'folder of the log file'),
  'path.settings': text('config', undefined, 'folder of logstash.yml and pipelines.yml'),
  'path.plugins': text(undefined, ['-p']),
  'path.queue': text(),
  'path.dead_letter_queue': text(),
  'log.level': words(LEVELS, 'fatal, error, warn, info, debug or trace', 'info'),
  'log.format': words(['plain', 'json'], 'plain or json'),
  'log.format.json.fix_duplicate_message_fields': flag(true),
  'api.enabled': flag(true, undefined, 'the monitoring API, http://127.0.0.1:9600/_node/stats'),
  'api.http.host': text('127.0.0.1'),
  'api.http.port': text('9600-9700', undefined, 'its port, or the ports to try'),
  'api.environment': text('production'),
  'api.auth.type': words(['none', 'basic']),
  'api.auth.basic.username': text(),
  'api.auth.basic.password': text(),
  'api.ssl.enabled': flag(false),
  'metric.collect': flag(true),
  allow_superuser: flag(true),
  'queue.type': words(['memory', 'persisted'], 'persisted: what was taken in survives a crash'),
  'queue.page_capacity': size('64mb'),
  'queue.max_bytes': size('1024mb'),
  'queue.max_events': number(0),
  'queue.checkpoint.acks': number(1024),
  'queue.checkpoint.writes': number(1024),
  'queue.checkpoint.interval': number(1000),
  'queue.checkpoint.retry': flag(true),
  'queue.drain': flag(false),
  'queue.compression': words(['none']),
  'dead_letter_queue.enable': flag(false, undefined, 'keep events that can never be delivered'),
  'dead_letter_queue.max_bytes': size('1024mb'),
  'dead_letter_queue.flush_interval': number(5000),
  'dead_letter_queue.storage_policy': words(['drop_newer', 'drop_older']),
  'dead_letter_queue.retain.age': text(),
  'slowlog.threshold.warn': text('-1'),
  'slowlog.threshold.info': text('-1'),
  'slowlog.threshold.debug': text('-1'),
  'slowlog.threshold.trace': text('-1'),
}

/** Flags of old versions that set the log level. */
const LEVEL_FLAGS: Readonly<Record<string, string>> = { '--verbose': 'info', '--debug': 'debug', '--quiet': 'error' }

/** A problem the user has to fix: printed without a stack, exit code 1. */
export class FlagError extends Error {}

export interface CommandLine {
  readonly flags: ReadonlyMap<string, SettingValue>
  readonly wantsHelp: boolean
  readonly wantsVersion: boolean
  /**
   * Our own addition: run the lines of standard input through the filters only, and compare with another configuration.
   */
  readonly wantsDryRun: boolean
  readonly against: string | undefined
  /** Whether the filters of a dry run may send requests. */
  readonly allowsNetwork: boolean
  /** The folder whose configurations `-t` reports on. */
  readonly report: string | undefined
}

/** Without it, filters that declare to reach the network are refused in dry runs and tests of configurations. */
export const ALLOW_NETWORK = '--allow-network'

export const trialAllowance = (allowsNetwork: boolean): Allowance =>
  allowsNetwork ? EVERYTHING : thisMachine(`${ALLOW_NETWORK} lets filters send requests`)

/**
 * Parses Logstash's flags. `parseArgs` of node:util does not fit: boolean flags take an optional value
 * (`--config.test_and_exit true`), `-S name=value` sets any setting, and errors use Logstash's wording.
 */
export function parseFlags(args: readonly string[]): CommandLine {
  const flags = new Map<string, SettingValue>()
  let wantsHelp = false
  let wantsVersion = false
  let wantsDryRun = false
  let against: string | undefined
  let allowsNetwork = false
  let report: string | undefined
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1
    const word = equals < 0 ? arg : arg.slice(0, equals)
    const attached = equals < 0 ? undefined : arg.slice(equals + 1)
    const take = () => attached ?? args[++i] ?? fail(`ERROR: option '${word}' needs a value`)
    if (word === '-h' || word === '--help') wantsHelp = true
    else if (word === '-V' || word === '--version') wantsVersion = true
    else if (word === '--dry-run') wantsDryRun = true
    else if (word === '--against') against = take()
    else if (word === ALLOW_NETWORK) allowsNetwork = true
    else if (word === '--report') report = take()
    else if (LEVEL_FLAGS[word] !== undefined) flags.set('log.level', LEVEL_FLAGS[word])
    else if (word === '-S' || word === '--setting') {
      const [name, ...value] = take().split('=')
      flags.set(knownName(name!), convert(name!, value.join('=')))
    } else {
      const name = nameOfFlag(word)
      if (DEFINITIONS[name]!.kind !== 'boolean') flags.set(name, convert(name, take()))
      else if (attached !== undefined) flags.set(name, convert(name, attached))
      else if (args[i + 1] === 'true' || args[i + 1] === 'false') flags.set(name, args[++i] === 'true')
      else flags.set(name, true)
    }
  }
  if (against !== undefined && !wantsDryRun) fail('ERROR: --against goes with --dry-run')
  if (allowsNetwork && !wantsDryRun) fail(`ERROR: ${ALLOW_NETWORK} goes with --dry-run`)
  if (report !== undefined && flags.get('config.test_and_exit') !== true) fail('ERROR: --report goes with -t')
  return { flags, wantsHelp, wantsVersion, wantsDryRun, against, allowsNetwork, report }
}

function nameOfFlag(word: string): string {
  if (!word.startsWith('-')) throw new FlagError(`Unknown command '${word}'`)
  const long = word.startsWith('--') ? word.slice(2) : ''
  if (Object.hasOwn(DEFINITIONS, long)) return long
  const short = Object.entries(DEFINITIONS).find(([, { flags }]) => flags?.includes(word))
  if (short !== undefined) return short[0]
  const [close] = closestWords(long, Object.keys(DEFINITIONS))
  throw new FlagError(`ERROR: Unrecognised option '${word}'${close === undefined ? '' : ` (did you mean --${close}?)`}`)
}

function knownName(name: string): string {
  if (Object.hasOwn(DEFINITIONS, name)) return name
  const [close] = closestWords(name, Object.keys(DEFINITIONS))
  const hint = close === undefined ? '' : ` Did you mean "${close}"?`
  throw new FlagError(
    `Your settings are invalid. Reason: Setting "${name}" doesn't exist. Please check if you haven't made a typo.${hint}`,
  )
}

function convert(name: string, value: unknown): SettingValue {
  const { kind, words: allowed } = DEFINITIONS[knownName(name)]!
  const written = String(value)
  if (allowed !== undefined && !allowed.includes(written)) {
    fail(`Your settings are invalid. Reason: Setting "${name}" must be one of ${allowed.join(', ')}, not "${written}"`)
  }
  if (kind === 'boolean') {
    if (written === 'true' || written === 'false') return written === 'true'
    throw new FlagError(`Your settings are invalid. Reason: Setting "${name}" must be true or false, not "${written}"`)
  }
  if (kind === 'number') {
    if (/^\d+$/.test(written)) return Number(written)
    throw new FlagError(`Your settings are invalid. Reason: Setting "${name}" must be a number, not "${written}"`)
  }
  return written
}

function fail(message: string): never {
  throw new FlagError(message)
}

export class PipelineSettingValues {
  readonly #values: ReadonlyMap<string, SettingValue>
  /** The variables for configurations: the environment, and the secrets of the keystore. */
  readonly environment: Environment

  constructor(values: ReadonlyMap<string, SettingValue>, environment: Environment) {
    this.#values = values
    this.environment = environment
  }

  /** A copy with some settings replaced, for one pipeline of `pipelines.yml`. */
  with(changes: ReadonlyMap<string, SettingValue>): PipelineSettingValues {
    return new PipelineSettingValues(new Map([...this.#values, ...changes]), this.environment)
  }

  /** Equal settings have equal fingerprints. */
  get fingerprint(): string {
    return JSON.stringify([...this.#values].sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** A copy without this setting. */
  without(name: string): PipelineSettingValues {
    return new PipelineSettingValues(new Map([...this.#values].filter(([own]) => own !== name)), this.environment)
  }

  has(name: string): boolean {
    return this.#values.has(name)
  }

  text(name: string): string {
    return String(this.#values.get(name) ?? DEFINITIONS[name]!.standard ?? '')
  }

  optional(name: string): string | undefined {
    const value = this.#values.get(name) ?? DEFINITIONS[name]!.standard
    return value === undefined ? undefined : String(value)
  }

  number(name: string): number {
    return Number(this.text(name))
  }

  flag(name: string): boolean {
    return this.text(name) === 'true'
  }

  durationMs(name: string): number {
    const written = this.text(name)
    // A plain number counts nanoseconds, as in Logstash.
    return /^\d+$/.test(written) ? Number(written) / 1e6 : parseDuration(written.replace(/\s+/g, ''), name)
  }
}

/** Merges flags, settings file and defaults. `warn` is called if the file does not exist. */
export function loadSettings(
  flags: ReadonlyMap<string, SettingValue>,
  environment: Environment,
): { settings: PipelineSettingValues; warnings: string[] } {
  const folder = resolve(String(flags.get('path.settings') ?? DEFINITIONS['path.settings']!.standard))
  const file = join(folder, 'logstash.yml')
  if (!existsSync(file)) {
    const warning = `Ignoring the settings file because it was not found: ${file}`
    const settings = new PipelineSettingValues(flags, environment)
    return { settings, warnings: flags.has('path.settings') ? [warning] : [] }
  }
  const fromFile = new Map<string, SettingValue>()
  for (const [name, value] of flatten(parseYaml(readFileSync(file, 'utf8'), file), '')) {
    fromFile.set(knownName(name), convert(name, substitute(value, environment)))
  }
  return { settings: new PipelineSettingValues(new Map([...fromFile, ...flags]), environment), warnings: [] }
}

function substitute(value: unknown, environment: Readonly<Record<string, string | undefined>>): unknown {
  try {
    return typeof value === 'string' ? substituteVariables(value, environment) : value
  } catch (error) {
    throw new FlagError(`Your settings are invalid. Reason: ${(error as Error).message}`)
  }
}

/** Flattens nested maps to dotted names. Empty values count as absent. */
function flatten(value: unknown, prefix: string): [string, unknown][] {
  if (value === null || value === undefined) return []
  if (typeof value !== 'object' || Array.isArray(value)) return [[prefix, value]]
  return Object.entries(value).flatMap(([name, item]) => flatten(item, prefix === '' ? name : `${prefix}.${name}`))
}

/** Loads the YAML parser only when there is a file to parse, to keep startup fast. */
export function parseYaml(source: string, file: string): unknown {
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  try {
    return parse(source)
  } catch (error) {
    throw new FlagError(`Failed to load settings file from "path.settings". ${file}: ${(error as Error).message}`)
  }
}

export { convert as convertSetting, flatten, knownName as knownSetting }
