/**
 * `sandpiper pipeline -t --report DIR`: checks each configuration of a folder separately. It reports supported, different and missing plugins,
 * and replacements for the missing ones. Nothing is read from inputs, nothing is sent.
 */
import { type Dirent, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ConfigError } from '../../pipeline/config/config-error.ts'
import { parseConfigFiles, readConfigFile } from '../../pipeline/config/config-files.ts'
import type { Section, Statement } from '../../pipeline/config/syntax-tree.ts'
import { dryRunSettings } from '../../pipeline/dry-run/run-filters.ts'
import { adviceFor } from '../../pipeline/registry/absent-plugins.ts'
import { buildPipeline } from '../../pipeline/runner/build.ts'
import { FlagError } from './pipeline-settings.ts'

const CONFIGURATION = /\.(?:conf|cfg|logstash)$/

interface Checked {
  readonly path: string
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly plugins: readonly string[]
}

export async function pipelineReport(folder: string): Promise<void> {
  const files = configurationsIn(folder)
  if (files.length === 0) throw new FlagError(`no configurations (.conf, .cfg) below ${folder}`)
  const checked: Checked[] = []
  for (const path of files) checked.push(await check(path, folder))
  process.stdout.write(reportText(folder, checked))
  if (checked.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

function configurationsIn(folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch (error) {
    throw new FlagError(`cannot read ${folder}: ${(error as Error).message}`)
  }
  return entries
    .filter((entry) => entry.isFile() && CONFIGURATION.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

async function check(path: string, folder: string): Promise<Checked> {
  const warnings: string[] = []
  const log = { error() {}, warn: (message: string) => void warnings.push(message), info() {}, debug() {} }
  let sections: Section[] = []
  let problems: string[] = []
  try {
    sections = parseConfigFiles([readConfigFile(path)], { supportEscapes: false })
    await buildPipeline(sections, dryRunSettings({ log, environment: process.env }))
  } catch (error) {
    if (!(error instanceof ConfigError)) problems = [(error as Error).message]
    else problems = error.problems.map(({ message }) => firstLines(message))
  }
  return {
    path: relative(folder, path),
    problems,
    warnings: [...new Set(warnings)],
    plugins: sections.flatMap(({ kind, body }) => pluginsOf(body).map((name) => `${kind} ${name}`)),
  }
}

function firstLines(message: string): string {
  return message.split('\n').slice(0, 2).join(' ').replace(/\s+/g, ' ').trim()
}

function pluginsOf(body: readonly Statement[]): string[] {
  return body.flatMap((node) =>
    node.type === 'plugin' ? [node.name] : node.arms.flatMap((arm) => pluginsOf(arm.body)),
  )
}

function reportText(folder: string, checked: readonly Checked[]): string {
  const refused = checked.filter(({ problems }) => problems.length > 0)
  const warned = checked.filter(({ problems, warnings }) => problems.length === 0 && warnings.length > 0)
  const fine = checked.length - refused.length - warned.length
  const lines = [
    `${checked.length} configurations below ${folder}: ${fine} run, ${warned.length} run with differences, ${refused.length} do not run`,
    '',
  ]
  for (const { path, problems } of refused) lines.push(`✗ ${path}`, ...problems.map((problem) => `    ${problem}`))
  for (const { path, warnings } of warned) lines.push(`~ ${path}`, ...warnings.map((warning) => `    ${warning}`))
  const missing = missingPlugins(checked)
  if (missing.length > 0) {
    lines.push('', 'What is missing, and what to write instead')
    for (const { name, count } of missing) {
      const [kind = '', plugin = ''] = name.split(' ')
      const advice =
        adviceFor(kind, plugin) ?? 'there is no substitute here; docs/manual/plugins.md lists what there is'
      lines.push(`  ${name} (${count} ${count === 1 ? 'file' : 'files'}): ${advice}`)
    }
  }
  const differing = [...new Set(checked.flatMap(({ plugins }) => plugins))]
    .map((name) => ({ name, note: differenceOf(name) }))
    .filter(({ note }) => note !== undefined)
  if (differing.length > 0) {
    lines.push('', 'What differs from Logstash in plugins of these configurations')
    for (const { name, note } of differing) lines.push(`  ${name}: ${note}`)
  }
  return `${lines.join('\n')}\n`
}

const DIFFERENCES: Readonly<Record<string, string>> = {
  'filter ruby': 'an interpreter without files, sockets, gems and eval; what it cannot run is named above',
  'filter aggregate': 'aggregate_maps_path is a file of our own format',
  'filter geoip': 'needs a MaxMind database of yours (`database`)',
  'filter memcached': 'values are texts: what Ruby clients stored as objects is not read',
  'filter jdbc_static': 'the local tables are in SQLite, not in Derby: lookups speak its SQL',
  'filter elasticsearch': '`query_type => esql` is not there',
  'input kafka': 'a client of our own: no Kerberos, no schema registry',
  'output kafka': 'a client of our own: no Kerberos, no schema registry',
  'output elasticsearch': '`ilm_enabled => true` is refused',
}

function differenceOf(name: string): string | undefined {
  return Object.hasOwn(DIFFERENCES, name) ? DIFFERENCES[name] : undefined
}

function missingPlugins(checked: readonly Checked[]): { name: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { problems } of checked) {
    const names = new Set(
      problems.flatMap((problem) =>
        [...problem.matchAll(/Couldn't find any (input|filter|output|codec) plugin named '([^']+)'/g)].map(
          (match) => `${match[1]} ${match[2]}`,
        ),
      ),
    )
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].map(([name, count]) => ({ name, count })).sort((a, b) => b.count - a.count)
}
