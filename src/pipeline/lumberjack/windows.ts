/** Reads the windows of a Lumberjack connection and acknowledges them when their events were delivered. */
import type { Socket } from 'node:net'
import type { Event } from '../event/event.ts'
import type { InputSink } from '../plugin/input-plugin.ts'
import { WindowAcknowledgements } from './acknowledgements.ts'
import { type Frame, FrameReader } from './frames.ts'

export type DataFrame = Exclude<Frame, { kind: 'window' }>

/** `addEvents` throws if the sender must not send such a frame. */
export async function readWindows(
  socket: Socket,
  sink: InputSink,
  addEvents: (frame: DataFrame, out: Event[]) => void,
): Promise<void> {
  const frames = new FrameReader()
  const acknowledgements = new WindowAcknowledgements(socket, frames)
  let events: Event[] = []
  /** The number of the last frame that is not acknowledged; 0 if there is none. */
  let last = 0
  const push = (): Promise<void> | undefined => {
    if (last === 0) return undefined
    const delivered = acknowledgements.expect(last)
    last = 0
    // If a codec makes no event of a frame, the frame is acknowledged too, or the sender would send it again.
    if (events.length === 0) {
      delivered()
      return undefined
    }
    const pushed = events
    events = []
    return sink.push(pushed, delivered)
  }
  for await (const bytes of socket as AsyncIterable<Buffer>) {
    for (const frame of frames.push(bytes)) {
      if (frame.kind === 'window') await push()
      else {
        last = frame.sequence
        addEvents(frame, events)
      }
    }
    await push()
  }
}
