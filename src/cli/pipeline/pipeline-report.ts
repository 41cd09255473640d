/**
 * `sandpiper pipeline -t --report DIR`: checks each configuration of a folder separately, with the messages of `-t`. It reports supported, different
 * and missing plugins, and replacements for the missing ones. Nothing is read from inputs, nothing is sent.
 */
import { closeSync, type Dirent, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ConfigError } from '../../pipeline/config/config-error.ts'
import { findConfigFiles, parseConfigFiles, readConfigFile } from '../../pipeline/config/config-files.ts'
import type { Section, Statement } from '../../pipeline/config/syntax-tree.ts'
import { dryRunSettings } from '../../pipeline/dry-run/run-filters.ts'
import type { EcsMode } from '../../pipeline/plugin/plugin-context.ts'
import { adviceFor } from '../../pipeline/registry/absent-plugins.ts'
import { buildPipeline } from '../../pipeline/runner/build.ts'
import { FlagError } from './pipeline-settings.ts'

/** Every file whose name ends so, and every other file that begins with a section: Logstash reads all files of a folder. */
const CONFIGURATION = /\.(?:conf|cfg|logstash)$/
const SECTION = /^(?:\s|#[^\n]*\n)*(?:input|filter|output)\s*\{/
/** The beginning of a file that is looked at. */
const HEAD_BYTES = 16_384

interface Checked {
  readonly path: string
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  readonly plugins: readonly string[]
}

export async function pipelineReport(folder: string, ecs: EcsMode): Promise<void> {
  const files = configurationsIn(folder)
  if (files.length === 0) {
    throw new FlagError(`no configurations in ${folder}: no file ends in .conf or .cfg or begins with a section`)
  }
  const checked: Checked[] = []
  for (const path of files) checked.push(await check(path, folder, ecs))
  process.stdout.write(reportText(folder, checked))
  if (checked.some(({ problems }) => problems.length > 0)) process.exitCode = 1
}

/** A file or a pattern names files whatever their ending is. */
function configurationsIn(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return findConfigFiles(folder).paths
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  } catch (error) {
    throw new FlagError(`cannot read ${folder}: ${(error as Error).message}`)
  }
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('~'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => CONFIGURATION.test(path) || SECTION.test(headOf(path)))
    .sort()
}

function headOf(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEAD_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

async function check(path: string, folder: string, ecs: EcsMode): Promise<Checked> {
  const warnings: string[] = []
  const log = { error() {}, warn: (message: string) => void warnings.push(message), info() {}, debug() {} }
  let sections: Section[] = []
  let problems: string[] = []
  try {
    sections = parseConfigFiles([readConfigFile(path)], { supportEscapes: false })
    await buildPipeline(sections, dryRunSettings({ log, ecs, environment: process.env }))
  } catch (error) {
    problems =
      error instanceof ConfigError
        ? error.problems.map((one) => new ConfigError([one]).message)
        : [(error as Error).message]
  }
  return {
    path: relative(folder, path),
    problems,
    warnings: [...new Set(warnings)],
    plugins: sections.flatMap(({ kind, body }) => pluginsOf(body).map((name) => `${kind} ${name}`)),
  }
}

const indented = (message: string) =>
  message
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))

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
  for (const { path, problems } of refused) lines.push(`✗ ${path}`, ...problems.flatMap(indented))
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
