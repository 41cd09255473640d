/** A mapping with the runtime fields of one request, which hide mapped fields with the same name. */
import { mapperParsing } from '../../base/errors/mapping-errors.ts'
import { checkDistinct, parseRuntimeFields } from './definition/runtime-fields.ts'
import type { FieldType } from './field-type.ts'
import type { IndexMapping } from './mapping.ts'
import type { Mapping } from './mapping-api.ts'
import { MappingView } from './mapping-view.ts'
import { runtimeTypes } from './runtime-field-types.ts'

/** Requests repeat, so their compiled fields are cached. */
const known = new WeakMap<Mapping, Map<string, RuntimeOverlay>>()
const KNOWN_MAX = 64

/** Throws the error of an invalid definition. */
export function withRuntimeFields(mapping: IndexMapping, definitions: Readonly<Record<string, unknown>>): Mapping {
  if (Object.keys(definitions).length === 0) return mapping
  const text = textOf(definitions)
  let overlays = known.get(mapping)
  if (overlays === undefined) known.set(mapping, (overlays = new Map()))
  let overlay = overlays.get(text)
  if (overlay !== undefined) return overlay
  overlay = new RuntimeOverlay(mapping, definitions)
  if (overlays.size >= KNOWN_MAX) overlays.delete(overlays.keys().next().value!)
  overlays.set(text, overlay)
  return overlay
}

/** Without a function for each member, which takes several times as long, unless a number is beyond 2^53. */
function textOf(definitions: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(definitions)
  } catch {
    return JSON.stringify(definitions, (_, value) => (typeof value === 'bigint' ? `${value}n` : value))
  }
}

/** What a caller may see of a mapping with fields of its own. */
export type LimitMapping = (mapping: Mapping, own: ReadonlySet<string>) => Mapping

export class RuntimeOverlay extends MappingView<IndexMapping> {
  readonly #types: ReadonlyMap<string, FieldType>
  /** What scripts of the request read. */
  readonly #readable: Mapping
  readonly #definitions: Readonly<Record<string, unknown>>
  readonly #limited = new WeakMap<object, Mapping>()

  constructor(mapping: IndexMapping, definitions: Readonly<Record<string, unknown>>, limit?: LimitMapping) {
    super(mapping)
    this.#definitions = definitions
    const own = parseRuntimeFields(definitions)
    for (const [name, definition] of own) if (definition === undefined) throw notRemovable(name)
    checkDistinct(own)
    const { context } = mapping
    const inherited = new Map([...mapping.definition.settings.runtime].filter(([name]) => !own.has(name)))
    // Fields of the mapping may read one that the request has changed, and scripts of the request what the caller may see.
    const types = runtimeTypes(inherited, context, (name) => this.field(name))
    let readable: Mapping = this
    const ownTypes = runtimeTypes(own, context, (name) => readable.field(name))
    if (limit !== undefined) readable = limit(this, new Set(ownTypes.keys()))
    for (const [name, type] of ownTypes) types.set(name, type)
    this.#types = types
    this.#readable = readable
  }

  /** The mapping for a caller who sees a part of it only. `key` identifies the limits. */
  limited(key: object, limit: LimitMapping): Mapping {
    let limited = this.#limited.get(key)
    if (limited === undefined) {
      limited = new RuntimeOverlay(this.mapping, this.#definitions, limit).#readable
      this.#limited.set(key, limited)
    }
    return limited
  }

  override field(name: string): FieldType | undefined {
    return this.#types.get(name) ?? this.mapping.field(name)
  }

  override *fieldNames(): Iterable<string> {
    yield* this.#types.keys()
    for (const name of this.mapping.fieldNames()) if (!this.#types.has(name)) yield name
  }
}

export const notRemovable = (name: string) =>
  mapperParsing(`Runtime field [${name}] was set to null but its removal is not supported in this context`)
