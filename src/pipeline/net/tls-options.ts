/** The `ssl_…` options shared by network plugins, and their translation to Node's TLS options. */
import { readFileSync } from 'node:fs'
import {
  type ConnectionOptions,
  createSecureContext,
  type SecureContextOptions,
  type SecureVersion,
  type TlsOptions,
} from 'node:tls'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const EVERY_SIDE = {
  ssl_enabled: option.boolean(),
  ssl: option.renamed('ssl_enabled'),
  ssl_certificate: option.path(),
  ssl_key: option.path(),
  ssl_key_passphrase: option.password(),
  ssl_certificate_authorities: option.touching('files', option.strings({ default: [] })),
  ssl_supported_protocols: option.strings({ default: [] }),
  ssl_cipher_suites: option.strings({ default: [] }),
} as const

/** Option names of Logstash 7 and 8. */
const OLD_PROTOCOLS = {
  tls_min_version: option.deprecated(option.number(), 'Use `ssl_supported_protocols` instead.'),
  tls_max_version: option.deprecated(option.number(), 'Use `ssl_supported_protocols` instead.'),
  cipher_suites: option.renamed('ssl_cipher_suites'),
} as const

/** The values of current options that correspond to true and false of old ones such as `ssl_verify`. */
export const VERIFIES_SERVER = { true: 'full', false: 'none' } as const
export const VERIFIES_CLIENT = { true: 'required', false: 'none' } as const
const VERIFY_MODES = { none: 'none', peer: 'optional', force_peer: 'required' } as const

const PEM_ONLY = 'Trusted certificates are read from a PEM file.'

/** Options for Java key and trust stores. */
export const STORE_OPTIONS = {
  ssl_keystore_path: option.path(),
  ssl_keystore_password: option.password(),
  ssl_keystore_type: option.words(['pkcs12']),
  ssl_truststore_path: option.path(),
  ssl_truststore_password: option.ignored(PEM_ONLY),
  ssl_truststore_type: option.ignored(PEM_ONLY),
} as const

/** Options of plugins that act as clients. */
export const CLIENT_TLS_OPTIONS = {
  ...EVERY_SIDE,
  ssl_verification_mode: option.words(['full', 'none'], { default: 'full' }),
  ...STORE_OPTIONS,
} as const

/** Options of plugins that act as servers. */
export const SERVER_TLS_OPTIONS = {
  ...EVERY_SIDE,
  ssl_extra_chain_certs: option.touching('files', option.strings({ default: [] })),
} as const

/** Old option names of the beats and http inputs. */
export const OLD_SERVER_TLS_OPTIONS = {
  ...OLD_PROTOCOLS,
  ssl_verify_mode: option.renamed('ssl_client_authentication', VERIFY_MODES),
} as const

export const OLD_HTTP_SERVER_TLS_OPTIONS = {
  ...OLD_SERVER_TLS_OPTIONS,
  verify_mode: option.renamed('ssl_client_authentication', VERIFY_MODES),
  keystore: option.renamed('ssl_keystore_path'),
  keystore_password: option.renamed('ssl_keystore_password'),
} as const

/** Old option names of plugins that send HTTP requests. */
export const OLD_CLIENT_TLS_OPTIONS = {
  cacert: option.renamed('ssl_certificate_authorities'),
  keystore: option.renamed('ssl_keystore_path'),
  keystore_password: option.renamed('ssl_keystore_password'),
  truststore: option.renamed('ssl_truststore_path'),
  truststore_password: option.renamed('ssl_truststore_password'),
} as const

export type ClientAuthentication = 'none' | 'optional' | 'required'

interface GivenOptions {
  readonly ssl_certificate: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_key_passphrase: string | undefined
  readonly ssl_certificate_authorities: readonly string[]
  readonly ssl_supported_protocols: readonly string[]
  readonly ssl_cipher_suites: readonly string[]
  readonly ssl_extra_chain_certs?: readonly string[]
  readonly ssl_handshake_timeout?: number
  readonly tls_min_version?: number | undefined
  readonly tls_max_version?: number | undefined
}

interface ServerOptions extends GivenOptions {
  readonly ssl_keystore_path?: string | undefined
  readonly ssl_keystore_password?: string | undefined
  readonly ssl_truststore_path?: string | undefined
}

interface ClientOptions extends GivenOptions {
  readonly ssl_verification_mode: 'full' | 'none'
  readonly ssl_keystore_path: string | undefined
  readonly ssl_keystore_password: string | undefined
  readonly ssl_truststore_path?: string | undefined
}

export function clientTls(options: ClientOptions): ConnectionOptions {
  return {
    ...certificates(options),
    ...(options.ssl_keystore_path === undefined
      ? {}
      : { pfx: readFileSync(options.ssl_keystore_path), passphrase: options.ssl_keystore_password ?? '' }),
    ...(options.ssl_truststore_path === undefined ? {} : { ca: readTruststore(options.ssl_truststore_path) }),
    rejectUnauthorized: options.ssl_verification_mode !== 'none',
  }
}

