/** Prints templates with members in Elasticsearch's order; absent ones are omitted. */
import { printAliases } from '../definitions/alias-parser.ts'
import type {
  ComponentTemplate,
  IndexTemplate,
  JsonObject,
  LegacyTemplate,
  TemplateContent,
} from '../metadata/metadata.ts'
import { printSettings } from '../settings/flat-settings.ts'

export function printIndexTemplate(template: IndexTemplate, flat: boolean): JsonObject {
  return {
    index_patterns: template.patterns,
    template: template.template === undefined ? undefined : printContent(template.template, flat),
    composed_of: template.composedOf,
    priority: template.priority,
    version: template.version,
    _meta: template.meta,
    data_stream:
      template.dataStream === undefined
        ? undefined
        : { hidden: template.dataStream.hidden, allow_custom_routing: template.dataStream.allowCustomRouting },
    allow_auto_create: template.allowAutoCreate,
    ignore_missing_component_templates: template.ignoreMissing,
    deprecated: template.deprecated,
  }
}

export function printComponentTemplate(template: ComponentTemplate, flat: boolean): JsonObject {
  return {
    template: printContent(template.template, flat),
    version: template.version,
    _meta: template.meta,
    deprecated: template.deprecated,
  }
}

const isEmpty = (object: JsonObject) => Object.keys(object).length === 0

function printContent(content: TemplateContent, flat: boolean): JsonObject {
  return {
    settings: content.settings === undefined ? undefined : printSettings(content.settings, flat, content.unset),
    mappings: content.mappings === undefined || isEmpty(content.mappings) ? undefined : content.mappings,
    aliases: content.aliases === undefined ? undefined : printAliases(content.aliases),
    lifecycle: content.lifecycle === undefined ? undefined : { enabled: true, ...content.lifecycle },
    data_stream_options: content.dataStreamOptions,
  }
}

export function printLegacyTemplate(template: LegacyTemplate, flat: boolean): JsonObject {
  return {
    order: template.order,
    version: template.version,
    index_patterns: template.patterns,
    settings: printSettings(template.settings, flat, template.unset),
    mappings: template.mappings,
    aliases: printAliases(template.aliases),
  }
}
