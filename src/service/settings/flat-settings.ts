/**
 * Converts settings between the form of requests (nested, dotted, any JSON value), flat strings, and the nested form of
 * responses.
 */

import { ApiError, illegalRequestState } from '../../base/api-error.ts'
import { encodeJson } from '../../base/json/json-writer.ts'
import { copyMembers, newMembers } from '../../base/json/members.ts'
import { ANALYSIS_FILES } from '../../engine/analysis/registry/analysis-settings.ts'
import type { FlatSettings, JsonObject, SettingValue } from '../metadata/metadata.ts'

/** A flat map in which null means "reset". */
export type SettingsUpdate = Record<string, SettingValue | null>

/** Flattens nested objects and dotted names. Arrays become lists of strings. */
export function flattenSettings(value: unknown, prefix = ''): SettingsUpdate {
  const out: SettingsUpdate = newMembers()
  if (isObject(value)) collect(value, prefix, out)
  return { ...out }
}

function collect(object: JsonObject, prefix: string, out: SettingsUpdate): void {
  for (const [name, value] of Object.entries(object)) {
    const path = prefix === '' ? name : `${prefix}.${name}`
    if (isObject(value)) collect(value, path, out)
    else if (Array.isArray(value)) collectList(value, path, out)
    else out[path] = value === null ? null : String(value)
  }
}

function collectList(list: readonly unknown[], path: string, out: SettingsUpdate): void {
  if (list.some((item) => typeof item === 'object'))
    throw illegalRequestState('only value lists are allowed in serialized settings')
  // Numbers and booleans are stored as text.
  out[path] = list.map(String)
}

/** Adds the settings of a request to the error for those that cannot be read. */
export function loadSettings<T>(value: unknown, load: (value: unknown) => T): T {
  try {
    return load(value)
  } catch (error) {
    if (!(error instanceof ApiError) || error.type !== 'illegal_state_exception') throw error
    throw new ApiError(400, 'settings_exception', `Failed to load settings from [${encodeJson(value)}]`, {
      causedBy: error,
    })
  }
}

/** Names without the leading `index.` mean the same as with it, and win over those. */
export function withIndexPrefix(settings: SettingsUpdate): SettingsUpdate {
  const out: SettingsUpdate = newMembers()
  for (const [name, value] of Object.entries(settings)) {
    if (!name.startsWith('index.')) out[`index.${name}`] = value
    else if (!Object.hasOwn(settings, name.slice('index.'.length))) out[name] = value
  }
  return { ...out }
}

/**
 * The nested form of responses. If a name is both a value and a group, its members stay dotted, as in Elasticsearch.
 */
export function nestSettings(settings: SettingsUpdate): JsonObject {
  const root: JsonObject = newMembers()
  for (const name of Object.keys(settings).filter(isShown).sort()) place(root, name.split('.'), settings[name] ?? null)
  return asPlain(root)
}

const asPlain = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, isObject(value) ? asPlain(value) : value]))

function place(root: JsonObject, path: readonly string[], value: SettingValue | null): void {
  let object = root
  for (let depth = 0; depth < path.length - 1; depth++) {
    const child = object[path[depth]!]
    if (child === undefined) {
      const made: JsonObject = newMembers()
      object[path[depth]!] = made
      object = made
    } else if (isObject(child)) {
      object = child
    } else {
      object[path.slice(depth).join('.')] = value
      return
    }
  }
  object[path.at(-1)!] = value
}

/** The wire form of settings: nested, or flat with `flat_settings=true`. The names in `unset` are shown as null. */
export function printSettings(settings: FlatSettings, flat: boolean, unset: readonly string[] = []): JsonObject {
  const all: SettingsUpdate = copyMembers<SettingValue | null>(settings)
  for (const name of unset) all[name] = null
  if (!flat) return nestSettings(all)
  const shown = Object.entries(all).filter(([name]) => isShown(name))
  return Object.fromEntries(shown.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** File contents are stored among the settings but are never shown. */
const isShown = (name: string) => !name.startsWith(`index.${ANALYSIS_FILES}`)

/** A list setting may be a list or comma-separated text. */
export function listOf(value: SettingValue | undefined): readonly string[] {
  if (value === undefined) return []
  if (typeof value !== 'string') return value
  return value === '' ? [] : value.split(',').map((item) => item.trim())
}

/** A single value as text. A list is formatted like a Java list, as in error messages. */
export function textOf(value: SettingValue): string {
  return typeof value === 'string' ? value : `[${value.join(', ')}]`
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
