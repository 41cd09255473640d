/** An immutable snapshot of the metadata with lookup tables. A change creates a new snapshot. */

import { type BuiltInSection, withBuiltIns } from './built-in/built-ins.ts'
import type {
  AliasMetadata,
  Change,
  ComponentTemplate,
  DataStream,
  FlatSettings,
  IndexMetadata,
  IndexTemplate,
  LegacyTemplate,
  MetadataSections,
  Section,
} from './metadata.ts'
import { SECTIONS } from './metadata.ts'

/** An alias with its indices, sorted by name. */
export interface Alias {
  readonly name: string
  /** The data streams of the alias. An alias has either indices or data streams. */
  readonly streams: readonly DataStream[]
  readonly indices: readonly IndexMetadata[]
  readonly writeIndex: IndexMetadata | undefined
  readonly hidden: boolean
}

/** What a name can refer to. */
export type Abstraction =
  | {
      readonly kind: 'index'
      readonly name: string
      readonly index: IndexMetadata
      readonly stream: DataStream | undefined
    }
  | { readonly kind: 'alias'; readonly name: string; readonly alias: Alias }
  | {
      readonly kind: 'dataStream'
      readonly name: string
      readonly stream: DataStream
      readonly indices: readonly IndexMetadata[]
    }

/** The end of names that stand for failure stores. */
export const FAILURES = '::failures'

export const isFailureIndex = (stream: DataStream | undefined, indexName: string): boolean =>
  stream?.failureIndices?.includes(indexName) === true

/** Always the same object, because caches of values derived from settings use it as their key. */
const NO_SETTINGS: FlatSettings = Object.freeze({})

const NEVER = () => false

export class MetadataState {
  /** What is stored. Built-in templates, policies and pipelines are not in it. */
  readonly sections: MetadataSections
  readonly #offersBuiltIns: () => boolean
  #abstractions: Map<string, Abstraction> | undefined
  #byUuid: Map<string, IndexMetadata> | undefined
  #sortedNames: string[] | undefined
  #hasFailureIndices: boolean | undefined

  constructor(sections: MetadataSections, offersBuiltIns: () => boolean = NEVER) {
    this.sections = sections
    this.#offersBuiltIns = offersBuiltIns
  }

  static empty(): MetadataState {
    return new MetadataState(
      Object.fromEntries(SECTIONS.map((name) => [name, new Map()])) as unknown as MetadataSections,
    )
  }

  /** The same metadata, with the built-in templates, policies and pipelines while `offersBuiltIns` says so. */
  offering(offersBuiltIns: () => boolean): MetadataState {
    return new MetadataState(this.sections, offersBuiltIns)
  }

  /** Whether the built-in templates, policies and pipelines exist. */
  get hasBuiltIns(): boolean {
    return this.#offersBuiltIns()
  }

  /** Copies only the sections that the changes touch. */
  with(changes: readonly Change[]): MetadataState {
    const sections = { ...this.sections } as Record<Section, Map<string, unknown>>
    const copied = new Set<Section>()
    for (const { section, name, value } of changes) {
      if (!copied.has(section)) {
        sections[section] = new Map(sections[section])
        copied.add(section)
      }
      if (value === undefined) sections[section].delete(name)
      else sections[section].set(name, value)
    }
    return new MetadataState(sections as unknown as MetadataSections, this.#offersBuiltIns)
  }

  get indices(): ReadonlyMap<string, IndexMetadata> {
    return this.sections.indices
  }
  get legacyTemplates(): ReadonlyMap<string, LegacyTemplate> {
    return this.sections.legacyTemplates
  }
  get indexTemplates(): ReadonlyMap<string, IndexTemplate> {
    return this.#joined('indexTemplates')
  }
  get componentTemplates(): ReadonlyMap<string, ComponentTemplate> {
    return this.#joined('componentTemplates')
  }
  get lifecyclePolicies(): MetadataSections['lifecyclePolicies'] {
    return this.#joined('lifecyclePolicies')
  }
  get ingestPipelines(): MetadataSections['ingestPipelines'] {
    return this.#joined('ingestPipelines')
  }
  get dataStreams(): ReadonlyMap<string, DataStream> {
    return this.sections.dataStreams
  }
  get persistentSettings(): FlatSettings {
    return this.sections.clusterSettings.get('persistent') ?? NO_SETTINGS
  }

  #joined<S extends BuiltInSection>(section: S): MetadataSections[S] {
    return this.#offersBuiltIns() ? withBuiltIns(section, this.sections[section]) : this.sections[section]
  }

  index(name: string): IndexMetadata | undefined {
    return this.sections.indices.get(name)
  }

  indexByUuid(uuid: string): IndexMetadata | undefined {
    this.#byUuid ??= new Map([...this.sections.indices.values()].map((index) => [index.uuid, index]))
    return this.#byUuid.get(uuid)
  }

  /** The index, alias or data stream with this name. */
  abstraction(name: string): Abstraction | undefined {
    return this.#lookup().get(name)
  }

