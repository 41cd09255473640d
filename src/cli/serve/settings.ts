/**
 * Settings of the service: a flag, an environment variable or a line of the YAML file, in this order of precedence.
 *
 *   --cluster-name logs        SANDPIPER_CLUSTER_NAME=logs        cluster-name: logs
 *
 * An unknown flag or line of the file is rejected with a suggestion, because a setting that silently does nothing costs
 * hours. An unknown environment variable only causes a warning: Kubernetes sets variables such as
 * SANDPIPER_SERVICE_HOST in every pod next to a service named sandpiper.
 */
import type { LogFormat, LogLevel } from '../../base/log.ts'
import { type ClusterOptions, clusterOptions } from './cluster-settings.ts'
import { DEFINITIONS, SECRETS } from './definitions.ts'
import type { Definition } from './setting-definition.ts'
import { environmentName, readEnvironment, readFile, readFlags } from './setting-sources.ts'
import type { ClientAuthMode, TlsMode } from './setting-values.ts'

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
  readonly stackTemplates: boolean
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
  readonly tlsClientAuth: ClientAuthMode
  readonly tlsClientCa: string
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
    stackTemplates: settingOf(DEFINITIONS.stackTemplates),
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
    tlsClientAuth: settingOf(DEFINITIONS.tlsClientAuth),
    tlsClientCa: settingOf(DEFINITIONS.tlsClientCa),
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
