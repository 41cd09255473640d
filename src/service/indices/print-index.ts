/** The contents of `GET /{index}` and its parts. */

import { illegalArgument } from '../../base/api-error.ts'
import { copyMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { printAliases } from '../definitions/alias-parser.ts'
import type { FlatSettings, IndexMetadata, JsonObject, SettingValue } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { printSettings } from '../settings/flat-settings.ts'
import { indexSettings } from '../settings/update-settings.ts'
import { INDEX_VERSION_TEXT } from './index-builder.ts'

export interface PrintOptions {
  readonly flatSettings: boolean
  readonly includeDefaults: boolean
  /** Adds readable forms of dates and versions. */
  readonly human: boolean
  /** `features`: the parts to include; all of them when absent. */
  readonly features?: readonly string[] | undefined
}

const FEATURES = ['aliases', 'mappings', 'settings']

/** Throws for an unknown feature. */
export function checkFeatures(features: readonly string[] | undefined): void {
  const unknown = features?.filter((name) => !FEATURES.includes(name)) ?? []
  if (unknown.length > 0) throw illegalArgument(`Invalid features specified [${unknown.join(',')}]`)
}

export function printIndex(index: IndexMetadata, state: MetadataState, options: PrintOptions): JsonObject {
  const shows = (part: string) => options.features === undefined || options.features.includes(part)
  const stream = state.streamOf(index.name)
  return {
    aliases: shows('aliases') ? printAliases(index.aliases) : {},
    mappings: shows('mappings') ? index.mapping : {},
    settings: shows('settings')
      ? printSettings(readable(index.settings, options.human), options.flatSettings, index.unsetSettings)
      : {},
    ...(options.includeDefaults && shows('settings')
      ? { defaults: printSettings(defaultsOf(index), options.flatSettings) }
      : {}),
    ...(stream === undefined ? {} : { data_stream: stream.name }),
  }
}

/** `GET _settings`: only settings whose names match; undefined if none is left. */
export function printIndexSettings(
  index: IndexMetadata,
  names: readonly string[],
  options: PrintOptions,
): JsonObject | undefined {
  const matches = names.map(namePattern)
  const keep = (settings: FlatSettings): FlatSettings =>
    names.length === 0
      ? settings
      : Object.fromEntries(Object.entries(settings).filter(([name]) => matches.some((match) => match(name))))
  const settings = keep(readable(index.settings, options.human))
  const defaults = options.includeDefaults ? keep(defaultsOf(index)) : {}
  const unset = index.unsetSettings?.filter((name) => names.length === 0 || matches.some((match) => match(name))) ?? []
  if (Object.keys(settings).length + unset.length === 0 && Object.keys(defaults).length === 0) return undefined
  return {
    settings: printSettings(settings, options.flatSettings, unset),
    ...(options.includeDefaults ? { defaults: printSettings(defaults, options.flatSettings) } : {}),
  }
}

/** The defaults of settings that the index does not name, not even as null. */
function defaultsOf({ settings, unsetSettings = [] }: IndexMetadata): FlatSettings {
  return Object.fromEntries(
    Object.entries(indexSettings.defaults(settings)).filter(([name]) => !unsetSettings.includes(name)),
  )
}

function readable(settings: FlatSettings, human: boolean): FlatSettings {
  if (!human) return settings
  const out = copyMembers<SettingValue>(settings)
  out['index.creation_date_string'] = new Date(Number(settings['index.creation_date'])).toISOString()
  out['index.version.created_string'] = INDEX_VERSION_TEXT
  return { ...out }
}
