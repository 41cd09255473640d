/** Creates what a definition line of an export describes. Whatever exists already under its name is left unchanged. */
import { SettingsError } from '../arguments/settings-error.ts'
import { members, type Span, textOf } from './hit-scanner.ts'
import type { TransferClient } from './transfer-client.ts'
import type { DefinitionPart, TransferOptions } from './transfer-options.ts'

export interface Definition {
  readonly kind: string
  readonly name: string
  /** The other members as JSON text. */
  readonly texts: ReadonlyMap<string, string>
}

/** Returns undefined for the line of a document. */
export function parseDefinition(line: string): Definition | undefined {
  if (!line.startsWith('{"_definition":')) return undefined
  const json = Buffer.from(line)
  const spans = new Map<string, Span>(members(json, 0))
  const texts = new Map([...spans].map(([name, span]) => [name, textOf(json, span)]))
  return {
    kind: JSON.parse(texts.get('_definition')!) as string,
    name: JSON.parse(texts.get('name')!) as string,
    texts,
  }
}

const TEMPLATE_PATHS: Readonly<Record<string, string>> = {
  component_template: '/_component_template/',
  index_template: '/_index_template/',
  template: '/_template/',
}

/** Returns a sentence for the user when something was not created as the export describes it. */
export async function applyDefinition(
  client: TransferClient,
  definition: Definition,
  options: TransferOptions,
): Promise<string | undefined> {
  const { kind, name, texts } = definition
  if (kind === 'index') return createIndex(client, definition, options)
  // An import under another name does not need the templates and data streams of the original names.
  if (options.index !== undefined) return undefined
  if (kind === 'data_stream') return create(client, `data stream ${name}`, `/_data_stream/${encodeURIComponent(name)}`)
  const path = TEMPLATE_PATHS[kind]
  if (path === undefined) throw new SettingsError(`this version cannot import a definition of kind "${kind}"`)
  if (!options.parts.has('templates')) return undefined
  return create(client, `${kind.replaceAll('_', ' ')} ${name}`, path + encodeURIComponent(name), texts.get('body'))
}

function createIndex(
  client: TransferClient,
  { name, texts }: Definition,
  { index, parts }: TransferOptions,
): Promise<string | undefined> {
  // An alias of the original must not start to include a copy under another name.
  const isCopied = (part: DefinitionPart) => parts.has(part) && !(part === 'aliases' && index !== undefined)
  const body = (['settings', 'mappings', 'aliases'] as const)
    .filter((part) => isCopied(part) && texts.has(part))
    .map((part) => `"${part}":${texts.get(part)}`)
  const target = index ?? name
  return create(client, `index ${target}`, `/${encodeURIComponent(target)}`, `{${body.join(',')}}`)
}

async function create(client: TransferClient, what: string, path: string, body?: string): Promise<string | undefined> {
  const found = await client.send('GET', path)
  if (found.status < 300) return `${what} exists already and is left as it is`
  await client.need(`cannot create ${what}`, 'PUT', path, body)
  return undefined
}
