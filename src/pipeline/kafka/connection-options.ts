/** The connection options of both Kafka plugins, and the settings they resolve to. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'
import { isPem, readTruststore } from '../net/tls-options.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import type { BrokerAddress } from './broker-connection.ts'
import type { ClusterSettings } from './cluster.ts'
import { endpointTokens, unsignedTokens } from './oauth-token.ts'
import { SASL_MECHANISMS, type SaslCredentials, type SaslMechanism } from './sasl.ts'

const DEFAULT_PORT = 9092
const JKS_MAGIC = 0xfeedfeed

const SYSTEM_BUFFERS = 'Sockets have the buffers that the system gives them.'
const NO_KERBEROS = 'Kerberos is not supported; `sasl_mechanism` names another way to log in.'

export const KAFKA_OPTIONS = {
  bootstrap_servers: option.string({ default: 'localhost:9092' }),
  client_id: option.string({ default: 'logstash' }),
  client_dns_lookup: option.ignored('Names are resolved again for each connection.'),
  connections_max_idle_ms: option.ignored('Connections stay open until the broker closes them.'),
  metadata_max_age_ms: option.number({ default: 300_000 }),
  receive_buffer_bytes: option.ignored(SYSTEM_BUFFERS),
  send_buffer_bytes: option.ignored(SYSTEM_BUFFERS),
  reconnect_backoff_ms: option.ignored('`retry_backoff_ms` is the first wait after any failure.'),
  request_timeout_ms: option.number({ default: 40_000 }),
  retry_backoff_ms: option.number({ default: 100 }),
  security_protocol: option.words(['PLAINTEXT', 'SSL', 'SASL_PLAINTEXT', 'SASL_SSL'], { default: 'PLAINTEXT' }),
  sasl_mechanism: option.string({ default: 'GSSAPI' }),
  sasl_jaas_config: option.password(),
  jaas_path: option.path(),
  sasl_oauthbearer_token_endpoint_url: option.string(),
  sasl_oauthbearer_scope_claim_name: option.ignored('Brokers read the claims of a token, not this client.'),
  kerberos_config: option.ignored(NO_KERBEROS),
  sasl_kerberos_service_name: option.ignored(NO_KERBEROS),
  ssl_endpoint_identification_algorithm: option.string({ default: 'https' }),
  ssl_key_password: option.password(),
  ssl_keystore_location: option.path(),
  ssl_keystore_password: option.password(),
  ssl_keystore_type: option.ignored('The file itself tells whether it is PKCS12 or PEM.'),
  ssl_truststore_location: option.path(),
  ssl_truststore_password: option.ignored('Trusted certificates are read from a PEM file.'),
  ssl_truststore_type: option.ignored('Trusted certificates are read from a PEM file.'),
} as const

type Options = OptionValues<typeof KAFKA_OPTIONS>

export function clusterSettings(options: Options): ClusterSettings {
  const protocol = options.security_protocol
  return {
    bootstrap: options.bootstrap_servers.split(',').map((server) => addressOf(server.trim())),
    clientId: options.client_id,
    requestTimeoutMs: options.request_timeout_ms,
    retryBackoffMs: options.retry_backoff_ms,
    metadataMaxAgeMs: options.metadata_max_age_ms,
    tls: protocol.endsWith('SSL') ? tlsOf(options) : undefined,
    sasl: protocol.startsWith('SASL') ? credentialsOf(options) : undefined,
  }
}

function addressOf(text: string): BrokerAddress {
  const match = /^(?:[A-Za-z_]+:\/\/)?(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(text)
  const host = match?.[1] ?? match?.[2]
  if (host === undefined) throw new PluginOptionError(`bootstrap_servers: "${text}" is no host:port`)
  return { host, port: Number(match?.[3] ?? DEFAULT_PORT) }
}

function credentialsOf(options: Options): SaslCredentials {
  const { sasl_mechanism: mechanism, sasl_jaas_config: given, jaas_path: path } = options
  if (!(SASL_MECHANISMS as readonly string[]).includes(mechanism)) {
    const known = SASL_MECHANISMS.join(', ')
    throw new PluginOptionError(`sasl_mechanism "${mechanism}" is not supported here; use one of ${known}`)
  }
  const text = given ?? (path === undefined ? '' : readFileSync(path, 'utf8'))
  if (mechanism === 'OAUTHBEARER') return tokenCredentials(text, options.sasl_oauthbearer_token_endpoint_url)
  const user = jaasValue(text, 'username')
  const password = jaasValue(text, 'password')
  if (user === undefined || password === undefined) {
    throw new PluginOptionError(
      'sasl_jaas_config (or the file of jaas_path) must give username="…" and password="…" of a login module',
    )
  }
  return { mechanism: mechanism as SaslMechanism, user, password }
}

/** The login module of the Java client names the client (`clientId`), or the subject of an unsigned token. */
function tokenCredentials(jaas: string, endpoint: string | undefined): SaslCredentials {
  const clientId = jaasValue(jaas, 'clientId')
  const clientSecret = jaasValue(jaas, 'clientSecret')
  const subject = jaasValue(jaas, 'unsecuredLoginStringClaim_sub')
  const login = { mechanism: 'OAUTHBEARER' as const, user: clientId ?? subject ?? '', password: '' }
  if (endpoint === undefined) {
    if (subject !== undefined) return { ...login, token: unsignedTokens(subject) }
    throw new PluginOptionError('sasl_oauthbearer_token_endpoint_url is needed for OAUTHBEARER')
  }
  if (clientId === undefined || clientSecret === undefined) {
    throw new PluginOptionError('sasl_jaas_config must give clientId="…" and clientSecret="…" for OAUTHBEARER')
  }
  if (!URL.canParse(endpoint))
    throw new PluginOptionError(`sasl_oauthbearer_token_endpoint_url "${endpoint}" is no URL`)
  const scope = jaasValue(jaas, 'scope')
  return { ...login, token: endpointTokens({ url: new URL(endpoint), clientId, clientSecret, scope }) }
}

function jaasValue(text: string, name: string): string | undefined {
  const match = new RegExp(`\\b${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|([^\\s;]+))`).exec(text)
  return match?.[1]?.replaceAll(/\\(.)/g, '$1') ?? match?.[2] ?? match?.[3]
}

function tlsOf(options: Options): ConnectionOptions {
  const { ssl_keystore_location: keystore, ssl_truststore_location: truststore } = options
  const passphrase = options.ssl_key_password ?? options.ssl_keystore_password
  const checksName = options.ssl_endpoint_identification_algorithm !== ''
  return {
    ...(truststore === undefined ? {} : { ca: readTruststore(truststore) }),
    ...(keystore === undefined ? {} : ownCertificate(keystore)),
    ...(passphrase === undefined ? {} : { passphrase }),
    ...(checksName ? {} : { checkServerIdentity: () => undefined }),
  }
}

function ownCertificate(path: string): ConnectionOptions {
  const bytes = readFileSync(path)
  if (isPem(bytes)) return { cert: bytes, key: bytes }
  if (bytes.length > 4 && bytes.readUInt32BE(0) === JKS_MAGIC) {
    throw new PluginOptionError(
      `ssl_keystore_location: ${path} is a JKS store, which cannot be read here. Turn it into PKCS12 ` +
        '(keytool -importkeystore -deststoretype pkcs12) or into a PEM file with key and certificate',
    )
  }
  return { pfx: bytes }
}
