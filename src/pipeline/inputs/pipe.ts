/** `pipe`: runs a command and reads its output while it runs. When the command ends, it is started again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Event } from '../event/event.ts'
import { inputPlugin } from '../plugin/input-plugin.ts'
import { option } from '../plugin/options.ts'
import { endCommand, type ShellCommand, startInShell } from '../plugin/shell-command.ts'

const RESTART_MS = 10_000

export const pipe = inputPlugin({
  name: 'pipe',
  touches: 'processes',
  options: { command: option.string({ required: true }), codec: option.codec({ default: 'plain' }) },
  create({ command, codec }, context) {
    const stopping = new AbortController()
    const isEcs = context.ecs !== 'disabled'
    let child: ShellCommand | undefined
    const decorate = (events: readonly Event[]) => {
      for (const event of events) {
        event.setDefault(isEcs ? '[host][name]' : 'host', context.hostName)
        event.setDefault(isEcs ? '[process][command_line]' : 'command', command)
      }
    }
    return {
      async run(sink) {
        while (!stopping.signal.aborted) {
          const decoder = codec.forStream().createDecoder()
          const running = startInShell(command)
          child = running
          running.on('error', (error) => context.log.error(`Could not run ${command}: ${error.message}`))
          // Reading chunk by chunk blocks the command while the queue is full.
          for await (const bytes of running.stdout) {
            const events: Event[] = []
            decoder.decode(bytes as Buffer, events)
            decorate(events)
            await sink.push(events)
          }
          const rest: Event[] = []
          decoder.flush(rest)
          decorate(rest)
          await sink.push(rest)
          if (stopping.signal.aborted) return
          context.log.info(`${command} has ended and is run again in ${RESTART_MS / 1000} s`)
          await sleep(RESTART_MS, undefined, { signal: stopping.signal }).catch(() => {})
        }
      },
      stop() {
        stopping.abort()
        endCommand(child)
      },
    }
  },
})
