/** `indices.analysis` of `_cluster/stats`: which analyzers, tokenizers and filters the indices define and use. */
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'

const MAPPED = ['analyzer', 'search_analyzer', 'search_quote_analyzer']
const KINDS = ['char_filter', 'tokenizer', 'filter', 'analyzer'] as const
type Kind = (typeof KINDS)[number]

/** How often names occur, and in how many indices. */
class Uses {
  readonly #uses = new Map<string, { count: number; readonly indices: Set<string> }>()

  add(name: string, index: string): void {
    const known = this.#uses.get(name) ?? { count: 0, indices: new Set<string>() }
    known.count++
    known.indices.add(index)
    this.#uses.set(name, known)
  }

  print(): JsonObject[] {
    return [...this.#uses.keys()].sort().map((name) => ({ name, ...this.of(name) }))
  }

  of(name: string) {
    const { count, indices } = this.#uses.get(name)!
    return { count, index_count: indices.size }
  }

  get names(): string[] {
    return [...this.#uses.keys()]
  }
}

const newUses = (): Record<Kind, Uses> => ({
  char_filter: new Uses(),
  tokenizer: new Uses(),
  filter: new Uses(),
  analyzer: new Uses(),
})

export function analysisStats(indices: readonly IndexMetadata[]): JsonObject {
  const types = newUses()
  const builtIn = newUses()
  const synonyms = new Uses()
  for (const { uuid, settings, mapping } of indices) {
    const defined = definitionsOf(settings)
    const use = (kind: Kind, name: string) => {
      if (!defined[kind].has(name)) builtIn[kind].add(name, uuid)
    }
    for (const kind of KINDS) {
      for (const definition of defined[kind].values()) {
        const type = String(definition.get('type') ?? 'custom')
        types[kind].add(type, uuid)
        if (kind === 'filter' && type.startsWith('synonym')) {
          synonyms.add(
            definition.has('synonyms_path') ? 'paths' : definition.has('synonyms_set') ? 'sets' : 'inline',
            uuid,
          )
        }
        if (kind !== 'analyzer') continue
        for (const part of ['char_filter', 'tokenizer', 'filter'] as const) {
          for (const name of listOf(definition.get(part))) use(part, name)
        }
      }
    }
    visit(mapping['properties'], (name) => use('analyzer', name))
  }
  return {
    ...Object.fromEntries(KINDS.map((kind) => [`${kind}_types`, types[kind].print()])),
    ...Object.fromEntries(KINDS.map((kind) => [`built_in_${kind}s`, builtIn[kind].print()])),
    synonyms: Object.fromEntries(synonyms.names.sort().map((name) => [name, synonyms.of(name)])),
  }
}

type Definitions = Record<Kind, Map<string, Map<string, unknown>>>

/** The definitions of an index, by kind and name, from settings such as `index.analysis.filter.mine.type`. */
function definitionsOf(settings: IndexMetadata['settings']): Definitions {
  const found: Definitions = { char_filter: new Map(), tokenizer: new Map(), filter: new Map(), analyzer: new Map() }
  for (const [setting, value] of Object.entries(settings)) {
    const [, kind, name, option] = /^index\.analysis\.([a-z_]+)\.(.+)\.([^.]+)$/.exec(setting) ?? []
    if (name === undefined || !KINDS.includes(kind as Kind)) continue
    const named = found[kind as Kind]
    const definition = named.get(name) ?? new Map<string, unknown>()
    named.set(name, definition.set(option!, value))
  }
  return found
}

const listOf = (value: unknown): string[] =>
  value === undefined ? [] : Array.isArray(value) ? value.map(String) : String(value).split(',')

/** Calls `use` with every analyzer that fields and their subfields name. */
function visit(definition: unknown, use: (analyzer: string) => void): void {
  if (!isObject(definition)) return
  for (const [name, value] of Object.entries(definition)) {
    if (isObject(value)) visit(value, use)
    else if (typeof value === 'string' && MAPPED.includes(name)) use(value)
  }
}
