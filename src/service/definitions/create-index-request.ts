/** The body of a create index request: settings, mappings, aliases. */
import { illegalArgument, parseFailure } from '../../base/api-error.ts'
import type { AliasMetadata, JsonObject, SettingValue } from '../metadata/metadata.ts'
import { flattenSettings, isObject, loadSettings, withIndexPrefix } from '../settings/flat-settings.ts'
import { parseAliases } from './alias-parser.ts'

export interface IndexDefinition {
  /** Settings that the request sets to null: template values for them are ignored. */
  readonly unset?: readonly string[]
  readonly settings: Readonly<Record<string, SettingValue>>
  readonly mappings: JsonObject
  readonly aliases: Readonly<Record<string, AliasMetadata>>
}

export const EMPTY_DEFINITION: IndexDefinition = { settings: {}, mappings: {}, aliases: {} }

export function parseIndexDefinition(body: unknown): IndexDefinition {
  if (!isObject(body)) return EMPTY_DEFINITION
  let { settings, mappings, aliases } = EMPTY_DEFINITION
  let unset: readonly string[] = []
  for (const [key, value] of Object.entries(body)) {
    if (key !== 'settings' && key !== 'mappings' && key !== 'aliases') {
      throw parseFailure(`unknown key [${key}] for create index`)
    }
    if (!isObject(value)) throw parseFailure(`key [${key}] must be an object`)
    if (key === 'settings') {
      settings = loadSettings(value, parseSettings)
      unset = nullSettings(value)
    }
    if (key === 'mappings') mappings = untypedMapping(value)
    if (key === 'aliases') aliases = parseAliases(value)
  }
  return { settings, mappings, aliases, unset }
}

/** The settings with a value; those set to null are omitted. */
export function parseSettings(value: unknown): Record<string, SettingValue> {
  const flat = withIndexPrefix(flattenSettings(value))
  return Object.fromEntries(Object.entries(flat).filter((entry): entry is [string, SettingValue] => entry[1] !== null))
}

/** The settings that a body sets to null. */
export function nullSettings(value: unknown): string[] {
  const flat = withIndexPrefix(flattenSettings(value))
  return Object.keys(flat).filter((name) => flat[name] === null)
}

/** Mappings once had a level for the type name. It is rejected and not taken for a field. */
export function untypedMapping(mapping: JsonObject): JsonObject {
  const keys = Object.keys(mapping)
  if (keys.length === 1 && keys[0] === '_doc') {
    throw illegalArgument(
      'The mapping definition cannot be nested under a type [_doc] unless include_type_name is set to true.',
    )
  }
  return mapping
}
