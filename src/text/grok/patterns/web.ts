/** Patterns of logs from web servers and load balancers. */
import { orDash, type PatternTable } from './notation.ts'

const REQUEST_TIME = '(?:%{SYSLOGTIMESTAMP:syslog_timestamp|timestamp}|%{TIMESTAMP_ISO8601:timestamp8601|timestamp})'
const PROXY_HEAD = `${REQUEST_TIME} %{IPORHOST:syslog_server|[host][hostname]} %{SYSLOGPROG}: `
const HTTP_VERSION = '(?: HTTP/%{NUMBER:httpversion|[http][version]})?'

const HAPROXY_WHO = [
  '%{IP:client_ip}:%{INT:client_port} \\[%{HAPROXYDATE:accept_date}\\] %{NOTSPACE:frontend_name} ' +
    '%{NOTSPACE:backend_name}/%{NOTSPACE:server_name} ',
  '%{IP:[source][address]}:%{INT:[source][port]:int} \\[%{HAPROXYDATE:[haproxy][request_date]}\\] ' +
    '%{NOTSPACE:[haproxy][frontend_name]} %{NOTSPACE:[haproxy][backend_name]}/' +
    '(?:<NOSRV>|%{NOTSPACE:[haproxy][server_name]}) ',
] as const

/** A time in milliseconds; -1 for a step that was not reached. */
const reached = (field: string): string => `(?:-1|%{INT:[haproxy]${field}:int})`

const HAPROXY_COUNTS = [
  '%{INT:actconn}/%{INT:feconn}/%{INT:beconn}/%{INT:srvconn}/%{NOTSPACE:retries} %{INT:srv_queue}/%{INT:backend_queue}',
  `${['active', 'frontend', 'backend', 'server', 'retries'].map((name) => `%{INT:[haproxy][connections][${name}]:int}`).join('/')} ` +
    '%{INT:[haproxy][server_queue]:int}/%{INT:[haproxy][backend_queue]:int}',
] as const

const S3_NUMBERS = ['bytes_sent', 'object_size', 'total_time', 'turn_around_time']
const S3_TAIL = ['[aws][s3access][host_id]', '[aws][s3access][signature_version]', '[tls][cipher]']
const S3_TAIL_END = ['authentication_type', 'host_header', 'tls_version'].map((name) => `[aws][s3access][${name}]`)
const dashed = (field: string): string => orDash(`%{NOTSPACE:${field}}`)

/** Columns of a CloudFront line, separated by tabs. */
const CLOUDFRONT_LEGACY = [
  ...['(?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY}\\t%{TIME})', '%{WORD:x_edge_location}'],
  ...['(?:%{NUMBER:sc_bytes:int}|-)', '%{IPORHOST:clientip}', '%{WORD:cs_method}', '%{HOSTNAME:cs_host}'],
  ...['%{NOTSPACE:cs_uri_stem}', '%{NUMBER:sc_status:int}', '%{GREEDYDATA:referrer}', '%{GREEDYDATA:agent}'],
  ...['%{GREEDYDATA:cs_uri_query}', '%{GREEDYDATA:cookies}', '%{WORD:x_edge_result_type}'],
  ...['%{NOTSPACE:x_edge_request_id}', '%{HOSTNAME:x_host_header}', '%{URIPROTO:cs_protocol}', '%{INT:cs_bytes:int}'],
  ...['%{GREEDYDATA:time_taken:float}', '%{GREEDYDATA:x_forwarded_for}', '%{GREEDYDATA:ssl_protocol}'],
  ...['%{GREEDYDATA:ssl_cipher}', '%{GREEDYDATA:x_edge_response_result_type}'],
]

