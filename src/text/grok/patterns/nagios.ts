/** Patterns of Nagios: every line is a type, a colon, and values separated by semicolons. */
import { anyOf, type PatternTable, type PatternText } from './notation.ts'

const HOST = '%{DATA:nagios_hostname|[host][hostname]}'
const SERVICE = '%{DATA:nagios_service|[service][name]}'
const STATE = '%{DATA:nagios_state|[service][state]}'
const TYPE_FIELD = 'nagios_type|[nagios][log][type]'
const MESSAGE = '%{GREEDYDATA:nagios_message|message}'
const COMMENT = '%{GREEDYDATA:nagios_comment|[nagios][log][comment]}'
const RESULT = '%{GREEDYDATA:nagios_check_result|[nagios][log][check_result]}'
const LAST_HOST = '%{GREEDYDATA:nagios_hostname|[host][hostname]}'
const LAST_SERVICE = '%{GREEDYDATA:nagios_service|[service][name]}'
const NOTIFY = '%{DATA:nagios_notifyname|[user][name]}'
const CONTACT = '%{DATA:nagios_contact|[nagios][log][notification_command]}'
const STATE_TYPE = '%{DATA:nagios_statetype|[nagios][log][state_type]}'
const STATE_LEVEL = '%{DATA:nagios_statelevel|[nagios][log][state_type]}'
const HANDLER = '%{DATA:nagios_event_handler_name|[nagios][log][event_handler_name]}'
/** The attempt has a different pattern in each set. */
const CODE: readonly [string, string] = ['%{DATA:nagios_statecode}', '%{INT:[nagios][log][attempt]:int}']
const ATTEMPT: readonly [string, string] = ['%{NUMBER:nagios_attempt}', '%{INT:[nagios][log][attempt]:int}']

type Value = string | readonly [string, string]

/** The values after the type for lines about a service. Lines about a host have no service. */
const STATES: Readonly<Record<string, readonly Value[]>> = {
  CURRENT_SERVICE_STATE: [HOST, SERVICE, STATE, STATE_TYPE, CODE, MESSAGE],
  SERVICE_NOTIFICATION: [NOTIFY, HOST, SERVICE, STATE, CONTACT, MESSAGE],
  SERVICE_ALERT: [HOST, SERVICE, STATE, STATE_LEVEL, ATTEMPT, MESSAGE],
  SERVICE_FLAPPING_ALERT: [HOST, SERVICE, STATE, MESSAGE],
  SERVICE_DOWNTIME_ALERT: [HOST, SERVICE, STATE, COMMENT],
  PASSIVE_SERVICE_CHECK: [HOST, SERVICE, STATE, COMMENT],
  SERVICE_EVENT_HANDLER: [HOST, SERVICE, STATE, STATE_LEVEL, HANDLER],
}

const number = (legacy: string, ecs: string): string => `%{NUMBER:${legacy}|${ecs}}`
const DOWNTIME = [
  ...['start_time', 'end_time', 'fixed', 'trigger_id'].map((name) =>
    number(`nagios_${name}`, `[nagios][log][${name}]`),
  ),
  number('nagios_duration', '[nagios][log][duration]:int'),
  ...['%{DATA:author|[user][name]}', '%{DATA:comment|[nagios][log][comment]}'],
]

/** External commands, in the order in which they are tried. */
const COMMANDS: Readonly<Record<string, readonly Value[]>> = {
  DISABLE_SVC_CHECK: [HOST, SERVICE],
  ENABLE_SVC_CHECK: [HOST, SERVICE],
  DISABLE_HOST_CHECK: [HOST],
  ENABLE_HOST_CHECK: [HOST],
  PROCESS_HOST_CHECK_RESULT: [HOST, STATE, RESULT],
  PROCESS_SERVICE_CHECK_RESULT: [HOST, SERVICE, STATE, RESULT],
  SCHEDULE_HOST_DOWNTIME: [HOST, ...DOWNTIME],
  DISABLE_HOST_SVC_NOTIFICATIONS: [LAST_HOST],
  ENABLE_HOST_SVC_NOTIFICATIONS: [LAST_HOST],
  DISABLE_HOST_NOTIFICATIONS: [LAST_HOST],
  ENABLE_HOST_NOTIFICATIONS: [LAST_HOST],
  DISABLE_SVC_NOTIFICATIONS: [HOST, LAST_SERVICE],
  ENABLE_SVC_NOTIFICATIONS: [HOST, LAST_SERVICE],
}

export const NAGIOS: PatternTable = makeTable()

function makeTable(): PatternTable {
  const table: Record<string, PatternText> = {
    NAGIOSTIME: '\\[%{NUMBER:nagios_epoch|timestamp}\\]',
    NAGIOS_WARNING: `Warning:%{SPACE}${MESSAGE}`,
  }
  const kinds: string[] = ['NAGIOS_WARNING']
  for (const [service, values] of Object.entries(STATES)) {
    const host = service.replace('SERVICE', 'HOST')
    addLine(table, service, values)
    addLine(
      table,
      host,
      values.filter((value) => value !== SERVICE),
    )
    kinds.push(`NAGIOS_${service}`, `NAGIOS_${host}`)
  }
  addLine(table, 'TIMEPERIOD_TRANSITION', [
    SERVICE,
    number('nagios_unknown1', '[nagios][log][period_from]:int'),
    number('nagios_unknown2', '[nagios][log][period_to]:int'),
  ])
  kinds.push('NAGIOS_TIMEPERIOD_TRANSITION')
  table['NAGIOS_TYPE_EXTERNAL_COMMAND'] = 'EXTERNAL COMMAND'
  table['NAGIOS_EC_SCHEDULE_SERVICE_DOWNTIME'] = 'SCHEDULE_SERVICE_DOWNTIME'
  for (const [command, values] of Object.entries(COMMANDS)) {
    table[`NAGIOS_EC_${command}`] = command
    const head = `%{NAGIOS_TYPE_EXTERNAL_COMMAND:${TYPE_FIELD}}: `
    const word = `%{NAGIOS_EC_${command}:nagios_command|[nagios][log][command]}`
    table[`NAGIOS_EC_LINE_${command}`] = joined(head, [word, ...values])
    kinds.push(`NAGIOS_EC_LINE_${command}`)
  }
  table['NAGIOSLOGLINE'] = `%{NAGIOSTIME} ${anyOf(kinds)}`
  return table
}

function addLine(table: Record<string, PatternText>, kind: string, values: readonly Value[]): void {
  table[`NAGIOS_TYPE_${kind}`] = kind.replaceAll('_', ' ')
  table[`NAGIOS_${kind}`] = joined(`%{NAGIOS_TYPE_${kind}:${TYPE_FIELD}}: `, values)
}

function joined(head: string, values: readonly Value[]): PatternText {
  const side = (index: 0 | 1) =>
    head + values.map((value) => (typeof value === 'string' ? value : value[index])).join(';')
  return [side(0), side(1)]
}
