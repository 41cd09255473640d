/** Generates the manual page of plugins from their options tables. */
import { FILTER_OPTIONS } from '../plugin/filter-plugin.ts'
import { INPUT_OPTIONS } from '../plugin/input-plugin.ts'
import type { OptionKind, OptionSpec, OptionTable } from '../plugin/options.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from './registry.ts'

const KINDS: Readonly<Record<OptionKind, string>> = {
  string: 'text',
  number: 'number',
  boolean: 'true or false',
  array: 'array',
  strings: 'array of texts',
  hash: 'hash',
  password: 'password',
  path: 'file that exists',
  bytes: 'bytes',
  enumeration: 'one of',
  codec: 'codec',
  field: 'field reference',
  any: 'text, number, array or hash',
}

const HEAD = `# Plugins and their options

Made from the code by \`scripts/plugin-reference.mjs\`. Names, meanings and defaults are Logstash's; what a plugin does differently
is in [pipeline.md](pipeline.md). An option without a default is not set unless you set it. Every plugin also takes \`id\`
and \`ecs_compatibility\`.
`

/** Common options of a plugin kind are described once. */
const SECTIONS = [
  { title: 'Inputs', loaders: INPUTS, common: { ...INPUT_OPTIONS } as OptionTable },
  { title: 'Filters', loaders: FILTERS, common: { ...FILTER_OPTIONS } as OptionTable },
  { title: 'Outputs', loaders: OUTPUTS, common: {} as OptionTable },
  { title: 'Codecs', loaders: CODECS, common: {} as OptionTable },
] as const

export async function pluginReference(): Promise<string> {
  let page = HEAD
  for (const { title, loaders, common } of SECTIONS) {
    page += `\n## ${title}\n`
    const shared = Object.keys(common)
    if (shared.length > 0) page += `\nAll of them take ${shared.map((name) => `\`${name}\``).join(', ')}.\n`
    for (const name of Object.keys(loaders).sort()) {
      const { options } = await loaders[name]!()
      page += `\n### ${name}\n\n${optionsTable(options)}`
    }
  }
  return page
}

function optionsTable(options: OptionTable): string {
  const rows = Object.entries(options)
    .filter(([, spec]) => spec.obsolete === undefined && spec.warning === undefined)
    .map(([name, spec]) => `| \`${name}\` | ${kindOf(spec)} | ${defaultOf(spec)} |\n`)
  return rows.length === 0 ? 'No options.\n' : `| option | value | default |\n|---|---|---|\n${rows.join('')}`
}

function kindOf({ kind, words }: OptionSpec<unknown>): string {
  return words === undefined ? KINDS[kind] : words.map((word) => `\`${word}\``).join(', ')
}

function defaultOf({ required, default: value }: OptionSpec<unknown>): string {
  if (required) return 'required'
  if (value === undefined) return ''
  const text =
    typeof value === 'string' ? value : JSON.stringify(value instanceof Map ? Object.fromEntries(value) : value)
  return text === '' ? '`""`' : `\`${text.replaceAll('|', '\\|')}\``
}
