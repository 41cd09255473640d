/** Field types that have another name in OpenSearch, and those that it does not have. */
import type { JsonObject } from '../../service/metadata/metadata.ts'
import { type Kept, keptIn, withKept, withoutKept } from './kept-definitions.ts'
import { notInCluster } from './not-in-cluster.ts'

/** Types with another name there. Their definitions are kept, because parameters get lost. */
export const OTHER_NAMES: Readonly<Record<string, string>> = { flattened: 'flat_object' }

/** The types of numbers that both servers have. */
export const NUMBER_TYPES: ReadonlySet<string> = new Set([
  'long',
  'integer',
  'short',
  'byte',
  'double',
  'float',
  'half_float',
  'scaled_float',
])

export const MISSING_TYPES: ReadonlySet<string> = new Set([
  'version',
  'histogram',
  'aggregate_metric_double',
  'sparse_vector',
  'semantic_text',
  'dense_vector',
  'rank_vectors',
  'counted_keyword',
  'passthrough',
  'exponential_histogram',
])

/** Parameters of a field that the cluster refuses, and that do not affect which documents are found. */
const UNKNOWN_PARAMETERS: ReadonlySet<string> = new Set([
  'time_series_dimension',
  'time_series_metric',
  'synthetic_source_keep',
])

/** Parameters that the cluster refuses, and that affect which documents are found. */
export const MISSING_PARAMETERS: readonly string[] = ['script', 'on_script_error', 'subobjects']

/**
 * The mapping for the cluster, with the definitions that gateways keep in it: those kept `before` and those that the
 * change adds. Throws for types that the cluster lacks.
 */
export function toClusterMapping(mapping: JsonObject, settings: JsonObject = {}, before: Kept = {}): JsonObject {
  const fields: Record<string, JsonObject> = {}
  const { runtime, subobjects, ...rest } = mapping
  if (subobjects !== undefined && subobjects !== true && subobjects !== 'true')
    throw notInCluster(`[subobjects: ${String(subobjects)}] in a mapping`)
  if (String(mapping['dynamic']).toLowerCase() === 'runtime') throw notInCluster('[dynamic: runtime] in a mapping')
  const root: JsonObject = {}
  const source = rest['_source'] as JsonObject | undefined
  if (source?.['mode'] !== undefined) {
    root['_source'] = source
    const { mode: _, ...others } = source
    rest['_source'] = others
  }
  const previous = { ...before, ...keptIn(mapping) }
  const out = withoutKept(rest)
  if (isObject(out['properties'])) out['properties'] = toClusterFields(out['properties'], '', fields)
  if (Array.isArray(out['dynamic_templates'])) {
    out['dynamic_templates'] = out['dynamic_templates'].map((item: unknown) => toClusterTemplate(item))
  }
  const kept: Kept = {
    settings: { ...previous.settings, ...settings },
    runtime: withoutNulls({ ...previous.runtime, ...(isObject(runtime) ? runtime : {}) }),
    fields: { ...previous.fields, ...fields },
    root: { ...previous.root, ...root },
  }
  return withKept(out, kept)
}

/** The mapping as Elasticsearch shows it. */
export function fromClusterMapping(mapping: JsonObject): JsonObject {
  const { runtime, fields, root } = keptIn(mapping)
  const out = { ...withoutKept(mapping), ...root }
  if (isObject(out['properties'])) out['properties'] = fromClusterFields(out['properties'], '', fields ?? {})
  return runtime === undefined ? out : { ...out, runtime }
}

function toClusterFields(properties: JsonObject, path: string, kept: Record<string, JsonObject>): JsonObject {
  const out: JsonObject = {}
  for (const [name, definition] of Object.entries(properties)) {
    out[name] = isObject(definition) ? toClusterField(definition, `${path}${name}`, kept) : definition
  }
  return out
}

function toClusterField(definition: JsonObject, path: string, kept: Record<string, JsonObject>): JsonObject {
  const type = definition['type']
  if (typeof type === 'string' && MISSING_TYPES.has(type)) throw notInCluster(`the field type [${type}] of [${path}]`)
  for (const name of MISSING_PARAMETERS) {
    if (definition[name] !== undefined && definition[name] !== true)
      throw notInCluster(`the parameter [${name}] of the field [${path}]`)
  }
  const other = typeof type === 'string' ? OTHER_NAMES[type] : undefined
  if (other !== undefined) {
    kept[path] = definition
    return { type: other }
  }
  const out: JsonObject = { ...definition }
  for (const name of Object.keys(definition)) {
    if (!UNKNOWN_PARAMETERS.has(name)) continue
    kept[path] = definition
    delete out[name]
  }
  if (isObject(out['properties'])) out['properties'] = toClusterFields(out['properties'], `${path}.`, kept)
  if (isObject(out['fields'])) out['fields'] = toClusterFields(out['fields'], `${path}#`, kept)
  return out
}

/** A template for dynamic fields names no path, so its type cannot be kept. */
function toClusterTemplate(item: unknown): unknown {
  if (!isObject(item)) return item
  const out: JsonObject = {}
  for (const [name, template] of Object.entries(item)) {
    if (isObject(template) && template['runtime'] !== undefined)
      throw notInCluster(`[runtime] in the dynamic template [${name}]`)
    const mapping = isObject(template) ? template['mapping'] : undefined
    if (isObject(template) && isObject(mapping)) {
      const kept: Record<string, JsonObject> = {}
      out[name] = { ...template, mapping: toClusterField(mapping, name, kept) }
    } else out[name] = template
  }
  return out
}

function fromClusterFields(
  properties: JsonObject,
  path: string,
  kept: Readonly<Record<string, JsonObject>>,
): JsonObject {
  const out: JsonObject = {}
  for (const [name, definition] of Object.entries(properties)) {
    out[name] = isObject(definition) ? fromClusterField(definition, `${path}${name}`, kept) : definition
  }
  return out
}

function fromClusterField(
  definition: JsonObject,
  path: string,
  kept: Readonly<Record<string, JsonObject>>,
): JsonObject {
  if (kept[path] !== undefined) return kept[path]
  const es = Object.entries(OTHER_NAMES).find(([, other]) => other === definition['type'])
  if (es !== undefined) return { ...definition, type: es[0] }
  const { print_format: detected, ...out } = definition
  // A date that was detected in a document; Elasticsearch shows the locale of its formats.
  if (detected !== undefined) out['locale'] ??= ''
  if (isObject(out['properties'])) out['properties'] = fromClusterFields(out['properties'], `${path}.`, kept)
  if (isObject(out['fields'])) out['fields'] = fromClusterFields(out['fields'], `${path}#`, kept)
  return out
}

/** A runtime field that is set to null is removed. */
function withoutNulls(runtime: unknown): JsonObject {
  if (!isObject(runtime)) return {}
  return Object.fromEntries(Object.entries(runtime).filter(([, definition]) => definition !== null))
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
