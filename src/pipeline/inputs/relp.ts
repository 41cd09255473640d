/** `relp`: receives messages from rsyslog (omrelp) and acknowledges each after the outputs have written it. */
import type { Socket } from 'node:net'
import type { Event } from '../event/event.ts'
import { ConnectionServer } from '../net/connection-server.ts'
import { SERVER_TLS_OPTIONS, serverTls, VERIFIES_CLIENT } from '../net/tls-options.ts'
import { type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { type RelpFrame, RelpReader, relpFrame } from '../relp/frames.ts'
import { plainAddress } from './network-decoration.ts'

const SESSION = '200 OK\nrelp_version=0\nrelp_software=sandpiper\ncommands=syslog'

export const relp = inputPlugin({
  name: 'relp',
  touches: 'network',
  options: {
    port: option.number({ required: true }),
    host: option.string({ default: '0.0.0.0' }),
    codec: option.codec({ default: 'plain' }),
    ...SERVER_TLS_OPTIONS,
    ssl_client_authentication: option.words(['none', 'optional', 'required'], { default: 'none' }),
    ssl_enable: option.renamed('ssl_enabled'),
    ssl_cert: option.renamed('ssl_certificate'),
    ssl_cacert: option.renamed('ssl_certificate_authorities'),
    ssl_verify: option.renamed('ssl_client_authentication', VERIFIES_CLIENT),
  },
  create(options, { log, ecs }) {
    const eventsOf = (data: Buffer, host: string): Event[] => {
      const decoder = options.codec.createDecoder()
      const events: Event[] = []
      decoder.decode(data, events)
      decoder.flush(events)
      for (const event of events) event.setDefault(ecs === 'disabled' ? 'host' : '[host][ip]', host)
      return events
    }
    const read = async (socket: Socket, sink: InputSink): Promise<void> => {
      const frames = new RelpReader()
      const responses = new OrderedResponses(socket)
      const address = plainAddress(socket.remoteAddress)
      const host = ecs === 'disabled' ? `${address}:${socket.remotePort}` : address
      let isOpen = false
      for await (const bytes of socket as AsyncIterable<Buffer>) {
        for (const frame of frames.push(bytes)) {
          if (frame.command === 'open') {
            checkOffer(frame)
            isOpen = true
            responses.expect(frame.number, SESSION)()
          } else if (!isOpen) throw new Error(`the sender says ${frame.command} before it opens a session`)
          else if (frame.command === 'syslog') {
            const events = eventsOf(frame.data, host)
            const done = responses.expect(frame.number, '200 OK')
            if (events.length === 0) done()
            else await sink.push(events, done)
          } else if (frame.command === 'close') {
            responses.expect(frame.number, '')()
            responses.onEmpty(() => socket.end(relpFrame(0, 'serverclose')))
          } else responses.expect(frame.number, `500 the command ${frame.command} is not known`)()
        }
      }
    }
    return new ConnectionServer({
      name: 'relp',
      host: options.host,
      port: options.port,
      tls: options.ssl_enabled ? serverTls(options, options.ssl_client_authentication) : undefined,
      log,
      read,
    })
  },
})

function checkOffer({ data }: RelpFrame): void {
  const commands = /^commands=(.*)$/m.exec(data.toString('utf8'))?.[1]?.split(',') ?? []
  if (!commands.includes('syslog')) throw new Error('the sender does not offer to send syslog messages')
}

/** Responses leave in the order of the frames, whatever the order in which events are delivered. */
class OrderedResponses {
  readonly #socket: Socket
  readonly #waiting: { readonly text: string; isDone: boolean }[] = []
  #whenEmpty: (() => void) | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** The returned function lets the response leave. */
  expect(number: number, data: string): () => void {
    const response = { text: relpFrame(number, 'rsp', data), isDone: false }
    this.#waiting.push(response)
    return () => {
      response.isDone = true
      this.#send()
    }
  }

  onEmpty(run: () => void): void {
    this.#whenEmpty = run
    this.#send()
  }

  #send(): void {
    let text = ''
    while (this.#waiting[0]?.isDone === true) text += this.#waiting.shift()!.text
    if (text !== '' && !this.#socket.destroyed) this.#socket.write(text)
    if (this.#waiting.length === 0) this.#whenEmpty?.()
  }
}
