/** `exec`: runs a command periodically or on a schedule, and passes its complete output to the codec. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Double } from '../../base/json/json-writer.ts'
import type { Event } from '../event/event.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
import { scheduleOf, waitForTurn } from '../plugin/schedule.ts'
import { endCommand, type ShellCommand, startInShell } from '../plugin/shell-command.ts'

export const exec = inputPlugin({
  name: 'exec',
  touches: 'processes',
  options: {
    codec: option.codec({ default: 'plain' }),
    command: option.string({ required: true }),
    interval: option.number(),
    schedule: option.string(),
  },
  create({ codec, command, interval, schedule }, context) {
    if ((interval === undefined) === (schedule === undefined)) {
      throw new PluginOptionError('exec input: either the interval or the schedule option must be defined')
    }
    const cron = scheduleOf(schedule)
    const stopping = new AbortController()
    const isEcs = context.ecs !== 'disabled'
    let child: ShellCommand | undefined
    const run = () =>
      new Promise<{ bytes: Buffer; code: number }>((resolve) => {
        const pieces: Buffer[] = []
        const running = startInShell(command)
        child = running
        running.stdout.on('data', (piece: Buffer) => pieces.push(piece))
        running.on('error', (error) => context.log.error(`Could not run ${command}: ${error.message}`))
        running.on('close', (code) => resolve({ bytes: Buffer.concat(pieces), code: code ?? -1 }))
      })
    return {
      async run(sink) {
        while (!stopping.signal.aborted) {
          if (cron !== undefined && !(await waitForTurn(cron, stopping.signal))) return
          const startMs = performance.now()
          const { bytes, code } = await run()
          const tookMs = performance.now() - startMs
          const decoder = codec.createDecoder()
          const events: Event[] = []
          decoder.decode(bytes, events)
          decoder.flush(events)
          for (const event of events) {
            event.setDefault(isEcs ? '[host][name]' : 'host', context.hostName)
            event.setDefault(isEcs ? '[process][command_line]' : 'command', command)
            event.setDefault(isEcs ? '[process][exit_code]' : '[@metadata][exit_status]', code)
            if (isEcs) event.set('[@metadata][input][exec][process][elapsed_time]', Math.floor(tookMs * 1e6))
            else event.set('[@metadata][duration]', new Double(tookMs / 1000))
          }
          await sink.push(events)
          if (cron !== undefined) continue
          const waitMs = Math.max(0, interval! * 1000 - tookMs)
          await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => {})
        }
      },
      stop() {
        stopping.abort()
        endCommand(child)
      },
    }
  },
})
