/** The certificate and key of the server: from files, or created in the data folder. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { hostname, networkInterfaces } from 'node:os'
import { type Directory, readWhole } from '../../engine/store/directory.ts'
import { createAuthority, createServerCertificate, fingerprint } from './certificate.ts'

export interface TlsMaterial {
  /** The server certificate and its issuers in PEM. Clients with a CA fingerprint search the whole chain for it. */
  readonly cert: string
  readonly key: string
  /** Fingerprint of the certificate at the end of the chain. */
  readonly caFingerprint: string
}

export interface TlsFiles {
  readonly cert: string
  readonly key: string
  /** Certificates of the issuers; undefined when they are in `cert`. */
  readonly ca: string | undefined
}

/** Whether clients are asked for a certificate, and who must have signed it. */
export interface ClientAuthentication {
  readonly mode: 'optional' | 'required'
  /** A file with certificates of authorities in PEM; undefined: the issuers of the server's own certificate. */
  readonly ca: string | undefined
}

/** A certificate or key that cannot be used. */
export class TlsFilesError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'TlsFilesError'
  }
}

export function readTlsFiles({ cert, key, ca }: TlsFiles): TlsMaterial {
  const chain = [cert, ...(ca === undefined ? [] : [ca])].map(readText).join('\n')
  const certificates = certificatesIn(chain)
  const keyText = readText(key)
  if (certificates.length === 0) throw new TlsFilesError(`there is no certificate in PEM in ${cert}`)
  try {
    const first = new X509Certificate(certificates[0]!)
    if (!first.checkPrivateKey(createPrivateKey(keyText))) {
      throw new TlsFilesError(`the key in ${key} is not that of the certificate in ${cert}`)
    }
  } catch (error) {
    if (error instanceof TlsFilesError) throw error
    throw new TlsFilesError(`cannot read ${cert} and ${key}: ${(error as Error).message}`)
  }
  return { cert: chain, key: keyText, caFingerprint: fingerprint(certificates.at(-1)!) }
}

const certificatesIn = (pem: string): string[] =>
  pem.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g) ?? []

/** The certificates of a file, each of which must be one of an authority. */
export function readAuthorities(path: string): string {
  const certificates = certificatesIn(readText(path))
  if (certificates.length === 0) throw new TlsFilesError(`there is no certificate in PEM in ${path}`)
  for (const certificate of certificates) {
    let isAuthority: boolean
    try {
      isAuthority = new X509Certificate(certificate).ca
    } catch (error) {
      throw new TlsFilesError(`cannot read ${path}: ${(error as Error).message}`)
    }
    if (!isAuthority) throw new TlsFilesError(`${path} has a certificate that is not one of an authority`)
  }
  return certificates.join('\n')
}

/** The certificates of authorities in a chain. */
export const authoritiesIn = (chain: string): string =>
  certificatesIn(chain)
    .filter((certificate) => new X509Certificate(certificate).ca)
    .join('\n')

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new TlsFilesError(`cannot read ${path}: ${(error as Error).message}`)
  }
}

/** A text that changes when one of the files changes. */
export function filesMark(paths: readonly string[]): string {
  return paths
    .map((path) => {
      const stat = statSync(path, { throwIfNoEntry: false })
      return `${stat?.mtimeMs} ${stat?.size} ${stat?.ino}`
    })
    .join(' ')
}

const CA_CERTIFICATE = 'http_ca.crt'
const CA_KEY = 'http_ca.key'
const CERTIFICATE = 'http.crt'
const KEY = 'http.key'
const RENEW_BEFORE_MS = 30 * 86_400_000

/**
 * Creates an authority once, and a server certificate whenever the existing one has expired or lacks a host name of this
 * machine or `host`. Clients that trust the authority accept the new certificate.
 */
export async function automaticTls(directory: Directory, host: string, nowMs: number): Promise<TlsMaterial> {
  let ca = pairOf(directory, CA_CERTIFICATE, CA_KEY)
  if (ca === undefined || isEnding(ca.certificate, nowMs)) {
    ca = createAuthority('Sandpiper HTTP CA', nowMs)
    await writePair(directory, CA_CERTIFICATE, CA_KEY, ca)
  }
  const hosts = ownHosts(host)
  let own = pairOf(directory, CERTIFICATE, KEY)
  if (own === undefined || !fits(own.certificate, ca.certificate, hosts, nowMs)) {
    own = createServerCertificate({ ...ca, privateKey: createPrivateKey(ca.key) }, hosts, nowMs)
    await writePair(directory, CERTIFICATE, KEY, own)
  }
  return { cert: `${own.certificate}${ca.certificate}`, key: own.key, caFingerprint: fingerprint(ca.certificate) }
}

interface Pair {
  readonly certificate: string
  readonly key: string
}

function pairOf(directory: Directory, certificate: string, key: string): Pair | undefined {
  if (directory.size(certificate) === undefined || directory.size(key) === undefined) return undefined
  const text = (name: string) => Buffer.from(readWhole(directory, name)).toString('utf8')
  return { certificate: text(certificate), key: text(key) }
}

async function writePair(directory: Directory, certificate: string, key: string, pair: Pair): Promise<void> {
  for (const [name, text] of [
    [key, pair.key],
    [certificate, pair.certificate],
  ] as const) {
    directory.write(`${name}.tmp`, Buffer.from(text))
    await directory.sync(`${name}.tmp`)
    directory.rename(`${name}.tmp`, name)
  }
  await directory.syncFolder()
}

const isEnding = (certificate: string, nowMs: number) =>
  Date.parse(new X509Certificate(certificate).validTo) - nowMs < RENEW_BEFORE_MS

function fits(certificate: string, authority: string, hosts: readonly string[], nowMs: number): boolean {
  const own = new X509Certificate(certificate)
  if (isEnding(certificate, nowMs) || !own.checkIssued(new X509Certificate(authority))) return false
  return hosts.every((host) => own.checkHost(host) !== undefined || own.checkIP(host) !== undefined)
}

/** Names and addresses of this machine. */
export function ownHosts(host: string): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? [])
  const listed = addresses.map(({ address }) => address.replace(/%.*$/, ''))
  const isAny = host === '0.0.0.0' || host === '::' || host === ''
  return [...new Set(['localhost', hostname(), '127.0.0.1', '::1', ...(isAny ? [] : [host]), ...listed])]
}
