/** Creates X.509 certificates: an authority, and certificates of servers and clients signed by it. Keys are on the curve P-256. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { bits, boolean, implicit, integer, objectIdentifier, octets, sequence, set, tagged, time, utf8 } from './der.ts'

export interface CertificateWithKey {
  /** PEM. */
  readonly certificate: string
  readonly key: string
}

const DAY_MS = 86_400_000
const AUTHORITY_DAYS = 3 * 365
/** Apple's clients reject certificates that are valid for more than 825 days. */
const SERVER_DAYS = 820
/** Certificates are valid from a little earlier, because clocks differ. */
const BACKDATED_MS = 3_600_000

const COMMON_NAME = '2.5.4.3'
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'))
const BASIC_CONSTRAINTS = '2.5.29.19'
const KEY_USAGE = '2.5.29.15'
const EXTENDED_KEY_USAGE = '2.5.29.37'
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17'
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14'
const AUTHORITY_KEY_IDENTIFIER = '2.5.29.35'
const SERVER_AUTHENTICATION = '1.3.6.1.5.5.7.3.1'
const CLIENT_AUTHENTICATION = '1.3.6.1.5.5.7.3.2'

const V3 = tagged(0, integer(Buffer.from([2])))
/** Bits of the key usage, from the left: digitalSignature is the first, keyCertSign the sixth, cRLSign the seventh. */
const SIGNS_CERTIFICATES = bits(Buffer.from([0b0000_0110]), 1)
const SIGNS_HANDSHAKES = bits(Buffer.from([0b1000_0000]), 7)

export function createAuthority(name: string, nowMs: number): CertificateWithKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const subject = nameOf(name)
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const certificate = signed(
    {
      issuer: subject,
      subject,
      key,
      nowMs,
      days: AUTHORITY_DAYS,
      extensions: [
        extension(BASIC_CONSTRAINTS, sequence(boolean(true)), true),
        extension(KEY_USAGE, SIGNS_CERTIFICATES, true),
        extension(SUBJECT_KEY_IDENTIFIER, octets(identifierOf(key))),
      ],
    },
    privateKey,
  )
  return { certificate, key: pemKey(privateKey) }
}

type Issuer = CertificateWithKey & { readonly privateKey: KeyObject }

/** `hosts` are the host names and addresses of the server. */
export function createServerCertificate(
  authority: Issuer,
  hosts: readonly string[],
  nowMs: number,
): CertificateWithKey {
  return issue(authority, {
    subject: nameOf(hosts[0]!.slice(0, 64)),
    usage: SERVER_AUTHENTICATION,
    extensions: [extension(SUBJECT_ALTERNATIVE_NAME, sequence(...hosts.map(alternativeName)))],
    nowMs,
    days: SERVER_DAYS,
  })
}

/** An attribute of a subject: the object identifier of its type, and its value. */
export type SubjectAttribute = readonly [type: string, value: string]

/** `subject` is a common name, or the attributes from the most general to the most specific. */
export function createClientCertificate(
  authority: Issuer,
  subject: string | readonly SubjectAttribute[],
  nowMs: number,
  days = SERVER_DAYS,
): CertificateWithKey {
  const name = typeof subject === 'string' ? nameOf(subject) : sequence(...subject.map(attributeOf))
  return issue(authority, { subject: name, usage: CLIENT_AUTHENTICATION, extensions: [], nowMs, days })
}

interface Issued {
  readonly subject: Buffer
  /** The extended key usage. */
  readonly usage: string
  readonly extensions: readonly Buffer[]
  readonly nowMs: number
  readonly days: number
}

function issue(authority: Issuer, { subject, usage, extensions, nowMs, days }: Issued): CertificateWithKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = new X509Certificate(authority.certificate)
  const key = publicKey.export({ type: 'spki', format: 'der' })
  const issuerKey = issuer.publicKey.export({ type: 'spki', format: 'der' })
  const certificate = signed(
    {
      issuer: nameOf(commonName(issuer.subject)),
      subject,
      key,
      nowMs,
      days,
      extensions: [
        extension(BASIC_CONSTRAINTS, sequence(), true),
        extension(KEY_USAGE, SIGNS_HANDSHAKES, true),
        extension(EXTENDED_KEY_USAGE, sequence(objectIdentifier(usage))),
        ...extensions,
        extension(SUBJECT_KEY_IDENTIFIER, octets(identifierOf(key))),
        extension(AUTHORITY_KEY_IDENTIFIER, sequence(implicit(0, identifierOf(issuerKey)))),
      ],
    },
    authority.privateKey,
  )
  return { certificate, key: pemKey(privateKey) }
}

/** The SHA-256 of the certificate in hexadecimal digits, as clients expect it. */
export const fingerprint = (certificate: string) =>
  new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase()

interface Content {
  readonly issuer: Buffer
  readonly subject: Buffer
  readonly key: Buffer
  readonly nowMs: number
  readonly days: number
  readonly extensions: readonly Buffer[]
}

function signed({ issuer, subject, key, nowMs, days, extensions }: Content, signer: KeyObject): string {
  const serial = randomBytes(16)
  serial[0]! &= 0x7f
  const validity = sequence(time(new Date(nowMs - BACKDATED_MS)), time(new Date(nowMs + days * DAY_MS)))
  const body = sequence(
    ...[V3, integer(serial), ECDSA_WITH_SHA256, issuer, validity, subject, key],
    tagged(3, sequence(...extensions)),
  )
  return pem('CERTIFICATE', sequence(body, ECDSA_WITH_SHA256, bits(sign('sha256', body, signer))))
}

function extension(identifier: string, value: Buffer, isCritical = false): Buffer {
  return sequence(objectIdentifier(identifier), ...(isCritical ? [boolean(true)] : []), octets(value))
}

const attributeOf = ([type, value]: SubjectAttribute) => set(sequence(objectIdentifier(type), utf8(value)))
const nameOf = (name: string) => sequence(attributeOf([COMMON_NAME, name]))
const commonName = (subject: string) => /(?:^|\n)CN=(.*)/.exec(subject)?.[1] ?? ''
const identifierOf = (key: Buffer) => createHash('sha1').update(key).digest()

const DNS_NAME = 2
const IP_ADDRESS = 7

function alternativeName(host: string): Buffer {
  return isIP(host) === 0 ? implicit(DNS_NAME, Buffer.from(host)) : implicit(IP_ADDRESS, addressBytes(host))
}

function addressBytes(address: string): Buffer {
  if (isIP(address) === 4) return Buffer.from(address.split('.').map(Number))
  const [head, tail] = address.replace(/%.*$/, '').split('::') as [string, string | undefined]
  const groups = (text: string | undefined) => (text === undefined || text === '' ? [] : text.split(':'))
  const before = groups(head)
  const after = groups(tail)
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const all = [...before, ...Array<string>(missing).fill('0'), ...after]
  const bytes = Buffer.alloc(16)
  for (const [i, group] of all.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2)
  return bytes
}

const pemKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }) as string

function pem(label: string, der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}
