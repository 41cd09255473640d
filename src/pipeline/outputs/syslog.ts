/** `syslog`: sends events as syslog messages, RFC 3164 or RFC 5424. */
import { readFileSync } from 'node:fs'
import type { Event } from '../event/event.ts'
import { clientTls } from '../net/tls-options.ts'
import { Delivery } from '../plugin/delivery.ts'
import { option } from '../plugin/options.ts'
import { outputPlugin } from '../plugin/output-plugin.ts'
import { PluginOptionError } from '../plugin/plugin-context.ts'
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

const PRIORITY_MAX = 191
/** user-level, notice */
const DEFAULT_PRIORITY = 13
const NO_STORES = { ssl_keystore_path: undefined, ssl_keystore_password: undefined } as const

export const syslog = outputPlugin({
  name: 'syslog',
  touches: 'network',
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
    structured_data: option.string({ default: '' }),
    timestamp: option.ignored('`rfc` determines the form of the timestamp.'),
    reconnect_interval: option.number({ default: 1 }),
    ssl_certificate: option.path(),
    ssl_key: option.path(),
    ssl_key_passphrase: option.password(),
    ssl_certificate_authorities: option.touching('files', option.strings({ default: [] })),
    ssl_supported_protocols: option.strings({ default: [] }),
    ssl_cipher_suites: option.strings({ default: [] }),
    ssl_verify: option.boolean({ default: false }),
    ssl_crl_path: option.path(),
    ssl_crl_check: option.ignored('Every certificate of the chain is looked up in the list.'),
    ssl_cert: option.renamed('ssl_certificate'),
    ssl_cacert: option.renamed('ssl_certificate_authorities'),
  },
  create(options, context) {
    const { codec, structured_data: structuredData } = options
    if (options.rfc === 'rfc3164' && structuredData !== '') {
      throw new PluginOptionError('Structured data is not supported for RFC3164')
    }
    const payloadOf = (event: Event): string => {
      if (codec.name === 'plain' && codec.format === undefined) return event.expand(options.message)
      return Buffer.from(codec.encode(event) as string).toString('utf8')
    }
    const priorityOf = (event: Event) => {
      if (!options.use_labels) {
        const text = event.expand(options.priority)
        return /^\d{1,3}$/.test(text) && Number(text) <= PRIORITY_MAX ? Number(text) : DEFAULT_PRIORITY
      }
      const facility = FACILITIES.indexOf(event.expand(options.facility))
      const severity = SEVERITIES.indexOf(event.expand(options.severity))
      return (facility < 0 ? 1 : facility) * 8 + (severity < 0 ? 5 : severity)
    }
    const lineOf = (event: Event) => {
      // A line break would end the message, so the two characters of its escape sequence are sent.
      const message = payloadOf(event).trimEnd().replaceAll('\r\n', '\n').replaceAll('\n', '\\n')
      const source = event.expand(options.sourcehost)
      const application = event.expand(options.appname)
      const process = event.expand(options.procid)
      const head = `<${priorityOf(event)}>`
      if (options.rfc === 'rfc3164') {
        return `${head}${event.expand('%{+MMM dd HH:mm:ss}')} ${source} ${application}[${process}]: ${message}`
      }
      const time = event.expand("%{+yyyy-MM-dd'T'HH:mm:ss.SSSZZ}")
      const data = structuredData === '' ? '-' : event.expand(structuredData)
      return `${head}1 ${time} ${source} ${application} ${process} ${event.expand(options.msgid)} ${data} ${message}`
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
    const tls =
      options.protocol === 'ssl-tcp'
        ? {
            ...clientTls({ ...options, ssl_verification_mode: options.ssl_verify ? 'full' : 'none', ...NO_STORES }),
            ...(options.ssl_crl_path === undefined ? {} : { crl: readFileSync(options.ssl_crl_path) }),
          }
        : undefined
    const connection = new LineConnection({ host, port, reconnectMs: options.reconnect_interval * 1000, delivery, tls })
    return {
      write: async (events) =>
        connection.send((await delivery.forEach(events, (event) => `${lineOf(event)}\n`)).join('')),
      close: () => connection.close(),
    }
  },
})
