/**
 * The definitions an export carries before its documents: index settings, mappings and aliases, data streams, and the
 * templates that apply to them. Each definition is one line, in the order in which an import must create them.
 *
 *   {"_definition":"component_template","name":"…","body":{…}}
 *   {"_definition":"index_template","name":"…","body":{…}}
 *   {"_definition":"template","name":"…","body":{…}}
 *   {"_definition":"index","name":"…","settings":{…},"mappings":{…},"aliases":{…}}
 *   {"_definition":"data_stream","name":"…"}
 *
 * Mappings, aliases and template bodies are copied as text, because parsing would change 64-bit integers in them.
 */
import { namePattern } from '../../base/name-pattern.ts'
import { SettingsError } from '../arguments/settings-error.ts'
import { elements, find, members, type Span, textOf } from './hit-scanner.ts'
import { parseAnswer, type TransferClient, TransferError } from './transfer-client.ts'
import type { DefinitionPart } from './transfer-options.ts'

export interface CollectedDefinitions {
  readonly lines: readonly string[]
  /** Data streams by the names of their backing indices. Documents are exported under the stream's name. */
  readonly streamOfBackingIndex: ReadonlyMap<string, string>
}

interface ResolvedNames {
  readonly indices: readonly { readonly name: string; readonly data_stream?: string }[]
  readonly aliases: readonly { readonly name: string; readonly indices: readonly string[] | string }[]
  readonly data_streams: readonly { readonly name: string; readonly backing_indices: readonly string[] | string }[]
}

/** `names` is a comma-separated list of names and patterns. */
export async function collectDefinitions(
  client: TransferClient,
  names: string,
  parts: ReadonlySet<DefinitionPart>,
): Promise<CollectedDefinitions> {
  const resolved = await client.find<ResolvedNames>(
    `cannot resolve ${names}`,
    `/_resolve/index/${encodeURIComponent(names)}`,
  )
  if (resolved === undefined) throw new SettingsError(`there is no index, alias or data stream ${names}`)
  const indices = new Set<string>()
  const streams = new Set<string>(resolved.data_streams.map(({ name }) => name))
  for (const { name, data_stream } of resolved.indices) {
    if (data_stream === undefined) indices.add(name)
    else streams.add(data_stream)
  }
  for (const { indices: targets } of resolved.aliases) for (const name of [targets].flat()) indices.add(name)
  const streamOfBackingIndex = await findBackingIndices(client, streams, indices, resolved.aliases.length > 0)
  for (const name of streamOfBackingIndex.keys()) indices.delete(name)
  for (const name of streams) indices.delete(name)
  const lines: string[] = []
  if (parts.has('templates')) lines.push(...(await templateLines(client, [...indices, ...streams])))
  if (parts.has('settings') || parts.has('mappings') || parts.has('aliases')) {
    for (const name of indices) lines.push(await indexLine(client, name, parts))
  }
  for (const name of streams) lines.push(JSON.stringify({ _definition: 'data_stream', name }))
  return { lines, streamOfBackingIndex }
}

interface DataStreams {
  readonly data_streams: readonly { readonly name: string; readonly indices: readonly { index_name: string }[] }[]
}

/** Adds to `streams` the data streams that aliases lead to: an alias resolves to the stream or to its backing indices. */
async function findBackingIndices(
  client: TransferClient,
  streams: Set<string>,
  indices: ReadonlySet<string>,
  hasAliases: boolean,
): Promise<Map<string, string>> {
  const byIndex = new Map<string, string>()
  if (streams.size === 0 && !hasAliases) return byIndex
  const what = 'cannot list data streams'
  const answer = await client.send('GET', '/_data_stream?expand_wildcards=all')
  // A service without data streams does not have to know the API.
  if (answer.status >= 300 && streams.size === 0) return byIndex
  if (answer.status >= 300) throw new TransferError(what, answer)
  const all = parseAnswer<DataStreams>(what, answer.body)
  for (const { name, indices: backing } of all.data_streams) {
    const isWanted = streams.has(name) || indices.has(name) || backing.some(({ index_name }) => indices.has(index_name))
    if (!isWanted) continue
    streams.add(name)
    for (const { index_name } of backing) byIndex.set(index_name, name)
  }
  return byIndex
}

