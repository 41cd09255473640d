/** The TLS of a node: its certificate, the client certificates it asks for, and the files that are read again when they change. */
import { createPrivateKey } from 'node:crypto'
import type { Log } from '../base/log.ts'
import type { HttpServer, TlsContent } from '../http/server.ts'
import { type CertificateWithKey, createAuthority, createClientCertificate } from '../security/tls/certificate.ts'
import { ClientCertificates } from '../security/tls/client-certificates.ts'
import {
  authoritiesIn,
  automaticTls,
  type ClientAuthentication,
  filesMark,
  readAuthorities,
  readTlsFiles,
  type TlsFiles,
  TlsFilesError,
  type TlsMaterial,
} from '../security/tls/tls-material.ts'
import type { SandpiperNode } from '../service/sandpiper-node.ts'

export interface TlsSettings {
  /** Files of the operator, or a certificate that is generated in the data folder; absent: connections are not encrypted. */
  readonly tls?: TlsFiles | 'auto' | undefined
  /** Absent: clients are not asked for certificates. */
  readonly clientAuthentication?: ClientAuthentication | undefined
  readonly host: string
  readonly log: Log
}

export interface OpenTls {
  readonly content: TlsContent
  readonly caFingerprint: string
  readonly clientCertificates: ClientCertificates | undefined
  /** A client certificate for commands on this machine, where connections without one are refused. */
  readonly operatorCertificate: CertificateWithKey | undefined
  /** Rereads changed files for new connections of the server. Returns a function that stops it. */
  watch(http: HttpServer, everyMs?: number): () => void
}

const LOOK_EVERY_MS = 5_000

export async function openTls(node: SandpiperNode, settings: TlsSettings): Promise<OpenTls | undefined> {
  const { tls, clientAuthentication, host, log } = settings
  if (tls === undefined) {
    if (clientAuthentication !== undefined) throw new TlsFilesError('client certificates need TLS')
    return undefined
  }
  const generated = tls === 'auto' ? await generate(node, host) : undefined
  const readOwn = (): TlsMaterial => generated ?? readTlsFiles(tls as TlsFiles)
  const own = readOwn()
  const operator = clientAuthentication?.mode === 'required' ? createOperator() : undefined
  const authorities = (material: TlsMaterial) =>
    [clientAuthorities(clientAuthentication!, material), ...(operator === undefined ? [] : [operator.authority])].join(
      '\n',
    )
  const clientCertificates =
    clientAuthentication &&
    new ClientCertificates({ mode: clientAuthentication.mode, authorities: authorities(own), log })
  const paths = [...(tls === 'auto' ? [] : [tls.cert, tls.key, tls.ca]), clientAuthentication?.ca].filter(
    (path) => path !== undefined,
  )
  return {
    content: own,
    caFingerprint: own.caFingerprint,
    clientCertificates,
    operatorCertificate: operator?.certificate,
    watch: (http, everyMs = LOOK_EVERY_MS) =>
      watchFiles(paths, everyMs, () => {
        try {
          const material = readOwn()
          if (clientCertificates !== undefined) clientCertificates.authorities = authorities(material)
          http.renewTls(material)
          log.info('certificates were reloaded', { files: paths.join(', ') })
        } catch (error) {
          log.error('changed certificates are invalid; the previous ones stay in use', { error })
        }
      }),
  }
}

async function generate(node: SandpiperNode, host: string): Promise<TlsMaterial> {
  const directory = node.directory('certs')
  if (directory === undefined) throw new Error('a node in memory keeps no certificates')
  return automaticTls(directory, host, Date.now())
}

function clientAuthorities({ ca }: ClientAuthentication, { cert }: TlsMaterial): string {
  if (ca !== undefined) return readAuthorities(ca)
  const issuers = authoritiesIn(cert)
  if (issuers === '') throw new TlsFilesError('there are no authorities for client certificates (use --tls-client-ca)')
  return issuers
}

/** An authority that exists in this process only, and the one certificate it signs. */
function createOperator(): { readonly authority: string; readonly certificate: CertificateWithKey } {
  const authority = createAuthority('Sandpiper operator CA', Date.now())
  const issuer = { ...authority, privateKey: createPrivateKey(authority.key) }
  return {
    authority: authority.certificate,
    certificate: createClientCertificate(issuer, '_sandpiper_operator', Date.now()),
  }
}

function watchFiles(paths: readonly string[], everyMs: number, onChange: () => void): () => void {
  if (paths.length === 0) return () => {}
  let seen = filesMark(paths)
  const timer = setInterval(() => {
    const mark = filesMark(paths)
    if (mark === seen) return
    seen = mark
    onChange()
  }, everyMs)
  timer.unref()
  return () => clearInterval(timer)
}
