/** Script settings that are fixed at startup. */
import { illegalArgument } from '../../base/api-error.ts'
import { isContextName } from '../../engine/painless/index.ts'
import type { StartupScriptSettings } from '../../engine/running/script-settings.ts'
import { setStartupScriptSettings } from '../../engine/scripts/script-environment.ts'
import type { FlatSettings } from '../metadata/metadata.ts'

/** Applies the settings to all threads started from now on, and returns them as `_cluster/settings` shows them. */
export function startScripts(settings: Partial<StartupScriptSettings>): FlatSettings {
  const { allowedTypes, allowedContexts, regex } = settings
  for (const context of allowedContexts ?? []) {
    if (!isContextName(context)) {
      throw illegalArgument(`unknown script context [${context}] found in setting [script.allowed_contexts].`)
    }
  }
  setStartupScriptSettings(settings)
  return {
    'script.allowed_contexts': allowedContexts === undefined ? [] : listed(allowedContexts),
    'script.allowed_types': allowedTypes === undefined ? [] : listed(allowedTypes),
    'script.painless.regex.enabled': String(regex?.enabled ?? 'limited'),
    'script.painless.regex.limit-factor': String(regex?.limitFactor ?? 6),
  }
}

const listed = (names: readonly string[]) => (names.length === 0 ? ['none'] : [...names])
