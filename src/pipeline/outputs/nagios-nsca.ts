/** `nagios_nsca`: sends passive check results with the send_nsca program. */
import { spawn } from 'node:child_process'
import type { Event } from '../event/event.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const nagiosNsca = outputPlugin({
  name: 'nagios_nsca',
  touches: 'processes',
  options: {
    host: option.string({ default: 'localhost' }),
    port: option.number({ default: 5667 }),
    send_nsca_bin: option.string({ default: '/usr/sbin/send_nsca' }),
    send_nsca_config: option.string(),
    nagios_host: option.string({ default: '%{host}' }),
    nagios_service: option.string({ default: 'LOGSTASH' }),
    nagios_status: option.string({ required: true }),
    message_format: option.string({ default: '%{@timestamp} %{host}: %{message}' }),
  },
  create(options, context) {
    const delivery = new Delivery('nagios_nsca', context)
    const args = ['-H', options.host, '-p', String(options.port), '-d', '~']
    if (options.send_nsca_config !== undefined) args.push('-c', options.send_nsca_config)
    const lineOf = (event: Event) => {
      const status = Number.parseInt(event.expand(options.nagios_status), 10)
      // An invalid status is reported as unknown.
      const code = status >= 0 && status <= 3 ? status : 3
      const message = event.expand(options.message_format).replaceAll('\n', '<br/>').replaceAll("'", '&#146;')
      return `${[event.expand(options.nagios_host), event.expand(options.nagios_service), code, message].join('~')}\n`
    }
    return {
      async write(events) {
        const results = await delivery.forEach(events, (event) => ({ event, line: lineOf(event) }))
        if (results.length === 0) return
        const problem = await send(options.send_nsca_bin, args, results.map(({ line }) => line).join(''))
        if (problem === undefined) return
        for (const { event } of results) await delivery.giveUp(event, problem)
      },
      close: async () => delivery.close(),
    }
  },
})

/** The reason the program did not accept the lines, or undefined. */
function send(program: string, args: readonly string[], lines: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['pipe', 'ignore', 'inherit'] })
    child.on('error', (error) => resolve(`${program} cannot be run: ${error.message}`))
    child.stdin.on('error', () => {})
    child.on('close', (code) => resolve(code === 0 ? undefined : `${program} ended with code ${code}`))
    child.stdin.end(lines)
  })
}
