/** `udp`: one datagram per event. */
import { createSocket } from 'node:dgram'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const udp = outputPlugin({
  name: 'udp',
  options: {
    host: option.string({ required: true }),
    port: option.string({ required: true }),
    codec: option.codec({ default: 'json' }),
    retry_count: option.number({ default: 0 }),
    retry_backoff_ms: option.number({ default: 100 }),
  },
  create({ host, port, codec, retry_count: retries, retry_backoff_ms: backoffMs }, context) {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    socket.on('error', () => {})
    const send = (bytes: string | Uint8Array, to: number) =>
      new Promise<Error | null>((resolve) => socket.send(bytes, to, host, resolve))
    return {
      async write(events) {
        for (const event of events) {
          const to = Number(event.expand(port))
          const bytes = codec.encode(event)
          let error = await send(bytes, to)
          for (let i = 0; error !== null && i < retries; i++) {
            await new Promise((resolve) => setTimeout(resolve, backoffMs))
            error = await send(bytes, to)
          }
          if (error) context.log.warn(`Failed to send udp packet to ${host}:${port}: ${error.message}`)
        }
      },
      close: async () => void socket.close(),
    }
  },
})
