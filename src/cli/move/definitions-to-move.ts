/** Definitions besides indices: templates, ingest pipelines, lifecycle policies and stored scripts. */
import { namePattern } from '../../base/name-pattern.ts'
import { listTemplates } from '../transfer/definitions.ts'
import { find, members, textOf } from '../transfer/hit-scanner.ts'
import type { Cluster } from './cluster.ts'

export interface MovedDefinition {
  /** For people: `index template logs`. */
  readonly what: string
  readonly path: string
  /** JSON text. */
  readonly body: string
}

/** What is moved, if not everything: names of indices and data streams, and their settings as text. */
export interface MovedPart {
  readonly names: readonly string[]
  readonly settings: string
}

/**
 * In the order in which they have to be created. Of a part only the templates that match its names are moved, and the
 * pipelines and policies that these and the indices mention. Those that a distribution brings along are left out, except for the
 * templates of streams that are moved.
 */
export async function listDefinitions(
  from: Cluster,
  to: Cluster,
  streamTemplates: readonly string[],
  part: MovedPart | undefined,
  notes: string[],
): Promise<MovedDefinition[]> {
  const wanted = new Set(streamTemplates)
  const all = await listTemplates(from.client, 'cannot read templates', '/_index_template')
  const matches = (patterns: readonly string[]) =>
    part === undefined || patterns.some((pattern) => part.names.some(namePattern(pattern)))
  const templates = all.filter(
    ({ name, body, patterns }) => wanted.has(name) || (!isManaged(name, body) && matches(patterns)),
  )
  for (const { composedOf } of templates) for (const name of composedOf) wanted.add(name)
  const components = (await listTemplates(from.client, 'cannot read templates', '/_component_template')).filter(
    ({ name, body }) => wanted.has(name) || (part === undefined && !isManaged(name, body)),
  )
  const legacy = (await listMembers(from, '/_template', [], String)).filter(({ body }) => {
    const { index_patterns = [] } = JSON.parse(body) as { index_patterns?: string | string[] }
    return matches([index_patterns].flat())
  })
  const mentions = [part?.settings ?? '', ...[...components, ...templates, ...legacy].map(({ body }) => body)].join(
    '\n',
  )
  const isMentioned = ({ name }: { readonly name: string }) =>
    part === undefined || mentions.includes(JSON.stringify(name))
  const policies = (await listMembers(from, '/_ilm/policy', [], policyBody)).filter(isMentioned)
  if (to.isOpenSearch && policies.length > 0) {
    notes.push(`lifecycle policies ${policies.map(({ name }) => name).join(', ')} are left out`)
  }
  const pipelines = (await listMembers(from, '/_ingest/pipeline', [], String)).filter(isMentioned)
  const scriptPath = '/_cluster/state/metadata?filter_path=metadata.stored_scripts'
  const scripts =
    part === undefined
      ? await listMembers(from, scriptPath, ['metadata', 'stored_scripts'], (text) => `{"script":${text}}`)
      : []
  return [
    ...(to.isOpenSearch ? [] : policies.map(defined('lifecycle policy', '/_ilm/policy/'))),
    ...scripts.map(defined('script', '/_scripts/')),
    ...pipelines.map(defined('ingest pipeline', '/_ingest/pipeline/')),
    ...components.map(defined('component template', '/_component_template/')),
    ...templates.map(defined('index template', '/_index_template/')),
    ...legacy.map(defined('template', '/_template/')),
  ]
}

function policyBody(text: Buffer): string {
  const policy = find(text, ['policy'])
  return `{"policy":${policy === undefined ? '{}' : textOf(text, policy)}}`
}

const defined =
  (kind: string, path: string) =>
  ({ name, body }: { readonly name: string; readonly body: string }): MovedDefinition => ({
    what: `${kind} ${name}`,
    path: path + encodeURIComponent(name),
    body: withoutDates(body),
  })

/** Definitions in an object by name. A service without the API has none. */
async function listMembers(
  from: Cluster,
  path: string,
  at: readonly string[],
  bodyOf: (text: Buffer) => string,
): Promise<{ name: string; body: string }[]> {
  const answer = await from.client.send('GET', path)
  const span = answer.status < 300 ? find(answer.body, at) : undefined
  if (span === undefined) return []
  return [...members(answer.body, span.start)]
    .map(([name, value]) => ({ name, text: answer.body.subarray(value.start, value.end) }))
    .filter(({ name, text }) => !isManaged(name, text.toString()))
    .map(({ name, text }) => ({ name, body: bodyOf(text) }))
}

/** Whether it belongs to the distribution and not to its users. */
export function isManaged(name: string, body: string): boolean {
  return name.startsWith('.') || /"managed"\s*:\s*true/.test(body)
}

/** Newer versions show when a definition was made, and refuse that in requests. */
function withoutDates(body: string): string {
  if (!/"(created|modified)_date/.test(body)) return body
  const rest = Object.entries(JSON.parse(body) as object).filter(([name]) => !/^(created|modified)_date/.test(name))
  return JSON.stringify(Object.fromEntries(rest))
}
