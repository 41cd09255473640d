/**
 * Finds the analysis components in the settings of an index.
 *
 * Settings are nested, flat (`index.analysis.filter.x.type`) or mixed, with or without the leading `index.`, and lists
 * may use numbered keys (`stopwords.0`). All forms become one tree of dotted names.
 */
import { ApiError } from '../../../base/api-error.ts'
import { ComponentSettings, type SettingValue } from './component-settings.ts'

export type ComponentKind = 'analyzer' | 'normalizer' | 'tokenizer' | 'filter' | 'char_filter'

export type ComponentValues = Map<string, SettingValue>

export interface AnalysisSettings {
  readonly components: Readonly<Record<ComponentKind, ReadonlyMap<string, ComponentValues>>>
  /** Index settings that limit what components may do. */
  readonly limits: ComponentSettings
  /** Lines of files, by the path in the settings. */
  readonly files: ReadonlyMap<string, readonly string[]>
}

/** The prefix of hidden settings with the lines of files, by path. */
export const ANALYSIS_FILES = 'analysis._files.'

const GROUP = /^analysis\.(analyzer|normalizer|tokenizer|filter|char_filter)\.([^.]+)(?:\.(.+))?$/

/** Throws for a component without members: a null in place of them. */
export function checkUnsetComponents(unset: readonly string[]): void {
  for (const name of unset) {
    const match = GROUP.exec(name.startsWith('index.') ? name.slice('index.'.length) : name)
    if (match !== null && match[3] === undefined) throw notAGroup(match[1] as ComponentKind, match[2]!)
  }
}

export function parseAnalysisSettings(settings: Readonly<Record<string, unknown>>): AnalysisSettings {
  const components = {
    analyzer: new Map<string, ComponentValues>(),
    normalizer: new Map<string, ComponentValues>(),
    tokenizer: new Map<string, ComponentValues>(),
    filter: new Map<string, ComponentValues>(),
    char_filter: new Map<string, ComponentValues>(),
  }
  const limits = new Map<string, SettingValue>()
  const files = new Map<string, readonly string[]>()
  for (const [path, value] of flattenSettings(settings)) {
    const name = path.startsWith('index.') ? path.slice('index.'.length) : path
    const match = GROUP.exec(name)
    if (match === null) {
      if (name.startsWith('max_') || name.startsWith('analyze.')) limits.set(name, value)
      else if (name.startsWith(ANALYSIS_FILES)) {
        files.set(name.slice(ANALYSIS_FILES.length), typeof value === 'string' ? [value] : value)
      }
      continue
    }
    const [, kind, component, key] = match as unknown as [string, ComponentKind, string, string | undefined]
    if (key === undefined) throw notAGroup(kind, component)
    const values = components[kind].get(component) ?? new Map<string, SettingValue>()
    values.set(key, value)
    components[kind].set(component, values)
  }
  return { components, limits: new ComponentSettings('index', limits), files }
}

/** Leaves by dotted name. Null values are omitted, as in index settings. */
export function flattenSettings(settings: Readonly<Record<string, unknown>>): ComponentValues {
  const flat: ComponentValues = new Map()
  const walk = (prefix: string, value: unknown): void => {
    if (value === null || value === undefined) return
    if (Array.isArray(value)) {
      if (value.some((item) => typeof item === 'object' && item !== null)) {
        value.forEach((item, i) => {
          walk(`${prefix}.${i}`, item)
        })
      } else flat.set(prefix, value.filter((item) => item !== null).map(String))
    } else if (typeof value === 'object') {
      for (const [key, inner] of Object.entries(value)) walk(prefix === '' ? key : `${prefix}.${key}`, inner)
    } else flat.set(prefix, String(value))
  }
  walk('', settings)
  return joinNumberedKeys(flat)
}

function joinNumberedKeys(flat: ComponentValues): ComponentValues {
  const lists = new Map<string, string[]>()
  for (const [key, value] of flat) {
    const match = /^(.+)\.(\d+)$/.exec(key)
    if (match === null || typeof value !== 'string') continue
    const list = lists.get(match[1]!) ?? []
    list[Number(match[2])] = value
    lists.set(match[1]!, list)
    flat.delete(key)
  }
  for (const [key, list] of lists) flat.set(key, list)
  return flat
}

const notAGroup = (kind: ComponentKind, component: string) =>
  new ApiError(
    500,
    'settings_exception',
    `Failed to get setting group for [index.analysis.${kind}.] setting prefix and setting ` +
      `[index.analysis.${kind}.${component}] because of a missing '.'`,
  )
