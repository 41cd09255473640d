/**
 * All plugins by their name in configurations. A plugin is loaded when a configuration uses it, so that startup stays
 * fast.
 */
import type { CodecPlugin } from '../plugin/codec-plugin.ts'
import type { FilterPlugin } from '../plugin/filter-plugin.ts'
import type { InputPlugin } from '../plugin/input-plugin.ts'
import type { OutputPlugin } from '../plugin/output-plugin.ts'

type Loaders<P> = Readonly<Record<string, () => Promise<P>>>

export const INPUTS: Loaders<InputPlugin> = {
  beats: async () => (await import('../inputs/beats.ts')).beats,
  dead_letter_queue: async () => (await import('../inputs/dead_letter_queue.ts')).deadLetterQueue,
  elasticsearch: async () => (await import('../inputs/elasticsearch.ts')).elasticsearch,
  exec: async () => (await import('../inputs/exec.ts')).exec,
  file: async () => (await import('../inputs/file.ts')).file,
  generator: async () => (await import('../inputs/generator.ts')).generator,
  heartbeat: async () => (await import('../inputs/heartbeat.ts')).heartbeat,
  http: async () => (await import('../inputs/http.ts')).http,
  http_poller: async () => (await import('../inputs/http_poller.ts')).httpPoller,
  kafka: async () => (await import('../inputs/kafka.ts')).kafka,
  lumberjack: async () => (await import('../inputs/lumberjack.ts')).lumberjack,
  pipe: async () => (await import('../inputs/pipe.ts')).pipe,
  pipeline: async () => (await import('../inputs/pipeline.ts')).pipeline,
  redis: async () => (await import('../inputs/redis.ts')).redis,
  stdin: async () => (await import('../inputs/stdin.ts')).stdin,
  syslog: async () => (await import('../inputs/syslog.ts')).syslog,
  tcp: async () => (await import('../inputs/tcp.ts')).tcp,
  udp: async () => (await import('../inputs/udp.ts')).udp,
}

export const FILTERS: Loaders<FilterPlugin> = {
  age: async () => (await import('../filters/age.ts')).age,
  aggregate: async () => (await import('../filters/aggregate.ts')).aggregate,
  alter: async () => (await import('../filters/alter.ts')).alter,
  bytes: async () => (await import('../filters/bytes.ts')).bytes,
  cidr: async () => (await import('../filters/cidr.ts')).cidr,
  clone: async () => (await import('../filters/clone.ts')).clone,
  csv: async () => (await import('../filters/csv.ts')).csv,
  date: async () => (await import('../filters/date.ts')).date,
  de_dot: async () => (await import('../filters/de_dot.ts')).deDot,
  dissect: async () => (await import('../filters/dissect.ts')).dissect,
  dns: async () => (await import('../filters/dns.ts')).dns,
  drop: async () => (await import('../filters/drop.ts')).drop,
  elasticsearch: async () => (await import('../filters/elasticsearch.ts')).elasticsearch,
  environment: async () => (await import('../filters/environment.ts')).environment,
  extractnumbers: async () => (await import('../filters/extractnumbers.ts')).extractNumbers,
  fingerprint: async () => (await import('../filters/fingerprint.ts')).fingerprint,
  geoip: async () => (await import('../filters/geoip.ts')).geoip,
  grok: async () => (await import('../filters/grok.ts')).grok,
  http: async () => (await import('../filters/http.ts')).http,
  json: async () => (await import('../filters/json.ts')).json,
  json_encode: async () => (await import('../filters/json_encode.ts')).jsonEncode,
  kv: async () => (await import('../filters/kv.ts')).kv,
  memcached: async () => (await import('../filters/memcached.ts')).memcached,
  metrics: async () => (await import('../filters/metrics.ts')).metrics,
  multiline: async () => (await import('../filters/multiline.ts')).multiline,
  mutate: async () => (await import('../filters/mutate.ts')).mutate,
  prune: async () => (await import('../filters/prune.ts')).prune,
  range: async () => (await import('../filters/range.ts')).range,
  rest: async () => (await import('../filters/rest.ts')).rest,
  ruby: async () => (await import('../filters/ruby.ts')).ruby,
  sleep: async () => (await import('../filters/sleep.ts')).sleep,
  split: async () => (await import('../filters/split.ts')).split,
  syslog_pri: async () => (await import('../filters/syslog_pri.ts')).syslogPri,
  throttle: async () => (await import('../filters/throttle.ts')).throttle,
  translate: async () => (await import('../filters/translate.ts')).translate,
  truncate: async () => (await import('../filters/truncate.ts')).truncate,
  urldecode: async () => (await import('../filters/urldecode.ts')).urldecode,
  useragent: async () => (await import('../filters/useragent.ts')).useragent,
  uuid: async () => (await import('../filters/uuid.ts')).uuid,
  xml: async () => (await import('../filters/xml.ts')).xml,
}

export const OUTPUTS: Loaders<OutputPlugin> = {
  csv: async () => (await import('../outputs/csv.ts')).csv,
  elasticsearch: async () => (await import('../outputs/elasticsearch.ts')).elasticsearch,
  email: async () => (await import('../outputs/email.ts')).email,
  exec: async () => (await import('../outputs/exec.ts')).exec,
  file: async () => (await import('../outputs/file.ts')).file,
  graphite: async () => (await import('../outputs/graphite.ts')).graphite,
  http: async () => (await import('../outputs/http.ts')).http,
  kafka: async () => (await import('../outputs/kafka.ts')).kafka,
  lumberjack: async () => (await import('../outputs/lumberjack.ts')).lumberjack,
  nagios: async () => (await import('../outputs/nagios.ts')).nagios,
  nagios_nsca: async () => (await import('../outputs/nagios-nsca.ts')).nagiosNsca,
  null: async () => (await import('../outputs/null.ts')).nullOutput,
  opensearch: async () => (await import('../outputs/opensearch.ts')).opensearch,
  pipe: async () => (await import('../outputs/pipe.ts')).pipe,
  pipeline: async () => (await import('../outputs/pipeline.ts')).pipeline,
  redis: async () => (await import('../outputs/redis.ts')).redis,
  statsd: async () => (await import('../outputs/statsd.ts')).statsd,
  stdout: async () => (await import('../outputs/stdout.ts')).stdout,
  syslog: async () => (await import('../outputs/syslog.ts')).syslog,
  tcp: async () => (await import('../outputs/tcp.ts')).tcp,
  udp: async () => (await import('../outputs/udp.ts')).udp,
}

export const CODECS: Loaders<CodecPlugin> = {
  cef: async () => (await import('../codecs/cef.ts')).cef,
  csv: async () => (await import('../codecs/csv.ts')).csv,
  dots: async () => (await import('../codecs/dots.ts')).dots,
  es_bulk: async () => (await import('../codecs/es_bulk.ts')).esBulk,
  gzip_lines: async () => (await import('../codecs/gzip_lines.ts')).gzipLines,
  json: async () => (await import('../codecs/json.ts')).json,
  json_lines: async () => (await import('../codecs/json.ts')).jsonLines,
  line: async () => (await import('../codecs/line.ts')).line,
  msgpack: async () => (await import('../codecs/msgpack.ts')).msgpack,
  multiline: async () => (await import('../codecs/multiline.ts')).multiline,
  plain: async () => (await import('../codecs/plain.ts')).plain,
  rubydebug: async () => (await import('../codecs/rubydebug.ts')).rubydebug,
}
