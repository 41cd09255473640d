/** Patterns of firewalls: Cisco ASA, NetScreen, Juniper, Shorewall, SuSE, iptables. */
import type { PatternTable, PatternText } from './notation.ts'

const UNIT = '\\((?:Primary|Secondary)\\)'
const ACTION = '%{CISCO_ACTION:action|[cisco][asa][outcome]}'
const DIRECTION = '%{CISCO_DIRECTION:direction|[cisco][asa][network][direction]}'
const TRANSPORT = '%{WORD:protocol|[cisco][asa][network][transport]}'
const REASON = '%{CISCO_REASON:reason|[event][reason]}'
const SOURCE_IP = '%{IP:src_ip|[source][ip]}'
const TARGET_IP = '%{IP:dst_ip|[destination][ip]}'
const SOURCE_PORT = '%{INT:src_port|[source][port]:int}'
const TARGET_PORT = '%{INT:dst_port|[destination][port]:int}'
const SOURCE = `${SOURCE_IP}/${SOURCE_PORT}`
const TARGET = `${TARGET_IP}/${TARGET_PORT}`
const SOURCE_USER = '(?:\\(%{DATA:src_fwuser|[source][user][name]}\\))?'
const TARGET_USER = '(?:\\(%{DATA:dst_fwuser|[destination][user][name]}\\))?'
const INGRESS = '%{DATA:src_interface|[observer][ingress][interface][name]}'
const EGRESS = '%{DATA:dst_interface|[observer][egress][interface][name]}'
const ICMP =
  '\\(type %{INT:icmp_type|[cisco][asa][icmp_type]:int}, code %{INT:icmp_code|[cisco][asa][icmp_code]:int}\\)'
const HASHES =
  '\\[%{DATA:hashcode1|[@metadata][cisco][asa][hashcode1]}, %{DATA:hashcode2|[@metadata][cisco][asa][hashcode2]}\\]'
const ACCESS_LIST = `access-list %{NOTSPACE:policy_id|[cisco][asa][rule_name]} ${ACTION} ${TRANSPORT}`
const RESULT_REASON = '%{GREEDYDATA:switch_reason|[event][reason]}'
const ORIGINAL = '[cisco][asa][original_ip_payload]'

/** An interface extends to the end of the line in the legacy set, and to the next space in ECS. */
const named = (legacy: string, ecs: string, type = 'GREEDYDATA'): [string, string] => [
  `%{${type}:${legacy}}`,
  `%{NOTSPACE:${ecs}}`,
]

/** A text with one part that differs between the sets. */
const around = (before: string, [legacy, ecs]: readonly [string, string], after = ''): PatternText => [
  before + legacy + after,
  before + ecs + after,
]

const WATCHED = named('interface_name', '[network][interface][name]')
const INTERFACE = named('interface', '[observer][egress][interface][name]')

const LEGACY_CONNECTION =
  `${ACTION}(?: ${DIRECTION})? ${TRANSPORT} connection %{INT:connection_id} for ${INGRESS}:${SOURCE}` +
  `(?: \\(%{IP:src_mapped_ip}/%{INT:src_mapped_port}\\))?${SOURCE_USER} to ${EGRESS}:${TARGET}` +
  `(?: \\(%{IP:dst_mapped_ip}/%{INT:dst_mapped_port}\\))?${TARGET_USER}` +
  `(?: duration %{TIME:duration} bytes %{INT:bytes})?(?: ${REASON})?(?: \\(%{DATA:user}\\))?`
const ECS_CONNECTION =
  `${ACTION}(?: ${DIRECTION})? ${TRANSPORT} connection %{INT:[cisco][asa][connection_id]} ` +
  `for %{NOTSPACE:[observer][ingress][interface][name]}:${SOURCE}` +
  `(?: \\(%{IP:[source][nat][ip]}/%{INT:[source][nat][port]:int}\\))?${SOURCE_USER} ` +
  `to %{NOTSPACE:[observer][egress][interface][name]}:${TARGET}` +
  `(?: \\(%{IP:[destination][nat][ip]}/%{INT:[destination][nat][port]:int}\\))?${TARGET_USER}` +
  `(?: duration %{TIME:[cisco][asa][duration]} bytes %{INT:[network][bytes]:int})?(?: ${REASON})?(?: \\(%{DATA:[user][name]}\\))?`

