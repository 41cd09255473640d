/** The connection options of Elasticsearch plugins, and the settings they resolve to. */
import type { ConnectionOptions } from 'node:tls'
import { proxyOf } from '../net/proxy-agents.ts'
import { CLIENT_TLS_OPTIONS, clientTls, OLD_CLIENT_TLS_OPTIONS, VERIFIES_SERVER } from '../net/tls-options.ts'
import { parseFingerprints } from '../net/trusted-fingerprints.ts'
import { type ConfigValue, type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { parseCloudId, parseHosts } from './hosts.ts'

export const CONNECTION_OPTIONS = {
  hosts: option.strings(),
  path: option.string(),
  parameters: option.hash(),
  user: option.string(),
  password: option.password(),
  api_key: option.password(),
  cloud_id: option.string(),
  cloud_auth: option.password(),
  custom_headers: option.hash(),
  proxy: option.string(),
  sniffing: option.boolean({ default: false }),
  sniffing_delay: option.number({ default: 5 }),
  sniffing_path: option.string(),
  timeout: option.number({ default: 60 }),
  pool_max: option.number({ default: 1000 }),
  pool_max_per_route: option.number({ default: 100 }),
  resurrect_delay: option.number({ default: 5 }),
  validate_after_inactivity: option.ignored('A connection that the server has closed is noticed and replaced.'),
  ...CLIENT_TLS_OPTIONS,
  ca_trusted_fingerprint: option.strings({ default: [] }),
  ...OLD_CLIENT_TLS_OPTIONS,
  ca_file: option.renamed('ssl_certificate_authorities'),
  ssl_certificate_verification: option.renamed('ssl_verification_mode', VERIFIES_SERVER),
  host: option.renamed('hosts'),
} as const

export interface ConnectionSettings {
  readonly bases: readonly URL[]
  readonly authorization: string | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly parameters: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** The time until a host that did not answer is checked. */
  readonly resurrectDelayMs: number
  /** The path of the health check that a host which did not answer has to pass before it is used again. */
  readonly healthPath: string
  readonly connectionsMax: number
  readonly tls: ConnectionOptions
  readonly trustedFingerprints: readonly string[]
  readonly proxy: URL | undefined
  /** Where and how often to query the nodes of the cluster; undefined keeps the configured hosts. */
  readonly sniffing: { readonly path: string; readonly delayMs: number } | undefined
}

type Options = OptionValues<typeof CONNECTION_OPTIONS>

export function connectionSettings(options: Options): ConnectionSettings {
  if (options.cloud_id !== undefined && options.hosts !== undefined) {
    throw new PluginOptionError('Both cloud_id and hosts specified, please only use one of those.')
  }
  const addresses = parseHosts({
    hosts: options.cloud_id === undefined ? (options.hosts ?? ['//127.0.0.1']) : [parseCloudId(options.cloud_id)],
    isSecure: options.ssl_enabled,
    path: options.path,
    defaultPort: 9200,
  })
  const isSecure = addresses.bases[0]!.protocol === 'https:'
  return {
    bases: addresses.bases,
    authorization: authorization(options, addresses, isSecure),
    headers: texts(options.custom_headers),
    parameters: texts(options.parameters),
    timeoutMs: options.timeout * 1000,
    resurrectDelayMs: options.resurrect_delay * 1000,
    healthPath: '/',
    connectionsMax: Math.min(options.pool_max, options.pool_max_per_route),
    tls: clientTls(options),
    // Without verification every server is trusted.
    trustedFingerprints:
      options.ssl_verification_mode === 'none' ? [] : parseFingerprints(options.ca_trusted_fingerprint),
    proxy: proxyOf(options.proxy),
    sniffing: options.sniffing
      ? { path: options.sniffing_path ?? '/_nodes/http', delayMs: options.sniffing_delay * 1000 }
      : undefined,
  }
}

interface Named {
  readonly user: string | undefined
  readonly password: string | undefined
}

function authorization(options: Options, inHosts: Named, isSecure: boolean): string | undefined {
  const { user, password, api_key: apiKey, cloud_auth: cloudAuth } = options
  if ([user ?? password, apiKey, cloudAuth].filter((given) => given !== undefined).length > 1) {
    throw new PluginOptionError(
      'Multiple authentication options are specified, please only use one of user/password, cloud_auth or api_key',
    )
  }
  if (apiKey !== undefined) {
    if (!isSecure) throw new PluginOptionError('Using api_key authentication requires SSL/TLS secured communication')
    return `ApiKey ${apiKey.includes(':') ? Buffer.from(apiKey).toString('base64') : apiKey}`
  }
  if (cloudAuth !== undefined) {
    if (!/^[^:]+:.+$/s.test(cloudAuth)) {
      throw new PluginOptionError(
        'cloud_auth: Cloud Auth username and password format should be "<username>:<password>".',
      )
    }
    return basic(cloudAuth)
  }
  if (user !== undefined) return basic(`${user}:${password ?? ''}`)
  return inHosts.user === undefined ? undefined : basic(`${inHosts.user}:${inHosts.password ?? ''}`)
}

function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword).toString('base64')}`
}

function texts(hash: ReadonlyMap<string, ConfigValue> | undefined): Record<string, string> {
  return Object.fromEntries([...(hash ?? [])].map(([name, value]) => [name, String(value)]))
}
