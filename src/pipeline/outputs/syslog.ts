/** `syslog`: sends events as syslog messages, RFC 3164 or RFC 5424. */
import type { ConnectionOptions } from 'node:tls'
import type { Event } from '../event/event.ts'
import { clientTls } from '../net/tls-options.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { DatagramSender } from './datagram-sender.ts'
import { LineConnection } from './line-connection.ts'

const FACILITIES = [
  'kernel',
  'user-level',
  'mail',
  'daemon',
  'security/authorization',
  'syslogd',
  'line printer',
  'network news',
  'uucp',
  'clock',
  'security/authorization',
  'ftp',
  'ntp',
  'log audit',
  'log alert',
  'clock',
  ...Array.from({ length: 8 }, (_, i) => `local${i}`),
]
const SEVERITIES = ['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'informational', 'debug']

export const syslog = outputPlugin({
  name: 'syslog',
  options: {
    host: option.string({ required: true }),
    port: option.number({ required: true }),
    codec: option.codec({ default: 'plain' }),
    protocol: option.words(['tcp', 'udp', 'ssl-tcp'], { default: 'udp' }),
    rfc: option.words(['rfc3164', 'rfc5424'], { default: 'rfc3164' }),
    facility: option.string({ default: 'user-level' }),
    severity: option.string({ default: 'notice' }),
    priority: option.string({ default: '%{syslog_pri}' }),
    use_labels: option.boolean({ default: true }),
    appname: option.string({ default: 'LOGSTASH' }),
    procid: option.string({ default: '-' }),
    msgid: option.string({ default: '-' }),
    sourcehost: option.string({ default: '%{host}' }),
    message: option.string({ default: '%{message}' }),
    timestamp: option.string(),
    reconnect_interval: option.number({ default: 1 }),
    ssl_cert: option.path(),
    ssl_key: option.path(),
    ssl_key_passphrase: option.password(),
    ssl_cacert: option.path(),
    ssl_verify: option.boolean({ default: false }),
  },
  create(options, context) {
    const priorityOf = (event: Event) => {
      if (!options.use_labels) return Number.parseInt(event.expand(options.priority), 10) || 13
      const facility = FACILITIES.indexOf(event.expand(options.facility))
      const severity = SEVERITIES.indexOf(event.expand(options.severity))
      return (facility < 0 ? 1 : facility) * 8 + (severity < 0 ? 5 : severity)
    }
    const lineOf = (event: Event) => {
      const message = event
        .expand(options.message)
        .replace(/[\r\n]+$/, '')
        .replaceAll('\n', ' ')
      const source = event.expand(options.sourcehost)
      const application = event.expand(options.appname)
      const process = event.expand(options.procid)
      const head = `<${priorityOf(event)}>`
      if (options.rfc === 'rfc3164') {
        const time = event.expand('%{+MMM dd HH:mm:ss}').replace(/^(\w{3}) 0/, '$1  ')
        return `${head}${time} ${source} ${application}${process === '-' ? '' : `[${process}]`}: ${message}`
      }
      const time = event.timestamp?.toString() ?? '-'
      return `${head}1 ${time} ${source} ${application} ${process} ${event.expand(options.msgid)} - ${message}`
    }
    const { host, port } = options
    const delivery = new Delivery('syslog', context)
    if (options.protocol === 'udp') {
      const sender = new DatagramSender({ host, retries: 0, backoffMs: 0 }, delivery)
      return {
        async write(events) {
          const lines = await delivery.forEach(events, (event) => ({ event, line: lineOf(event) }))
          for (const { event, line } of lines) await sender.send(event, line, port)
        },
        close: () => sender.close(),
      }
    }
    const tls = options.protocol === 'ssl-tcp' ? tlsOf(options) : undefined
    const connection = new LineConnection({ host, port, reconnectMs: options.reconnect_interval * 1000, delivery, tls })
    return {
      write: async (events) =>
        connection.send((await delivery.forEach(events, (event) => `${lineOf(event)}\n`)).join('')),
      close: () => connection.close(),
    }
  },
})

/** This plugin has older names for options that others call `ssl_certificate` and the like. */
function tlsOf(options: {
  readonly ssl_cert: string | undefined
  readonly ssl_key: string | undefined
  readonly ssl_key_passphrase: string | undefined
  readonly ssl_cacert: string | undefined
  readonly ssl_verify: boolean
}): ConnectionOptions {
  const { ssl_cert: certificate, ssl_cacert: authority, ssl_key, ssl_key_passphrase } = options
  return clientTls({
    ssl_certificate: certificate,
    ssl_key,
    ssl_key_passphrase,
    ssl_certificate_authorities: authority === undefined ? [] : [authority],
    ssl_verification_mode: options.ssl_verify ? 'full' : 'none',
    ssl_supported_protocols: [],
    ssl_cipher_suites: [],
    ssl_keystore_path: undefined,
    ssl_keystore_password: undefined,
  })
}
