/** `tcp`: reads lines (or whatever the codec decodes) from connections, as a server or as a client. */
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls, createServer as createTlsServer, type TLSSocket } from 'node:tls'
import type { Event } from '../event/event.ts'
import { listen } from '../net/listen.ts'
import { StreamServer } from '../net/stream-server.ts'
import { clientTls, SERVER_TLS_OPTIONS, serverTls, VERIFIES_CLIENT } from '../net/tls-options.ts'
import type { Codec } from '../plugin/codec-plugin.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { PeerNames, plainAddress, tcpDecoration } from './network-decoration.ts'
import { readProxyHeader } from './proxy-protocol.ts'
import { readSocket } from './socket-reader.ts'

const RECONNECT_MS = 5000

export const TCP_OPTIONS = {
  port: option.number({ required: true }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'line' }),
  mode: option.words(['server', 'client'], { default: 'server' }),
  proxy_protocol: option.boolean({ default: false }),
  tcp_keep_alive: option.boolean({ default: false }),
  dns_reverse_lookup_enabled: option.boolean({ default: true }),
  ...SERVER_TLS_OPTIONS,
  ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'required' }),
  ssl_enable: option.renamed('ssl_enabled'),
  ssl_verification_mode: option.words(['full', 'certificate', 'none']),
  ssl_verify: option.renamed('ssl_client_authentication', VERIFIES_CLIENT),
  ssl_cert: option.renamed('ssl_certificate'),
  ssl_cacert: option.renamed('ssl_certificate_authorities'),
  data_timeout: option.ignored('Connections are kept until they are closed.'),
} as const

type Options = OptionValues<typeof TCP_OPTIONS>

export const tcp = inputPlugin({
  name: 'tcp',
  touches: 'network',
  options: TCP_OPTIONS,
  create: (options, context) => createTcp(options, context),
})

export function createTcp(options: Options, context: PluginContext): Input {
  return options.mode === 'server' ? tcpServer(options, context) : new TcpClientInput(options, context)
}

/** The fields about the way of an event; those about its sender are in `network-decoration.ts`. */
const CLASSIC = { subject: 'sslsubject', proxyHost: 'proxy_host', proxyPort: 'proxy_port' }
const ECS = {
  subject: '[@metadata][input][tcp][tls][client][subject]',
  proxyHost: '[@metadata][input][tcp][proxy][ip]',
  proxyPort: '[@metadata][input][tcp][proxy][port]',
}

/** The handling of a connection, for both directions. */
class ConnectionReader {
  readonly #options: Options
  readonly #codec: Codec
  readonly #isEcs: boolean
  readonly #names = new PeerNames()

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#codec = options.codec.forStream()
    this.#isEcs = context.ecs !== 'disabled'
  }

  async read(socket: Socket, sink: InputSink): Promise<void> {
    if (this.#options.tcp_keep_alive) socket.setKeepAlive(true)
    const proxied = this.#options.proxy_protocol ? await readProxyHeader(socket) : undefined
    if (this.#options.proxy_protocol && proxied === undefined) {
      socket.destroy()
      return
    }
    const direct = { address: plainAddress(socket.remoteAddress), port: socket.remotePort ?? 0 }
    const peer = proxied?.source ?? direct
    const name = this.#options.dns_reverse_lookup_enabled ? await this.#names.nameOf(peer.address) : peer.address
    const fromPeer = tcpDecoration(this.#isEcs, peer, name)
    const subject = subjectOf(socket)
    const names = this.#isEcs ? ECS : CLASSIC
    const decorate = (event: Event) => {
      fromPeer(event)
      if (subject !== undefined) event.setDefault(names.subject, subject)
      if (proxied !== undefined) {
        event.setDefault(names.proxyHost, direct.address)
        event.setDefault(names.proxyPort, direct.port)
      }
    }
    await readSocket(socket, this.#codec.createDecoder(), decorate, sink)
  }
}

function tcpServer(options: Options, context: PluginContext): Input {
  const reader = new ConnectionReader(options, context)
  const { log } = context
  return new StreamServer({
    create: (take) => {
      if (!options.ssl_enabled) return createServer(take)
      const server = createTlsServer(serverTls(options, options.ssl_client_authentication), take)
      return server.on('tlsClientError', (error) => log.warn(`A TLS handshake failed: ${error.message}`))
    },
    listen: async (server) => {
      await listen(server, options.port, options.host)
      log.info(`Listening for tcp on ${options.host}:${options.port}`)
    },
    read: (socket, sink) => reader.read(socket, sink),
    log,
  })
}

class TcpClientInput implements Input {
  readonly #options: Options
  readonly #context: PluginContext
  readonly #reader: ConnectionReader
  readonly #stopping = new AbortController()
  #socket: Socket | undefined

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#context = context
    this.#reader = new ConnectionReader(options, context)
  }

  async run(sink: InputSink): Promise<void> {
    const { host, port } = this.#options
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        const socket = await this.#connect()
        await this.#reader.read(socket, sink)
      } catch (error) {
        this.#context.log.warn(`Could not connect to ${host}:${port}: ${(error as Error).message}`)
      }
      await sleep(RECONNECT_MS, undefined, { signal }).catch(() => {})
    }
  }

  stop(): void {
    this.#stopping.abort()
    this.#socket?.destroy()
  }

  #connect(): Promise<Socket> {
    const { host, port, ssl_enabled: isSecure, ssl_verification_mode: mode } = this.#options
    const tls = { ssl_keystore_path: undefined, ssl_keystore_password: undefined }
    const verification = mode === 'none' ? 'none' : 'full'
    return new Promise((resolve, reject) => {
      const socket: Socket = isSecure
        ? connectTls({ host, port, ...clientTls({ ...this.#options, ...tls, ssl_verification_mode: verification }) })
        : connect({ host, port })
      this.#socket = socket
      socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket))
      socket.once('error', reject)
    })
  }
}

function subjectOf(socket: Socket): string | undefined {
  const subject = (socket as Partial<TLSSocket>).getPeerCertificate?.()?.subject
  if (subject === undefined) return undefined
  return Object.entries(subject)
    .map(([name, value]) => `${name}=${value}`)
    .join(',')
}
