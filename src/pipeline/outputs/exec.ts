/** `exec`: runs a command for each event, one at a time. */
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { type CommandLine, commandFor, commandOption, describeCommand, startCommand } from './command-line.ts'

/** Error codes for a machine that currently cannot start any process. */
const BUSY: ReadonlySet<string> = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM'])

export const exec = outputPlugin({
  name: 'exec',
  touches: 'processes',
  options: { command: commandOption(), quiet: option.boolean({ default: false }) },
  create({ command, quiet }, context) {
    const { log } = context
    const delivery = new Delivery('exec', context)
    /** Rejects if the command could not be started. */
    const run = (line: CommandLine) =>
      new Promise<void>((resolve, reject) => {
        // Standard output may carry events, so commands must not write to it.
        const child = startCommand(line, ['ignore', quiet ? 'ignore' : process.stderr, 'inherit'])
        child.on('error', reject)
        child.on('close', (code) => {
          if (code !== 0) log.warn(`Command ended with code ${code}: ${describeCommand(line)}`)
          resolve()
        })
      })
    const runFor = async ({ event, line }: { event: Event; line: CommandLine }) => {
      const failure = await delivery.retry(async () => {
        try {
          return await run(line)
        } catch (error) {
          if (BUSY.has((error as NodeJS.ErrnoException).code ?? '')) throw error
          return error as Error
        }
      })
      if (failure !== undefined) {
        await delivery.giveUp(event, `Could not run ${describeCommand(line)}: ${failure.message}`)
      }
    }
    return {
      async write(events) {
        const lines = await delivery.forEach(events, (event) => ({ event, line: commandFor(event, command) }))
        for (const one of lines) await runFor(one)
      },
      close: async () => delivery.close(),
    }
  },
})