/** ASA messages by number. */
const ASA: PatternTable = {
  '104001': `${UNIT} Switching to ACTIVE - ${RESULT_REASON}`,
  '104002': `${UNIT} Switching to STANDBY - ${RESULT_REASON}`,
  '104003': `${UNIT} Switching to FAILED\\.`,
  '104004': `${UNIT} Switching to OK\\.`,
  '105003': around(`${UNIT} Monitoring on [Ii]nterface `, WATCHED, ' waiting'),
  '105004': around(`${UNIT} Monitoring on [Ii]nterface `, WATCHED, ' normal'),
  '105005': around(`${UNIT} Lost Failover communications with mate on [Ii]nterface `, WATCHED),
  '105008': around(`${UNIT} Testing [Ii]nterface `, WATCHED),
  '105009': around(`${UNIT} Testing on [Ii]nterface `, WATCHED, ' (?:Passed|Failed)'),
  '106001': [
    `${DIRECTION} ${TRANSPORT} connection ${ACTION} from ${SOURCE} to ${TARGET} ` +
      `flags %{GREEDYDATA:tcp_flags} on interface ${INTERFACE[0]}`,
    `${DIRECTION} ${TRANSPORT} connection ${ACTION} from ${SOURCE} to ${TARGET} ` +
      `flags %{DATA:[cisco][asa][tcp_flags]} on interface ${INTERFACE[1]}`,
  ],
  '106006_106007_106010': around(
    `${ACTION} ${DIRECTION} ${TRANSPORT} (?:from|src) ${SOURCE}${SOURCE_USER} (?:to|dst) ${TARGET}${TARGET_USER} (?:on interface `,
    named('interface', '[observer][egress][interface][name]', 'DATA'),
    `|due to ${REASON})`,
  ),
  '106014': [
    `${ACTION} ${DIRECTION} ${TRANSPORT} src ${INGRESS}:${SOURCE_IP}${SOURCE_USER} dst ${EGRESS}:${TARGET_IP}${TARGET_USER} ${ICMP}`,
    `${ACTION} ${DIRECTION} ${TRANSPORT} src %{CISCO_SRC_IP_USER} dst %{CISCO_DST_IP_USER}\\s?${ICMP}`,
  ],
  '106015': around(
    `${ACTION} ${TRANSPORT} \\(%{DATA:policy_id|[cisco][asa][rule_name]}\\) from ${SOURCE} to ${TARGET} ` +
      'flags %{DATA:tcp_flags|[cisco][asa][tcp_flags]} on interface ',
    INTERFACE,
  ),
  '106021': around(
    `${ACTION} ${TRANSPORT} reverse path check from ${SOURCE_IP} to ${TARGET_IP} on interface `,
    INTERFACE,
  ),
  '106023': around(
    `${ACTION}(?: protocol)? ${TRANSPORT} src `,
    [
      `${INGRESS}:%{DATA:src_ip}(?:/${SOURCE_PORT})?${SOURCE_USER} dst ${EGRESS}:%{DATA:dst_ip}(?:/${TARGET_PORT})?${TARGET_USER}`,
      '%{CISCO_SRC_HOST_PORT_USER} dst %{CISCO_DST_HOST_PORT_USER}',
    ],
    `(?: ${ICMP})? by access-group "?%{DATA:policy_id|[cisco][asa][rule_name]}"? ${HASHES}`,
  ),
  '106100_2_3': around(
    `${ACCESS_LIST} for user '%{DATA:src_fwuser|[user][name]}' ${INGRESS}/${SOURCE_IP}\\(${SOURCE_PORT}\\) -> ` +
      `${EGRESS}/${TARGET_IP}\\(${TARGET_PORT}\\) `,
    ['hit-cnt %{INT:hit_count} %{CISCO_INTERVAL:interval}', '%{CISCO_HITCOUNT_INTERVAL}'],
    ` ${HASHES}`,
  ),
  '106100':
    `${ACCESS_LIST} ${INGRESS}/${SOURCE_IP}\\(${SOURCE_PORT}\\)${SOURCE_USER} -> ${EGRESS}/${TARGET_IP}\\(${TARGET_PORT}\\)` +
    `${SOURCE_USER} hit-cnt %{INT:hit_count|[cisco][asa][hit_count]:int} %{CISCO_INTERVAL:interval|} ${HASHES}`,
  '304001': `${SOURCE_IP}${SOURCE_USER} Accessed URL ${TARGET_IP}:%{GREEDYDATA:dst_url|[url][original]}`,
  '110002': `${REASON} for ${TRANSPORT} from ${INGRESS}:${SOURCE} to ${TARGET}`,
  '302010':
    '%{INT:connection_count|[cisco][asa][connections][in_use]:int} in use, ' +
    '%{INT:connection_count_max|[cisco][asa][connections][most_used]:int} most used',
  '302013_302014_302015_302016': [LEGACY_CONNECTION, ECS_CONNECTION],
  '302020_302021':
    `${ACTION}(?: ${DIRECTION})? ${TRANSPORT} connection for faddr ${TARGET_IP}/%{INT:icmp_seq_num|[cisco][asa][icmp_seq]:int}` +
    '(?:\\(%{DATA:fwuser|[destination][user][name]}\\))? gaddr %{IP:src_xlated_ip|[source][nat][ip]}/' +
    `%{INT:icmp_code_xlated|[cisco][asa][icmp_type]:int} laddr ${SOURCE_IP}/%{INT:icmp_code|}` +
    '(?: \\(%{DATA:user|[source][user][name]}\\))?',
  '305011': around(
    `${ACTION} %{CISCO_XLATE_TYPE:xlate_type|} ${TRANSPORT} translation from ${INGRESS}:${SOURCE_IP}(?:/${SOURCE_PORT})?${SOURCE_USER} to `,
    [
      '%{DATA:src_xlated_interface}:%{IP:src_xlated_ip}/%{DATA:src_xlated_port}',
      `%{DATA:[observer][egress][interface][name]}:${TARGET}`,
    ],
  ),
  '313001_313004_313008': around(
    `${ACTION} ${TRANSPORT} type=%{INT:icmp_type|[cisco][asa][icmp_type]:int}, ` +
      `code=%{INT:icmp_code|[cisco][asa][icmp_code]:int} from ${SOURCE_IP} on interface `,
    named('interface', '[observer][egress][interface][name]', 'DATA'),
    `(?: to ${TARGET_IP})?`,
  ),
  '313005': [
    `${REASON} for ${TRANSPORT} error message: %{WORD:err_protocol} src %{DATA:err_src_interface}:%{IP:err_src_ip}` +
      '(?:\\(%{DATA:err_src_fwuser}\\))? dst %{DATA:err_dst_interface}:%{IP:err_dst_ip}(?:\\(%{DATA:err_dst_fwuser}\\))? ' +
      '\\(type %{INT:err_icmp_type}, code %{INT:err_icmp_code}\\) on %{DATA:interface} interface\\.  ' +
      'Original IP payload: %{WORD:protocol} src %{IP:orig_src_ip}/%{INT:orig_src_port}(?:\\(%{DATA:orig_src_fwuser}\\))? ' +
      'dst %{IP:orig_dst_ip}/%{INT:orig_dst_port}(?:\\(%{DATA:orig_dst_fwuser}\\))?',
    `${REASON} for ${TRANSPORT} error message: %{WORD} src %{CISCO_SRC_IP_USER} dst %{CISCO_DST_IP_USER} ${ICMP} ` +
      `on %{NOTSPACE} interface\\.\\s+Original IP payload: %{WORD:${ORIGINAL}[network][transport]} ` +
      ['source', 'destination']
        .map(
          (side) =>
            `${side === 'source' ? 'src' : 'dst'} %{IP:${ORIGINAL}[${side}][ip]}/%{INT:${ORIGINAL}[${side}][port]:int}` +
            `(?:\\(%{DATA:${ORIGINAL}[${side}][user][name]}\\))?`,
        )
        .join(' '),
  ],
  '321001': [
    "Resource '%{WORD:resource_name}' limit of %{POSINT:resource_limit} reached for system",
    "Resource '%{DATA:[cisco][asa][resource][name]}' limit of %{POSINT:[cisco][asa][resource][limit]:int} reached for system",
  ],
  '402117': [
    `%{WORD:protocol}: Received a non-IPSec packet \\(protocol= %{WORD:orig_protocol}\\) from ${SOURCE_IP} to ${TARGET_IP}`,
    '%{WORD:[cisco][asa][network][type]}: Received a non-IPSec packet ' +
      `\\(protocol=\\s?%{WORD:[cisco][asa][network][transport]}\\) from ${SOURCE_IP} to ${TARGET_IP}\\.?`,
  ],
  '402119': [
    '%{WORD:protocol}: Received an %{WORD:orig_protocol} packet \\(SPI= %{DATA:spi}, sequence number= %{DATA:seq_num}\\) ' +
      `from ${SOURCE_IP} \\(user= %{DATA:user}\\) to ${TARGET_IP} that failed anti-replay checking`,
    '%{WORD:[cisco][asa][network][type]}: Received an %{WORD:[cisco][asa][ipsec][protocol]} packet ' +
      '\\(SPI=\\s?%{DATA:[cisco][asa][ipsec][spi]}, sequence number=\\s?%{DATA:[cisco][asa][ipsec][seq_num]}\\) ' +
      `from ${SOURCE_IP} \\(user=\\s?%{DATA:[source][user][name]}\\) to ${TARGET_IP} that failed anti-replay checking\\.?`,
  ],
  '419001': [
    `${ACTION} ${TRANSPORT} packet from ${INGRESS}:${SOURCE} to ${EGRESS}:${TARGET}, reason: %{GREEDYDATA:reason}`,
    `${ACTION} ${TRANSPORT} packet from %{NOTSPACE:[observer][ingress][interface][name]}:${SOURCE} ` +
      `to %{NOTSPACE:[observer][egress][interface][name]}:${TARGET}, reason: %{GREEDYDATA:[event][reason]}`,
  ],
  '419002': `${REASON} from ${INGRESS}:${SOURCE} to ${EGRESS}:${TARGET} with different initial sequence number`,
  '500004': `${REASON} for protocol=${TRANSPORT}, from ${SOURCE} to ${TARGET}`,
  '602303_602304': [
    `%{WORD:protocol}: An ${DIRECTION} %{GREEDYDATA:tunnel_type} SA \\(SPI= %{DATA:spi}\\) between ${SOURCE_IP} ` +
      `and ${TARGET_IP} \\(user= %{DATA:user}\\) has been ${ACTION}`,
    `%{WORD:[cisco][asa][network][type]}: An ${DIRECTION} %{DATA:[cisco][asa][ipsec][tunnel_type]} SA ` +
      `\\(SPI=\\s?%{DATA:[cisco][asa][ipsec][spi]}\\) between ${SOURCE_IP} and ${TARGET_IP} ` +
      `\\(user=\\s?%{DATA:[source][user][name]}\\) has been ${ACTION}`,
  ],
  '710001_710002_710003_710005_710006': `${TRANSPORT} (?:request|access) ${ACTION} from ${SOURCE} to ${EGRESS}:${TARGET}`,
  '713172': around(
    'Group = ',
    ['%{GREEDYDATA:group}', '%{DATA:[cisco][asa][source][group]}'],
    `, IP = ${SOURCE_IP}, Automatic NAT Detection Status:\\s+Remote end\\s*` +
      '%{DATA:is_remote_natted|[@metadata][cisco][asa][remote_nat]}\\s*behind a NAT device\\s+This\\s+end\\s*' +
      '%{DATA:is_local_natted|[@metadata][cisco][asa][local_nat]}\\s*behind a NAT device',
  ),
  '733100':
    '\\[\\s*%{DATA:drop_type|[cisco][asa][burst][object]}\\s*\\] drop %{DATA:drop_rate_id|[cisco][asa][burst][id]} exceeded. ' +
    'Current burst rate is %{INT:drop_rate_current_burst|[cisco][asa][burst][current_rate]:int} per second, ' +
    'max configured rate is %{INT:drop_rate_max_burst|[cisco][asa][burst][configured_rate]:int}; ' +
    'Current average rate is %{INT:drop_rate_current_avg|[cisco][asa][burst][avg_rate]:int} per second, ' +
    'max configured rate is %{INT:drop_rate_max_avg|[cisco][asa][burst][configured_avg_rate]:int}; ' +
    'Cumulative total count is %{INT:drop_total_count|[cisco][asa][burst][cumulative_count]:int}',
}