async function indexLine(client: TransferClient, name: string, parts: ReadonlySet<DefinitionPart>): Promise<string> {
  const what = `cannot read the definition of ${name}`
  const answer = await client.need(what, 'GET', `/${encodeURIComponent(name)}?flat_settings=true`)
  const texts = [`"_definition":"index"`, `"name":${JSON.stringify(name)}`]
  const definition = find(answer, [name])
  if (definition === undefined) throw new SettingsError(`${what}: the response does not contain it`)
  for (const [part, span] of members(answer, definition.start)) {
    if (part === 'settings' && parts.has('settings')) {
      const settings = JSON.parse(textOf(answer, span)) as Record<string, unknown>
      texts.push(`"settings":${JSON.stringify(transferableSettings(settings))}`)
    } else if ((part === 'mappings' || part === 'aliases') && parts.has(part)) {
      texts.push(`"${part}":${textOf(answer, span)}`)
    }
  }
  return `{${texts.join(',')}}`
}

/** Settings that a service assigns itself, that describe how an index came to be, or that would block the import. */
const NOT_TRANSFERABLE =
  /^index\.(uuid|creation_date|provided_name|version\.|resize\.|shrink\.|split\.|clone\.|blocks\.|verified_before_close|verified_read_only|history\.|routing\.allocation\.initial_recovery\.|store\.snapshot\.)/

export function transferableSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !NOT_TRANSFERABLE.test(name)))
}

/** Templates whose patterns match one of `names`, preceded by the component templates they consist of. */
async function templateLines(client: TransferClient, names: readonly string[]): Promise<string[]> {
  const lines: string[] = []
  const components = new Set<string>()
  const what = 'cannot read templates'
  for (const { name, body, patterns, composedOf } of await listTemplates(client, what, '/_index_template')) {
    if (!matchesAny(patterns, names)) continue
    for (const component of composedOf) components.add(component)
    lines.push(templateLine('index_template', name, body))
  }
  const componentLines: string[] = []
  for (const component of components) {
    const path = `/_component_template/${encodeURIComponent(component)}`
    for (const { name, body } of await listTemplates(client, what, path)) {
      componentLines.push(templateLine('component_template', name, body))
    }
  }
  const legacy = await client.send('GET', '/_template')
  if (legacy.status < 300) {
    for (const [name, span] of members(legacy.body, 0)) {
      const body = textOf(legacy.body, span)
      if (matchesAny(patternsOf(JSON.parse(body)), names)) lines.push(templateLine('template', name, body))
    }
  }
  return [...componentLines, ...lines]
}

export interface ListedTemplate {
  readonly name: string
  /** The definition as JSON text. */
  readonly body: string
  readonly patterns: readonly string[]
  readonly composedOf: readonly string[]
}

/** The entries of `GET /_index_template` or `GET /_component_template/NAME`. A missing template gives none. */
export async function listTemplates(client: TransferClient, what: string, path: string): Promise<ListedTemplate[]> {
  const answer = await client.send('GET', path)
  if (answer.status === 404) return []
  const { body } = answer
  const list = find(body, ['index_templates']) ?? find(body, ['component_templates'])
  if (answer.status >= 300 || list === undefined)
    throw new SettingsError(`${what}: HTTP ${answer.status} ${body.toString('utf8', 0, 300)}`)
  const templates: ListedTemplate[] = []
  for (const element of elements(body, list.start)) {
    const entry = new Map<string, Span>(members(body, element.start))
    const text = textOf(body, (entry.get('index_template') ?? entry.get('component_template'))!)
    const parsed = JSON.parse(text) as { composed_of?: string[]; index_patterns?: string | string[] }
    const name = JSON.parse(textOf(body, entry.get('name')!)) as string
    templates.push({ name, body: text, patterns: patternsOf(parsed), composedOf: parsed.composed_of ?? [] })
  }
  return templates
}

const patternsOf = (template: { index_patterns?: string | string[] }) => [template.index_patterns ?? []].flat()

const templateLine = (kind: string, name: string, body: string) =>
  `{"_definition":"${kind}","name":${JSON.stringify(name)},"body":${body}}`

function matchesAny(patterns: readonly string[], names: readonly string[]): boolean {
  return patterns.some((pattern) => names.some(namePattern(pattern)))
}
