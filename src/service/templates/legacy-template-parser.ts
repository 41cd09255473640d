/** The body of `PUT _template`. */
import { ApiError, illegalArgument, notANumber, parseFailure, validationFailed } from '../../base/api-error.ts'
import { parseAliases } from '../definitions/alias-parser.ts'
import { parseSettings, untypedMapping } from '../definitions/create-index-request.ts'
import type { JsonObject, LegacyTemplate } from '../metadata/metadata.ts'
import { isObject, loadSettings } from '../settings/flat-settings.ts'

export function parseLegacyTemplate(body: unknown): LegacyTemplate {
  const template: { -readonly [K in keyof LegacyTemplate]: LegacyTemplate[K] } = {
    patterns: [],
    order: 0,
    settings: {},
    mappings: {},
    aliases: {},
  }
  for (const [key, value] of Object.entries(isObject(body) ? body : {})) {
    switch (key) {
      case 'index_patterns':
        template.patterns = readPatterns(value)
        break
      case 'order':
        template.order = readOrder(value)
        break
      case 'version':
        if (typeof value !== 'number') throw parseFailure(`Malformed [version] value, should be an integer`)
        template.version = value
        break
      case 'settings':
        if (!isObject(value)) throw parseFailure('Malformed [settings] section, should include an inner object')
        template.settings = loadSettings(value, parseSettings)
        break
      case 'mappings':
        template.mappings = isObject(value) ? untypedMapping(value) : {}
        break
      case 'aliases':
        template.aliases = parseAliases(value as JsonObject)
        break
      default:
        throw parseFailure(`unknown key [${key}] in the template `)
    }
  }
  if (template.patterns.length === 0) throw validationFailed('index patterns are missing')
  return template
}

function readPatterns(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (!Array.isArray(value))
    throw illegalArgument('Malformed [index_patterns] value, should be a string or a list of strings')
  if (value.includes(null)) throw new ApiError(400, 'null_pointer_exception', '', { details: { reason: null } })
  return value.map(String)
}

function readOrder(value: unknown): number {
  const order = typeof value === 'number' ? Math.trunc(value) : Number(String(value))
  if (!Number.isInteger(order)) throw notANumber(value)
  return order
}
