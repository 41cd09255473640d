/** `exec`: runs a command for each event, one at a time. */
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { type CommandLine, commandFor, commandOption, describeCommand, startCommand } from './command-line.ts'

export const exec = outputPlugin({
  name: 'exec',
  options: { command: commandOption(), quiet: option.boolean({ default: false }) },
  create({ command, quiet }, { log }) {
    const run = (line: CommandLine) =>
      new Promise<void>((resolve) => {
        const text = describeCommand(line)
        // Standard output carries events, so a command may not write there.
        const child = startCommand(line, ['ignore', quiet ? 'ignore' : process.stderr, 'inherit'])
        child.on('error', (error) => {
          log.error(`Could not run ${text}: ${error.message}`)
          resolve()
        })
        child.on('close', (code) => {
          if (code !== 0) log.warn(`Command ended with code ${code}: ${text}`)
          resolve()
        })
      })
    return {
      async write(events) {
        for (const event of events) await run(commandFor(event, command))
      },
    }
  },
})
