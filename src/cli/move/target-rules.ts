/**
 * What a target cannot keep of an index: field types, parameters and settings that OpenSearch does not have. Values of
 * fields that it has no type for stay in `_source` and are not searchable.
 */
import type { Cluster } from './cluster.ts'

export type Json = Record<string, unknown>

/** The body of an index as the target takes it, and sentences about what differs. */
export interface AdaptedIndex {
  /** JSON text. */
  readonly mappings: string
  readonly settings: Json
  readonly notes: readonly string[]
}

/** Types with another name in OpenSearch, where their parameters do not exist. */
const OTHER_TYPES: Readonly<Record<string, string>> = { flattened: 'flat_object' }

const MISSING_TYPES: ReadonlySet<string> = new Set([
  'aggregate_metric_double',
  'counted_keyword',
  'dense_vector',
  'exponential_histogram',
  'histogram',
  'passthrough',
  'rank_vectors',
  'semantic_text',
  'sparse_vector',
  'version',
])

const MISSING_PARAMETERS: ReadonlySet<string> = new Set([
  'on_script_error',
  'script',
  'subobjects',
  'synthetic_source_keep',
  'time_series_dimension',
  'time_series_metric',
])

const MISSING_SETTINGS =
  /^index\.(lifecycle\.|mode$|routing_path|time_series\.|lookup_|look_ahead_time|look_back_time|routing\.allocation\.include\._tier|mapping\.(synthetic_source|source\.|ignore_malformed_|total_fields\.ignore_dynamic|nested_parents)|esql\.|dense_vector\.|bloom_filter)/

/** A field without a type of its own: any value is accepted, stored, and not indexed. */
const UNSEARCHABLE = { type: 'object', enabled: false }

export function adaptIndex(target: Cluster, mappings: string, settings: Json): AdaptedIndex {
  if (!target.isOpenSearch) return { mappings, settings, notes: [] }
  const notes: string[] = []
  const kept = Object.entries(settings).filter(([name]) => {
    if (!MISSING_SETTINGS.test(name)) return true
    notes.push(`setting ${name} does not exist there and is left out`)
    return false
  })
  return {
    mappings: JSON.stringify(adaptMappings(JSON.parse(mappings) as Json, notes)),
    settings: Object.fromEntries(kept),
    notes,
  }
}

function adaptMappings(mappings: Json, notes: string[]): Json {
  const { runtime, subobjects, ...rest } = mappings
  if (runtime !== undefined) notes.push(`runtime fields ${Object.keys(runtime as Json).join(', ')} are left out`)
  if (subobjects !== undefined) notes.push('subobjects is left out')
  if (rest['dynamic'] === 'runtime') {
    notes.push('dynamic: runtime becomes false')
    rest['dynamic'] = 'false'
  }
  const source = rest['_source'] as Json | undefined
  if (source?.['mode'] !== undefined) {
    notes.push('_source.mode is left out')
    const { mode: _, ...others } = source
    rest['_source'] = others
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
  const other = type === undefined ? undefined : OTHER_TYPES[type]
  if (other !== undefined) {
    notes.push(`field ${path}: ${type} becomes ${other}`)
    return { type: other }
  }
  const adapted: Json = {}
  for (const [name, value] of Object.entries(field)) {
    if (MISSING_PARAMETERS.has(name)) notes.push(`field ${path}: ${name} is left out`)
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
  const type = /[Nn]o handler for type \[([^\]]+)\]/.exec(reason)?.[1]
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
