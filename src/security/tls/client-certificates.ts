/**
 * Client certificates of TLS connections: asks for them, refuses those that no trusted authority has signed, and tells which
 * certificate a connection has. Node verifies the chain and the dates during the handshake.
 *
 * A certificate counts as long as the authorities are the ones it was verified with. After they have changed, or when it has
 * expired, it stands for nobody, and its connection is closed after the next response.
 */
import type { Socket } from 'node:net'
import type { Server, TLSSocket } from 'node:tls'
import type { Log } from '../../base/log.ts'
import { type ClientCertificate, clientCertificate } from './client-certificate.ts'

export interface ClientCertificatesOptions {
  /** `optional`: connections without a certificate are accepted, those with an invalid one are not. */
  readonly mode: 'optional' | 'required'
  /** Certificates of the trusted authorities in PEM. */
  readonly authorities: string
  readonly log: Log
}

interface Verified {
  readonly certificate: ClientCertificate
  readonly authorities: string
}

/** Refused connections are logged at most this often, so that a scanner cannot fill the disk. */
const LOGGED_EVERY_MS = 1_000

const NO_CERTIFICATE = 'ERR_SSL_PEER_DID_NOT_RETURN_A_CERTIFICATE'

export class ClientCertificates {
  readonly #options: ClientCertificatesOptions
  readonly #verified = new WeakMap<object, Verified>()
  /** The authorities with which running handshakes began, by the address and port of the client. */
  readonly #handshakes = new Map<string, string>()
  #authorities: string
  #loggedAtMs = 0
  #unlogged = 0

  constructor(options: ClientCertificatesOptions) {
    this.#options = options
    this.#authorities = options.authorities
  }

  /** The options of a TLS server. */
  get serverOptions(): { requestCert: true; rejectUnauthorized: boolean } {
    return { requestCert: true, rejectUnauthorized: this.#options.mode === 'required' }
  }

  get authorities(): string {
    return this.#authorities
  }

  /** Certificates of new connections are verified with these authorities; those of earlier ones are no longer valid. */
  set authorities(authorities: string) {
    this.#authorities = authorities
  }

  /** Checks the connections of a server. Must be called before the server listens. */
  attachTo(server: Server): void {
    server.on('connection', (socket: Socket) => {
      const peer = peerOf(socket)
      this.#handshakes.set(peer, this.#authorities)
      socket.on('close', () => this.#handshakes.delete(peer))
    })
    // Registered before the listener of the HTTP server, which would start to read requests.
    server.prependListener('secureConnection', (socket) => this.#accept(socket))
    server.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
      const { authorizationError } = socket
      if (error.code === NO_CERTIFICATE) this.#log(socket, 'no certificate')
      else if (authorizationError) this.#log(socket, String(authorizationError))
    })
  }

  /** The certificate of a connection; undefined without one, and if it is no longer valid. */
  of(connection: object | undefined): ClientCertificate | undefined {
    const verified = connection === undefined ? undefined : this.#verified.get(connection)
    return verified !== undefined && this.#isValid(verified) ? verified.certificate : undefined
  }

  /** Whether a connection was opened with a certificate that is no longer valid. */
  isOutdated(connection: object): boolean {
    const verified = this.#verified.get(connection)
    return verified !== undefined && !this.#isValid(verified)
  }

  #isValid({ certificate, authorities }: Verified): boolean {
    return authorities === this.#authorities && Date.now() < certificate.validUntilMs
  }

  #accept(socket: TLSSocket): void {
    const authorities = this.#handshakes.get(peerOf(socket)) ?? ''
    this.#handshakes.delete(peerOf(socket))
    const presented = socket.getPeerX509Certificate()
    if (presented === undefined) return
    if (!socket.authorized) {
      this.#log(socket, String(socket.authorizationError))
      socket.destroy()
      return
    }
    this.#verified.set(socket, { certificate: clientCertificate(presented.raw), authorities })
  }

  #log({ remoteAddress }: TLSSocket, reason: string): void {
    const nowMs = Date.now()
    if (nowMs - this.#loggedAtMs < LOGGED_EVERY_MS) {
      this.#unlogged++
      return
    }
    const more = this.#unlogged === 0 ? {} : { more: this.#unlogged }
    this.#options.log.warn('refused a connection by its client certificate', {
      address: remoteAddress,
      reason,
      ...more,
    })
    this.#loggedAtMs = nowMs
    this.#unlogged = 0
  }
}

const peerOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
