/** The index template for events: strings are searchable and sortable; locations and versions have their types. */

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

/** The template that is installed if no `template` file is configured. */
export function builtInTemplate(api: TemplateApi, pattern: string): object {
  const content = { settings: { index: { refresh_interval: '5s', number_of_shards: 1 } }, mappings: mappings() }
  if (api === 'legacy') return { index_patterns: [pattern], version: 80001, ...content }
  return { index_patterns: [pattern], version: 80001, template: content, priority: 200 }
}
