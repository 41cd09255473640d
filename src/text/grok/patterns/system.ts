/** Patterns of logs from systems and daemons: syslog, cron, mail, DNS, packages. */
import type { PatternTable } from './notation.ts'

const EXIM_FIELDS = [
  ...['EXIM_REMOTE_HOST', 'EXIM_INTERFACE', 'EXIM_PROTOCOL', 'EXIM_MSG_SIZE', 'EXIM_HEADER_ID', 'EXIM_SUBJECT'],
  'EXIM_UNKNOWN_FIELD',
]

const EXIM_NOISE = [
  ...['Message is frozen', '(?:Start|End) queue run', ' Warning: ', ' retry time not reached '],
  ' no (?:IP address|host name) found for (?:IP address|host) ',
  ...[' unexpected disconnection while reading SMTP command ', ' no immediate delivery: '],
  'another process is handling this message',
]

const DNS_TYPES =
  'A|AAAA|CAA|CDNSKEY|CDS|CERT|CNAME|CSYNC|DLV|DNAME|DNSKEY|DS|HINFO|LOC|MX|NAPTR|NS|NSEC|NSEC3|OPENPGPKEY|PTR|RRSIG|' +
  'RP|SIG|SMIMEA|SOA|SRV|TSIG|TXT|URI'

