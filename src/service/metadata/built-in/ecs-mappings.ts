/** Dynamic templates that give fields of the Elastic Common Schema their types, by their names. */
import type { JsonObject } from '../metadata.ts'

const TEXT = { text: { type: 'match_only_text' } }

/** Fields by the end of their path. Objects keep their members. */
const byPath = (mapping: JsonObject, ...paths: readonly string[]): JsonObject => ({
  path_match: paths,
  mapping,
  unmatch_mapping_type: 'object',
})

export function ecsMappings(): JsonObject {
  const unindexed = (type: string) => ({ doc_values: false, index: false, type })
  const templates: Record<string, JsonObject> = {
    ecs_timestamp: { match: '@timestamp', mapping: { ignore_malformed: false, type: 'date' } },
    ecs_message_match_only_text: byPath({ type: 'match_only_text' }, 'message', '*.message'),
    ecs_non_indexed_keyword: { path_match: ['event.original'], mapping: unindexed('keyword') },
    ecs_non_indexed_long: { path_match: ['*.x509.public_key_exponent'], mapping: unindexed('long') },
    ecs_ip: { path_match: ['ip', '*.ip', '*_ip'], match_mapping_type: 'string', mapping: { type: 'ip' } },
    ecs_wildcard: byPath({ type: 'wildcard' }, '*.io.text', '*.message_id', '*registry.data.strings', '*url.path'),
    ecs_path_match_wildcard_and_match_only_text: byPath(
      { fields: TEXT, type: 'wildcard' },
      '*.body.content',
      '*url.full',
      '*url.original',
    ),
    ecs_match_wildcard_and_match_only_text: {
      match: ['*command_line', '*stack_trace'],
      unmatch_mapping_type: 'object',
      mapping: { fields: TEXT, type: 'wildcard' },
    },
    ecs_path_match_keyword_and_match_only_text: byPath(
      { fields: TEXT, type: 'keyword' },
      ...['*.title', '*.executable', '*.name', '*.working_directory', '*.full_name', '*file.path'],
      ...['*file.target_path', '*os.full', 'email.subject', 'vulnerability.description', 'user_agent.original'],
    ),
    ecs_date: byPath(
      { type: 'date' },
      ...['*.timestamp', '*_timestamp', '*.not_after', '*.not_before', '*.accessed', 'created', '*.created'],
      ...['*.installed', '*.creation_date', '*.ctime', '*.mtime', 'ingested', '*.ingested', '*.start', '*.end'],
      ...['*.indicator.first_seen', '*.indicator.last_seen', '*.indicator.modified_at'],
      '*threat.enrichments.matched.occurred',
    ),
    ecs_path_match_float: {
      ...byPath({ type: 'float' }, '*.score.*', '*_score*'),
      path_unmatch: '*.version',
    },
    ecs_usage_double_scaled_float: {
      path_match: '*.usage',
      match_mapping_type: ['double', 'long', 'string'],
      mapping: { scaling_factor: 1000, type: 'scaled_float' },
    },
    ecs_geo_point: { path_match: ['*.geo.location'], mapping: { type: 'geo_point' } },
    ecs_flattened: {
      path_match: ['*structured_data', '*exports', '*imports'],
      match_mapping_type: 'object',
      mapping: { type: 'flattened' },
    },
    all_strings_to_keywords: { match_mapping_type: 'string', mapping: { ignore_above: 1024, type: 'keyword' } },
  }
  return { dynamic_templates: Object.entries(templates).map(([name, template]) => ({ [name]: template })) }
}
