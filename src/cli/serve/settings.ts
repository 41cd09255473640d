/**
 * Settings of the service: a flag, an environment variable or a line of the YAML file, in this order of precedence.
 *
 *   --cluster-name logs        SANDPIPER_CLUSTER_NAME=logs        cluster-name: logs
 *
 * An unknown flag or line of the file is rejected with a suggestion, because a setting that silently does nothing costs
 * hours. An unknown environment variable only causes a warning: Kubernetes sets variables such as
 * SANDPIPER_SERVICE_HOST in every pod next to a service named sandpiper.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { availableParallelism } from 'node:os'
import { LOG_LEVELS, type LogFormat, type LogLevel } from '../../base/log.ts'
import { closestWords } from '../../base/suggest.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { CLUSTER_DEFINITIONS, type ClusterOptions, clusterOptions } from './cluster-settings.ts'
import { type Definition, define } from './setting-definition.ts'
import {
  number,
  plain,
  readBoolean,
  readLogFormat,
  readLogLevel,
  readMemory,
  readNames,
  readOrigins,
  readProxies,
  readRegexEnabled,
  readScriptContexts,
  readScriptTypes,
  readSize,
  readTlsMode,
  type TlsMode,
  UNSET,
} from './setting-values.ts'

export interface Settings {
  readonly host: string
  readonly port: number
  readonly data: string
  readonly clusterName: string
  readonly nodeName: string
  readonly threads: number
  /** Undefined: the limit that the system sets. */
  readonly memoryBytes: number | undefined
  readonly maxContentBytes: number
  readonly allowedHosts: readonly string[]
  readonly reindexRemoteWhitelist: readonly string[]
  readonly pathRepo: readonly string[]
  readonly scripts: {
    readonly allowedTypes: readonly string[] | undefined
    readonly allowedContexts: readonly string[] | undefined
    readonly regex: { readonly enabled: boolean | 'limited'; readonly limitFactor: number }
  }
  readonly strictMediaTypes: boolean
  /** Whether requests need a login. */
  readonly security: boolean
  /** Passwords have no flag: arguments of a process can be read by everybody on the machine. */
  readonly elasticPassword: string | undefined
  readonly tls: TlsMode
  readonly tlsCert: string
  readonly tlsKey: string
  readonly tlsCa: string
  readonly insecureHttp: boolean
  readonly audit: boolean
  readonly corsOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly errorHelp: boolean
  /** The cluster that this service is a gateway to; undefined for a node of its own. */
  readonly cluster: ClusterOptions | undefined
  readonly logLevel: LogLevel
  readonly logFormat: LogFormat
  /** Empty: log lines go to standard error. */
  readonly logFile: string
  readonly logFileBytes: number
  readonly logFileCount: number
  /** Warnings for the operator about the settings, one sentence each. */
  readonly warnings: readonly string[]
}