const edge = (name: string): string => `[aws][cloudfront]${name}`
const CLOUDFRONT_ECS = [
  ...['(?<timestamp>%{YEAR}-%{MONTHNUM}-%{MONTHDAY}\\t%{TIME})', `%{WORD:${edge('[x_edge_location]')}}`],
  ...[orDash('%{INT:[destination][bytes]:int}'), '%{IPORHOST:[source][ip]}', '%{WORD:[http][request][method]}'],
  ...['%{HOSTNAME:[url][domain]}', '%{NOTSPACE:[url][path]}', '(?:000|%{INT:[http][response][status_code]:int})'],
  ...[orDash('%{DATA:[http][request][referrer]}'), '%{DATA:[user_agent][original]}', orDash('%{DATA:[url][query]}')],
  ...[orDash(`%{DATA:${edge('[http][request][cookie]')}}`), `%{WORD:${edge('[x_edge_result_type]')}}`],
  ...[`%{NOTSPACE:${edge('[x_edge_request_id]')}}`, `%{HOSTNAME:${edge('[http][request][host]')}}`],
  ...['%{URIPROTO:[network][protocol]}', orDash('%{INT:[source][bytes]:int}')],
  ...[`%{NUMBER:${edge('[time_taken]')}:float}`, orDash('%{IP:[network][forwarded_ip]}')],
  ...[orDash(`%{DATA:${edge('[ssl_protocol]')}}`), orDash('%{NOTSPACE:[tls][cipher]}')],
  `%{WORD:${edge('[x_edge_response_result_type]')}}`,
]
/** Additional columns of newer lines. */
const CLOUDFRONT_ECS_MORE = [
  ...['(?:-|HTTP/%{NUMBER:[http][version]})', orDash(`%{DATA:${edge('[fle_status]')}}`)],
  ...[orDash(`%{DATA:${edge('[fle_encrypted_fields]')}}`), '%{INT:[source][port]:int}'],
  ...[`%{NUMBER:${edge('[time_to_first_byte]')}:float}`, orDash(`%{DATA:${edge('[x_edge_detailed_result_type]')}}`)],
  ...[orDash('%{NOTSPACE:[http][request][mime_type]}'), orDash(`%{INT:${edge('[http][request][size]')}:int}`)],
  ...['start', 'end'].map((side) => orDash(`%{INT:${edge(`[http][request][range][${side}]`)}:int}`)),
]

