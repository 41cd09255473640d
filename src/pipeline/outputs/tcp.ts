/** `tcp`: sends events over a connection, or to every connected client. */
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { listen } from '../net/listen.ts'
import { CLIENT_TLS_OPTIONS, clientTls, serverTls, VERIFIES_SERVER } from '../net/tls-options.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { encodeAll } from './encode-all.ts'
import { LineConnection } from './line-connection.ts'

export const tcp = outputPlugin({
  name: 'tcp',
  touches: 'network',
  options: {
    host: option.string({ required: true }),
    port: option.number({ required: true }),
    codec: option.codec({ default: 'json' }),
    mode: option.words(['client', 'server'], { default: 'client' }),
    reconnect_interval: option.number({ default: 10 }),
    ...CLIENT_TLS_OPTIONS,
    ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
    ssl_enable: option.renamed('ssl_enabled'),
    ssl_cert: option.renamed('ssl_certificate'),
    ssl_cacert: option.renamed('ssl_certificate_authorities'),
    ssl_verify: option.renamed('ssl_verification_mode', VERIFIES_SERVER),
  },
  create(options, context) {
    const delivery = new Delivery('tcp', context)
    const { host, port, codec } = options
    if (options.mode === 'client') {
      const tls = options.ssl_enabled ? clientTls(options) : undefined
      const connection = new LineConnection({
        host,
        port,
        reconnectMs: options.reconnect_interval * 1000,
        delivery,
        tls,
      })
      return {
        write: async (events) => connection.send(await encodeAll(events, codec, delivery)),
        close: () => connection.close(),
      }
    }
    const clients = new Set<Socket>()
    const take = (socket: Socket) => {
      clients.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => clients.delete(socket))
      socket.resume()
    }
    const server: Server = options.ssl_enabled
      ? createTlsServer(serverTls(options, options.ssl_client_authentication), take)
      : createServer(take)
    return {
      start: () => listen(server, port, host),
      async write(events) {
        const bytes = await encodeAll(events, codec, delivery)
        await Promise.all([...clients].map((socket) => new Promise<void>((done) => socket.write(bytes, () => done()))))
      },
      async close() {
        for (const socket of clients) socket.end()
        server.close()
      },
    }
  },
})