/** ECS helper: an interface, an address and optionally a user. */
const endpoint = (side: string, way: string, withPort: boolean): string => {
  const address = withPort
    ? `(?:%{IP:[${side}][ip]}|%{HOSTNAME:[${side}][address]})(?:/%{INT:[${side}][port]:int})?`
    : `%{IP:[${side}][ip]}`
  return `%{NOTSPACE:[observer][${way}][interface][name]}:${address}(?:\\(%{DATA:[${side}][user][name]}\\))?`
}

const flow = (legacy: string, ecs: string, type = 'DATA'): string => `%{${type}:${legacy}|${ecs}}`
const FLOW_HEAD = '%{RT_FLOW_EVENT:event}: '
const FLOW_ECS_HEAD = '%{RT_FLOW_TAG:[juniper][srx][tag]}: '
const FLOW_ENDS =
  '%{IP:src-ip|[source][ip]}/%{INT:src-port|[source][port]:int}->%{IP:dst-ip|[destination][ip]}/' +
  '%{INT:dst-port|[destination][port]:int} %{DATA:service|[juniper][srx][service_name]} '
const FLOW_NAT =
  '%{IP:nat-src-ip|[source][nat][ip]}/%{INT:nat-src-port|[source][nat][port]:int}->' +
  '%{IP:nat-dst-ip|[destination][nat][ip]}/%{INT:nat-dst-port|[destination][nat][port]:int} '