export const WEB: PatternTable = {
  HTTPDUSER: '%{EMAILADDRESS}|%{USER}',
  HTTPDERROR_DATE: '%{DAY} %{MONTH} %{MONTHDAY} %{TIME} %{YEAR}',
  HTTPD_COMMONLOG: [
    `%{IPORHOST:clientip} %{HTTPDUSER:ident} %{HTTPDUSER:auth} \\[%{HTTPDATE:timestamp}\\] ` +
      '"(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})" ' +
      '(?:-|%{NUMBER:response}) (?:-|%{NUMBER:bytes})',
    '%{IPORHOST:[source][address]} (?:-|%{HTTPDUSER:[apache][access][user][identity]}) ' +
      '(?:-|%{HTTPDUSER:[user][name]}) \\[%{HTTPDATE:timestamp}\\] ' +
      '"(?:%{WORD:[http][request][method]} %{NOTSPACE:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?|%{DATA})" ' +
      '(?:-|%{INT:[http][response][status_code]:int}) (?:-|%{INT:[http][response][body][bytes]:int})',
  ],
  HTTPD_COMBINEDLOG: [
    '%{HTTPD_COMMONLOG} %{QS:referrer} %{QS:agent}',
    '%{HTTPD_COMMONLOG} "(?:-|%{DATA:[http][request][referrer]})" "(?:-|%{DATA:[user_agent][original]})"',
  ],
  HTTPD20_ERRORLOG:
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[%{LOGLEVEL:loglevel|[log][level]}\\] ' +
    '(?:\\[client %{IPORHOST:clientip|[source][address]}\\] )?%{GREEDYDATA:message}',
  HTTPD24_ERRORLOG: [
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[(?:%{WORD:module})?:%{LOGLEVEL:loglevel}\\] ' +
      '\\[pid %{POSINT:pid}(?::tid %{NUMBER:tid})?\\](?: \\(%{POSINT:proxy_errorcode}\\)%{DATA:proxy_message}:)?' +
      '(?: \\[client %{IPORHOST:clientip}:%{POSINT:clientport}\\])?(?: %{DATA:errorcode}:)? %{GREEDYDATA:message}',
    '\\[%{HTTPDERROR_DATE:timestamp}\\] \\[(?:%{WORD:[apache][error][module]})?:%{LOGLEVEL:[log][level]}\\] ' +
      '\\[pid %{POSINT:[process][pid]:int}(?::tid %{INT:[process][thread][id]:int})?\\]' +
      '(?: \\(%{POSINT:[apache][error][proxy][error][code]}\\)%{DATA:[apache][error][proxy][error][message]}:)?' +
      '(?: \\[client %{IPORHOST:[source][address]}(?::%{POSINT:[source][port]:int})?\\])?' +
      '(?: %{DATA:[error][code]}:)? %{GREEDYDATA:message}',
  ],
  HTTPD_ERRORLOG: '%{HTTPD20_ERRORLOG}|%{HTTPD24_ERRORLOG}',
  COMMONAPACHELOG: '%{HTTPD_COMMONLOG}',
  COMBINEDAPACHELOG: '%{HTTPD_COMBINEDLOG}',

  SQUID3_STATUS: [undefined, '(?:%{POSINT:[http][response][status_code]:int}|0|000)'],
  SQUID3: [
    '%{NUMBER:timestamp}\\s+%{NUMBER:duration}\\s%{IP:client_address}\\s%{WORD:cache_result}/%{NONNEGINT:status_code}' +
      '\\s%{NUMBER:bytes}\\s%{WORD:request_method}\\s%{NOTSPACE:url}\\s(?:%{NOTSPACE:user}|-)' +
      '\\s%{WORD:hierarchy_code}/(?:%{IPORHOST:server}|-)\\s%{NOTSPACE:content_type}',
    '%{NUMBER:timestamp}\\s+%{NUMBER:[squid][request][duration]:int}\\s%{IP:[source][ip]}\\s%{WORD:[event][action]}/' +
      '%{SQUID3_STATUS}\\s%{INT:[http][response][bytes]:int}\\s%{WORD:[http][request][method]}' +
      '\\s%{NOTSPACE:[url][original]}\\s(?:-|%{NOTSPACE:[user][name]})\\s%{WORD:[squid][hierarchy_code]}/' +
      '(?:-|%{IPORHOST:[destination][address]})\\s(?:-|%{NOTSPACE:[http][response][mime_type]})',
  ],

  HAPROXYTIME: ['%{HOUR:haproxy_hour}:%{MINUTE:haproxy_minute}:%{SECOND:haproxy_second}(?![0-9])', '%{TIME}'],
  HAPROXYDATE: [
    '%{MONTHDAY:haproxy_monthday}/%{MONTH:haproxy_month}/%{YEAR:haproxy_year}:%{HAPROXYTIME:haproxy_time}.' +
      '%{INT:haproxy_milliseconds}',
    '%{MONTHDAY}/%{MONTH}/%{YEAR}:%{HAPROXYTIME}.%{INT}',
  ],
  HAPROXYCAPTUREDREQUESTHEADERS: '%{DATA:captured_request_headers|[haproxy][http][request][captured_headers]}',
  HAPROXYCAPTUREDRESPONSEHEADERS: '%{DATA:captured_response_headers|[haproxy][http][response][captured_headers]}',
  HAPROXYURI: [
    undefined,
    '(?:%{URIPROTO:[url][scheme]}://)?(?:%{USER:[url][username]}(?::[^@]*)?@)?' +
      '(?:%{IPORHOST:[url][domain]}(?::%{POSINT:[url][port]:int})?)?' +
      '(?:%{URIPATH:[url][path]}(?:\\?%{URIQUERY:[url][query]})?)?',
  ],
  HAPROXYHTTPREQUESTLINE: [
    undefined,
    '(?:<BADREQ>|%{WORD:[http][request][method]} %{HAPROXYURI:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?)',
  ],
  HAPROXYHTTPBASE: [
    `${HAPROXY_WHO[0]}%{INT:time_request}/%{INT:time_queue}/%{INT:time_backend_connect}/%{INT:time_backend_response}/` +
      '%{NOTSPACE:time_duration} %{INT:http_status_code} %{NOTSPACE:bytes_read} %{DATA:captured_request_cookie} ' +
      `%{DATA:captured_response_cookie} %{NOTSPACE:termination_state} ${HAPROXY_COUNTS[0]} ` +
      '(?:\\{%{HAPROXYCAPTUREDREQUESTHEADERS}\\})? ?(?:\\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\\})? ?' +
      '"(?:<BADREQ>|%{WORD:http_verb} (?:%{URIPROTO:http_proto}://)?(?:%{USER:http_user}(?::[^@]*)?@)?' +
      '(?:%{URIHOST:http_host})?(?:%{URIPATHPARAM:http_request})?(?: HTTP/%{NUMBER:http_version})?)?"?',
    `${HAPROXY_WHO[1]}${reached('[http][request][time_wait_ms]')}/${reached('[total_waiting_time_ms]')}/` +
      `${reached('[connection_wait_time_ms]')}/${reached('[http][request][time_wait_without_data_ms]')}/` +
      '%{NOTSPACE:[haproxy][total_time_ms]} %{INT:[http][response][status_code]:int} %{INT:[source][bytes]:int} ' +
      `${orDash('%{DATA:[haproxy][http][request][captured_cookie]}')} ` +
      `${orDash('%{DATA:[haproxy][http][response][captured_cookie]}')} ` +
      `%{NOTSPACE:[haproxy][termination_state]} ${HAPROXY_COUNTS[1]}` +
      '(?: \\{%{HAPROXYCAPTUREDREQUESTHEADERS}\\}(?: \\{%{HAPROXYCAPTUREDRESPONSEHEADERS}\\})?)?' +
      '(?: "%{HAPROXYHTTPREQUESTLINE}"?)?',
  ],
  HAPROXYHTTP: `${PROXY_HEAD}%{HAPROXYHTTPBASE}`,
  HAPROXYTCP: [
    `(?:%{SYSLOGTIMESTAMP:syslog_timestamp}|%{TIMESTAMP_ISO8601:timestamp8601}) %{IPORHOST:syslog_server} %{SYSLOGPROG}: ` +
      `${HAPROXY_WHO[0]}%{INT:time_queue}/%{INT:time_backend_connect}/%{NOTSPACE:time_duration} %{NOTSPACE:bytes_read} ` +
      `%{NOTSPACE:termination_state} ${HAPROXY_COUNTS[0]}`,
    `(?:%{SYSLOGTIMESTAMP:timestamp}|%{TIMESTAMP_ISO8601:timestamp}) %{IPORHOST:[host][hostname]} %{SYSLOGPROG}: ` +
      `${HAPROXY_WHO[1]}${reached('[total_waiting_time_ms]')}/${reached('[connection_wait_time_ms]')}/` +
      `%{NOTSPACE:[haproxy][total_time_ms]} %{INT:[source][bytes]:int} %{NOTSPACE:[haproxy][termination_state]} ` +
      HAPROXY_COUNTS[1],
  ],

  S3_REQUEST_LINE: [
    `(?:%{WORD:verb} %{NOTSPACE:request}(?: HTTP/%{NUMBER:httpversion})?|%{DATA:rawrequest})`,
    `%{WORD:[http][request][method]} %{NOTSPACE:[url][original]}(?: HTTP/%{NUMBER:[http][version]})?`,
  ],
  S3_ACCESS_LOG: [
    '%{WORD:owner} %{NOTSPACE:bucket} \\[%{HTTPDATE:timestamp}\\] %{IP:clientip} %{NOTSPACE:requester} ' +
      '%{NOTSPACE:request_id} %{NOTSPACE:operation} %{NOTSPACE:key} (?:"%{S3_REQUEST_LINE}"|-) ' +
      '(?:%{INT:response:int}|-) (?:-|%{NOTSPACE:error_code}) (?:%{INT:bytes:int}|-) (?:%{INT:object_size:int}|-) ' +
      '(?:%{INT:request_time_ms:int}|-) (?:%{INT:turnaround_time_ms:int}|-) (?:%{QS:referrer}|-) ' +
      '(?:"?%{QS:agent}"?|-) (?:-|%{NOTSPACE:version_id})',
    '%{WORD:[aws][s3access][bucket_owner]} %{NOTSPACE:[aws][s3access][bucket]} \\[%{HTTPDATE:timestamp}\\] ' +
      `${orDash('%{IP:[client][ip]}')} ${dashed('[client][user][id]')} %{NOTSPACE:[aws][s3access][request_id]} ` +
      `%{NOTSPACE:[aws][s3access][operation]} ${dashed('[aws][s3access][key]')} ` +
      '(?:-|"%{S3_REQUEST_LINE:[aws][s3access][request_uri]}") (?:-|%{INT:[http][response][status_code]:int}) ' +
      `${dashed('[aws][s3access][error_code]')} ` +
      `${S3_NUMBERS.map((name) => orDash(`%{INT:[aws][s3access][${name}]:int}`)).join(' ')} ` +
      '"(?:-|%{DATA:[http][request][referrer]})" "(?:-|%{DATA:[user_agent][original]})" ' +
      `${dashed('[aws][s3access][version_id]')}(?: ${[...S3_TAIL, ...S3_TAIL_END].map(dashed).join(' ')})?`,
  ],
  ELB_URIHOST: [undefined, '%{IPORHOST:[url][domain]}(?::%{POSINT:[url][port]:int})?'],
  ELB_URIPATHQUERY: [undefined, '%{URIPATH:[url][path]}(?:\\?%{URIQUERY:[url][query]})?'],
  ELB_URIPATHPARAM: ['%{URIPATH:path}(?:%{URIPARAM:params})?', '%{ELB_URIPATHQUERY}'],
  ELB_URI: [
    '%{URIPROTO:proto}://(?:%{USER}(?::[^@]*)?@)?(?:%{URIHOST:urihost})?(?:%{ELB_URIPATHPARAM})?',
    '%{URIPROTO:[url][scheme]}://(?:%{USER:[url][username]}(?::[^@]*)?@)?(?:%{ELB_URIHOST})?(?:%{ELB_URIPATHQUERY})?',
  ],
  ELB_REQUEST_LINE: [
    `(?:%{WORD:verb} %{ELB_URI:request}${HTTP_VERSION}|%{DATA:rawrequest})`,
    `%{WORD:[http][request][method]} %{ELB_URI:[url][original]}${HTTP_VERSION}`,
  ],
  ELB_V1_HTTP_LOG: [
    undefined,
    '%{TIMESTAMP_ISO8601:timestamp} %{NOTSPACE:[aws][elb][name]} %{IP:[source][ip]}:%{INT:[source][port]:int} ' +
      '(?:-|%{IP:[aws][elb][backend][ip]}:%{INT:[aws][elb][backend][port]:int}) ' +
      `${['request', 'backend', 'response'].map((step) => `(?:-1|%{NUMBER:[aws][elb][${step}_processing_time][sec]:float})`).join(' ')} ` +
      '%{INT:[http][response][status_code]:int} (?:-|%{INT:[aws][elb][backend][http][response][status_code]:int}) ' +
      '%{INT:[http][request][body][bytes]:int} %{INT:[http][response][body][bytes]:int} "%{ELB_REQUEST_LINE}"' +
      `(?: "(?:-|%{DATA:[user_agent][original]})" ${dashed('[tls][cipher]')} ${dashed('[aws][elb][ssl_protocol]')})?`,
  ],
  ELB_ACCESS_LOG: [
    '%{TIMESTAMP_ISO8601:timestamp} %{NOTSPACE:elb} %{IP:clientip}:%{INT:clientport:int} ' +
      '(?:%{IP:backendip}:?:%{INT:backendport:int}|-) %{NUMBER:request_processing_time:float} ' +
      '%{NUMBER:backend_processing_time:float} %{NUMBER:response_processing_time:float} %{INT:response:int} ' +
      '(?:-|%{INT:backend_response:int}) %{INT:received_bytes:int} %{INT:bytes:int} "%{ELB_REQUEST_LINE}"',
    '%{ELB_V1_HTTP_LOG}',
  ],
  CLOUDFRONT_ACCESS_LOG: [
    CLOUDFRONT_LEGACY.join('\\t'),
    `${CLOUDFRONT_ECS.join('\\t')}(?:\\t${CLOUDFRONT_ECS_MORE.join('\\t')})?`,
  ],
}
