/** Reads a connection to its end and decodes its bytes to events. A full queue pauses reading. */
import type { Socket } from 'node:net'
import type { Event } from '../event/event.ts'
import type { Decoder } from '../plugin/codec-plugin.ts'
import type { InputSink } from '../plugin/input-plugin.ts'

/**
 * Resolves when the peer has ended the connection and everything was pushed. A broken connection counts as ended: the
 * received data is kept, and an unterminated last line becomes an event.
 */
export async function readSocket(
  socket: Socket,
  decoder: Decoder,
  decorate: (event: Event) => void,
  sink: InputSink,
): Promise<void> {
  const push = async (events: Event[]) => {
    if (events.length === 0) return
    for (let i = 0; i < events.length; i++) decorate(events[i]!)
    await sink.push(events)
  }
  const quiet = quietTimer(decoder, push)
  try {
    for await (const bytes of socket as AsyncIterable<Buffer>) {
      const events: Event[] = []
      decoder.decode(bytes, events)
      quiet.restart()
      await push(events)
    }
  } catch {
    // The peer reset the connection, or we closed it.
  }
  quiet.stop()
  const rest: Event[] = []
  decoder.flush(rest)
  await push(rest)
}

function quietTimer(decoder: Decoder, push: (events: Event[]) => Promise<void>) {
  const { flushAfterMs } = decoder
  let timer: NodeJS.Timeout | undefined
  const flush = () => {
    const events: Event[] = []
    decoder.flush(events)
    void push(events)
  }
  return {
    restart: () => {
      clearTimeout(timer)
      if (flushAfterMs !== undefined) timer = setTimeout(flush, flushAfterMs)
    },
    stop: () => clearTimeout(timer),
  }
}