const FLOW_RULES = [
  '%{DATA:src-nat-rule-name} %{DATA:dst-nat-rule-name} ',
  '(?:None|%{DATA:[juniper][srx][src_nat_rule_name]}) (?:None|%{DATA:[juniper][srx][dst_nat_rule_name]}) ',
] as const
const FLOW_ZONES =
  `${flow('policy-name', '[rule][name]')} ${flow('from-zone', '[observer][ingress][zone]')} ` +
  flow('to-zone', '[observer][egress][zone]')
const FLOW_PROTOCOL = flow('protocol-id', '[network][iana_number]', 'INT')
const FLOW_SESSION = flow('session-id', '[juniper][srx][session_id]', 'INT')
const flowOf = (middle: readonly [string, string]): PatternText => [FLOW_HEAD + middle[0], FLOW_ECS_HEAD + middle[1]]
const sessionFlow = (start: readonly [string, string], end: readonly [string, string]): PatternText =>
  flowOf(
    ([0, 1] as const).map(
      (i) =>
        `${start[i]}${FLOW_ENDS}${FLOW_NAT}${FLOW_RULES[i]}${FLOW_PROTOCOL} ${FLOW_ZONES} ${FLOW_SESSION} ${end[i]}.*`,
    ) as [string, string],
  )