const DEFINITIONS = {
  host: define({
    name: 'host',
    placeholder: 'ADDRESS',
    standard: '127.0.0.1',
    about: 'address to listen on; addresses other than loopback need --security true',
    read: plain,
  }),
  port: define({
    name: 'port',
    placeholder: 'N',
    standard: '9200',
    about: 'port to listen on; 0 selects a free one',
    read: number(0, 65535),
  }),
  data: define({
    name: 'data',
    placeholder: 'FOLDER',
    standard: './data',
    about: 'folder of the data',
    read: plain,
  }),
  clusterName: define({
    name: 'cluster-name',
    placeholder: 'NAME',
    standard: 'sandpiper',
    about: 'name of the cluster',
    read: plain,
  }),
  nodeName: define({
    name: 'node-name',
    placeholder: 'NAME',
    standard: 'node-1',
    about: 'name of the node',
    read: plain,
  }),
  threads: define({
    name: 'threads',
    placeholder: 'N',
    standard: String(Math.max(2, availableParallelism())),
    about: 'threads besides the main thread: one for writes, the rest for searches; 0 runs everything in one thread',
    read: number(0, 64),
  }),
  memory: define({
    name: 'memory',
    placeholder: 'SIZE',
    standard: UNSET.memory,
    about: 'memory of the whole process; requests that would exceed it are rejected with 429',
    read: readMemory,
  }),
  maxContentBytes: define({
    name: 'max-content-length',
    placeholder: 'SIZE',
    standard: '100mb',
    about: 'largest request body',
    read: readSize,
  }),
  allowedHosts: define({
    name: 'http-allowed-hosts',
    placeholder: 'NAMES',
    standard: UNSET.allowedHosts,
    about: 'additional host names of the service, separated by commas; *.example.org allows all subdomains',
    read: readNames,
  }),
  reindexRemoteWhitelist: define({
    name: 'reindex-remote-whitelist',
    placeholder: 'HOSTS',
    standard: '',
    about: 'servers that reindex may read from, as host:port separated by commas; * matches any characters',
    read: (text: string) =>
      text
        .split(',')
        .map((host) => host.trim())
        .filter((host) => host !== ''),
  }),
  pathRepo: define({
    name: 'path-repo',
    placeholder: 'FOLDERS',
    standard: '',
    about: 'folders for snapshot repositories, separated by commas; relative locations are below the first',
    read: (text: string) =>
      text
        .split(',')
        .map((folder) => folder.trim())
        .filter((folder) => folder !== ''),
  }),
  security: define({
    name: 'security',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'require authentication: users, roles and API keys as in Elasticsearch',
    read: readBoolean,
  }),
  elasticPassword: define({
    name: 'elastic-password',
    placeholder: 'PASSWORD',
    standard: '',
    about: 'initial password of the user elastic; only in the settings file',
    read: (text: string) => (text === '' ? undefined : text),
  }),
  tls: define({
    name: 'tls',
    placeholder: 'MODE',
    standard: UNSET.tls,
    about: 'auto creates certificates in the data folder; off disables TLS',
    read: readTlsMode,
  }),
  tlsCert: define({
    name: 'tls-cert',
    placeholder: 'FILE',
    standard: '',
    about: 'certificate in PEM format; reloaded when it changes',
    read: (text: string) => text,
  }),
  tlsKey: define({
    name: 'tls-key',
    placeholder: 'FILE',
    standard: '',
    about: 'private key of the certificate in PEM format',
    read: (text: string) => text,
  }),
  tlsCa: define({
    name: 'tls-ca',
    placeholder: 'FILE',
    standard: '',
    about: 'certificates of the issuers in PEM format; sent together with the certificate',
    read: (text: string) => text,
  }),
  insecureHttp: define({
    name: 'insecure-http',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'listen on other than loopback addresses without TLS, behind a proxy with TLS',
    read: readBoolean,
  }),
  scriptAllowedTypes: define({
    name: 'script-allowed-types',
    placeholder: 'TYPES',
    standard: 'both',
    about: 'which scripts may run: both, inline, stored or none',
    read: readScriptTypes,
  }),
  scriptAllowedContexts: define({
    name: 'script-allowed-contexts',
    placeholder: 'CONTEXTS',
    standard: 'all',
    about: 'allowed script contexts, separated by commas: score, update, field …; none allows no scripts',
    read: readScriptContexts,
  }),
  scriptRegex: define({
    name: 'script-painless-regex-enabled',
    placeholder: 'CHOICE',
    standard: 'limited',
    about: 'regular expressions in scripts: limited, true or false',
    read: readRegexEnabled,
  }),
  scriptRegexLimitFactor: define({
    name: 'script-painless-regex-limit-factor',
    placeholder: 'N',
    standard: '6',
    about: 'number of characters that a limited regular expression may examine, per character of its input',
    read: number(1, 2147483647),
  }),
  audit: define({
    name: 'audit',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'write an audit log to audit/audit.ndjson in the data folder; it is rotated like the log file',
    read: readBoolean,
  }),
  corsOrigins: define({
    name: 'http-cors-allow-origin',
    placeholder: 'ORIGINS',
    standard: UNSET.corsOrigins,
    about: 'additional allowed CORS origins, separated by commas: https://app.example, * or /a regular expression/',
    read: readOrigins,
  }),
  trustedProxies: define({
    name: 'trusted-proxies',
    placeholder: 'ADDRESSES',
    standard: '',
    about:
      'proxies whose X-Forwarded-For header is trusted, separated by commas; ranges such as 10.0.0.0/8 are allowed',
    read: readProxies,
  }),
  strictMediaTypes: define({
    name: 'strict-media-types',
    placeholder: 'BOOLEAN',
    standard: 'false',
    about: 'reject clients of the major versions that Elasticsearch 8 rejects',
    read: readBoolean,
  }),
  errorHelp: define({
    name: 'error-help',
    placeholder: 'BOOLEAN',
    standard: 'true',
    about:
      'add a help member to errors that have a remedy; without it error responses are exactly those of Elasticsearch',
    read: readBoolean,
  }),
  ...CLUSTER_DEFINITIONS,
  logLevel: define({
    name: 'log-level',
    placeholder: 'LEVEL',
    standard: 'info',
    about: LOG_LEVELS.join(', '),
    read: readLogLevel,
  }),
  logFormat: define({
    name: 'log-format',
    placeholder: 'FORMAT',
    standard: 'text',
    about: 'text, or json with one object per line',
    read: readLogFormat,
  }),
  logFile: define({
    name: 'log-file',
    placeholder: 'FILE',
    standard: '',
    about: 'write log lines to this file instead of standard error',
    read: (text: string) => text,
  }),
  logFileBytes: define({
    name: 'log-file-size',
    placeholder: 'SIZE',
    standard: '64mb',
    about: 'start a new log file at this size',
    read: readSize,
  }),
  logFileCount: define({
    name: 'log-file-count',
    placeholder: 'N',
    standard: '5',
    about: 'log files to keep, the current one included',
    read: number(1, 1000),
  }),
}

