/** The settings of one scope by name, and the errors for unknown names. */

import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { newMembers } from '../../base/json/members.ts'
import { didYouMean, SETTING_SIMILARITY } from '../../base/suggest.ts'
import type { FlatSettings, SettingValue } from '../metadata/metadata.ts'
import type { SettingCheck, SettingDefinition, SettingGroup, SettingScope } from './setting-definition.ts'

export interface KnownSetting {
  readonly scope: SettingScope
  readonly check: SettingCheck
}

export class SettingRegistry {
  readonly #byName: ReadonlyMap<string, SettingDefinition>
  readonly #groups: readonly SettingGroup[]

  constructor(definitions: readonly SettingDefinition[], groups: readonly SettingGroup[]) {
    this.#byName = new Map(definitions.map((definition) => [definition.name, definition]))
    this.#groups = groups
  }

  find(name: string): KnownSetting | undefined {
    return this.#byName.get(name) ?? this.#groups.find(({ prefix }) => name.startsWith(prefix) && name !== prefix)
  }

  unknown(name: string): ApiError {
    const hint = didYouMean(name, this.#byName.keys(), SETTING_SIMILARITY)
    return illegalArgument(
      hint === ''
        ? `unknown setting [${name}] please check that any required plugins are installed, or check the breaking changes ` +
            'documentation for removed settings'
        : `unknown setting [${name}]${hint}`,
    )
  }

  /** The current value: the one that was set, or the default. */
  value(settings: FlatSettings, name: string): SettingValue | undefined {
    const set = settings[name]
    if (set !== undefined) return set
    const standard = this.#byName.get(name)?.standard
    return typeof standard === 'function' ? standard(settings) : standard
  }

  /** Defaults of all settings that were not set. */
  defaults(settings: FlatSettings): FlatSettings {
    const out: Record<string, SettingValue> = newMembers()
    for (const name of this.#byName.keys()) {
      if (settings[name] !== undefined) continue
      const value = this.value(settings, name)
      if (value !== undefined) out[name] = value
    }
    return { ...out }
  }
}