/** `NAME=value`, preceded by any text. */
const field = (name: string, pattern: string): string => `${name}=${pattern}`
const optionalInt = (name: string, target: string): string => `${name}=(?:%{INT:${target}})?\\s+`
const hexBits = (name: string, target: string, zero = ''): string => `${name}=(?:${zero}0x%{BASE16NUM:${target}})?\\s+`

export const FIREWALLS: PatternTable = {
  NETSCREENSESSIONLOG: [
    '%{SYSLOGTIMESTAMP:date} %{IPORHOST:device} %{IPORHOST}: NetScreen device_id=%{WORD:device_id}%{DATA}: ' +
      'start_time=%{QUOTEDSTRING:start_time} duration=%{INT:duration} policy_id=%{INT:policy_id} service=%{DATA:service} ' +
      'proto=%{INT:proto} src zone=%{WORD:src_zone} dst zone=%{WORD:dst_zone} action=%{WORD:action} sent=%{INT:sent} ' +
      'rcvd=%{INT:rcvd} src=%{IPORHOST:src_ip} dst=%{IPORHOST:dst_ip} src_port=%{INT:src_port} dst_port=%{INT:dst_port} ' +
      'src-xlated ip=%{IPORHOST:src_xlated_ip} port=%{INT:src_xlated_port} dst-xlated ip=%{IPORHOST:dst_xlated_ip} ' +
      'port=%{INT:dst_xlated_port} session_id=%{INT:session_id} reason=%{GREEDYDATA:reason}',
    '%{SYSLOGTIMESTAMP:timestamp} %{IPORHOST:[observer][hostname]} %{NOTSPACE:[observer][name]}: ' +
      '(?<[observer][product]>NetScreen) device_id=%{WORD:[netscreen][device_id]} ' +
      '.*?(?:system-\\w+-%{NONNEGINT:[event][code]}\\(%{WORD:[netscreen][session][type]}\\))?: ' +
      'start_time="%{DATA:[netscreen][session][start_time]}" duration=%{INT:[netscreen][session][duration]:int} ' +
      'policy_id=%{INT:[netscreen][policy_id]} service=%{DATA:[netscreen][service]} ' +
      'proto=%{INT:[netscreen][protocol_number]:int} src zone=%{WORD:[observer][ingress][zone]} ' +
      'dst zone=%{WORD:[observer][egress][zone]} action=%{WORD:[event][action]} sent=%{INT:[source][bytes]:int} ' +
      'rcvd=%{INT:[destination][bytes]:int} src=%{IPORHOST:[source][address]} dst=%{IPORHOST:[destination][address]}' +
      '(?: src_port=%{INT:[source][port]:int} dst_port=%{INT:[destination][port]:int})?' +
      '(?: src-xlated ip=%{IP:[source][nat][ip]} port=%{INT:[source][nat][port]:int} ' +
      'dst-xlated ip=%{IP:[destination][nat][ip]} port=%{INT:[destination][nat][port]:int})?' +
      '(?: session_id=%{INT:[netscreen][session][id]} reason=%{GREEDYDATA:[netscreen][session][reason]})?',
  ],

  CISCO_TAGGED_SYSLOG:
    '^<%{POSINT:syslog_pri|[log][syslog][priority]:int}>%{CISCOTIMESTAMP:timestamp}' +
    '(?: %{SYSLOGHOST:sysloghost|[host][hostname]})? ?: %%{CISCOTAG:ciscotag|[cisco][asa][tag]}:',
  CISCOTIMESTAMP: '%{MONTH} +%{MONTHDAY}(?: %{YEAR})? %{TIME}',
  CISCOTAG: '[A-Z0-9]+-%{INT}-[A-Z0-9_]+',
  CISCO_ACTION:
    'Built|Teardown|Deny|Denied|denied|requested|permitted|denied by ACL|discarded|est-allowed|Dropping|created|deleted',
  CISCO_REASON:
    'Duplicate TCP SYN|Failed to locate egress interface|Invalid transport field|No matching connection|DNS Response|' +
    'DNS Query|(?:%{WORD}\\s*)*',
  CISCO_DIRECTION: '[Ii]nbound|[Oo]utbound',
  CISCO_INTERVAL: 'first hit|%{INT}-second interval',
  CISCO_XLATE_TYPE: 'static|dynamic',
  CISCO_HITCOUNT_INTERVAL: [
    undefined,
    'hit-cnt %{INT:[cisco][asa][hit_count]:int} (?:first hit|%{INT:[cisco][asa][interval]:int}-second interval)',
  ],
  CISCO_SRC_IP_USER: [undefined, endpoint('source', 'ingress', false)],
  CISCO_DST_IP_USER: [undefined, endpoint('destination', 'egress', false)],
  CISCO_SRC_HOST_PORT_USER: [undefined, endpoint('source', 'ingress', true)],
  CISCO_DST_HOST_PORT_USER: [undefined, endpoint('destination', 'egress', true)],
  ...Object.fromEntries(Object.entries(ASA).map(([number, text]) => [`CISCOFW${number}`, text])),

  RT_FLOW_TAG: [undefined, 'RT_FLOW_SESSION_(?:CREATE|CLOSE|DENY)'],
  RT_FLOW_EVENT: ['RT_FLOW_SESSION_(?:CREATE|CLOSE|DENY)', 'RT_FLOW_TAG'],
  RT_FLOW1: sessionFlow(
    ['%{GREEDYDATA:close-reason}: ', '%{GREEDYDATA:[juniper][srx][reason]}: '],
    [
      '\\d+\\(%{DATA:sent}\\) \\d+\\(%{DATA:received}\\) %{INT:elapsed-time} ',
      '\\d+\\(%{INT:[source][bytes]:int}\\) \\d+\\(%{INT:[destination][bytes]:int}\\) ' +
        '%{INT:[juniper][srx][elapsed_time]:int} ',
    ],
  ),
  RT_FLOW2: sessionFlow(['session created ', 'session created '], ['', '']),
  RT_FLOW3: flowOf([
    `session denied ${FLOW_ENDS}${FLOW_PROTOCOL}\\(\\d\\) ${FLOW_ZONES} .*`,
    `session denied ${FLOW_ENDS}${FLOW_PROTOCOL}\\(\\d\\) ${FLOW_ZONES} .*`,
  ]),

  IPTABLES_TCP_FLAGS: [undefined, '(?:(?:CWR|ECE|URG|ACK|PSH|RST|SYN|FIN) )*'],
  IPTABLES_TCP_PART: [
    undefined,
    '(?:SEQ=%{INT:[iptables][tcp][seq]:int}\\s+)?(?:ACK=%{INT:[iptables][tcp][ack]:int}\\s+)?' +
      'WINDOW=%{INT:[iptables][tcp][window]:int}\\s+RES=0x%{BASE16NUM:[iptables][tcp_reserved_bits]}\\s+' +
      '%{IPTABLES_TCP_FLAGS:[iptables][tcp][flags]}',
  ],
  IPTABLES4_FRAG: [undefined, '(?:(?<= )(?:CE|DF|MF))*'],
  IPTABLES4_PART: [
    undefined,
    'SRC=%{IPV4:[source][ip]}\\s+DST=%{IPV4:[destination][ip]}\\s+' +
      optionalInt('LEN', '[iptables][length]:int') +
      hexBits('TOS', '[iptables][tos]', '0|') +
      hexBits('PREC', '[iptables][precedence_bits]') +
      optionalInt('TTL', '[iptables][ttl]:int') +
      optionalInt('ID', '[iptables][id]') +
      '(?:%{IPTABLES4_FRAG:[iptables][fragment_flags]})?(?:\\s+FRAG: %{INT:[iptables][fragment_offset]:int})?',
  ],
  IPTABLES6_PART: [
    undefined,
    'SRC=%{IPV6:[source][ip]}\\s+DST=%{IPV6:[destination][ip]}\\s+' +
      optionalInt('LEN', '[iptables][length]:int') +
      hexBits('TC', '[iptables][tos]', '0|') +
      optionalInt('HOPLIMIT', '[iptables][ttl]:int') +
      'FLOWLBL=(?:%{INT:[iptables][flow_label]})?',
  ],
  IPTABLES: [
    undefined,
    'IN=(?:%{NOTSPACE:[observer][ingress][interface][name]})?\\s+OUT=(?:%{NOTSPACE:[observer][egress][interface][name]})?\\s+' +
      '(?:MAC=(?:%{COMMONMAC:[destination][mac]})?(?::%{COMMONMAC:[source][mac]})?(?::[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2})?\\s+)?' +
      '(?::?%{IPTABLES4_PART}|%{IPTABLES6_PART}).*?PROTO=(?:%{WORD:[network][transport]})?\\s+' +
      'SPT=(?:%{INT:[source][port]:int})?\\s+DPT=(?:%{INT:[destination][port]:int})?\\s+(?:%{IPTABLES_TCP_PART})?',
  ],
  SHOREWALL: [
    '%{SYSLOGTIMESTAMP:timestamp} %{WORD:nf_host} .*Shorewall:(?:%{WORD:nf_action1})?:(?:%{WORD:nf_action2})?' +
      '.*IN=(?:%{USERNAME:nf_in_interface})?' +
      '.*(?:OUT= *MAC=%{COMMONMAC:nf_dst_mac}:(?:%{COMMONMAC:nf_src_mac})?|OUT=%{USERNAME:nf_out_interface})' +
      `.*${field('SRC', '%{IPV4:nf_src_ip}')}.*${field('DST', '%{IPV4:nf_dst_ip}')}.*${field('LEN', '%{WORD:nf_len}')}` +
      `.*${field('TOS', '%{WORD:nf_tos}')}.*${field('PREC', '%{WORD:nf_prec}')}.*${field('TTL', '%{INT:nf_ttl}')}` +
      `.*${field('ID', '%{INT:nf_id}')}.*${field('PROTO', '%{WORD:nf_protocol}')}` +
      `.*${field('SPT', '%{INT:nf_src_port}?')}.*${field('DPT', '%{INT:nf_dst_port}?')}.*`,
    '%{SYSLOGTIMESTAMP:timestamp} %{WORD:[observer][hostname]} .*Shorewall:(?:%{WORD:[shorewall][firewall][type]})?:' +
      '(?:%{WORD:[shorewall][firewall][action]})?.*%{IPTABLES}',
  ],
  SFW2_LOG_PREFIX: [undefined, 'SFW2-INext-%{NOTSPACE:[suse][firewall][action]}'],
  SFW2: [
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})\\s*%{HOSTNAME}\\s*kernel\\S+\\s*' +
      '(?:%{NAGIOSTIME}\\s*)?SFW2-INext-%{NOTSPACE:nf_action}\\s*IN=%{USERNAME:nf_in_interface}' +
      '.*OUT=(?:\\s*%{USERNAME:nf_out_interface})?\\s*MAC=(?:%{COMMONMAC:nf_dst_mac}:%{COMMONMAC:nf_src_mac}|\\s*)' +
      '.*SRC=%{IP:nf_src_ip}\\s*DST=%{IP:nf_dst_ip}.*PROTO=%{WORD:nf_protocol}' +
      '(?:.*SPT=%{INT:nf_src_port}.*DPT=%{INT:nf_dst_port}.*|)',
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})\\s*%{HOSTNAME:[observer][hostname]}' +
      '.*?%{SFW2_LOG_PREFIX:[suse][firewall][log_prefix]}\\s*%{IPTABLES}',
  ],
}
