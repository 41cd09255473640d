/** Plugins of Logstash that do not exist here, with what to write instead. */

const HTTP_API = 'it has an HTTP API: use the http output'
const AMAZON = 'services of Amazon other than S3 are not reached'
const GOOGLE = 'services of Google are not reached'
const MESSAGES = 'a message broker that is not reached; there are kafka, rabbitmq and redis'
const CHAT = 'a service of people; use http with its webhook'
const POLL = 'use http_poller with its HTTP API'

type Advice = Readonly<Record<string, string>>

const INPUTS: Advice = {
  azure_blob_storage: 'copy the blobs to a folder or an S3-compatible server, and use file or s3',
  cloudwatch: AMAZON,
  couchdb_changes: POLL,
  elastic_serverless_forwarder: 'it sends with HTTP: use the http input with codec => "json"',
  eventlog: 'let Winlogbeat send to the beats input',
  ganglia: 'let gmond send to something with HTTP, and use http_poller',
  github: 'use the http input as the webhook',
  google_cloud_storage: GOOGLE,
  google_pubsub: GOOGLE,
  imap: 'let a mail client write messages to files, and use file',
  jmx: 'let a Prometheus exporter or Metricbeat read the beans, and use beats',
  irc: CHAT,
  jms: MESSAGES,
  kinesis: AMAZON,
  log4j: 'let the application use a socket appender with JSON, and tcp with codec => "json_lines"',
  log4j2: 'let the application use a socket appender with JSON, and tcp with codec => "json_lines"',
  logstash: 'use the lumberjack or http input, and the same output on the other side',
  rss: POLL,
  salesforce: POLL,
  snmp: 'use exec with snmpget or snmpwalk, or let a collector send to udp or http',
  snmptrap: 'let snmptrapd write a file or to syslog, and use file or syslog',
  sqlite: 'use jdbc with jdbc_connection_string => "jdbc:sqlite:FILE"',
  sqs: AMAZON,
  s3sqs: 'use s3, which lists the bucket itself',
  stomp: MESSAGES,
  twitter: 'the service behind it is gone',
  websocket: 'use http or tcp',
  xmpp: CHAT,
  zeromq: MESSAGES,
}

const FILTERS: Advice = {
  checksum: 'use fingerprint',
  collate: 'there is no replacement; sort where events are read',
  elastic_integration: 'let the output name the ingest pipeline: pipeline => "NAME"',
  grep: 'use a condition with drop',
  i18n: "use ruby: event.set('f', event.get('f').unicode_normalize(:nfkd).gsub(/[^\\x00-\\x7f]/, '?'))",
  math: "use ruby: event.set('sum', event.get('a') + event.get('b'))",
  metaevent: 'use aggregate',
  metricize: 'use clone and mutate, or ruby',
  oui: 'use translate with a dictionary of prefixes',
  punct: "use ruby: event.set('punct', event.get('message').gsub(/[\\w\\s]/, ''))",
  unique: "use ruby: event.set('f', event.get('f').uniq)",
  wms: 'use kv and urldecode',
  yaml: 'use json, or ruby',
}

const OUTPUTS: Advice = {
  boundary: HTTP_API,
  circonus: HTTP_API,
  cloudwatch: AMAZON,
  datadog: HTTP_API,
  datadog_metrics: HTTP_API,
  elastic_app_search: HTTP_API,
  elastic_workplace_search: HTTP_API,
  ganglia: 'use statsd or graphite',
  gelf: 'use tcp or http with JSON',
  google_bigquery: GOOGLE,
  google_cloud_storage: GOOGLE,
  google_pubsub: GOOGLE,
  hipchat: CHAT,
  influxdb: 'InfluxDB takes lines over HTTP: use http with format => "message"',
  irc: CHAT,
  jms: MESSAGES,
  juggernaut: 'use redis with data_type => "channel"',
  librato: HTTP_API,
  loggly: HTTP_API,
  logstash: 'use the lumberjack or http output, and the same input on the other side',
  metriccatcher: 'use statsd',
  mongodb: 'use pipe with mongoimport',
  neo4j: HTTP_API,
  opentsdb: 'use tcp with codec => line and format => "put ..."',
  pagerduty: HTTP_API,
  redmine: HTTP_API,
  riak: HTTP_API,
  riemann: 'use graphite, which Riemann accepts',
  slack: 'use http with its webhook',
  sns: AMAZON,
  solr_http: HTTP_API,
  sqs: AMAZON,
  stomp: MESSAGES,
  timber: HTTP_API,
  webhdfs: HTTP_API,
  websocket: 'use http or tcp',
  xmpp: CHAT,
  zabbix: 'use exec or pipe with zabbix_sender',
  zeromq: MESSAGES,
}

const CODECS: Advice = {
  cloudfront: 'the s3 input reads such files itself: leave the codec out',
  cloudtrail: 'use json and split on [Records]',
  edn: 'use json',
  edn_lines: 'use json_lines',
  nmap: 'let nmap write XML to a file, and use the xml filter',
  spool: 'use json_lines',
}

const ADVICE: Readonly<Record<string, Advice>> = { input: INPUTS, filter: FILTERS, output: OUTPUTS, codec: CODECS }

/** Undefined if Logstash has no such plugin either. */
export function adviceFor(kind: string, name: string): string | undefined {
  const advice = ADVICE[kind]
  return advice !== undefined && Object.hasOwn(advice, name) ? advice[name] : undefined
}
