/**
 * Flags and settings of the pipeline tool, with Logstash's names, defaults and messages. A flag overrides
 * `logstash.yml`, which overrides the default.
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseDuration } from '../../base/duration.ts'
import { closestWords } from '../../base/suggest.ts'
import { type Environment, substituteVariables } from '../../pipeline/config/environment.ts'
import { type Allowance, EVERYTHING, thisMachine } from '../../pipeline/plugin/touches.ts'
import { DEFINITIONS, DIFFERENCES, RENAMED, type SettingValue } from './setting-definitions.ts'

/** Flags of old versions that set the log level. */
const LEVEL_FLAGS: Readonly<Record<string, string>> = { '--verbose': 'info', '--debug': 'debug', '--quiet': 'error' }

/** A problem the user has to fix: printed without a stack, exit code 1. */
export class FlagError extends Error {}

export interface CommandLine {
  readonly warnings: readonly string[]
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
  const warnings: string[] = []
  const put = (name: string, value: unknown) => {
    const { setting, warning } = readSetting(name, value)
    if (setting !== undefined) flags.set(...setting)
    if (warning !== undefined) warnings.push(warning)
  }
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
      put(name!, value.join('='))
    } else {
      const name = nameOfFlag(word)
      if (!isSwitch(name)) put(name, take())
      else if (attached !== undefined) put(name, attached)
      else if (args[i + 1] === 'true' || args[i + 1] === 'false') put(name, args[++i])
      else put(name, true)
    }
  }
  if (against !== undefined && !wantsDryRun) fail('ERROR: --against goes with --dry-run')
  if (allowsNetwork && !wantsDryRun) fail(`ERROR: ${ALLOW_NETWORK} goes with --dry-run`)
  if (report !== undefined && flags.get('config.test_and_exit') !== true) fail('ERROR: --report goes with -t')
  return { warnings, flags, wantsHelp, wantsVersion, wantsDryRun, against, allowsNetwork, report }
}

function nameOfFlag(word: string): string {
  if (!word.startsWith('-')) throw new FlagError(`Unknown command '${word}'`)
  const long = word.startsWith('--') ? word.slice(2) : ''
  if (isKnown(long)) return long
  const tables = [...Object.entries(DEFINITIONS), ...Object.entries(DIFFERENCES)]
  const short = tables.find(([, { flags }]) => flags?.includes(word))
  if (short !== undefined) return short[0]
  const [close] = closestWords(long, Object.keys(DEFINITIONS))
  throw new FlagError(`ERROR: Unrecognised option '${word}'${close === undefined ? '' : ` (did you mean --${close}?)`}`)
}

const isKnown = (name: string) => [DEFINITIONS, DIFFERENCES, RENAMED].some((table) => Object.hasOwn(table, name))

/** Whether the flag of a setting may stand without a value. */
function isSwitch(name: string): boolean {
  const current = RENAMED[name] ?? name
  return DEFINITIONS[current]?.kind === 'boolean' || DIFFERENCES[current]?.isSwitch === true
}

/** Reads one setting of a flag or a file. A setting without effect gives a warning only. */
export function readSetting(
  given: string,
  value: unknown,
): { readonly setting?: readonly [string, SettingValue]; readonly warning?: string } {
  const name = RENAMED[given] ?? given
  const renamed = name === given ? undefined : `"${given}" is the old name of the setting "${name}"`
  const difference = Object.hasOwn(DIFFERENCES, name) ? DIFFERENCES[name] : undefined
  if (difference === undefined) {
    const setting = [knownName(name), convert(name, value)] as const
    return renamed === undefined ? { setting } : { setting, warning: renamed }
  }
  const { because, isRefused, quiet } = difference
  if (quiet.includes(String(value))) return {}
  if (isRefused) fail(`Your settings are invalid. Reason: Setting "${given}" cannot be used here: ${because}`)
  return { warning: `The setting "${given}" has no effect: ${because}` }
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
  const { values, warnings } = readSettings(parseYaml(readFileSync(file, 'utf8'), file), environment)
  return { settings: new PipelineSettingValues(new Map([...values, ...flags]), environment), warnings }
}

/** Reads the settings of a file, or of one pipeline of `pipelines.yml`. */
export function readSettings(
  given: unknown,
  environment: Environment,
): { values: ReadonlyMap<string, SettingValue>; warnings: string[] } {
  const values = new Map<string, SettingValue>()
  const warnings: string[] = []
  for (const [name, value] of flatten(given, '')) {
    const { setting, warning } = readSetting(name, substitute(value, environment))
    if (setting !== undefined) values.set(...setting)
    if (warning !== undefined) warnings.push(warning)
  }
  return { values, warnings }
}

function substitute(value: unknown, environment: Readonly<Record<string, string | undefined>>): unknown {
  try {
    return typeof value === 'string' ? substituteVariables(value, environment) : value
  } catch (error) {
    throw new FlagError(`Your settings are invalid. Reason: ${(error as Error).message}`)
  }
}

/** Flattens nested maps to dotted names. Empty values and empty lists count as absent. */
function flatten(value: unknown, prefix: string): [string, unknown][] {
  if (value === null || value === undefined) return []
  if (Array.isArray(value)) return value.length === 0 ? [] : [[prefix, value]]
  if (typeof value !== 'object') return [[prefix, value]]
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
