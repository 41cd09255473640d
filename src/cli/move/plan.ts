/** The plan of a move: what the source has, what the target will get, and what stands in the way. */
import { SettingsError } from '../arguments/settings-error.ts'
import { transferableSettings } from '../transfer/definitions.ts'
import { find, members, type Span, textOf } from '../transfer/hit-scanner.ts'
import { parseAnswer, TransferError } from '../transfer/transfer-client.ts'
import type { Cluster } from './cluster.ts'
import { listDefinitions, type MovedDefinition } from './definitions-to-move.ts'
import type { MoveState } from './move-state.ts'
import { type AdaptedIndex, adaptIndex, type Json } from './target-rules.ts'

export interface PlannedIndex {
  readonly name: string
  readonly uuid: string
  readonly stream: string | undefined
  readonly documents: number
  readonly bytes: number
  /** The body at the target. */
  readonly adapted: AdaptedIndex
}

/** An alias of an index or data stream; `rest` are the members of its definition as JSON text, each after a comma. */
export interface PlannedAlias {
  readonly index: string
  readonly alias: string
  readonly rest: string
}

export interface MovePlan {
  /** Backing indices of a stream are in the order of their generations. */
  readonly indices: readonly PlannedIndex[]
  readonly definitions: readonly MovedDefinition[]
  readonly aliases: readonly PlannedAlias[]
  readonly notes: readonly string[]
  /** Reasons why the move cannot begin. */
  readonly problems: readonly string[]
}

interface Resolved {
  readonly indices: readonly {
    readonly name: string
    readonly attributes?: readonly string[]
    readonly data_stream?: string
  }[]
  readonly data_streams: readonly { readonly name: string }[]
  readonly aliases: readonly { readonly name: string; readonly indices: readonly string[] | string }[]
}

interface Stream {
  readonly name: string
  readonly template?: string
  readonly indices: readonly { readonly index_name: string }[]
}

export async function makePlan(
  from: Cluster,
  to: Cluster,
  names: string | undefined,
  state?: MoveState,
): Promise<MovePlan> {
  const notes: string[] = []
  const problems: string[] = []
  const { plain, streams } = await chooseNames(from, names, notes)
  const sizes = await readSizes(from)
  const wanted = [
    ...plain.map((name) => ({ name, stream: undefined as string | undefined })),
    ...streams.flatMap(({ name, indices }) => indices.map((index) => ({ name: index.index_name, stream: name }))),
  ]
  const indices: PlannedIndex[] = []
  const aliases: PlannedAlias[] = []
  for (const { name, stream } of wanted) {
    const read = await readIndex(from, to, name)
    if (stream === undefined) aliases.push(...read.aliases)
    if (read.adapted.mappings.includes('"_source"') && !storesSource(read.adapted.mappings)) {
      problems.push(`${name} does not store _source, so its documents cannot be moved; leave it out with --index`)
    }
    notes.push(...read.adapted.notes.map((note) => `${name}: ${note}`))
    indices.push({
      name,
      stream,
      uuid: read.uuid,
      adapted: read.adapted,
      ...(sizes.get(name) ?? { documents: 0, bytes: 0 }),
    })
  }
  for (const { name, indices: backing } of streams) {
    aliases.push(...(await readStreamAliases(from, name)))
    notes.push(
      `data stream ${name}: its ${backing.length} backing indices get other names, and all documents version 1`,
    )
  }
  const all = [...plain, ...streams.map(({ name }) => name)]
  const settings = JSON.stringify(indices.map(({ adapted }) => adapted.settings))
  const definitions = await listDefinitions(
    from,
    to,
    streams.flatMap(({ template }) => template ?? []),
    names === undefined ? undefined : { names: all, settings },
    notes,
  )
  if (state === undefined) problems.push(...(await findTaken(to, all)))
  if (wanted.length === 0) problems.push(`there is nothing to move at ${from.url}`)
  return { indices, definitions, aliases, notes, problems }
}

const isSystem = (name: string) => name.startsWith('.')

