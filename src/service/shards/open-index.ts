/** The open indices and shards in the thread of the shards. */
import type { ShardLabel } from '../../base/errors/shard-errors.ts'
import { AnalysisRegistry } from '../../engine/analysis/registry/analysis-registry.ts'
import { type IndexMapping, parseMapping } from '../../engine/mapping/mapping.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import { type MappingContext, mappingLimits } from '../../engine/mapping/mapping-context.ts'
import { Similarities } from '../../engine/mapping/similarities.ts'
import type { IndexSortField } from '../../engine/segment/index-sort.ts'
import type { Shard } from '../../engine/shard/shard.ts'
import type { FlatSettings } from '../metadata/metadata.ts'
import { listOf, textOf } from '../settings/flat-settings.ts'
import { includesUser } from '../slow-log/request-origin.ts'
import { SlowThresholds } from '../slow-log/slow-thresholds.ts'
import { lenientMapping } from './lenient-mapping.ts'
import type { RefreshPolicy } from './shard-host.ts'

/** State shared by the shards of an index: its mapping and analyzers. */
export class OpenIndex {
  readonly uuid: string
  readonly name: string
  readonly shards = new Map<number, OpenShard>()
  openingShards = 0
  #settings: FlatSettings
  #slowIndexing: SlowThresholds | undefined
  #context: MappingContext | undefined
  #json: MappingJson
  #version: number
  #mapping: IndexMapping | undefined
  /** The previous mapping; its fields keep their numbers. */
  #previous: IndexMapping | undefined

  constructor(uuid: string, name: string, settings: FlatSettings, mapping: MappingJson, version: number) {
    this.uuid = uuid
    this.name = name
    this.#settings = settings
    this.#slowIndexing = slowIndexing(settings)
    this.#json = mapping
    this.#version = version
  }

  /** Parsed on demand, because many indices may never be written to. */
  get mapping(): IndexMapping {
    if (this.#mapping === undefined) {
      const previous = this.#previous === undefined ? {} : { previous: this.#previous }
      this.#mapping = parseMapping(this.#json, this.#mappingContext(), {
        version: this.#version,
        stored: true,
        ...previous,
      })
    }
    return this.#mapping
  }

  /** Thresholds of the indexing slow log; undefined when it is off. */
  get slowIndexing(): SlowThresholds | undefined {
    return this.#slowIndexing
  }

  /** The part of a document that the slow log shows: by default the first 1000 characters, without line breaks. */
  slowSource(source: string): string {
    const setting = textOf(this.#settings['index.indexing.slowlog.source'] ?? '1000')
    if (setting === 'false') return ''
    const isKept = textOf(this.#settings['index.indexing.slowlog.reformat'] ?? 'true') === 'false'
    const shown = isKept ? source : source.replaceAll(STRING_OR_SPACE, '$1')
    return setting === 'true' ? shown : shown.slice(0, Math.max(0, Number(setting)))
  }

  get slowLogShowsUser(): boolean {
    return includesUser(this.#settings, 'indexing')
  }

  /** Whether `_source` is stored byte for byte, which is nearly always so. */
  get storesWholeSource(): boolean {
    return keepsEverything(this.mapping)
  }

  /** Replaces the mapping unless it is older than the current one. */
  setMapping(json: MappingJson, version: number): void {
    if (version <= this.#version) return
    this.#json = json
    this.#version = version
    this.#readAgain()
  }

  setSettings(settings: FlatSettings): void {
    this.#settings = settings
    this.#slowIndexing = slowIndexing(settings)
    this.#context = { ...this.#mappingContext(), limits: mappingLimits(textSettings(settings)) }
    this.#readAgain()
  }

  /** For documents of the log that the current mapping would reject. */
  lenientMapping(): IndexMapping {
    const context = this.#mappingContext()
    const lenient = { ...context, limits: { ...context.limits, ignoreMalformed: true } }
    return parseMapping(lenientMapping(this.#json), lenient, {
      version: this.#version,
      stored: true,
      previous: this.mapping,
    })
  }

  #readAgain(): void {
    this.#previous = this.#mapping ?? this.#previous
    this.#mapping = undefined
  }

  #mappingContext(): MappingContext {
    this.#context ??= {
      analysis: AnalysisRegistry.fromSettings(this.#settings),
      limits: mappingLimits(textSettings(this.#settings)),
      similarities: Similarities.fromSettings(this.#settings),
    }
    return this.#context
  }
}

/** A string of JSON, which is kept, or space between tokens, which is not. */
const STRING_OR_SPACE = /("(?:[^"\\]|\\.)*")|\s+/g

const slowIndexing = (settings: FlatSettings) => SlowThresholds.of(settings, 'index.indexing.slowlog.threshold.index')

export class OpenShard {
  readonly index: OpenIndex
  readonly shard: Shard
  readonly folder: string | undefined

  constructor(index: OpenIndex, shard: Shard, folder: string | undefined) {
    this.index = index
    this.shard = shard
    this.folder = folder
  }

  get label(): ShardLabel {
    return this.shard.label
  }

  /**
   * Makes the writes of a request visible as requested. Returns true if a refresh was forced. The writes are durable by
   * now: if the refresh fails, they are still acknowledged, but not reported as visible.
   */
  async makeVisible(policy: RefreshPolicy): Promise<boolean> {
    try {
      if (policy === 'true') await this.shard.refresh()
      else if (policy === 'wait_for') await this.shard.waitForRefresh()
    } catch {
      return false
    }
    return policy === 'true'
  }
}

/** `index.sort.*`, which was validated when the index was created. */
export function indexSortOf(settings: FlatSettings): IndexSortField[] {
  const orders = listOf(settings['index.sort.order'])
  const missing = listOf(settings['index.sort.missing'])
  const modes = listOf(settings['index.sort.mode'])
  return listOf(settings['index.sort.field']).map((field, i) => {
    const descending = orders[i]?.toLowerCase() === 'desc'
    const mode = modes[i]?.toLowerCase() ?? (descending ? 'max' : 'min')
    return { field, descending, missingFirst: missing[i] === '_first', mode: mode === 'max' ? 'max' : 'min' }
  })
}

/** The settings that shards and mappings use; none of them is a list. */
export function textSettings(settings: FlatSettings): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [name, value] of Object.entries(settings)) if (typeof value === 'string') texts[name] = value
  return texts
}

function keepsEverything(mapping: IndexMapping): boolean {
  if (!mapping.sourceEnabled) return false
  const source = mapping.definition.settings.source
  return source === undefined || (source.includes.length === 0 && source.excludes.length === 0)
}
