/** What to write instead of plugins of Logstash that are not here. */

const ADVICE: Readonly<Record<string, string>> = {
  'filter jdbc_static': 'export the table to a file for `translate`',
  'input s3': 'sync the bucket to a folder and read it with `file`',
  'output s3': 'write with `file` and sync the folder to the bucket',
  'input sqs': 'there is no AWS client here; let a forwarder send to `http` or `beats`',
  'input cloudwatch': 'there is no AWS client here; let a forwarder send to `http`',
  'input azure_event_hubs': 'read the Kafka endpoint of the event hub with `kafka` (SASL PLAIN over TLS)',
  'input snmp': 'let a collector poll and send to `udp` or `http`',
  'input snmptrap': 'let snmptrapd write to syslog and read it with `syslog`',
  'input twitter': 'the service behind it is gone',
  'input imap': 'let a mail client write messages to files and read them with `file`',
  'input jmx': 'let a Prometheus exporter or Metricbeat read the beans and send to `beats`',
  'input log4j': 'configure a SocketAppender with JSON lines and read them with `tcp`',
  'input gelf': 'send GELF over UDP without chunks to `udp` with a json codec',
  'output gelf': 'send JSON with `udp` or `http`',
  'output mongodb': 'send with `http` to a service of yours',
  'output influxdb': 'write its line protocol with `http`',
  'output zabbix': 'run zabbix_sender with `exec` or `pipe`',
  'filter i18n': 'use `ruby` with unicode_normalize',
  'filter collate': 'sort in the search service',
  'filter punct': "use `ruby`: event.set('punct', event.get('message').delete('a-zA-Z0-9 '))",
  'filter anonymize': 'use `fingerprint`',
  'filter checksum': 'use `fingerprint`',
  'filter wms': 'use `kv` and `urldecode`',
  'codec collectd': "let collectd's write_http plugin send JSON to `http`",
  'codec fluent': "let fluentd's forwarder send JSON lines to `tcp`",
  'codec graphite': 'use a line codec and `grok`',
}

export function adviceFor(plugin: string): string {
  return Object.hasOwn(ADVICE, plugin)
    ? ADVICE[plugin]!
    : 'there is no substitute here; docs/manual/plugins.md lists what there is'
}
