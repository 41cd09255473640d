/**
 * Goal: what a plugin accepts it implements, and what it rejects it rejects with a sentence. Method: a corpus made from the option
 * tables. Every plugin is built with each of its options, with a valid and with an invalid value, as `pipeline -t` does. The sources
 * are searched for options that nothing reads.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ConfigError } from '../../src/pipeline/config/config-error.ts'
import { parseConfig } from '../../src/pipeline/config/parser.ts'
import type { PluginNode } from '../../src/pipeline/config/syntax-tree.ts'
import { dryRunSettings } from '../../src/pipeline/dry-run/run-filters.ts'
import { CERTIFICATE, KEY } from '../../src/pipeline/net/certificate-fixture.ts'
import type { OptionTable } from '../../src/pipeline/plugin/options.ts'
import { CODECS, FILTERS, INPUTS, OUTPUTS } from '../../src/pipeline/registry/registry.ts'
import { buildPipeline } from '../../src/pipeline/runner/build.ts'
import { type CorpusFiles, optionCases, REJECTED } from './option-corpus.ts'

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-corpus-'))
after(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

const files: CorpusFiles = {
  folder,
  text: file('text', '10.0.0.0/8\n'),
  certificate: file('certificate.pem', CERTIFICATE + KEY),
  key: file('key.pem', KEY),
  yaml: file('words.yml', 'a: b\n'),
  avro: file('schema.avsc', '{"type":"record","name":"R","fields":[{"name":"a","type":"string"}]}'),
  proto: file('unicorn.proto', 'syntax = "proto3"; message Unicorn { string name = 1; }'),
  template: file('template.json', '{"index_patterns":["a*"]}'),
  sql: file('statement.sql', 'SELECT 1'),
  flows: file('flows.yml', '9999:\n- :uint32\n- :own\n'),
  ipfix: file('ipfix.yml', '4711:\n  1:\n  - :string\n  - :own\n'),
  credentials: file('credentials.yml', ':access_key_id: a\n:secret_access_key: b\n'),
  ruby: file('script.rb', 'def register(params)\nend\ndef filter(event)\n  [event]\nend\n'),
}

async function build(config: string): Promise<{ problems: string[]; warnings: string[] }> {
  const warnings: string[] = []
  const log = { error() {}, info() {}, debug() {}, warn: (message: string) => void warnings.push(message) }
  try {
    await buildPipeline(parseConfig(config, 'a.conf'), {
      ...dryRunSettings({ log, ecs: 'disabled' }),
      dataFolder: folder,
    })
    return { problems: [], warnings }
  } catch (error) {
    assert.ok(error instanceof ConfigError, `${config}: ${(error as Error).stack}`)
    return { problems: error.problems.map(({ message }) => message), warnings }
  }
}

const cases = await optionCases(files)

test('the corpus has a configuration for every plugin with each of its options', async () => {
  const used = new Set<string>()
  const collect = (kind: string, { name, attributes }: PluginNode): void => {
    for (const attribute of attributes) {
      used.add(`${kind} ${name}.${attribute.name}`)
      if (attribute.value.type === 'plugin') collect('codec', attribute.value)
    }
    used.add(`${kind} ${name}`)
  }
  for (const { valid } of cases) {
    if (valid === undefined) continue
    for (const { kind, body } of parseConfig(valid, 'a.conf')) {
      for (const statement of body) if (statement.type === 'plugin') collect(kind, statement)
    }
  }
  const missing: string[] = []
  for (const [folder, loaders] of Object.entries(FOLDERS)) {
    const kind = folder.slice(0, -1)
    for (const [plugin, load] of Object.entries(loaders)) {
      const { options } = await load()
      const labels = Object.entries(options).flatMap(([name, { obsolete }]) =>
        obsolete === undefined ? [`.${name}`] : [],
      )
      for (const label of ['', ...labels]) {
        if (!used.has(`${kind} ${plugin}${label}`)) missing.push(`${kind} ${plugin}${label}`)
      }
    }
  }
  assert.equal(missing.join('\n'), '')
})

test('every option of every plugin is accepted with a valid value', async () => {
  const wrong: string[] = []
  for (const { name, valid, spec } of cases) {
    if (valid === undefined) continue
    const { problems, warnings } = await build(valid)
    if (REJECTED.has(name)) {
      if (problems.length !== 1) wrong.push(`${name} is rejected with a sentence: ${problems.join('; ')}`)
    } else if (problems.length > 0) wrong.push(`${name}: ${problems.join('; ')} in ${valid}`)
    else if (spec.warning !== undefined && !warnings.some((text) => text.includes(spec.warning!))) {
      wrong.push(`${name}: no warning in ${valid}`)
    }
  }
  assert.equal(wrong.join('\n'), '')
})

test('every option of every plugin is rejected with a sentence that names it if its value is invalid', async () => {
  const wrong: string[] = []
  for (const { name, option, invalid } of cases) {
    if (invalid === undefined) continue
    const { problems } = await build(invalid)
    const isNamed = problems.some((text) => text.includes(option) || /Couldn't find any codec plugin/.test(text))
    if (!isNamed) wrong.push(`${name}: ${JSON.stringify(problems)} for ${invalid}`)
  }
  assert.equal(wrong.join('\n'), '')
})

const PIPELINE = resolve(dirname(fileURLToPath(import.meta.url)), '../../src/pipeline')
type Loaders = Readonly<Record<string, () => Promise<{ options: OptionTable }>>>
const FOLDERS: Readonly<Record<string, Loaders>> = {
  inputs: INPUTS,
  filters: FILTERS,
  outputs: OUTPUTS,
  codecs: CODECS,
}

/** The sources of a module and of everything it imports. */
function sourcesFrom(path: string, seen = new Map<string, string>()): Map<string, string> {
  if (seen.has(path)) return seen
  const text = readFileSync(path, 'utf8')
  seen.set(path, text)
  for (const [, name] of text.matchAll(/from '(\.[^']+)'/g)) sourcesFrom(resolve(dirname(path), name!), seen)
  return seen
}

