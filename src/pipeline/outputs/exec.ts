/** `exec`: runs a command for each event, one at a time. */
import { spawn } from 'node:child_process'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const exec = outputPlugin({
  name: 'exec',
  options: { command: option.string({ required: true }), quiet: option.boolean({ default: false }) },
  create({ command, quiet }, { log }) {
    const run = (text: string) =>
      new Promise<void>((resolve) => {
        // Standard output carries events, so a command may not write there.
        const child = spawn(text, { shell: true, stdio: ['ignore', quiet ? 'ignore' : process.stderr, 'inherit'] })
        child.on('error', (error) => log.error(`Could not run ${text}: ${error.message}`))
        child.on('close', (code) => {
          if (code !== 0) log.warn(`Command ended with code ${code}: ${text}`)
          resolve()
        })
      })
    return {
      async write(events) {
        for (const event of events) await run(event.expand(command))
      },
    }
  },
})
