/** `heartbeat`: emits an event periodically, to check that the pipeline works. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Event } from '../event/event.ts'
import { Timestamp } from '../event/timestamp.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'

export const heartbeat = inputPlugin({
  name: 'heartbeat',
  touches: 'nothing',
  options: {
    interval: option.number({ default: 60 }),
    message: option.string({ default: 'ok' }),
    count: option.number({ default: -1 }),
    sequence: option.words(['none', 'epoch', 'sequence']),
    threads: option.ignored('One thread does the work of all inputs.'),
  },
  create({ interval, message, count, sequence }, context) {
    const isEcs = context.ecs !== 'disabled'
    const stopping = new AbortController()
    // The classic layout reads a kind that was written as the message.
    const isKind = !isEcs && sequence === undefined && (message === 'epoch' || message === 'sequence')
    const kind = sequence ?? (isKind ? message : 'none')
    const beat = (round: number) => {
      const nowMs = context.clock.nowMs()
      const event = Event.ofMessage(message, new Timestamp(nowMs))
      if (kind !== 'none') {
        if (isKind) event.remove('message')
        event.set(isEcs ? '[event][sequence]' : 'clock', kind === 'epoch' ? Math.floor(nowMs / 1000) : round)
      }
      event.set(isEcs ? '[host][name]' : 'host', context.hostName)
      return event
    }
    return {
      async run(sink) {
        for (let round = 1; !stopping.signal.aborted && (count < 0 || round <= count); round++) {
          await sink.push([beat(round)])
          if (round === count) return
          await sleep(interval * 1000, undefined, { signal: stopping.signal }).catch(() => {})
        }
      },
      stop: () => stopping.abort(),
    }
  },
})
