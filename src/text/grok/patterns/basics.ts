/** Patterns of words, numbers, addresses, paths and times, from which all others are built. */
import type { PatternTable } from './notation.ts'

const HEX_GROUP = '[0-9A-Fa-f]{1,4}'
const STRICT_OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const STRICT_IPV4 = `${STRICT_OCTET}(?:\\.${STRICT_OCTET}){3}`
const OCTET = '(?:[01]?\\d{1,2}|2[0-4]\\d|25[0-5])'
const HOST_LABEL = '[0-9A-Za-z][0-9A-Za-z-]{0,62}'

/** All notations of an IPv6 address, by the number of groups before the double colon. */
function ipv6(): string {
  const ways = [`(?:${HEX_GROUP}:){7}(?:${HEX_GROUP}|:)`, `(?:${HEX_GROUP}:){6}(?::${HEX_GROUP}|${STRICT_IPV4}|:)`]
  for (let before = 5; before >= 1; before--) {
    const after = `(?::${HEX_GROUP}){1,${7 - before}}|(?::${HEX_GROUP}){0,${5 - before}}:${STRICT_IPV4}|:`
    ways.push(`(?:${HEX_GROUP}:){${before}}(?:${after})`)
  }
  ways.push(`:(?:(?::${HEX_GROUP}){1,7}|(?::${HEX_GROUP}){0,5}:${STRICT_IPV4}|:)`)
  // The look-ahead rejects host names and other addresses within a character or two.
  return `(?=[0-9A-Fa-f]{0,4}:)(?:${ways.join('|')})(?:%.+)?`
}

/** Text in quotes of one kind, with backslash escapes. */
const inQuotes = (quote: string): string => `${quote}[^\\\\${quote}]*(?:\\\\.[^\\\\${quote}]*)*${quote}`

const MAIL_ATOM = "[\\w!#$%&'*+/=?^`{|}~-]"
const PATH_CHARACTER = "[\\w$.+!*'(){},~:;=@#%&-]"
const QUERY_CHARACTERS = "[\\w$.+!*'|(){},~@#%&/=:;?\\[\\]<>-]*"

/** The spellings of a log level: first letter in either case, or all upper case. */
function level(word: string, ending = ''): string {
  const [first = '', ...rest] = word
  const tail = ending === '' ? '' : `(?:${ending})?`
  const upperTail = ending === '' ? '' : `(?:${ending.toUpperCase()})?`
  const optional = (text: string) => (ending === '' ? text : `${text}?`)
  const small = `[${first.toUpperCase()}${first}]${optional(rest.join(''))}${tail}`
  return `${small}|${optional(word.toUpperCase())}${upperTail}`
}

const LEVELS = [
  ...[level('alert'), level('trace'), level('debug'), level('notice'), level('info', 'rmation'), level('warn', 'ing')],
  ...[level('err', 'or'), level('crit', 'ical'), level('fatal'), level('severe'), '[Ee]merg(?:ency)?|EMERG(?:ENCY)?'],
]

/** Month names that English and German share in their beginning. */
const MONTH_NAMES = [
  ...['[Jj]an(?:uary|uar)?', '[Ff]eb(?:ruary|ruar)?', '[Mm](?:a|ä)?r(?:ch|z)?', '[Aa]pr(?:il)?', '[Mm]a(?:y|i)?'],
  ...['[Jj]un(?:e|i)?', '[Jj]ul(?:y|i)?', '[Aa]ug(?:ust)?', '[Ss]ep(?:tember)?', '[Oo](?:c|k)?t(?:ober)?'],
  ...['[Nn]ov(?:ember)?', '[Dd]e(?:c|z)(?:ember)?'],
]

