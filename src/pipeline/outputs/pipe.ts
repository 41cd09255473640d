/** `pipe`: writes events to the standard input of a command that keeps running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../../base/log.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const pipe = outputPlugin({
  name: 'pipe',
  options: {
    command: option.string({ required: true }),
    message_format: option.string(),
    ttl: option.number({ default: 10 }),
  },
  create({ command, message_format: format, ttl }, { log }) {
    const commands = new Commands(ttl * 1000, log)
    return {
      async write(events) {
        const texts = new Map<string, string>()
        for (const event of events) {
          const line = `${event.expand(format ?? '%{@timestamp} %{host} %{message}')}\n`
          const name = event.expand(command)
          texts.set(name, (texts.get(name) ?? '') + line)
        }
        for (const [name, text] of texts) await commands.write(name, text)
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

  async write(command: string, text: string): Promise<void> {
    const { child, timer } = this.#running.get(command) ?? this.#start(command)
    timer.refresh()
    const error = await new Promise<Error | null | undefined>((resolve) => child.stdin!.write(text, resolve))
    if (error) this.#log.warn(`Could not write to ${command}: ${error.message}`)
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

  #start(command: string) {
    const child = spawn(command, { shell: true, stdio: ['pipe', process.stderr, 'inherit'] })
    child.stdin.on('error', () => {})
    child.on('error', (error) => this.#log.error(`Could not run ${command}: ${error.message}`))
    const timer = setTimeout(() => child.stdin.end(), this.#idleMs)
    timer.unref()
    child.on('close', () => {
      clearTimeout(timer)
      this.#running.delete(command)
    })
    const entry = { child, timer }
    this.#running.set(command, entry)
    return entry
  }
}
