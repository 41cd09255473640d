/** Index settings that OpenSearch does not know, and those that it adds. */
import type { FlatSettings, JsonObject, SettingValue } from '../../service/metadata/metadata.ts'
import { flattenSettings, withIndexPrefix } from '../../service/settings/flat-settings.ts'
import { keptIn } from './kept-definitions.ts'

/** Settings without an effect in the cluster. They are kept and shown. */
const UNKNOWN_THERE = [
  'index.lifecycle.',
  'index.mode',
  'index.routing.allocation.include._tier_preference',
  'index.mapping.source.mode',
  'index.mapping.ignore_dynamic_beyond_limit',
  'index.mapping.total_fields.ignore_dynamic_beyond_limit',
  'index.mapping.synthetic_source_keep',
  'index.mapping.dimension_fields.limit',
  'index.time_series.',
  'index.look_ahead_time',
  'index.look_back_time',
  'index.routing_path',
  'index.mapper.dynamic',
  'index.codec.bloom_filter',
  'index.fast_refresh',
  'index.esql.',
  'index.dense_vector.',
]

/** Settings of OpenSearch that Elasticsearch does not have. */
const UNKNOWN_HERE = [
  'index.replication.',
  'index.remote_store.',
  'index.knn',
  'index.search.concurrent',
  'index.composite_index',
  'index.append_only',
]

const TIER = 'index.routing.allocation.include._tier_preference'
const VERSION = 'index.version.created'

const isIn = (name: string, prefixes: readonly string[]) =>
  prefixes.some((prefix) =>
    prefix.endsWith('.') ? name.startsWith(prefix) : name === prefix || name.startsWith(`${prefix}.`),
  )

export interface SplitSettings {
  /** For the cluster, as in the request. */
  readonly sent: JsonObject
  /** Kept by the gateway. */
  readonly kept: JsonObject
}

/** Separates the settings of a request into those for the cluster and those that it does not know. */
export function toClusterSettings(settings: JsonObject): SplitSettings {
  const flat = withIndexPrefix(flattenSettings(settings))
  const keptNames = Object.keys(flat).filter((name) => isIn(name, UNKNOWN_THERE))
  if (keptNames.length === 0) return { sent: settings, kept: {} }
  const sent: JsonObject = { ...flat }
  const kept: JsonObject = {}
  for (const name of keptNames) {
    kept[name] = flat[name]
    delete sent[name]
  }
  return { sent, kept }
}

/** The settings as Elasticsearch shows them. */
export function fromClusterSettings(settings: FlatSettings, mapping: JsonObject): FlatSettings {
  const out: Record<string, SettingValue> = {}
  for (const [name, value] of Object.entries(settings)) if (!isIn(name, UNKNOWN_HERE)) out[name] = value
  out[TIER] = 'data_content'
  delete out[VERSION]
  for (const [name, value] of Object.entries(keptIn(mapping).settings ?? {})) {
    if (value === null) delete out[name]
    else out[name] = value as SettingValue
  }
  return out
}
