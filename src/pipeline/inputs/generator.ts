/** `generator`: emits the same lines repeatedly, for tests and measurements. */
import type { Event } from '../event/event.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'

/** Rounds that are pushed to the queue together. */
const BATCH = 128

export const generator = inputPlugin({
  name: 'generator',
  touches: 'nothing',
  options: {
    codec: option.codec({ default: 'plain' }),
    message: option.string({ default: 'Hello world!' }),
    lines: option.strings(),
    count: option.number({ default: 0 }),
    threads: option.number({ default: 1 }),
  },
  create({ codec, message, lines, count, threads }, context) {
    const isEcs = context.ecs !== 'disabled'
    const [hostField, sequenceField] = isEcs ? ['[host][name]', '[event][sequence]'] : ['host', 'sequence']
    let texts = lines ?? [message]
    const rounds = count === 0 ? Number.POSITIVE_INFINITY : count
    let isStopping = false
    const generate = async (sink: InputSink) => {
      const decoder = codec.createDecoder()
      for (let round = 0; round < rounds && !isStopping; ) {
        const events: Event[] = []
        for (const end = Math.min(rounds, round + BATCH); round < end; round++) {
          const before = events.length
          for (const text of texts) decoder.decodeLine(text, events)
          for (let i = before; i < events.length; i++) {
            events[i]!.setDefault(hostField, context.hostName)
            events[i]!.set(sequenceField, round)
          }
        }
        await sink.push(events)
      }
    }
    const input: Input = {
      async run(sink) {
        // The message `stdin` means one line of standard input.
        if (lines === undefined && message === 'stdin') texts = [await firstLine(process.stdin)]
        await Promise.all(Array.from({ length: threads }, () => generate(sink)))
      },
      stop() {
        isStopping = true
      },
    }
    return input
  },
})

async function firstLine(source: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const piece of source) {
    text += String(piece)
    if (text.includes('\n')) break
  }
  return text.split(/\r?\n/)[0]!
}