/** The Java classes that (de)serialize keys and values: the check of the option admits those that do what the client does. */
const CHECKED_ONLY = new Set([
  'key_serializer',
  'value_serializer',
  'key_deserializer_class',
  'value_deserializer_class',
])

/** Places that read a member of this name: `options.name`, `options['name']`, a pattern `{ name }` or a list of names. */
function readsOf(name: string): RegExp {
  return new RegExp(`\\.${name}\\b|'${name}'|[{,]\\s*${name}\\s*(?:[,}]|: \\w+ ?[,}=])`, 'g')
}

test('every option that is accepted without a warning is read by its plugin', async () => {
  const unread: string[] = []
  for (const [kind, loaders] of Object.entries(FOLDERS)) {
    for (const [plugin, load] of Object.entries(loaders)) {
      const { options } = await load()
      const from = /import\(['"]\.\.\/(.*?)['"]\)/.exec(String(load))?.[1] ?? `${kind}/${plugin}.ts`
      const sources = [...sourcesFrom(resolve(PIPELINE, from.replace(/js$/, 'ts'))).values()].join('\n')
      for (const [name, spec] of Object.entries(options)) {
        // The table itself checks an option with a single word, and codecs inherit the layout of events.
        if (spec.warning?.startsWith('has no effect') === true || spec.renamedTo !== undefined) continue
        if (spec.obsolete !== undefined || spec.words?.length === 1 || name === 'ecs_compatibility') continue
        if (name === 'periodic_flush') continue // The runner reads it for all filters.
        if (spec.check !== undefined && CHECKED_ONLY.has(name)) continue
        const uses = sources.match(readsOf(name)) ?? []
        if (uses.length === 0) unread.push(`${kind}/${plugin}: ${name}`)
      }
    }
  }
  assert.equal(unread.join('\n'), '')
})
