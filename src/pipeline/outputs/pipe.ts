/** `pipe`: writes events to the standard input of a command that keeps running. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Log } from '../../base/log.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const pipe = outputPlugin({
  name: 'pipe',
  options: {
    command: option.string({ required: true }),
    message_format: option.string(),
    ttl: option.number({ default: 10 }),
  },
  create({ command, message_format: format, ttl }, context) {
    const delivery = new Delivery('pipe', context)
    const commands = new Commands(ttl * 1000, context.log)
    return {
      async write(events) {
        const texts = new Map<string, string>()
        await delivery.forEach(events, (event) => {
          const line = `${event.expand(format ?? '%{@timestamp} %{host} %{message}')}\n`
          const name = event.expand(command)
          texts.set(name, (texts.get(name) ?? '') + line)
        })
        for (const [name, text] of texts) {
          // A command that ended gets the whole piece again in its next run.
          await delivery.retry(() => commands.write(name, text), { describe: ({ message }) => `${name}: ${message}` })
        }
      },
      async close() {
        delivery.close()
        await commands.close()
      },
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
    if (!error) return
    this.#running.delete(command)
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

  #start(command: string) {
    const child = spawn(command, { shell: true, stdio: ['pipe', process.stderr, 'inherit'] })
    child.stdin.on('error', () => {})
    child.on('error', (error) => this.#log.error(`Could not run ${command}: ${error.message}`))
    const timer = setTimeout(() => {
      // Whoever writes next gets a new process instead of a closed pipe.
      if (this.#running.get(command)?.child === child) this.#running.delete(command)
      child.stdin.end()
    }, this.#idleMs)
    timer.unref()
    const entry = { child, timer }
    child.on('close', () => {
      clearTimeout(timer)
      if (this.#running.get(command) === entry) this.#running.delete(command)
    })
    this.#running.set(command, entry)
    return entry
  }
}
