/** `syslog`: listens on tcp and udp and parses RFC 3164 lines: priority, time, sender, program. */
import type { Event } from '../event/event.ts'
import { date } from '../filters/date.ts'
import { grok } from '../filters/grok.ts'
import { withDefaults } from '../plugin/default-options.ts'
import type { Filter, FilterContext } from '../plugin/filter-plugin.ts'
import { type Input, type InputSink, inputPlugin } from '../plugin/input-plugin.ts'
import { type OptionValues, option } from '../plugin/options.ts'
import type { PluginContext } from '../plugin/plugin-context.ts'
import { tcp } from './tcp.ts'
import { udp } from './udp.ts'

const FACILITIES = [
  'kernel',
  'user-level',
  'mail',
  'system',
  'security/authorization',
  'syslogd',
  'line printer',
  'network news',
  'UUCP',
  'clock',
  'security/authorization',
  'FTP',
  'NTP',
  'log audit',
  'log alert',
  'clock',
  ...Array.from({ length: 8 }, (_, i) => `local${i}`),
]
const SEVERITIES = ['Emergency', 'Alert', 'Critical', 'Error', 'Warning', 'Notice', 'Informational', 'Debug']
const FAILURE_TAG = '_grokparsefailure_sysloginput'

const OPTIONS = {
  port: option.number({ default: 514 }),
  host: option.string({ default: '0.0.0.0' }),
  codec: option.codec({ default: 'plain' }),
  syslog_field: option.field({ default: 'message' }),
  grok_pattern: option.string(),
  timezone: option.string(),
  locale: option.string(),
  use_labels: option.boolean({ default: true }),
  facility_labels: option.strings({ default: FACILITIES }),
  severity_labels: option.strings({ default: SEVERITIES }),
  proxy_protocol: option.boolean({ default: false }),
  service_type: option.string({ default: 'system' }),
} as const

type Options = OptionValues<typeof OPTIONS>

export const syslog = inputPlugin({
  name: 'syslog',
  touches: 'network',
  options: OPTIONS,
  create: (options, context) => new SyslogInput(options, context),
})

/** The field names of the parts: classic, or those of ECS. */
interface Names {
  readonly priority: string
  readonly facility: string
  readonly severity: string
  readonly facilityLabel: string
  readonly severityLabel: string
}

const CLASSIC: Names = {
  priority: 'priority',
  facility: 'facility',
  severity: 'severity',
  facilityLabel: 'facility_label',
  severityLabel: 'severity_label',
}

const ECS: Names = {
  priority: '[log][syslog][priority]',
  facility: '[log][syslog][facility][code]',
  severity: '[log][syslog][severity][code]',
  facilityLabel: '[log][syslog][facility][name]',
  severityLabel: '[log][syslog][severity][name]',
}

class SyslogInput implements Input {
  readonly #options: Options
  readonly #isEcs: boolean
  readonly #names: Names
  readonly #inputs: readonly Input[]
  readonly #grok: Filter
  readonly #date: Filter

  constructor(options: Options, context: PluginContext) {
    this.#options = options
    this.#isEcs = context.ecs !== 'disabled'
    this.#names = this.#isEcs ? ECS : CLASSIC
    const { port, host, codec, proxy_protocol } = options
    const listening = { port, host, codec }
    this.#inputs = [
      tcp.create(
        withDefaults(tcp.options, { ...listening, proxy_protocol, dns_reverse_lookup_enabled: false }),
        context,
      ),
      udp.create(withDefaults(udp.options, listening), context),
    ]
    const inFilter: FilterContext = { ...context, succeed: () => {} }
    const field = this.#isEcs ? '[log][syslog][priority]:int' : 'priority'
    const pattern = options.grok_pattern ?? `<%{POSINT:${field}}>%{SYSLOGLINE}`
    this.#grok = grok.create(
      withDefaults(grok.options, {
        match: new Map([[options.syslog_field, pattern]]),
        overwrite: [options.syslog_field],
        tag_on_failure: [FAILURE_TAG],
      }),
      inFilter,
    )
    const patterns = ['MMM dd HH:mm:ss', 'MMM  d HH:mm:ss', 'MMM d HH:mm:ss', 'ISO8601']
    this.#date = date.create(
      withDefaults(date.options, {
        match: ['timestamp', ...patterns],
        tag_on_failure: ['_dateparsefailure_sysloginput'],
        timezone: options.timezone,
        locale: options.locale,
      }),
      inFilter,
    )
  }

  async start(): Promise<void> {
    for (const input of this.#inputs) await input.start?.()
  }

  async run(sink: InputSink): Promise<void> {
    const parsing: InputSink = {
      push: (events, onAcknowledged) => {
        // All lines of a batch are matched under one watchdog.
        this.#grok.prepare?.(events)
        const slow: Promise<void>[] = []
        for (const event of events) {
          const parsed = this.#parse(event)
          if (parsed !== undefined) slow.push(parsed)
        }
        if (slow.length === 0) return sink.push(events, onAcknowledged)
        return Promise.all(slow).then(() => sink.push(events, onAcknowledged))
      },
    }
    await Promise.all(this.#inputs.map((input) => input.run(parsing)))
  }

  stop(): void {
    for (const input of this.#inputs) input.stop()
  }

  /** Returns a promise for a line whose match takes long. */
  #parse(event: Event): Promise<void> | undefined {
    event.remove('port')
    if (this.#isEcs) {
      const address = event.get('[@metadata][input][tcp][source][ip]')
      if (address !== undefined) event.setDefault('[host][ip]', address)
      event.setDefault('[service][type]', this.#options.service_type)
      const text = event.get(this.#options.syslog_field)
      if (text !== undefined) event.set('[event][original]', text)
    }
    const matched = this.#grok.filter(event, [])
    if (typeof matched === 'object') return matched.then((isMatch) => this.#finish(event, isMatch))
    this.#finish(event, matched)
    return undefined
  }

  #finish(event: Event, isMatch: boolean): void {
    const names = this.#names
    if (!isMatch) {
      this.#setPriority(event, 0)
      return
    }
    // The classic patterns have a separate name for a timestamp in this form.
    const iso = event.get('timestamp8601')
    if (iso !== undefined) event.set('timestamp', iso)
    this.#date.filter(event, [])
    // Under ECS the time of the line is `@timestamp` alone.
    if (this.#isEcs) event.remove('timestamp')
    // The protocol's default priority is user-level, notice.
    const given = Number(event.get(names.priority) ?? 13)
    this.#setPriority(event, Number.isInteger(given) ? given : 13)
  }

  #setPriority(event: Event, priority: number): void {
    const { use_labels: usesLabels, facility_labels: facilities, severity_labels: severities } = this.#options
    const names = this.#names
    const facility = priority >> 3
    const severity = priority & 7
    event.set(names.priority, priority)
    event.set(names.facility, facility)
    event.set(names.severity, severity)
    if (!usesLabels) return
    if (facilities[facility] !== undefined) event.set(names.facilityLabel, facilities[facility])
    if (severities[severity] !== undefined) event.set(names.severityLabel, severities[severity])
  }
}
