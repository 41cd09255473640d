/** `stdin`: reads standard input to its end. */
import type { Readable } from 'node:stream'
import type { Event } from '../event/event.ts'
import { utf8 } from '../plugin/charset.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'

export const stdin = inputPlugin({
  name: 'stdin',
  touches: 'processes',
  options: { codec: option.codec({ default: 'line' }) },
  create({ codec }, context) {
    const hostField = context.ecs === 'disabled' ? 'host' : '[host][hostname]'
    const keepsOriginal = context.ecs !== 'disabled'
    return new StdinInput(process.stdin, codec.forStream().createDecoder(), (event, bytes) => {
      // Codecs that keep the original of each event have set it.
      if (keepsOriginal && bytes !== undefined && event.get('[event][original]') === undefined) {
        event.setDefault('[event][original]', utf8.decode(bytes))
      }
      event.setDefault(hostField, context.hostName)
    })
  },
})

class StdinInput implements Input {
  readonly #stream: Readable
  readonly #decoder: Decoder
  readonly #decorate: (event: Event, bytes: Buffer | undefined) => void

  constructor(stream: Readable, decoder: Decoder, decorate: (event: Event, bytes: Buffer | undefined) => void) {
    this.#stream = stream
    this.#decoder = decoder
    this.#decorate = decorate
  }

  async run(sink: InputSink): Promise<void> {
    if (process.stdin.isTTY) process.stderr.write('The stdin plugin is now waiting for input:\n')
    try {
      for await (const chunk of this.#stream as AsyncIterable<Buffer>) {
        const events: Event[] = []
        this.#decoder.decode(chunk, events)
        await this.#push(events, sink, chunk)
      }
    } catch (error) {
      // Stopping destroys the stream, which ends the loop with this error.
      if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
    }
    const rest: Event[] = []
    this.#decoder.flush(rest)
    await this.#push(rest, sink)
  }

  stop(): void {
    this.#stream.destroy()
  }

  async #push(events: Event[], sink: InputSink, bytes?: Buffer): Promise<void> {
    if (events.length === 0) return
    for (const event of events) this.#decorate(event, bytes)
    await sink.push(events)
  }
}