async function chooseNames(from: Cluster, names: string | undefined, notes: string[]) {
  const what = `cannot resolve ${names ?? 'all names'}`
  const path = `/_resolve/index/${encodeURIComponent(names ?? '*')}?expand_wildcards=all`
  const resolved = await from.client.find<Resolved>(what, path)
  if (resolved === undefined) throw new SettingsError(`there is no index, alias or data stream ${names}`)
  const isAsked = (name: string) => !isSystem(name) || (names?.split(',').includes(name) ?? false)
  const plain = new Set<string>()
  const streamNames = new Set(resolved.data_streams.map(({ name }) => name).filter(isAsked))
  for (const { name, attributes = [], data_stream } of resolved.indices) {
    if (data_stream !== undefined) {
      if (isAsked(data_stream)) streamNames.add(data_stream)
    } else if (!isAsked(name)) continue
    else if (attributes.includes('closed')) notes.push(`${name} is closed and is not moved`)
    else plain.add(name)
  }
  if (names !== undefined) {
    for (const { indices } of resolved.aliases) for (const name of [indices].flat()) plain.add(name)
  }
  for (const name of streamNames) plain.delete(name)
  const streams = streamNames.size === 0 ? [] : await readStreams(from, streamNames)
  for (const { indices } of streams) for (const { index_name } of indices) plain.delete(index_name)
  return { plain: [...plain].sort(), streams }
}

async function readStreams(from: Cluster, names: ReadonlySet<string>): Promise<Stream[]> {
  const what = 'cannot list data streams'
  const answer = await from.client.need(what, 'GET', '/_data_stream')
  const { data_streams } = parseAnswer<{ data_streams: Stream[] }>(what, answer)
  return data_streams.filter(({ name }) => names.has(name))
}

async function readIndex(from: Cluster, to: Cluster, name: string) {
  const what = `cannot read the definition of ${name}`
  const answer = await from.client.need(what, 'GET', `/${encodeURIComponent(name)}?flat_settings=true`)
  const definition = find(answer, [name])
  if (definition === undefined) throw new SettingsError(`${what}: the response does not contain it`)
  const parts = new Map<string, Span>(members(answer, definition.start))
  const settings = JSON.parse(textOf(answer, parts.get('settings')!)) as Json
  const mappings = textOf(answer, parts.get('mappings')!)
  const aliases: PlannedAlias[] = []
  for (const [alias, span] of members(answer, parts.get('aliases')!.start)) {
    aliases.push({ index: name, alias, rest: printMembers(answer, span) })
  }
  const adapted = adaptIndex(to, mappings, transferableSettings(settings))
  return { uuid: settings['index.uuid'] as string, adapted, aliases }
}

async function readStreamAliases(from: Cluster, stream: string): Promise<PlannedAlias[]> {
  const answer = await from.client.send('GET', `/${encodeURIComponent(stream)}/_alias`)
  const span = answer.status < 300 ? find(answer.body, [stream, 'aliases']) : undefined
  if (span === undefined) return []
  return [...members(answer.body, span.start)].map(([alias, rest]) => ({
    index: stream,
    alias,
    rest: printMembers(answer.body, rest),
  }))
}

const printMembers = (json: Buffer, span: Span) =>
  [...members(json, span.start)].map(([name, value]) => `,${JSON.stringify(name)}:${textOf(json, value)}`).join('')

function storesSource(mappings: string): boolean {
  const { _source } = JSON.parse(mappings) as { _source?: { enabled?: boolean | string } }
  return String(_source?.enabled ?? true) !== 'false'
}

interface CatLine {
  readonly index: string
  readonly 'docs.count': string | null
  readonly 'store.size': string | null
}

async function readSizes(from: Cluster): Promise<Map<string, { documents: number; bytes: number }>> {
  const what = 'cannot read the sizes of indices'
  const path = '/_cat/indices?format=json&bytes=b&expand_wildcards=all&h=index,docs.count,store.size'
  const lines = parseAnswer<CatLine[]>(what, await from.client.need(what, 'GET', path))
  return new Map(
    lines.map((line) => [
      line.index,
      { documents: Number(line['docs.count'] ?? 0), bytes: Number(line['store.size'] ?? 0) },
    ]),
  )
}

/** Names that the target already has. */
async function findTaken(to: Cluster, names: readonly string[]): Promise<string[]> {
  const taken: string[] = []
  for (const name of names) {
    const answer = await to.client.send('HEAD', `/${encodeURIComponent(name)}`)
    if (answer.status >= 300 && answer.status !== 404) throw new TransferError(`cannot look for ${name}`, answer)
    if (answer.status < 300) taken.push(`${to.url} already has ${name}, which this move did not create`)
  }
  return taken
}
