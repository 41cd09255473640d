/** The `ssl_…` options shared by network plugins, and their translation to Node's TLS options. */
import { readFileSync } from 'node:fs'
import type { ConnectionOptions, SecureContextOptions, SecureVersion, TlsOptions } from 'node:tls'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'

const EVERY_SIDE = {
  ssl_enabled: option.boolean(),
  ssl: option.renamed('ssl_enabled'),
  ssl_certificate: option.path(),
  ssl_key: option.path(),
  ssl_key_passphrase: option.password(),
  ssl_certificate_authorities: option.strings({ default: [] }),
  ssl_supported_protocols: option.strings({ default: [] }),
  ssl_cipher_suites: option.strings({ default: [] }),
} as const

const PEM_ONLY = 'Trusted certificates are read from a PEM file.'

/** Options of plugins that act as clients. */
export const CLIENT_TLS_OPTIONS = {
  ...EVERY_SIDE,
  ssl_verification_mode: option.words(['full', 'none'], { default: 'full' }),
  ssl_keystore_path: option.path(),
  ssl_keystore_password: option.password(),
  ssl_keystore_type: option.words(['pkcs12']),
  ssl_truststore_path: option.path(),
  ssl_truststore_password: option.ignored(PEM_ONLY),
  ssl_truststore_type: option.ignored(PEM_ONLY),
} as const

/** Options of plugins that act as servers. */
export const SERVER_TLS_OPTIONS = {
  ...EVERY_SIDE,
  ssl_extra_chain_certs: option.strings({ default: [] }),
  ssl_verification_mode: option.words(['full', 'certificate', 'none']),
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

export function serverTls(options: GivenOptions, authentication: ClientAuthentication): TlsOptions {
  if (options.ssl_certificate === undefined || options.ssl_key === undefined) {
    throw new PluginOptionError('ssl_certificate and ssl_key are needed when ssl_enabled is true')
  }
  if (authentication !== 'none' && options.ssl_certificate_authorities.length === 0) {
    throw new PluginOptionError(
      `ssl_certificate_authorities is needed when ssl_client_authentication is "${authentication}"`,
    )
  }
  return {
    ...certificates(options),
    requestCert: authentication !== 'none',
    rejectUnauthorized: authentication === 'required',
    ...(options.ssl_handshake_timeout === undefined ? {} : { handshakeTimeout: options.ssl_handshake_timeout }),
  }
}

function certificates(options: GivenOptions): SecureContextOptions {
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
  }
}

function versions(names: readonly string[]): { minVersion?: SecureVersion; maxVersion?: SecureVersion } {
  if (names.length === 0) return {}
  const sorted = [...names].sort() as SecureVersion[]
  return { minVersion: sorted[0]!, maxVersion: sorted[sorted.length - 1]! }
}
