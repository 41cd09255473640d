/** A client certificate that the TLS handshake has verified, and the user it stands for. */
import { X509Certificate } from 'node:crypto'
import { subjectName } from './distinguished-name.ts'

export interface ClientCertificate {
  /** The subject: `CN=ann, O=Example`. */
  readonly dn: string
  /** Undefined if the subject has no common name: such a certificate stands for nobody. */
  readonly username: string | undefined
  readonly validUntilMs: number
}

/** The default of Elasticsearch's `username_pattern`. */
const USERNAME = /CN=(.*?)(?:,|$)/

export function clientCertificate(raw: Buffer): ClientCertificate {
  const dn = subjectName(raw)
  const username = USERNAME.exec(dn)?.[1]
  return {
    dn,
    username: username === '' ? undefined : username,
    validUntilMs: Date.parse(new X509Certificate(raw).validTo),
  }
}
