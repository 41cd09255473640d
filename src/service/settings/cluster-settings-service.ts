/** `_cluster/settings`: persistent settings survive a restart; transient ones do not and take precedence. */

import { illegalArgument, parseFailure } from '../../base/api-error.ts'
import { noSettingsToUpdate } from '../../base/errors/index-errors.ts'
import { copyMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { FlatSettings, JsonObject, SettingValue } from '../metadata/metadata.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { CLUSTER_SETTING_GROUPS, CLUSTER_SETTINGS, STARTUP_SETTINGS } from './cluster-settings.ts'
import { flattenSettings, isObject, printSettings, type SettingsUpdate } from './flat-settings.ts'
import { SettingRegistry } from './setting-registry.ts'

export const clusterSettings = new SettingRegistry(CLUSTER_SETTINGS, CLUSTER_SETTING_GROUPS)

type Kind = 'persistent' | 'transient'

export class ClusterSettingsService {
  readonly #store: MetadataStore
  /** Startup settings, shown among the defaults. */
  readonly #startup: FlatSettings

  /** Called after every change. */
  readonly #changed: (settings: ClusterSettingsService) => void

  constructor(
    store: MetadataStore,
    startup: FlatSettings,
    changed: (settings: ClusterSettingsService) => void = () => {},
  ) {
    this.#store = store
    this.#startup = startup
    this.#changed = changed
    changed(this)
  }

  /** The current value. */
  value(name: string): SettingValue | undefined {
    return this.setValue(name) ?? clusterSettings.value(this.#startup, name)
  }

  /** The explicitly set value; undefined if the default is in force. */
  setValue(name: string): SettingValue | undefined {
    const { transientSettings, state } = this.#store
    return transientSettings[name] ?? state.persistentSettings[name] ?? this.#startup[name]
  }

  /** The current value of a list that is set at startup. */
  startupList(name: string): readonly string[] {
    const value = this.#startup[name]
    return Array.isArray(value) ? value : []
  }

  get(options: { flatSettings: boolean; includeDefaults: boolean }): JsonObject {
    const { persistentSettings } = this.#store.state
    const transient = this.#store.transientSettings
    const shown: JsonObject = {
      persistent: printSettings(persistentSettings, options.flatSettings),
      transient: printSettings(transient, options.flatSettings),
    }
    if (options.includeDefaults) {
      const defaults = { ...clusterSettings.defaults({ ...persistentSettings, ...transient }), ...this.#startup }
      shown['defaults'] = printSettings(defaults, options.flatSettings)
    }
    return shown
  }

  /** Returns only what was changed. */
  async put(body: unknown, options: { flatSettings: boolean }): Promise<JsonObject> {
    if (body === undefined) throw parseFailure('request body is required')
    const part = (kind: Kind) => (isObject(body) ? flattenSettings(body[kind]) : {})
    const persistent = part('persistent')
    const transient = part('transient')
    if (Object.keys(persistent).length + Object.keys(transient).length === 0) {
      throw noSettingsToUpdate()
    }
    for (const [kind, update] of [
      ['transient', transient],
      ['persistent', persistent],
    ] as const) {
      for (const [name, value] of Object.entries(update)) check(kind, name, value)
    }
    if (Object.keys(persistent).length > 0) {
      await this.#store.update((state) => [
        { section: 'clusterSettings', name: 'persistent', value: apply(state.persistentSettings, persistent) },
      ])
    }
    this.#store.setTransientSettings(apply(this.#store.transientSettings, transient))
    this.#changed(this)
    const changed = (update: SettingsUpdate) =>
      printSettings(
        Object.fromEntries(Object.entries(update).filter((e): e is [string, SettingValue] => e[1] !== null)),
        options.flatSettings,
      )
    return { acknowledged: true, persistent: changed(persistent), transient: changed(transient) }
  }
}

function check(kind: Kind, name: string, value: SettingValue | null): void {
  if (value === null && name.includes('*')) return
  const known = clusterSettings.find(name)
  if (known === undefined) {
    throw illegalArgument(
      STARTUP_SETTINGS.includes(name)
        ? `${kind} setting [${name}], not dynamically updateable`
        : `${kind} setting [${name}], not recognized`,
    )
  }
  if (value !== null) known.check(value, name)
}

function apply(settings: FlatSettings, update: SettingsUpdate): FlatSettings {
  const out = copyMembers<SettingValue>(settings)
  for (const [name, value] of Object.entries(update)) {
    if (value !== null) out[name] = value
    else for (const match of Object.keys(out).filter(namePattern(name))) delete out[match]
  }
  return { ...out }
}
