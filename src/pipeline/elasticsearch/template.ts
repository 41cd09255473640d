/**
 * The index templates for events. In the classic layout strings are searchable and sortable; under ECS they are keywords, but
 * for messages, and fields get their type by the end of their name.
 */
import type { EcsMode } from '../plugin/plugin-context.ts'

export type TemplateApi = 'legacy' | 'composable'

const KEYWORD = { type: 'keyword', ignore_above: 256 } as const

function mappings(): object {
  return {
    dynamic_templates: [
      {
        message_field: { path_match: 'message', match_mapping_type: 'string', mapping: { type: 'text', norms: false } },
      },
      {
        string_fields: {
          match: '*',
          match_mapping_type: 'string',
          mapping: { type: 'text', norms: false, fields: { keyword: KEYWORD } },
        },
      },
    ],
    properties: {
      '@timestamp': { type: 'date' },
      '@version': { type: 'keyword' },
      geoip: {
        dynamic: true,
        properties: {
          ip: { type: 'ip' },
          location: { type: 'geo_point' },
          latitude: { type: 'half_float' },
          longitude: { type: 'half_float' },
        },
      },
    },
  }
}

const NOT_SEARCHED = { index: false, doc_values: false } as const
const DATES = ['timestamp', 'created', 'start', 'end', 'ingested', 'accessed', 'installed', 'ctime', 'mtime']

/** The types of ECS fields, by patterns of their path. One pattern each, because older services take no lists. */
const ECS_TYPES: readonly (readonly [mapping: object, ...paths: string[]])[] = [
  [{ type: 'keyword', ...NOT_SEARCHED }, 'event.original', '*.event.original'],
  [{ type: 'text', norms: false }, 'message', '*.message', 'error.stack_trace'],
  [{ type: 'ip' }, 'ip', '*.ip', '*_ip'],
  [{ type: 'date' }, ...DATES.map((name) => `*.${name}`), '*.not_after', '*.not_before', '*_timestamp'],
  [{ type: 'geo_point' }, '*.geo.location', 'geo.location'],
]

function ecsMappings(): object {
  const typed = ECS_TYPES.flatMap(([mapping, ...paths]) =>
    paths.map((path) => {
      // A location is an object or a list; a date may be a number.
      const matched = 'type' in mapping && mapping.type === 'geo_point' ? {} : { match_mapping_type: 'string' }
      return { [`ecs ${path}`]: { path_match: path, ...matched, mapping } }
    }),
  )
  const keyword = { type: 'keyword', ignore_above: 1024 }
  return {
    date_detection: false,
    dynamic_templates: [...typed, { strings: { match_mapping_type: 'string', mapping: keyword } }],
    properties: { '@timestamp': { type: 'date' }, '@version': { type: 'keyword', ...NOT_SEARCHED } },
  }
}

/** The template that is installed if no `template` file is configured. */
export function builtInTemplate(api: TemplateApi, pattern: string, ecs: EcsMode): object {
  const settings = { index: { refresh_interval: '5s', number_of_shards: 1 } }
  const content = { settings, mappings: ecs === 'disabled' ? mappings() : ecsMappings() }
  if (api === 'legacy') return { index_patterns: [pattern], version: 80001, ...content }
  return { index_patterns: [pattern], version: 80001, template: content, priority: 200 }
}