/** Reads a PEM file. Java keystores are not supported. */
export function readTruststore(path: string): Buffer {
  const bytes = readFileSync(path)
  if (isPem(bytes)) return bytes
  throw new PluginOptionError(
    `the truststore ${path} is a Java store, which cannot be read here. Write its certificates to a PEM file ` +
      '(keytool -exportcert -rfc) and name that one',
  )
}

export function isPem(bytes: Buffer): boolean {
  return bytes.includes('-----BEGIN ')
}

export function serverTls(options: ServerOptions, authentication: ClientAuthentication): TlsOptions {
  const { ssl_keystore_path: keystore, ssl_truststore_path: truststore } = options
  if (keystore === undefined && (options.ssl_certificate === undefined || options.ssl_key === undefined)) {
    throw new PluginOptionError('ssl_certificate and ssl_key are needed when ssl_enabled is true')
  }
  if (authentication !== 'none' && options.ssl_certificate_authorities.length === 0 && truststore === undefined) {
    throw new PluginOptionError(
      `ssl_certificate_authorities is needed when ssl_client_authentication is "${authentication}"`,
    )
  }
  return {
    ...certificates(options),
    ...(keystore === undefined ? {} : { pfx: readFileSync(keystore), passphrase: options.ssl_keystore_password ?? '' }),
    ...(truststore === undefined ? {} : { ca: readTruststore(truststore) }),
    requestCert: authentication !== 'none',
    rejectUnauthorized: authentication === 'required',
    ...(options.ssl_handshake_timeout === undefined ? {} : { handshakeTimeout: options.ssl_handshake_timeout }),
  }
}

/**
 * Reads the files one after the other, so that a file that OpenSSL cannot read is named with its option. OpenSSL's own words
 * name neither.
 */
function certificates(options: GivenOptions): SecureContextOptions {
  const { ssl_certificate, ssl_key, ssl_key_passphrase: passphrase } = options
  const tryOut = (name: string, path: string | undefined, what: string, context: (bytes: Buffer) => object) => {
    if (path === undefined) return
    try {
      createSecureContext(context(readFileSync(path)))
    } catch (error) {
      throw new PluginOptionError(`${name} ${path}: ${what} (${plainReason(error as Error)})`)
    }
  }
  tryOut('ssl_certificate', ssl_certificate, 'no certificate in PEM form', (cert) => ({ cert }))
  const key = passphrase === undefined ? 'no private key in PEM form' : 'no private key that ssl_key_passphrase opens'
  tryOut('ssl_key', ssl_key, key, (bytes) => ({ key: bytes, ...(passphrase === undefined ? {} : { passphrase }) }))
  if (ssl_certificate !== undefined && ssl_key !== undefined) {
    tryOut('ssl_key', ssl_key, `it does not belong to ssl_certificate ${ssl_certificate}`, (bytes) => ({
      ...{ key: bytes, cert: readFileSync(ssl_certificate) },
      ...(passphrase === undefined ? {} : { passphrase }),
    }))
  }
  return secureContext(options)
}

/** OpenSSL's reason without the number and the function, in lower case. */
function plainReason({ message }: Error): string {
  const reason = /^error:[0-9A-F]+:[^:]*:[^:]*:(.+)$/i.exec(message)?.[1] ?? message
  return reason.toLowerCase() === 'unsupported' ? 'its form is not known, or it has another password' : reason
}

function secureContext(options: GivenOptions): SecureContextOptions {
  const { ssl_certificate, ssl_key, ssl_key_passphrase, ssl_certificate_authorities, ssl_cipher_suites } = options
  const chain = [ssl_certificate, ...(options.ssl_extra_chain_certs ?? [])].filter((path) => path !== undefined)
  return {
    ...(chain.length === 0 ? {} : { cert: chain.map((path) => readFileSync(path, 'utf8')).join('\n') }),
    ...(ssl_key === undefined ? {} : { key: readFileSync(ssl_key) }),
    ...(ssl_key_passphrase === undefined ? {} : { passphrase: ssl_key_passphrase }),
    ...(ssl_certificate_authorities.length === 0
      ? {}
      : { ca: ssl_certificate_authorities.map((path) => readFileSync(path)) }),
    ...(ssl_cipher_suites.length === 0 ? {} : { ciphers: ssl_cipher_suites.join(':') }),
    ...versions(options.ssl_supported_protocols),
    ...(options.tls_min_version === undefined ? {} : { minVersion: versionOf(options.tls_min_version) }),
    ...(options.tls_max_version === undefined ? {} : { maxVersion: versionOf(options.tls_max_version) }),
  }
}

/** Old configurations give numbers: 1, 1.1, 1.2, 1.3. */
function versionOf(number: number): SecureVersion {
  if (number < 1 || number > 1.3) throw new PluginOptionError(`there is no TLS ${number}; use 1, 1.1, 1.2 or 1.3`)
  return (number === 1 ? 'TLSv1' : `TLSv${number}`) as SecureVersion
}

function versions(names: readonly string[]): { minVersion?: SecureVersion; maxVersion?: SecureVersion } {
  if (names.length === 0) return {}
  const sorted = [...names].sort() as SecureVersion[]
  return { minVersion: sorted[0]!, maxVersion: sorted[sorted.length - 1]! }
}
