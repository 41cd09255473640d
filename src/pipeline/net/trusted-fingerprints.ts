/**
 * `ca_trusted_fingerprint`: a server is also trusted if the chain of its certificate leads to a certificate with one of the given
 * SHA-256 fingerprints. Signatures, dates and the host name are checked as for any other authority.
 */
import type { X509Certificate } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { checkServerIdentity, type TLSSocket } from 'node:tls'
import { PluginOptionError } from '../plugin/plugin-context.ts'

/** Longer chains are not followed, so that a chain with a cycle ends. */
const CHAIN_MAX = 10

/** Normalizes fingerprints to the form of Node: pairs of upper-case digits separated by colons. */
export function parseFingerprints(texts: readonly string[]): string[] {
  return texts.map((text) => {
    const digits = text.replaceAll(':', '').toUpperCase()
    if (!/^[0-9A-F]{64}$/.test(digits)) {
      throw new PluginOptionError(`ca_trusted_fingerprint "${text}" is no SHA-256 fingerprint of 64 hexadecimal digits`)
    }
    return digits.match(/../g)!.join(':')
  })
}

/**
 * Passes a connection to `done` when its handshake is complete and its server is trusted. The connection must have been opened with
 * `rejectUnauthorized: false`. Nothing has been sent over it before `done` is called.
 */
export function whenTrusted(
  socket: TLSSocket,
  host: string,
  fingerprints: readonly string[],
  done: (error: Error | null, stream: Duplex) => void,
): void {
  const fail = (error: Error) => done(error, undefined as unknown as Duplex)
  socket.once('error', fail)
  socket.once('secureConnect', () => {
    socket.off('error', fail)
    const problem = socket.authorized ? undefined : problemOf(socket, host, fingerprints)
    if (problem === undefined) {
      done(null, socket)
      return
    }
    socket.on('error', () => {})
    socket.destroy()
    fail(problem)
  })
}

function problemOf(socket: TLSSocket, host: string, fingerprints: readonly string[]): Error | undefined {
  const leaf = socket.getPeerX509Certificate()
  if (leaf === undefined || !leadsToTrusted(leaf, fingerprints, Date.now())) {
    return new Error(
      `the certificate of ${host} is not trusted: ${String(socket.authorizationError)}, and no certificate of its chain has the ca_trusted_fingerprint`,
    )
  }
  return checkServerIdentity(host, leaf.toLegacyObject())
}

/** Whether every certificate up to one with a trusted fingerprint is valid now and signed by the next. */
function leadsToTrusted(leaf: X509Certificate, fingerprints: readonly string[], nowMs: number): boolean {
  let certificate = leaf
  for (let depth = 0; depth < CHAIN_MAX; depth++) {
    if (nowMs < Date.parse(certificate.validFrom) || nowMs > Date.parse(certificate.validTo)) return false
    if (fingerprints.includes(certificate.fingerprint256)) return true
    const issuer: X509Certificate | undefined = certificate.issuerCertificate
    if (issuer === undefined || !issuer.ca) return false
    if (!certificate.checkIssued(issuer) || !certificate.verify(issuer.publicKey)) return false
    certificate = issuer
  }
  return false
}
