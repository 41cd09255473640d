/** The scripts and `script.*` settings of the cluster, as the engine asks for them. */
import { parseDuration } from '../../base/duration.ts'
import {
  DEFAULT_SCRIPT_SETTINGS,
  type ScriptEnvironment,
  type ScriptSettings,
} from '../../engine/scripts/script-environment.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { clusterSettings } from '../settings/cluster-settings-service.ts'
import { textOf } from '../settings/flat-settings.ts'

type SettingsStore = Pick<MetadataStore, 'state' | 'transientSettings'>

/** Read once for each state of the settings. */
const known = new WeakMap<object, { transient: object; settings: ScriptSettings }>()

export function clusterScripts(store: SettingsStore, indexName: string): ScriptEnvironment {
  return {
    stored: (id) => store.state.sections.storedScripts.get(id),
    settings: scriptSettings(store),
    indexName,
  }
}

export function scriptSettings({ state, transientSettings }: SettingsStore): ScriptSettings {
  const kept = known.get(state.persistentSettings)
  if (kept !== undefined && kept.transient === transientSettings) return kept.settings
  const text = (name: string): string | undefined => {
    const value = transientSettings[name] ?? clusterSettings.value(state.persistentSettings, name)
    return value === undefined ? undefined : textOf(value)
  }
  const settings: ScriptSettings = {
    ...DEFAULT_SCRIPT_SETTINGS,
    maxSizeInBytes: Number(text('script.max_size_in_bytes') ?? DEFAULT_SCRIPT_SETTINGS.maxSizeInBytes),
    maxCompilationsRate: compilationRate(text('script.max_compilations_rate') ?? '100000/1m'),
  }
  known.set(state.persistentSettings, { transient: transientSettings, settings })
  return settings
}

/** `150/5m`, or no limit. */
export function compilationRate(text: string): ScriptSettings['maxCompilationsRate'] {
  if (text === 'unlimited' || text === 'use-context') return undefined
  const [count, time] = text.split('/')
  return { count: Number(count), ms: parseDuration(time ?? '1m', 'script.max_compilations_rate'), text }
}