/** Settings that have no flag, with the variables to use instead. */
const SECRETS: ReadonlyMap<string, string> = new Map([
  [DEFINITIONS.elasticPassword.name, 'ELASTIC_PASSWORD, ELASTIC_PASSWORD_FILE'],
  [CLUSTER_DEFINITIONS.clusterPassword.name, 'SANDPIPER_CLUSTER_PASSWORD'],
  [CLUSTER_DEFINITIONS.clusterApiKey.name, 'SANDPIPER_CLUSTER_API_KEY'],
])
const NAMES = Object.values(DEFINITIONS).map(({ name }) => name)
/** Settings of the file that have a flag of another name. */
const ELASTICSEARCH_NAMES: Readonly<Record<string, string>> = {
  'xpack-security-enabled': DEFINITIONS.security.name,
  'xpack-security-http-ssl-certificate': DEFINITIONS.tlsCert.name,
  'xpack-security-http-ssl-key': DEFINITIONS.tlsKey.name,
  'xpack-security-http-ssl-certificate-authorities': DEFINITIONS.tlsCa.name,
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

/** `args` contains only flags: `--port 9201`, `--port=9201`. */
export function readSettings(args: readonly string[], environment: NodeJS.ProcessEnv): Settings {
  const flags = readFlags(args)
  const warnings: string[] = []
  const fromEnvironment = readEnvironment(environment, warnings)
  const file = flags.get('config') ?? fromEnvironment.get('config')
  const fromFile = file === undefined ? new Map<string, string>() : readFile(file)
  const settingOf = <T>({ name, standard, read }: Definition<T>): T => {
    for (const [values, shown] of [
      [flags, `--${name}`],
      [fromEnvironment, environmentName(name)],
      [fromFile, `${name} in ${file}`],
    ] as const) {
      const text = values.get(name)
      if (text !== undefined) return read(text, shown)
    }
    return read(standard, name)
  }
  return {
    host: settingOf(DEFINITIONS.host),
    port: settingOf(DEFINITIONS.port),
    data: settingOf(DEFINITIONS.data),
    clusterName: settingOf(DEFINITIONS.clusterName),
    nodeName: settingOf(DEFINITIONS.nodeName),
    threads: settingOf(DEFINITIONS.threads),
    memoryBytes: settingOf(DEFINITIONS.memory),
    maxContentBytes: settingOf(DEFINITIONS.maxContentBytes),
    allowedHosts: settingOf(DEFINITIONS.allowedHosts),
    reindexRemoteWhitelist: settingOf(DEFINITIONS.reindexRemoteWhitelist),
    pathRepo: settingOf(DEFINITIONS.pathRepo),
    scripts: {
      allowedTypes: settingOf(DEFINITIONS.scriptAllowedTypes),
      allowedContexts: settingOf(DEFINITIONS.scriptAllowedContexts),
      regex: {
        enabled: settingOf(DEFINITIONS.scriptRegex),
        limitFactor: settingOf(DEFINITIONS.scriptRegexLimitFactor),
      },
    },
    strictMediaTypes: settingOf(DEFINITIONS.strictMediaTypes),
    security: settingOf(DEFINITIONS.security),
    elasticPassword: settingOf(DEFINITIONS.elasticPassword),
    tls: settingOf(DEFINITIONS.tls),
    tlsCert: settingOf(DEFINITIONS.tlsCert),
    tlsKey: settingOf(DEFINITIONS.tlsKey),
    tlsCa: settingOf(DEFINITIONS.tlsCa),
    insecureHttp: settingOf(DEFINITIONS.insecureHttp),
    audit: settingOf(DEFINITIONS.audit),
    corsOrigins: settingOf(DEFINITIONS.corsOrigins),
    trustedProxies: settingOf(DEFINITIONS.trustedProxies),
    errorHelp: settingOf(DEFINITIONS.errorHelp),
    cluster: clusterOptions(settingOf),
    logLevel: settingOf(DEFINITIONS.logLevel),
    logFormat: settingOf(DEFINITIONS.logFormat),
    logFile: settingOf(DEFINITIONS.logFile),
    logFileBytes: settingOf(DEFINITIONS.logFileBytes),
    logFileCount: settingOf(DEFINITIONS.logFileCount),
    warnings,
  }
}

/** The settings section of `--help`. */
export function describeSettings(): string {
  const shown = Object.values(DEFINITIONS).filter(({ name }) => !SECRETS.has(name))
  const rows = shown.map(({ name, placeholder, standard, about }) => [
    `--${name} ${placeholder}`,
    standard === '' ? about : `${about} (default ${standard})`,
  ])
  rows.push(['--config FILE', 'YAML file with any of these settings'])
  const width = Math.max(...rows.map(([flag]) => flag!.length))
  return rows.map(([flag, about]) => `  ${flag!.padEnd(width)}  ${about}`).join('\n')
}

/**
 * Parses flags. `parseArgs` of node:util does not fit: a boolean flag may have a value (`--strict-media-types false`),
 * and a misspelled flag gets a suggestion.
 */
function readFlags(args: readonly string[]): Map<string, string> {
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

function readEnvironment(environment: NodeJS.ProcessEnv, warnings: string[]): Map<string, string> {
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

function readFile(file: string): Map<string, string> {
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

function environmentName(name: string): string {
  return `${ENVIRONMENT_PREFIX}${name.toUpperCase().replaceAll('-', '_')}`
}
