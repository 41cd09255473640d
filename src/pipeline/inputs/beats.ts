/**
 * `beats`: receives events from Filebeat and other Beats, and acknowledges them after the outputs have written them.
 */
import type { Socket } from 'node:net'
import { Event } from '../event/event.ts'
import { isFields } from '../event/fields.ts'
import { parseJson } from '../event/json-text.ts'
import { Timestamp } from '../event/timestamp.ts'
import { readWindows } from '../lumberjack/windows.ts'
import { ConnectionServer } from '../net/connection-server.ts'
import { OLD_SERVER_TLS_OPTIONS, SERVER_TLS_OPTIONS, serverTls } from '../net/tls-options.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { plainAddress } from './network-decoration.ts'

const ONE_THREAD = 'All connections are served by one thread.'

export const beats = inputPlugin({
  name: 'beats',
  options: {
    port: option.number({ required: true }),
    host: option.string({ default: '0.0.0.0' }),
    codec: option.codec({ default: 'plain' }),
    client_inactivity_timeout: option.number({ default: 60 }),
    executor_threads: option.ignored(ONE_THREAD),
    event_loop_threads: option.ignored(ONE_THREAD),
    ssl_handshake_timeout: option.number({ default: 10_000 }),
    add_hostname: option.boolean({ default: false }),
    include_codec_tag: option.boolean({ default: true }),
    ...SERVER_TLS_OPTIONS,
    ...OLD_SERVER_TLS_OPTIONS,
    ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
  },
  create(options, { ecs, clock, log }) {
    const addressField = ecs === 'disabled' ? '[@metadata][ip_address]' : '[@metadata][input][beats][host][ip]'
    const eventOf = (json: string, address: string): Event => {
      const fields = parseJson(json)
      if (!isFields(fields)) throw new Error('an event is no JSON object')
      const event = Event.ofFields(fields, new Timestamp(clock.nowMs()))
      event.set(addressField, address)
      if (options.include_codec_tag && event.has('message')) event.tag('beats_input_codec_plain_applied')
      const name = event.get('[host][name]')
      if (options.add_hostname && typeof name === 'string') event.setDefault('[agent][hostname]', name)
      return event
    }
    return new ConnectionServer({
      name: 'beats',
      host: options.host,
      port: options.port,
      tls: options.ssl_enabled ? serverTls(options, options.ssl_client_authentication) : undefined,
      idleMs: options.client_inactivity_timeout * 1000,
      log,
      read(socket: Socket, sink) {
        const address = plainAddress(socket.remoteAddress)
        return readWindows(socket, sink, (frame, out) => {
          if (frame.kind === 'pairs') {
            throw new Error('the sender speaks version 1 of the protocol: use the lumberjack input')
          }
          out.push(eventOf(frame.json, address))
        })
      },
    })
  },
})