  alias(name: string): Alias | undefined {
    const found = this.abstraction(name)
    return found?.kind === 'alias' ? found.alias : undefined
  }

  dataStream(name: string): DataStream | undefined {
    return this.sections.dataStreams.get(name)
  }

  /**
   * What a name in a request refers to. `logs::failures` is the failure store of a data stream, or of the streams of an
   * alias.
   */
  named(name: string): Abstraction | undefined {
    if (!name.endsWith(FAILURES)) return this.abstraction(name)
    const thing = this.abstraction(name.slice(0, -FAILURES.length))
    if (thing?.kind === 'dataStream') return { ...thing, name, indices: this.#failureIndices([thing.stream]) }
    if (thing?.kind !== 'alias' || thing.alias.streams.length === 0) return undefined
    const indices = this.#failureIndices(thing.alias.streams)
    return { kind: 'alias', name, alias: { ...thing.alias, name, indices, writeIndex: undefined } }
  }

  #failureIndices(streams: readonly DataStream[]): IndexMetadata[] {
    const names = streams.flatMap(({ failureIndices = [] }) => failureIndices)
    return names.map((name) => this.index(name)).filter((index) => index !== undefined)
  }

  /** Whether any data stream keeps failed documents. */
  get hasFailureIndices(): boolean {
    this.#hasFailureIndices ??= [...this.dataStreams.values()].some(
      ({ failureIndices = [] }) => failureIndices.length > 0,
    )
    return this.#hasFailureIndices
  }

  /** Whether documents that are written to a data stream, or fail on the way, go to this index. */
  isWrittenByStream(indexName: string): boolean {
    const stream = this.streamOf(indexName)
    return stream?.indices.at(-1) === indexName || stream?.failureIndices?.at(-1) === indexName
  }

  /** The data stream of a backing index or of an index of its failure store. */
  streamOf(indexName: string): DataStream | undefined {
    const found = this.abstraction(indexName)
    return found?.kind === 'index' ? found.stream : undefined
  }

  /** Sorted names of indices, aliases and data streams, which wildcards are matched against. */
  names(): readonly string[] {
    this.#sortedNames ??= [...this.#lookup().keys()].sort(byCodeUnit)
    return this.#sortedNames
  }

  #lookup(): Map<string, Abstraction> {
    this.#abstractions ??= buildAbstractions(this.sections)
    return this.#abstractions
  }
}

function buildAbstractions(sections: MetadataSections): Map<string, Abstraction> {
  const found = new Map<string, Abstraction>()
  const streamOf = new Map<string, DataStream>()
  for (const stream of sections.dataStreams.values()) {
    for (const name of [...stream.indices, ...(stream.failureIndices ?? [])]) streamOf.set(name, stream)
    const indices = stream.indices.map((name) => sections.indices.get(name)).filter((index) => index !== undefined)
    found.set(stream.name, { kind: 'dataStream', name: stream.name, stream, indices })
  }
  const behindAlias = new Map<string, IndexMetadata[]>()
  for (const name of [...sections.indices.keys()].sort(byCodeUnit)) {
    const index = sections.indices.get(name)!
    found.set(name, { kind: 'index', name, index, stream: streamOf.get(name) })
    for (const alias in index.aliases) {
      const others = behindAlias.get(alias)
      if (others === undefined) behindAlias.set(alias, [index])
      else others.push(index)
    }
  }
  for (const [name, indices] of behindAlias) found.set(name, { kind: 'alias', name, alias: makeAlias(name, indices) })
  addStreamAliases(sections, found)
  return found
}

function addStreamAliases(sections: MetadataSections, found: Map<string, Abstraction>): void {
  const behindAlias = new Map<string, DataStream[]>()
  for (const stream of sections.dataStreams.values()) {
    for (const alias in stream.aliases ?? {}) {
      behindAlias.set(alias, [...(behindAlias.get(alias) ?? []), stream])
    }
  }
  for (const [name, streams] of behindAlias) {
    const writer =
      streams.find((stream) => stream.aliases![name]!.isWriteIndex === true) ??
      (streams.length === 1 ? streams[0] : undefined)
    const indices = streams
      .flatMap((stream) => stream.indices.map((index) => sections.indices.get(index)))
      .filter((index) => index !== undefined)
    const writeIndex = writer === undefined ? undefined : sections.indices.get(writer.indices.at(-1)!)
    found.set(name, { kind: 'alias', name, alias: { name, streams, indices, writeIndex, hidden: false } })
  }
}

/**
 * A single index is the write index of its alias unless `is_write_index` is false; of several, only the designated one
 * is.
 */
function makeAlias(name: string, indices: readonly IndexMetadata[]): Alias {
  const of = (index: IndexMetadata): AliasMetadata => index.aliases[name]!
  let writeIndex = indices.find((index) => of(index).isWriteIndex === true)
  if (writeIndex === undefined && indices.length === 1 && of(indices[0]!).isWriteIndex === undefined)
    writeIndex = indices[0]
  return { name, streams: [], indices, writeIndex, hidden: indices.every((index) => of(index).isHidden === true) }
}

/** Java's string order. */
function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
