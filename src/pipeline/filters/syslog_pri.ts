/** `syslog_pri`: splits the priority of a syslog line into facility and severity. */
import { Double } from '../../base/json/json-writer.ts'
import type { FieldValue } from '../event/fields.ts'
import { filterPlugin } from '../plugin/filter-plugin.ts'
import { option } from '../plugin/options.ts'

export const FACILITIES: string[] = [
  ...['kernel', 'user-level', 'mail', 'daemon', 'security/authorization', 'syslogd', 'line printer', 'network news'],
  ...['uucp', 'clock', 'security/authorization', 'ftp', 'ntp', 'log audit', 'log alert', 'clock'],
  ...['local0', 'local1', 'local2', 'local3', 'local4', 'local5', 'local6', 'local7'],
]
export const SEVERITIES: string[] = [
  ...['emergency', 'alert', 'critical', 'error', 'warning', 'notice', 'informational', 'debug'],
]

/** user-level, notice: the priority that RFC 3164 assigns to a line without one. */
const DEFAULT_PRIORITY = 13

export const syslogPri = filterPlugin({
  name: 'syslog_pri',
  touches: 'nothing',
  options: {
    syslog_pri_field_name: option.field(),
    use_labels: option.boolean({ default: true }),
    facility_labels: option.strings({ default: FACILITIES }),
    severity_labels: option.strings({ default: SEVERITIES }),
  },
  create(options, { ecs }) {
    const classic = ecs === 'disabled'
    const source = options.syslog_pri_field_name ?? (classic ? 'syslog_pri' : '[log][syslog][priority]')
    const facilityCode = classic ? 'syslog_facility_code' : '[log][syslog][facility][code]'
    const severityCode = classic ? 'syslog_severity_code' : '[log][syslog][severity][code]'
    const facilityLabel = classic ? 'syslog_facility' : '[log][syslog][facility][name]'
    const severityLabel = classic ? 'syslog_severity' : '[log][syslog][severity][name]'
    return {
      filter(event) {
        const priority = priorityOf(event.get(source))
        const severity = priority & 7
        const facility = priority >> 3
        event.set(facilityCode, facility)
        event.set(severityCode, severity)
        if (!options.use_labels) return true
        const facilityName = options.facility_labels[facility]
        if (facilityName === undefined) {
          event.tag('_syslogpriparsefailure')
          return true
        }
        event.set(facilityLabel, facilityName)
        const severityName = options.severity_labels[severity]
        if (severityName !== undefined) event.set(severityLabel, severityName)
        return true
      },
    }
  },
})

/** Accepts a string, a number, or the first of several values. Anything else counts as 0. */
function priorityOf(value: FieldValue | undefined): number {
  if (value === undefined || value === null) return DEFAULT_PRIORITY
  if (Array.isArray(value)) return value.length === 0 ? DEFAULT_PRIORITY : priorityOf(value[0])
  if (typeof value === 'number') return Math.trunc(value)
  if (value instanceof Double) return Math.trunc(value.value)
  return typeof value === 'string' ? Number(/^\s*\d+/.exec(value)?.[0] ?? 0) : 0
}
