/**
 * The component templates of Elasticsearch's stack: what its templates `logs`, `metrics` and `synthetics` are composed of. The
 * names without `@` are those of versions before 8.12; templates of users may still refer to them.
 */
import type { ComponentTemplate, FlatSettings, JsonObject } from '../metadata.ts'
import { ecsMappings } from './ecs-mappings.ts'
import { LEGACY_VERSION, managed, STACK_VERSION } from './stack-version.ts'

const CONSTANT = { type: 'constant_keyword' } as const

/** A stream with an ILM policy of its own name, as the settings of all stack templates begin. */
const settings = (policy: string, more: FlatSettings): FlatSettings => ({ 'index.lifecycle.name': policy, ...more })

const BEYOND_LIMIT = { 'index.mapping.total_fields.ignore_dynamic_beyond_limit': 'true' } as const
const COMPRESSED = { 'index.codec': 'best_compression' } as const
const LENIENT = { 'index.mapping.ignore_malformed': 'true' } as const
const MESSAGE = { 'index.query.default_field': ['message'] } as const

/** The type of a stream's data, the first part of its name. */
const ofType = (type: string): JsonObject => ({ type: { ...CONSTANT, value: type } })

function logsMappings(): JsonObject {
  return {
    date_detection: false,
    properties: {
      '@timestamp': { type: 'date' },
      'data_stream.dataset': CONSTANT,
      'data_stream.namespace': CONSTANT,
      'data_stream.type': { ...CONSTANT, value: 'logs' },
    },
  }
}

/** Conventions for the data of all streams but logs, whose names of fields are those of ECS. */
function streamMappings(): JsonObject {
  const string = { match_mapping_type: 'string' }
  const keyword = { ignore_above: 1024, type: 'keyword' }
  return {
    dynamic_templates: [
      { match_ip: { ...string, match: 'ip', mapping: { type: 'ip' } } },
      { match_message: { ...string, match: 'message', mapping: { type: 'match_only_text' } } },
      { strings_as_keyword: { mapping: keyword, ...string } },
    ],
    date_detection: false,
    properties: {
      '@timestamp': { type: 'date' },
      data_stream: { properties: { dataset: CONSTANT, namespace: CONSTANT } },
      ecs: { properties: { version: keyword } },
      host: { type: 'object' },
    },
  }
}

/** Without the types `histogram` and `aggregate_metric_double`, which are not implemented. */
function metricsMappings(): JsonObject {
  const metric = (type: string, kind: string) => ({
    mapping: { type, time_series_metric: kind, ignore_malformed: true },
  })
  return {
    dynamic_templates: [
      { long_metrics: { match_mapping_type: 'long', mapping: { type: 'long', index: false } } },
      { float_metrics: { match_mapping_type: 'double', mapping: { type: 'float', index: false } } },
      { double_metrics: { mapping: { type: 'double', index: false } } },
      { counter_long: metric('long', 'counter') },
      { gauge_long: metric('long', 'gauge') },
      { counter_double: metric('double', 'counter') },
      { gauge_double: metric('double', 'gauge') },
    ],
    properties: { data_stream: { properties: ofType('metrics') } },
  }
}

const syntheticsMappings = (): JsonObject => ({ properties: { data_stream: { properties: ofType('synthetics') } } })

type Row = readonly [name: string, formerName: string, about: string, content: ComponentTemplate['template']]

function rows(): readonly Row[] {
  const about = (what: string, type: string) => `default ${what} for the ${type} index template installed by x-pack`
  const tsdb = 'default settings for the metrics index template installed by x-pack'
  const pipeline = { 'index.default_pipeline': 'logs@default-pipeline' }
  return [
    [
      'data-streams@mappings',
      'data-streams-mappings',
      'general mapping conventions for data streams',
      { mappings: streamMappings() },
    ],
    [
      'ecs@mappings',
      'ecs@dynamic_templates',
      'dynamic mappings based on ECS, installed by x-pack',
      { mappings: ecsMappings() },
    ],
    ['logs@mappings', 'logs-mappings', about('mappings', 'logs'), { mappings: logsMappings() }],
    [
      'logs@settings',
      'logs-settings',
      about('settings', 'logs'),
      { settings: settings('logs', { ...COMPRESSED, ...LENIENT, ...BEYOND_LIMIT, ...pipeline }) },
    ],
    ['metrics@mappings', 'metrics-mappings', about('mappings', 'metrics'), { mappings: metricsMappings() }],
    [
      'metrics@settings',
      'metrics-settings',
      about('settings', 'metrics'),
      { settings: settings('metrics', { ...COMPRESSED, ...LENIENT, ...BEYOND_LIMIT, ...MESSAGE }) },
    ],
    [
      'metrics@tsdb-settings',
      'metrics-tsdb-settings',
      tsdb,
      { settings: settings('metrics', { ...BEYOND_LIMIT, ...MESSAGE }) },
    ],
    ['synthetics@mappings', 'synthetics-mappings', about('mappings', 'synthetics'), { mappings: syntheticsMappings() }],
    [
      'synthetics@settings',
      'synthetics-settings',
      about('settings', 'synthetics'),
      { settings: settings('synthetics', COMPRESSED) },
    ],
  ]
}

export function componentTemplates(): ReadonlyMap<string, ComponentTemplate> {
  const found = new Map<string, ComponentTemplate>()
  for (const [name, formerName, about, template] of rows()) {
    const meta = managed(about)
    found.set(name, { template, version: STACK_VERSION, meta, deprecated: false })
    found.set(formerName, { template, version: LEGACY_VERSION, meta, deprecated: true })
  }
  return found
}
