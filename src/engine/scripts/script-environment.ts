/**
 * What scripts of the work at hand may use: the stored scripts of the cluster, its `script.*` settings, the index they run on.
 * Scripts are compiled deep inside queries and aggregations, so that whoever begins the work leaves it here.
 */
import type { RegexSettings } from '../painless/index.ts'

export interface ScriptEnvironment {
  /** A script by its name in the cluster state. */
  stored(id: string): { readonly lang: string; readonly source: string } | undefined
  readonly settings: ScriptSettings
  /** Named in complaints about fields. */
  readonly indexName: string
}

/** `script.*` of the cluster. */
export interface ScriptSettings {
  readonly maxSizeInBytes: number
  /** Compilations in a time; undefined for no limit. */
  readonly maxCompilationsRate: { readonly count: number; readonly ms: number; readonly text: string } | undefined
  /** Undefined allows all. */
  readonly allowedTypes: readonly string[] | undefined
  readonly allowedContexts: readonly string[] | undefined
  readonly regex: RegexSettings
}

export const DEFAULT_SCRIPT_SETTINGS: ScriptSettings = {
  maxSizeInBytes: 65_535,
  // A compilation takes a millisecond here, and leaves nothing behind: the limit stops floods only.
  maxCompilationsRate: { count: 100_000, ms: 60_000, text: '100000/1m' },
  allowedTypes: undefined,
  allowedContexts: undefined,
  regex: { enabled: 'limited', limitFactor: 6 },
}

const BARE: ScriptEnvironment = { stored: () => undefined, settings: DEFAULT_SCRIPT_SETTINGS, indexName: '' }

let current = BARE

export const scriptEnvironment = (): ScriptEnvironment => current

/** The same scripts and settings, for another index. */
export function withScriptIndex<T>(indexName: string, work: () => T): T {
  return current.indexName === indexName ? work() : withScripts({ ...current, indexName }, work)
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
