/** The body of `PUT _template`. */
import { ApiError, illegalArgument, notANumber, parseFailure, validationFailed } from '../../base/api-error.ts'
import { notCompressedContent } from '../../base/errors/value-errors.ts'
import { javaClass, javaText } from '../../engine/values/java-text.ts'
import { parseAliases } from '../definitions/alias-parser.ts'
import { nullSettings, parseSettings, untypedMapping } from '../definitions/create-index-request.ts'
import type { JsonObject, LegacyTemplate } from '../metadata/metadata.ts'
import { isObject, loadSettings } from '../settings/flat-settings.ts'

/** `order` is that of the query string; the body wins. */
export function parseLegacyTemplate(body: unknown, order = 0): LegacyTemplate {
  const template: { -readonly [K in keyof LegacyTemplate]: LegacyTemplate[K] } = {
    patterns: [],
    order,
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
        if (!Number.isInteger(value) || value !== ((value as number) | 0))
          throw illegalArgument('Malformed [version] value, should be an integer')
        template.version = value as number
        break
      case 'settings':
        if (!isObject(value)) throw illegalArgument('Malformed [settings] section, should include an inner object')
        template.settings = loadSettings(value, parseSettings)
        template.unset = nullSettings(value)
        break
      case 'mappings':
        template.mappings = untypedMapping(asObject(value, NO_MAPPINGS))
        break
      case 'aliases':
        template.aliases = parseAliases(asObject(value, NO_ALIASES))
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
  return value.map((pattern) => javaText(pattern))
}

const NO_MAPPINGS = new ApiError(
  400,
  'null_pointer_exception',
  'Cannot invoke "java.util.Map.entrySet()" because "mappings" is null',
)
const NO_ALIASES = notCompressedContent('')

/** Elasticsearch answers the wrong type with status 500. */
function asObject(value: unknown, none: ApiError): JsonObject {
  if (value === null) throw none
  if (isObject(value)) return value
  const given = javaClass(value)
  const reason = `class ${given} cannot be cast to class java.util.Map (${given} and java.util.Map are in module java.base of loader 'bootstrap')`
  throw new ApiError(400, 'class_cast_exception', reason)
}

/** An integer, or the text of one as Java parses it. */
function readOrder(value: unknown): number {
  if (value === null) return 0
  if (typeof value === 'number') {
    if (!Number.isInteger(value)) throw illegalArgument(`${value} is not an integer value`)
    // Elasticsearch answers this with status 500.
    if (value !== (value | 0)) throw new ApiError(400, 'arithmetic_exception', 'integer overflow')
    return value
  }
  const text = javaText(value)
  const order = Number(text)
  if (!/^[+-]?\d+$/.test(text) || order !== (order | 0)) throw notANumber(text)
  return order
}
