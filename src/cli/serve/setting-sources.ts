/** Reads settings from their three sources: flags, environment variables and the YAML file. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { closestWords } from '../../base/suggest.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { DEFINITIONS, SECRETS } from './definitions.ts'

const NAMES = Object.values(DEFINITIONS).map(({ name }) => name)
/** Settings of the file that have a flag of another name. */
const ELASTICSEARCH_NAMES: Readonly<Record<string, string>> = {
  'xpack-security-enabled': DEFINITIONS.security.name,
  'xpack-security-http-ssl-certificate': DEFINITIONS.tlsCert.name,
  'xpack-security-http-ssl-key': DEFINITIONS.tlsKey.name,
  'xpack-security-http-ssl-certificate-authorities': DEFINITIONS.tlsCa.name,
  'xpack-security-http-ssl-client-authentication': DEFINITIONS.tlsClientAuth.name,
  'xpack-security-audit-enabled': DEFINITIONS.audit.name,
  'bootstrap-password': DEFINITIONS.elasticPassword.name,
}
const ENVIRONMENT_PREFIX = 'SANDPIPER_'
/** Low enough to recognize short names with two swapped letters. */
const TYPING_SIMILARITY = 0.4
/** Variables read by the tests of this project, not by the service. */
const NOT_SETTINGS: ReadonlySet<string> = new Set([
  'SANDPIPER_SLOW_TESTS',
  'SANDPIPER_PACKAGE_WITH_NPM',
  'SANDPIPER_CLIENT_JS',
  'SANDPIPER_CLIENT_PYTHON',
])

/**
 * Parses flags. `parseArgs` of node:util does not fit: a boolean flag may have a value (`--strict-media-types false`),
 * and a misspelled flag gets a suggestion.
 */
export function readFlags(args: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (!arg.startsWith('--')) throw new SettingsError(`unexpected argument "${arg}" (flags look like --port 9200)`)
    const at = arg.indexOf('=')
    const name = at < 0 ? arg.slice(2) : arg.slice(2, at)
    checkName(name, `--${name}`, (known) => `--${known}`)
    const instead = SECRETS.get(name)
    if (instead !== undefined) {
      throw new SettingsError(
        `--${name} would show the password to everybody on this machine (use ${instead} or the settings file)`,
      )
    }
    if (at >= 0) values.set(name, arg.slice(at + 1))
    else if (isSwitch(name, args[i + 1])) values.set(name, 'true')
    else if (i + 1 < args.length) values.set(name, args[++i]!)
    else throw new SettingsError(`--${name} needs a value`)
  }
  return values
}

/** A boolean flag may have no value. */
function isSwitch(name: string, next: string | undefined): boolean {
  const isBoolean = Object.values(DEFINITIONS).some((known) => known.name === name && known.placeholder === 'BOOLEAN')
  return isBoolean && (next === undefined || next.startsWith('--'))
}

export function readEnvironment(environment: NodeJS.ProcessEnv, warnings: string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (const [variable, value] of Object.entries(environment)) {
    if (!variable.startsWith(ENVIRONMENT_PREFIX) || NOT_SETTINGS.has(variable) || value === undefined) continue
    const name = variable.slice(ENVIRONMENT_PREFIX.length).toLowerCase().replaceAll('_', '-')
    const problem = unknownName(name, variable, environmentName)
    if (problem !== undefined) warnings.push(`ignored ${problem}`)
    else if (isServiceLink(value)) warnings.push(`ignored ${variable}=${value}: it describes a Kubernetes service`)
    else values.set(name, value)
  }
  return values
}

/** Kubernetes sets SANDPIPER_PORT to such an address next to a service named sandpiper. */
function isServiceLink(value: string): boolean {
  return /^(tcp|udp|sctp):\/\//.test(value)
}

export function readFile(file: string): Map<string, string> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new SettingsError(`cannot read the settings file ${file}: ${(error as Error).message}`)
  }
  // Loaded on demand, because most starts need no YAML.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof import('yaml')
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (error) {
    throw new SettingsError(`${file} is no YAML: ${(error as Error).message.split('\n')[0]}`)
  }
  if (parsed === null || parsed === undefined) return new Map()
  if (typeof parsed !== 'object' || Array.isArray(parsed))
    throw new SettingsError(`${file} must hold "name: value" lines`)
  const values = new Map<string, string>()
  for (const [written, value] of Object.entries(parsed)) {
    const plain = written.replaceAll(/[._]/g, '-')
    const name = ELASTICSEARCH_NAMES[plain] ?? plain
    checkName(name, `${written} in ${file}`, (known) => known)
    if (value === null || typeof value === 'object')
      throw new SettingsError(`${written} in ${file} needs a plain value`)
    values.set(name, String(value))
  }
  return values
}

function checkName(name: string, shown: string, spell: (name: string) => string): void {
  const problem = unknownName(name, shown, spell)
  if (problem !== undefined) throw new SettingsError(problem)
}

function unknownName(name: string, shown: string, spell: (name: string) => string): string | undefined {
  if (name === 'config' || NAMES.includes(name)) return undefined
  const [close] = closestWords(name, [...NAMES, 'config'], TYPING_SIMILARITY)
  const hint = close === undefined ? '(see sandpiper --help)' : `(did you mean ${spell(close)}?)`
  return `unknown setting ${shown} ${hint}`
}

export function environmentName(name: string): string {
  return `${ENVIRONMENT_PREFIX}${name.toUpperCase().replaceAll('-', '_')}`
}
