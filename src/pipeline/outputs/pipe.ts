/** `pipe`: writes events to the standard input of a command that keeps running. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../../base/log.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { type CommandLine, commandFor, commandOption, describeCommand, startCommand } from './command-line.ts'

export const pipe = outputPlugin({
  name: 'pipe',
  options: {
    command: commandOption(),
    message_format: option.string(),
    ttl: option.number({ default: 10 }),
  },
  create({ command, message_format: format, ttl }, { log }) {
    const commands = new Commands(ttl * 1000, log)
    return {
      async write(events) {
        const texts = new Map<string, { command: CommandLine; text: string }>()
        for (const event of events) {
          const line = `${event.expand(format ?? '%{@timestamp} %{host} %{message}')}\n`
          const expanded = commandFor(event, command)
          const name = describeCommand(expanded)
          texts.set(name, { command: expanded, text: (texts.get(name)?.text ?? '') + line })
        }
        for (const { command: expanded, text } of texts.values()) await commands.write(expanded, text)
      },
      close: () => commands.close(),
    }
  },
})

/** Running commands by their text; those not used for a while are ended. */
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
    if (error) this.#log.warn(`Could not write to ${name}: ${error.message}`)
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
    const timer = setTimeout(() => child.stdin!.end(), this.#idleMs)
    timer.unref()
    child.on('close', () => {
      clearTimeout(timer)
      this.#running.delete(name)
    })
    const entry = { child, timer }
    this.#running.set(name, entry)
    return entry
  }
}
