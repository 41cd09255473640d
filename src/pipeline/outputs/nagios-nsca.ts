/** `nagios_nsca`: passive check results through the send_nsca program. */
import { spawn } from 'node:child_process'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'

export const nagiosNsca = outputPlugin({
  name: 'nagios_nsca',
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
  create(options, { log }) {
    const args = ['-H', options.host, '-p', String(options.port), '-d', '~']
    if (options.send_nsca_config !== undefined) args.push('-c', options.send_nsca_config)
    return {
      async write(events) {
        const lines = events.map((event) => {
          const status = Number.parseInt(event.expand(options.nagios_status), 10)
          // A status that is none is reported as unknown.
          const code = status >= 0 && status <= 3 ? status : 3
          const message = event.expand(options.message_format).replaceAll('\n', '<br/>').replaceAll("'", '&#146;')
          return `${[event.expand(options.nagios_host), event.expand(options.nagios_service), code, message].join('~')}\n`
        })
        await new Promise<void>((resolve) => {
          const child = spawn(options.send_nsca_bin, args, { stdio: ['pipe', 'ignore', 'inherit'] })
          child.on('error', (error) => {
            log.warn(`Skipping nagios_nsca output: ${error.message}`)
            resolve()
          })
          child.stdin.on('error', () => {})
          child.on('close', () => resolve())
          child.stdin.end(lines.join(''))
        })
      },
    }
  },
})
