/**
 * Every plugin there is, by the name used in configurations. A plugin is loaded when a configuration names it, so that the tool starts
 * fast whatever the length of this list.
 */
import type { CodecPlugin } from './codec-plugin.ts'
import type { FilterPlugin } from './filter-plugin.ts'
import type { InputPlugin } from './input-plugin.ts'
import type { OutputPlugin } from './output-plugin.ts'

type Loaders<P> = Readonly<Record<string, () => Promise<P>>>

export const INPUTS: Loaders<InputPlugin> = {
  file: async () => (await import('../inputs/file.ts')).file,
  stdin: async () => (await import('../inputs/stdin.ts')).stdin,
}

export const FILTERS: Loaders<FilterPlugin> = {
  drop: async () => (await import('../filters/drop.ts')).drop,
  grok: async () => (await import('../filters/grok.ts')).grok,
  mutate: async () => (await import('../filters/mutate.ts')).mutate,
  syslog_pri: async () => (await import('../filters/syslog_pri.ts')).syslogPri,
}

export const OUTPUTS: Loaders<OutputPlugin> = {
  elasticsearch: async () => (await import('../outputs/elasticsearch.ts')).elasticsearch,
  stdout: async () => (await import('../outputs/stdout.ts')).stdout,
}

export const CODECS: Loaders<CodecPlugin> = {
  json: async () => (await import('../codecs/json.ts')).json,
  json_lines: async () => (await import('../codecs/json.ts')).jsonLines,
  line: async () => (await import('../codecs/line.ts')).line,
  plain: async () => (await import('../codecs/plain.ts')).plain,
  rubydebug: async () => (await import('../codecs/rubydebug.ts')).rubydebug,
}