export const SYSTEM: PatternTable = {
  SYSLOG5424PRINTASCII: '[!-~]+',
  SYSLOGBASE2: [
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) (?:%{SYSLOGFACILITY} )?' +
      '%{SYSLOGHOST:logsource}+(?: %{SYSLOGPROG}:|)',
    '(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp})(?: %{SYSLOGFACILITY})?' +
      '(?: %{SYSLOGHOST:[host][hostname]})?(?: %{SYSLOGPROG}:)?',
  ],
  SYSLOGLINE: '%{SYSLOGBASE2} %{GREEDYDATA:message}',
  SYSLOGPAMSESSION:
    '%{SYSLOGBASE} (?=%{GREEDYDATA:message})%{WORD:pam_module|[system][auth][pam][module]}' +
    '\\(%{DATA:pam_caller|[system][auth][pam][origin]}\\): ' +
    'session %{WORD:pam_session_state|[system][auth][pam][session_state]} ' +
    'for user %{USERNAME:username|[user][name]}(?: by %{GREEDYDATA:pam_by|})?',
  CRON_ACTION: '[A-Z ]+',
  CRONLOG:
    '%{SYSLOGBASE} \\(%{USER:user|[user][name]}\\) %{CRON_ACTION:action|[system][cron][action]} \\(%{DATA:message}\\)',

  SYSLOG5424PRI: '<%{NONNEGINT:syslog5424_pri|[log][syslog][priority]:int}>',
  SYSLOG5424SD: '\\[%{DATA}\\]+',
  SYSLOG5424BASE: [
    '%{SYSLOG5424PRI}%{NONNEGINT:syslog5424_ver} +(?:%{TIMESTAMP_ISO8601:syslog5424_ts}|-) ' +
      '+(?:%{IPORHOST:syslog5424_host}|-) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_app}) ' +
      '+(?:-|%{SYSLOG5424PRINTASCII:syslog5424_proc}) +(?:-|%{SYSLOG5424PRINTASCII:syslog5424_msgid}) ' +
      '+(?:%{SYSLOG5424SD:syslog5424_sd}|-|)',
    '%{SYSLOG5424PRI}%{NONNEGINT:[system][syslog][version]} +(?:-|%{TIMESTAMP_ISO8601:timestamp}) ' +
      '+(?:-|%{IPORHOST:[host][hostname]}) +(?:-|%{SYSLOG5424PRINTASCII:[process][name]}) ' +
      '+(?:-|%{POSINT:[process][pid]:int}) +(?:-|%{SYSLOG5424PRINTASCII:[event][code]}) ' +
      '+(?:-|%{SYSLOG5424SD:[system][syslog][structured_data]})?',
  ],
  SYSLOG5424LINE: '%{SYSLOG5424BASE} +%{GREEDYDATA:syslog5424_msg|message}',

  BIND9_TIMESTAMP: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{TIME}',
  BIND9_DNSTYPE: [undefined, `(?:${DNS_TYPES})`],
  BIND9_CATEGORY: [undefined, 'queries'],
  BIND9_QUERYLOGBASE: [
    undefined,
    'client(?::? @0x[0-9A-Fa-f]+)? %{IP:[client][ip]}#%{POSINT:[client][port]:int} ' +
      '\\(%{GREEDYDATA:[bind][log][question][name]}\\): query: %{GREEDYDATA:[dns][question][name]} ' +
      '(?<[dns][question][class]>IN) %{BIND9_DNSTYPE:[dns][question][type]}' +
      '(?::? %{DATA:[bind][log][question][flags]})? \\(%{IP:[server][ip]}\\)',
  ],
  BIND9_QUERYLOG: [
    undefined,
    '%{BIND9_TIMESTAMP:timestamp} %{BIND9_CATEGORY:[bing][log][category]}: %{LOGLEVEL:[log][level]}: %{BIND9_QUERYLOGBASE}',
  ],
  BIND9: [
    '%{BIND9_TIMESTAMP:timestamp} queries: %{LOGLEVEL:loglevel}: client(?::? @0x[0-9A-Fa-f]+)? ' +
      '%{IP:clientip}#%{POSINT:clientport} \\(%{GREEDYDATA:query}\\): query: %{GREEDYDATA:query} ' +
      'IN %{GREEDYDATA:querytype} \\(%{IP:dns}\\)',
    '%{BIND9_QUERYLOG}',
  ],

  EXIM_MSGID: '[0-9A-Za-z]{6}-[0-9A-Za-z]{6}-[0-9A-Za-z]{2}',
  EXIM_FLAGS: ['(?:<=|[-=>*]>|[*]{2}|==)', '(?:<=|[-=*>]>|[*]{2}|==|<>)'],
  EXIM_DATE: [
    '%{YEAR:exim_year}-%{MONTHNUM:exim_month}-%{MONTHDAY:exim_day} %{TIME:exim_time}',
    ':?%{YEAR}-%{MONTHNUM}-%{MONTHDAY} %{TIME}',
  ],
  EXIM_PID: '\\[%{POSINT:pid|[process][pid]:int}\\]',
  EXIM_QT: '(?:\\d+y)?(?:\\d+w)?(?:\\d+d)?(?:\\d+h)?(?:\\d+m)?(?:\\d+s)?',
  EXIM_EXCLUDE_TERMS: `(?:${EXIM_NOISE.join('|')})`,
  EXIM_REMOTE_HOST:
    'H=(?:%{NOTSPACE:remote_hostname|[source][address]} )?' +
    '(?:\\(%{NOTSPACE:remote_heloname|[exim][log][remote_address]}\\) )?' +
    '\\[%{IP:remote_host|[source][ip]}\\](?::%{POSINT:remote_port|[source][port]:int})?',
  EXIM_INTERFACE:
    'I=\\[%{IP:exim_interface|[destination][ip]}\\]:%{NUMBER:exim_interface_port|[destination][port]:int}',
  EXIM_PROTOCOL: 'P=%{NOTSPACE:protocol|[network][protocol]}',
  EXIM_MSG_SIZE: 'S=%{NUMBER:exim_msg_size|[exim][log][message][size]:int}',
  EXIM_HEADER_ID: 'id=%{NOTSPACE:exim_header_id|[exim][log][header_id]}',
  EXIM_QUOTED_CONTENT: [undefined, '[^\\\\"]*(?:\\\\.[^\\\\"]*)*'],
  EXIM_SUBJECT: ['T=%{QS:exim_subject}', 'T="%{EXIM_QUOTED_CONTENT:[exim][log][message][subject]}"'],
  EXIM_UNKNOWN_FIELD: ['[A-Za-z0-9]{1,4}=%{NOTSPACE}', '[A-Za-z0-9]{1,4}=(?:%{QUOTEDSTRING}|%{NOTSPACE})'],
  EXIM_NAMED_FIELDS: `(?: (?:${EXIM_FIELDS.map((name) => `%{${name}}`).join('|')}))*`,
  EXIM_MESSAGE_ARRIVAL: [
    '%{EXIM_DATE:timestamp} (?:%{EXIM_PID} )?%{EXIM_MSGID:exim_msgid} (?<exim_flags><=) (?<exim_status>[a-z:] )?' +
      '%{EMAILADDRESS:exim_sender_email}%{EXIM_NAMED_FIELDS}(?: for %{EMAILADDRESS:exim_recipient_email})?',
    '%{EXIM_DATE:timestamp} (?:%{EXIM_PID} )?%{EXIM_MSGID:[exim][log][message][id]} (?<[exim][log][flags]><=) ' +
      '(?<[exim][log][status]>[a-z:] )?%{EMAILADDRESS:[exim][log][sender][email]}%{EXIM_NAMED_FIELDS}' +
      '(?:(?: from <?%{DATA:[exim][log][sender][original]}>?)? for %{EMAILADDRESS:[exim][log][recipient][email]})?',
  ],
  EXIM: '%{EXIM_MESSAGE_ARRIVAL}',

  MCOLLECTIVE:
    '., \\[%{TIMESTAMP_ISO8601:timestamp} #%{POSINT:pid|[process][pid]:int}\\]%{SPACE}%{LOGLEVEL:event_level|[log][level]}',
  MCOLLECTIVEAUDIT: '%{TIMESTAMP_ISO8601:timestamp}:',
}
