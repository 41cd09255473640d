/** The options of plugins that send HTTP requests. */

import { type OptionValues, option } from '../plugin/options.ts'
import { HttpSender } from './http-request.ts'
import { proxyOf } from './proxy-agents.ts'
import { CLIENT_TLS_OPTIONS, clientTls, OLD_CLIENT_TLS_OPTIONS, VERIFIES_SERVER } from './tls-options.ts'

export const HTTP_CLIENT_OPTIONS = {
  connect_timeout: option.number({ default: 10 }),
  socket_timeout: option.number({ default: 10 }),
  request_timeout: option.number({ default: 60 }),
  pool_max: option.number({ default: 50 }),
  pool_max_per_route: option.number({ default: 25 }),
  keepalive: option.boolean({ default: true }),
  follow_redirects: option.boolean({ default: true }),
  validate_after_inactivity: option.ignored('A connection that the server has closed is noticed and replaced.'),
  automatic_retries: option.number({ default: 1 }),
  retry_non_idempotent: option.boolean({ default: false }),
  cookies: option.ignored('Cookies are not kept.'),
  user: option.string(),
  password: option.password(),
  proxy: option.string(),
  ...CLIENT_TLS_OPTIONS,
  ...OLD_CLIENT_TLS_OPTIONS,
  client_cert: option.renamed('ssl_certificate'),
  client_key: option.renamed('ssl_key'),
  keystore_type: option.renamed('ssl_keystore_type'),
  truststore_type: option.renamed('ssl_truststore_type'),
  ssl_certificate_validation: option.renamed('ssl_verification_mode', VERIFIES_SERVER),
} as const

const REDIRECTS_MAX = 50

type Options = OptionValues<typeof HTTP_CLIENT_OPTIONS>

export function httpClient(options: Options): HttpSender {
  const { pool_max: all, pool_max_per_route: perHost, proxy } = options
  return new HttpSender({
    connectionsMax: Math.min(all, perHost),
    tls: clientTls(options),
    proxy: proxyOf(proxy),
    keepsConnections: options.keepalive,
    redirectsMax: options.follow_redirects ? REDIRECTS_MAX : 0,
    connectTimeoutMs: options.connect_timeout * 1000,
    silenceMs: options.socket_timeout * 1000,
    retriesMax: options.automatic_retries,
    retriesEveryMethod: options.retry_non_idempotent,
  })
}

/** The authorization header of user and password; empty without a user. */
export function basicAuthorization({ user, password }: Pick<Options, 'user' | 'password'>): Record<string, string> {
  if (user === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${password ?? ''}`).toString('base64')}` }
}
