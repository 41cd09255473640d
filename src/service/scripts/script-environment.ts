/** The stored scripts and `script.*` settings of the cluster, for the engine. */
import { isMainThread } from 'node:worker_threads'
import { parseDuration } from '../../base/duration.ts'
import type { ScriptEnvironment, ScriptSettings } from '../../engine/running/script-settings.ts'
import { DEFAULT_SCRIPT_SETTINGS, startupScriptSettings } from '../../engine/scripts/script-environment.ts'
import { shareLimits } from '../../engine/scripts/script-ledger.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { clusterSettings } from '../settings/cluster-settings-service.ts'
import { compilationRate } from '../settings/compilation-rate.ts'
import { listOf, textOf } from '../settings/flat-settings.ts'

type SettingsStore = Pick<MetadataStore, 'state' | 'transientSettings'>

/** Parsed once for each state of the settings. */
const known = new WeakMap<object, { transient: object; settings: ScriptSettings }>()

/** The environment reads the current state of the store, so it can be kept. */
export function clusterScripts(store: SettingsStore, indexName: string): ScriptEnvironment {
  return new ClusterScripts(store, indexName)
}

class ClusterScripts implements ScriptEnvironment {
  readonly #store: SettingsStore
  readonly indexName: string

  constructor(store: SettingsStore, indexName: string) {
    this.#store = store
    this.indexName = indexName
  }

  stored(id: string): ReturnType<ScriptEnvironment['stored']> {
    return this.#store.state.sections.storedScripts.get(id)
  }

  /** Read when a script is compiled, which few searches do. */
  get settings(): ScriptSettings {
    return scriptSettings(this.#store)
  }

  forIndex(indexName: string): ScriptEnvironment {
    return new ClusterScripts(this.#store, indexName)
  }
}

export function scriptSettings({ state, transientSettings }: SettingsStore): ScriptSettings {
  const kept = known.get(state.persistentSettings)
  if (kept !== undefined && kept.transient === transientSettings) return kept.settings
  const text = (name: string): string | undefined => {
    const value = transientSettings[name] ?? clusterSettings.value(state.persistentSettings, name)
    return value === undefined ? undefined : textOf(value)
  }
  const list = (name: string) =>
    listOf(transientSettings[name] ?? clusterSettings.value(state.persistentSettings, name) ?? [])
  const settings: ScriptSettings = {
    ...DEFAULT_SCRIPT_SETTINGS,
    ...startupScriptSettings(),
    maxSizeInBytes: Number(text('script.max_size_in_bytes') ?? DEFAULT_SCRIPT_SETTINGS.maxSizeInBytes),
    maxCompilationsRate: compilationRate(
      text('script.max_compilations_rate') ?? DEFAULT_SCRIPT_SETTINGS.maxCompilationsRate!.text,
    ),
    cacheMaxSize: Number(text('script.cache.max_size') ?? DEFAULT_SCRIPT_SETTINGS.cacheMaxSize),
    cacheExpireMs: parseDuration(text('script.cache.expire') ?? '0ms', 'script.cache.expire'),
    metricScripts:
      text('search.aggs.only_allowed_metric_scripts') === 'true'
        ? {
            inline: list('search.aggs.allowed_inline_metric_scripts'),
            stored: list('search.aggs.allowed_stored_metric_scripts'),
          }
        : undefined,
  }
  if (isMainThread) shareLimits(settings)
  known.set(state.persistentSettings, { transient: transientSettings, settings })
  return settings
}
