/**
 * What a target cannot keep of an index: field types, parameters and settings that OpenSearch does not have. Values of
 * fields that it has no type for stay in `_source` and are not searchable.
 */
import { MISSING_PARAMETERS, MISSING_TYPES, OTHER_NAMES, toClusterMapping } from '../../gateway/rewrite/field-types.ts'
import { toClusterSettings } from '../../gateway/rewrite/settings.ts'
import type { Cluster } from './cluster.ts'

export type Json = Record<string, unknown>

/** The body of an index as the target takes it, and sentences about what differs. */
export interface AdaptedIndex {
  /** JSON text. */
  readonly mappings: string
  readonly settings: Json
  readonly notes: readonly string[]
}

/** A field without a type of its own: any value is accepted, stored, and not indexed. */
const UNSEARCHABLE = { type: 'object', enabled: false }

/** The rules are those of the gateway, which shows fields and settings of a moved index as they were. */
export function adaptIndex(target: Cluster, mappings: string, settings: Json): AdaptedIndex {
  if (!target.isOpenSearch) return { mappings, settings, notes: [] }
  const notes: string[] = []
  const { sent, kept } = toClusterSettings(settings)
  for (const name of Object.keys(kept)) notes.push(`setting ${name} does not exist there and has no effect`)
  const adapted = toClusterMapping(adaptMappings(JSON.parse(mappings) as Json, notes), kept)
  return { mappings: JSON.stringify(adapted), settings: sent, notes }
}

function adaptMappings(mappings: Json, notes: string[]): Json {
  const { subobjects, ...rest } = mappings
  if (isObject(rest['runtime'])) {
    notes.push(`runtime fields ${Object.keys(rest['runtime']).join(', ')} exist only behind a gateway`)
  }
  if (subobjects !== undefined) notes.push('subobjects is left out')
  if (rest['dynamic'] === 'runtime') {
    notes.push('dynamic: runtime becomes false')
    rest['dynamic'] = 'false'
  }
  if (isObject(rest['properties'])) rest['properties'] = adaptFields(rest['properties'], '', notes)
  return rest
}

function adaptFields(fields: Json, path: string, notes: string[]): Json {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      isObject(field) ? adaptField(field, path + name, notes) : field,
    ]),
  )
}

function adaptField(field: Json, path: string, notes: string[]): Json {
  const type = field['type'] as string | undefined
  if (type !== undefined && MISSING_TYPES.has(type)) {
    notes.push(`field ${path}: the type ${type} does not exist there; its values are stored, but cannot be searched`)
    return UNSEARCHABLE
  }
  if (type !== undefined && OTHER_NAMES[type] !== undefined)
    notes.push(`field ${path}: ${type} becomes ${OTHER_NAMES[type]}`)
  const adapted: Json = {}
  for (const [name, value] of Object.entries(field)) {
    if (MISSING_PARAMETERS.includes(name)) notes.push(`field ${path}: ${name} is left out`)
    else if ((name === 'properties' || name === 'fields') && isObject(value)) {
      adapted[name] = adaptFields(value, `${path}.`, notes)
    } else adapted[name] = value
  }
  return adapted
}

/**
 * Adapts a body that the target has refused, for what the tables above do not know. Returns undefined if the reason is
 * another one.
 */
export function adaptRefused({ mappings, settings }: AdaptedIndex, reason: string): AdaptedIndex | undefined {
  const setting = /unknown setting \[([^\]]+)\]/.exec(reason)?.[1]
  if (setting !== undefined && Object.hasOwn(settings, setting)) {
    const { [setting]: _, ...rest } = settings
    return { mappings, settings: rest, notes: [`setting ${setting} is unknown there and is left out`] }
  }
  const type = /(?:[Nn]o handler for|The mapper) type \[([^\]]+)\]/.exec(reason)?.[1]
  if (type === undefined) return undefined
  const replaced: string[] = []
  const adapted = JSON.stringify(withoutType(JSON.parse(mappings), type, '', replaced))
  if (replaced.length === 0) return undefined
  const notes = replaced.map(
    (path) => `field ${path}: the type ${type} is unknown there; its values are stored, but cannot be searched`,
  )
  return { mappings: adapted, settings, notes }
}

function withoutType(value: unknown, type: string, path: string, replaced: string[]): unknown {
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const inside = name === 'properties' || name === 'fields' ? path : path === '' ? name : `${path}.${name}`
      if (isObject(inner) && inner['type'] === type) {
        replaced.push(inside)
        return [name, UNSEARCHABLE]
      }
      return [name, withoutType(inner, type, inside, replaced)]
    }),
  )
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