export const BASICS: PatternTable = {
  USERNAME: '[\\w.-]+',
  USER: '%{USERNAME}',
  EMAILLOCALPART: ['[A-Za-z][+-=A-Z_a-z]+', `${MAIL_ATOM}{1,64}(?:\\.${MAIL_ATOM}{1,62}){0,63}`],
  EMAILADDRESS: '%{EMAILLOCALPART}@%{HOSTNAME}',

  INT: '[+-]?[0-9]+',
  // A number matches completely or not at all: the look-aheads prevent backtracking into its digits.
  BASE10NUM: '(?<![0-9.+-])[+-]?(?:[0-9]+(?![0-9])(?:\\.[0-9]+(?![0-9])|(?!\\.[0-9]))|\\.[0-9]+(?![0-9]))',
  NUMBER: '%{BASE10NUM}',
  BASE16NUM: '(?<![0-9A-Fa-f])[+-]?(?:0x)?[0-9A-Fa-f]+',
  BASE16FLOAT: '\\b(?<![0-9A-Fa-f.])[+-]?(?:0x)?(?:[0-9A-Fa-f]+(?:\\.[0-9A-Fa-f]*)?|\\.[0-9A-Fa-f]+)\\b',
  POSINT: '\\b[1-9][0-9]*\\b',
  NONNEGINT: '\\b[0-9]+\\b',
  WORD: '\\b\\w+\\b',
  NOTSPACE: '\\S+',
  SPACE: '\\s*',
  DATA: '.*?',
  GREEDYDATA: '.*',
  QUOTEDSTRING: `(?<!\\\\)(?:${inQuotes('"')}|${inQuotes("'")}|${inQuotes('`')})`,
  QS: '%{QUOTEDSTRING}',
  UUID: '[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}',
  URN: "urn:[0-9A-Za-z][0-9A-Za-z-]{0,31}:(?:%[0-9A-Fa-f]{2}|[0-9A-Za-z()+,.:=@;$_!*'/?#-])+",

  MAC: '%{CISCOMAC}|%{WINDOWSMAC}|%{COMMONMAC}',
  CISCOMAC: '(?:[0-9A-Fa-f]{4}\\.){2}[0-9A-Fa-f]{4}',
  WINDOWSMAC: '(?:[0-9A-Fa-f]{2}-){5}[0-9A-Fa-f]{2}',
  COMMONMAC: '(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}',
  IPV6: ipv6(),
  IPV4: `(?<![0-9])${OCTET}(?:[.]${OCTET}){3}(?![0-9])`,
  IP: '%{IPV6}|%{IPV4}',
  HOSTNAME: `\\b${HOST_LABEL}(?:\\.${HOST_LABEL})*(?:\\.?|\\b)`,
  IPORHOST: '%{IP}|%{HOSTNAME}',
  HOSTPORT: '%{IPORHOST}:%{POSINT}',

  PATH: '%{UNIXPATH}|%{WINPATH}',
  UNIXPATH: '(?:/[[:alnum:]_%!$@:.,+~-]*)+',
  TTY: '/dev/(?:pts|tty[pq]?)\\w*/?[0-9]+',
  WINPATH: '(?>[A-Za-z]+:|\\\\)(?:\\\\[^\\\\?*]*)+',
  URIPROTO: '[A-Za-z][A-Za-z0-9+.-]+',
  URIHOST: '%{IPORHOST}(?::%{POSINT:port|})?',
  URIPATH: `(?:/${PATH_CHARACTER}*)+`,
  URIQUERY: [undefined, QUERY_CHARACTERS],
  URIPARAM: `\\?${QUERY_CHARACTERS}`,
  URIPATHPARAM: '%{URIPATH}(?:%{URIPARAM})?',
  URI: '%{URIPROTO}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST})?(?:%{URIPATHPARAM})?',

  MONTH: `\\b(?:${MONTH_NAMES.join('|')})\\b`,
  MONTHNUM: '0?[1-9]|1[0-2]',
  MONTHNUM2: '0[1-9]|1[0-2]',
  MONTHDAY: '0[1-9]|[12][0-9]|3[01]|[1-9]',
  DAY: '(?:Mon|Fri|Sun)(?:day)?|Tue(?:sday)?|Wed(?:nesday)?|Thu(?:rsday)?|Sat(?:urday)?',
  YEAR: '\\d\\d(?:\\d\\d)?',
  HOUR: '2[0-3]|[01]?[0-9]',
  MINUTE: '[0-5][0-9]',
  // 60 is a leap second.
  SECOND: '(?:[0-5]?[0-9]|60)(?:[:.,][0-9]+)?',
  TIME: '%{HOUR}:%{MINUTE}:%{SECOND}(?![0-9])',
  DATE_US: '%{MONTHNUM}[/-]%{MONTHDAY}[/-]%{YEAR}',
  DATE_EU: '%{MONTHDAY}[./-]%{MONTHNUM}[./-]%{YEAR}',
  ISO8601_TIMEZONE: 'Z|[+-]%{HOUR}:?%{MINUTE}',
  ISO8601_SECOND: '%{SECOND}',
  TIMESTAMP_ISO8601: '%{YEAR}-%{MONTHNUM}-%{MONTHDAY}[T ]%{HOUR}:?%{MINUTE}(?::?%{SECOND})?%{ISO8601_TIMEZONE}?',
  DATE: '%{DATE_US}|%{DATE_EU}',
  DATESTAMP: '%{DATE}[- ]%{TIME}',
  TZ: '[APMCE][SD]T|UTC',
  DATESTAMP_RFC822: '%{DAY} %{MONTH} %{MONTHDAY} %{YEAR} %{TIME} %{TZ}',
  DATESTAMP_RFC2822: '%{DAY}, %{MONTHDAY} %{MONTH} %{YEAR} %{TIME} %{ISO8601_TIMEZONE}',
  DATESTAMP_OTHER: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{TZ} %{YEAR}',
  DATESTAMP_EVENTLOG: '%{YEAR}%{MONTHNUM2}%{MONTHDAY}%{HOUR}%{MINUTE}%{SECOND}',
  HTTPDATE: '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{TIME} %{INT}',
  SYSLOGTIMESTAMP: '%{MONTH} +%{MONTHDAY} %{TIME}',

  PROG: '[!-Z\\\\^-~]+',
  SYSLOGPROG: '%{PROG:program|[process][name]}(?:\\[%{POSINT:pid|[process][pid]:int}\\])?',
  SYSLOGHOST: '%{IPORHOST}',
  SYSLOGFACILITY:
    '<%{NONNEGINT:facility|[log][syslog][facility][code]:int}.%{NONNEGINT:priority|[log][syslog][priority]:int}>',
  SYSLOGBASE:
    '%{SYSLOGTIMESTAMP:timestamp} (?:%{SYSLOGFACILITY} )?%{SYSLOGHOST:logsource|[host][hostname]} %{SYSLOGPROG}:',
  LOGLEVEL: `(?:${LEVELS.join('|')})`,
}
