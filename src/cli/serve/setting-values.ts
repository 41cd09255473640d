/** Parsers of the values of settings. Each throws a SettingsError that names the setting and describes valid values. */
import { isIP } from 'node:net'
import { parseByteSize } from '../../base/byte-size.ts'
import { isLogFormat, isLogLevel, LOG_FORMATS, LOG_LEVELS, type LogFormat, type LogLevel } from '../../base/log.ts'
import { SettingsError } from '../arguments/settings-error.ts'

/** The texts that describe a default that depends on the system or on other settings. */
export const UNSET = {
  allowedHosts: 'those of this machine',
  memory: 'memory of the container or the machine',
  corsOrigins: 'those of this machine',
  tls: 'off on loopback addresses, otherwise auto',
} as const

export const plain = (text: string, name: string): string => {
  if (text === '') throw new SettingsError(`${name} must not be empty`)
  return text
}

export const number =
  (min: number, max: number) =>
  (text: string, name: string): number => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    throw new SettingsError(`${name} must be a number from ${min} to ${max}, not "${text}"`)
  }

export function readSize(text: string, name: string): number {
  try {
    const bytes = parseByteSize(text, name)
    if (bytes > 0) return bytes
  } catch {
    // The error thrown below is clearer than the API's.
  }
  throw new SettingsError(`${name} must be a size such as 100mb, not "${text}"`)
}

const NAME_OR_PATTERN = /^(\*|(\*\.)?[a-z0-9]([a-z0-9._-]*[a-z0-9])?\.?)$/i

export function readNames(text: string, name: string): string[] {
  if (text === UNSET.allowedHosts) return []
  const names = text.split(',').map((one) => one.trim())
  for (const one of names) {
    if (!NAME_OR_PATTERN.test(one)) {
      throw new SettingsError(
        `${name} must be names such as search.example.org,*.corp.example without ports, not "${one}"`,
      )
    }
  }
  return names
}

/** With less memory nothing would be left for data. */
const MEMORY_BYTES_MIN = 192 * 1024 * 1024

export function readMemory(text: string, name: string): number | undefined {
  if (text === UNSET.memory) return undefined
  const bytes = readSize(text, name)
  if (bytes >= MEMORY_BYTES_MIN) return bytes
  throw new SettingsError(`${name} must be at least 192mb, not "${text}"`)
}

export function readOrigins(text: string, name: string): string[] {
  if (text === UNSET.corsOrigins || text === '') return []
  // A regular expression may hold commas.
  const origins = text.startsWith('/') ? [text] : text.split(',').map((one) => one.trim())
  for (const one of origins) {
    if (one === '*' || /^https?:\/\/[^/\s]+$/.test(one) || isRegExp(one)) continue
    throw new SettingsError(`${name} must be origins such as https://app.example, not "${one}"`)
  }
  return origins
}

function isRegExp(text: string): boolean {
  if (text.length < 3 || !text.startsWith('/') || !text.endsWith('/')) return false
  try {
    return new RegExp(text.slice(1, -1)) !== undefined
  } catch {
    return false
  }
}

export function readProxies(text: string, name: string): string[] {
  const proxies = text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  for (const one of proxies) {
    const [address, prefix = '0'] = one.split('/') as [string, string | undefined]
    if (isIP(address) !== 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= (isIP(address) === 4 ? 32 : 128)) continue
    throw new SettingsError(`${name} must be addresses such as 10.0.0.1 or 10.0.0.0/8, not "${one}"`)
  }
  return proxies
}

export type TlsMode = 'auto' | 'off' | undefined

export function readTlsMode(text: string, name: string): TlsMode {
  if (text === UNSET.tls) return undefined
  if (text === 'auto' || text === 'off') return text
  throw new SettingsError(
    `${name} must be auto or off, not "${text}" (a certificate of your own is given by --tls-cert and --tls-key)`,
  )
}

export type ClientAuthMode = 'none' | 'optional' | 'required'

export function readClientAuth(text: string, name: string): ClientAuthMode {
  if (text === 'none' || text === 'optional' || text === 'required') return text
  throw new SettingsError(`${name} must be none, optional or required, not "${text}"`)
}

const SCRIPT_TYPES: Readonly<Record<string, readonly string[] | undefined>> = {
  both: undefined,
  inline: ['inline'],
  stored: ['stored'],
  none: [],
}

export function readScriptTypes(text: string, name: string): readonly string[] | undefined {
  if (Object.hasOwn(SCRIPT_TYPES, text)) return SCRIPT_TYPES[text]
  throw new SettingsError(`${name} must be both, inline, stored or none, not "${text}"`)
}

export function readScriptContexts(text: string, name: string): readonly string[] | undefined {
  if (text === 'all') return undefined
  if (text === 'none') return []
  const contexts = text.split(',').map((one) => one.trim())
  const unknown = contexts.find((one) => !/^[a-z][a-z_-]*$/.test(one))
  if (unknown === undefined) return contexts
  throw new SettingsError(`${name} must be names of script contexts such as score,update,field, not "${unknown}"`)
}

export function readRegexEnabled(text: string, name: string): boolean | 'limited' {
  if (text === 'limited') return text
  if (text === 'true' || text === 'false') return text === 'true'
  throw new SettingsError(`${name} must be limited, true or false, not "${text}"`)
}

export function readBoolean(text: string, name: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new SettingsError(`${name} must be true or false, not "${text}"`)
}

export function readLogLevel(text: string, name: string): LogLevel {
  if (isLogLevel(text)) return text
  throw new SettingsError(`${name} must be one of ${LOG_LEVELS.join(', ')}, not "${text}"`)
}

export function readLogFormat(text: string, name: string): LogFormat {
  if (isLogFormat(text)) return text
  throw new SettingsError(`${name} must be one of ${LOG_FORMATS.join(', ')}, not "${text}"`)
}

/** Addresses of a cluster. A password in an address would be shown to everybody on the machine. */
export function readUrls(text: string, name: string): URL[] {
  const urls = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return urls.map((part) => {
    const url = URL.canParse(part) ? new URL(part) : undefined
    if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:'))
      throw new SettingsError(`${name}: "${part}" is no address (write http://host:9200 or https://host:9200)`)
    if (url.username !== '' || url.password !== '')
      throw new SettingsError(`${name}: credentials do not belong in the address (use --cluster-user)`)
    return url
  })
}

export function readClusterAuth(text: string, name: string): 'own' | 'pass' {
  if (text !== 'own' && text !== 'pass') throw new SettingsError(`${name} must be own or pass, not "${text}"`)
  return text
}
