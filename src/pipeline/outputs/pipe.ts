/** `pipe`: writes events to the standard input of a long-running command. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../../base/log.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { type CommandLine, commandFor, commandOption, describeCommand, startCommand } from './command-line.ts'

export const pipe = outputPlugin({
  name: 'pipe',
  touches: 'processes',
  options: {
    command: commandOption(),
    message_format: option.string(),
    ttl: option.number({ default: 10 }),
  },
  create({ command, message_format: format, ttl }, context) {
    const delivery = new Delivery('pipe', context)
    const commands = new Commands(ttl * 1000, context.log)
    return {
      async write(events) {
        const texts = new Map<string, { command: CommandLine; text: string }>()
        await delivery.forEach(events, (event) => {
          const line = `${event.expand(format ?? '%{@timestamp} %{host} %{message}')}\n`
          const expanded = commandFor(event, command)
          const name = describeCommand(expanded)
          texts.set(name, { command: expanded, text: (texts.get(name)?.text ?? '') + line })
        })
        for (const [name, { command: expanded, text }] of texts) {
          // A command that has ended receives the complete text again in its next run.
          await delivery.retry(() => commands.write(expanded, text), {
            describe: ({ message }) => `${name}: ${message}`,
          })
        }
      },
      async close() {
        delivery.close()
        await commands.close()
      },
    }
  },
})

/** Running commands by their text. Idle commands are ended. */
class Commands {
  readonly #idleMs: number
  readonly #log: Log
  readonly #running = new Map<string, { child: ChildProcess; timer: NodeJS.Timeout }>()

  constructor(idleMs: number, log: Log) {
    this.#idleMs = idleMs
    this.#log = log
  }

  async write(command: CommandLine, text: string): Promise<void> {
    const name = describeCommand(command)
    const { child, timer } = this.#running.get(name) ?? this.#start(command, name)
    timer.refresh()
    const error = await new Promise<Error | null | undefined>((resolve) => child.stdin!.write(text, resolve))
    if (!error) return
    this.#running.delete(name)
    throw error
  }

  async close(): Promise<void> {
    for (const { child, timer } of this.#running.values()) {
      clearTimeout(timer)
      if (child.exitCode !== null) continue
      const ended = once(child, 'close')
      child.stdin!.end()
      await ended
    }
  }

  #start(command: CommandLine, name: string) {
    const child = startCommand(command, ['pipe', process.stderr, 'inherit'])
    child.stdin!.on('error', () => {})
    child.on('error', (error) => this.#log.error(`Could not run ${name}: ${error.message}`))
    const timer = setTimeout(() => {
      // The next write gets a new process instead of a closed pipe.
      if (this.#running.get(name)?.child === child) this.#running.delete(name)
      child.stdin!.end()
    }, this.#idleMs)
    timer.unref()
    const entry = { child, timer }
    child.on('close', () => {
      clearTimeout(timer)
      if (this.#running.get(name) === entry) this.#running.delete(name)
    })
    this.#running.set(name, entry)
    return entry
  }
}
