/**
 * The environment of scripts: the stored scripts of the cluster, its `script.*` settings, and the index. Scripts are
 * compiled deep inside of queries and aggregations, so the environment is a part of the running search.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import { inSearch, runningSearch, type SyncWork } from '../running/running-search.ts'
import type { ScriptEnvironment, ScriptSettings, StartupScriptSettings } from '../running/script-settings.ts'
import { limitsVersion, sharedLimits } from './script-ledger.ts'

const STARTUP_KEY = 'sandpiper.scripts.startup'

const NO_STARTUP: StartupScriptSettings = {
  allowedTypes: undefined,
  allowedContexts: undefined,
  regex: { enabled: 'limited', limitFactor: 6 },
}

/** Sets the startup settings. Must be called before other threads start, because they get a copy. */
export function setStartupScriptSettings(settings: Partial<StartupScriptSettings>): void {
  setEnvironmentData(STARTUP_KEY, { ...NO_STARTUP, ...settings } as never)
  known = undefined
}

export const startupScriptSettings = (): StartupScriptSettings =>
  (getEnvironmentData(STARTUP_KEY) as unknown as StartupScriptSettings | undefined) ?? NO_STARTUP

export const DEFAULT_SCRIPT_SETTINGS: Omit<ScriptSettings, keyof StartupScriptSettings> = {
  maxSizeInBytes: 65_535,
  // A compilation takes about a millisecond and leaves no class behind, so the limit only has to stop floods.
  maxCompilationsRate: { count: 100_000, ms: 60_000, text: '100000/1m' },
  cacheMaxSize: 3_000,
  cacheExpireMs: 0,
  metricScripts: undefined,
}

/** Without a cluster there are no stored scripts. */
const bare = (indexName: string): ScriptEnvironment => ({
  stored: () => undefined,
  get settings() {
    return bareSettings()
  },
  indexName,
  forIndex: bare,
})

let known: { readonly version: number; readonly settings: ScriptSettings } | undefined

/** Cached until the limits change, because every script that runs reads the settings. */
function bareSettings(): ScriptSettings {
  const version = limitsVersion()
  if (known?.version !== version) {
    const settings = { ...DEFAULT_SCRIPT_SETTINGS, ...startupScriptSettings(), ...sharedLimits() }
    known = { version, settings }
  }
  return known.settings
}

const BARE = bare('')

export const scriptEnvironment = (): ScriptEnvironment => runningSearch().scripts ?? BARE

/** The same scripts and settings, for another index. */
export function withScriptIndex<T>(indexName: string, work: SyncWork<T>): T {
  const scripts = scriptEnvironment()
  return scripts.indexName === indexName ? work() : inSearch({ scripts: scripts.forIndex(indexName) }, work)
}

/** Runs work that is no search and runs scripts. */
export const withScripts = <T>(scripts: ScriptEnvironment, work: SyncWork<T>): T => inSearch({ scripts }, work)
