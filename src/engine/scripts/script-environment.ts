/**
 * The environment of scripts: the stored scripts of the cluster, its `script.*` settings, and the index. Scripts are
 * compiled deep inside of queries and aggregations, so the caller that begins the work sets the environment here.
 */
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'
import type { RegexSettings } from '../painless/index.ts'
import { type CompilationRate, limitsVersion, sharedLimits } from './script-ledger.ts'

export interface ScriptEnvironment {
  /** The stored script with an id. */
  stored(id: string): { readonly lang: string; readonly source: string } | undefined
  readonly settings: ScriptSettings
  /** The index in error messages about fields. */
  readonly indexName: string
  /** The same scripts and settings, for another index. */
  forIndex(indexName: string): ScriptEnvironment
}

/** Settings that are fixed when the process starts. */
export interface StartupScriptSettings {
  /** `inline` and `stored`; undefined allows both. */
  readonly allowedTypes: readonly string[] | undefined
  /** The allowed contexts; undefined allows all. */
  readonly allowedContexts: readonly string[] | undefined
  readonly regex: RegexSettings
}

/** The `script.*` settings of the cluster. */
export interface ScriptSettings extends StartupScriptSettings {
  readonly maxSizeInBytes: number
  /** The maximum number of compilations per time; undefined for no limit. */
  readonly maxCompilationsRate: CompilationRate | undefined
  /** The number of compiled scripts that each thread keeps. */
  readonly cacheMaxSize: number
  /** How long an unused script is kept; 0 for no expiry. */
  readonly cacheExpireMs: number
  /** Sources and ids that scripted metric aggregations may use; undefined allows all. */
  readonly metricScripts: { readonly inline: readonly string[]; readonly stored: readonly string[] } | undefined
}

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

let current = bare('')

export const scriptEnvironment = (): ScriptEnvironment => current

/** The same scripts and settings, for another index. */
export function withScriptIndex<T>(indexName: string, work: () => T): T {
  return current.indexName === indexName ? work() : withScripts(current.forIndex(indexName), work)
}

export function withScripts<T>(environment: ScriptEnvironment, work: () => T): T {
  const before = current
  current = environment
  try {
    return work()
  } finally {
    current = before
  }
}
