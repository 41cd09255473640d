/** What the scripts of a search may do, and where stored ones are found. */

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
  /** As the settings of Painless, whose folder imports others that read the state of a search. */
  readonly regex: { readonly enabled: 'limited' | boolean; readonly limitFactor: number }
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

export interface CompilationRate {
  readonly count: number
  readonly ms: number
  readonly text: string
}
