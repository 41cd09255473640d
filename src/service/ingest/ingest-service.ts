/** The `_ingest/pipeline` API: pipelines of the node, stored in its metadata. */

import { illegalArgument, resourceNotFound } from '../../base/api-error.ts'
import { noIngestPipelines } from '../../base/errors/document-errors.ts'
import { jsonSyntaxError } from '../../base/errors/json-errors.ts'
import { JsonReader, START_OBJECT } from '../../base/json/json-reader.ts'
import { JsonSyntaxError } from '../../base/json/json-syntax-error.ts'
import { encodeJson, RawJson } from '../../base/json/json-writer.ts'
import { plainValue } from '../../base/json/plain-value.ts'
import { namePattern } from '../../base/name-pattern.ts'
import { withScripts } from '../../engine/scripts/script-environment.ts'
import { builtIn } from '../metadata/built-in/built-ins.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import type { MetadataStore } from '../metadata/metadata-store.ts'
import { clusterScripts, scriptSettings } from '../scripts/script-environment.ts'
import { compilePipeline } from './pipeline/compile-pipeline.ts'
import type { Config } from './pipeline/config-reader.ts'
import { grokPatterns } from './regex/grok-patterns.ts'
import type { IngestDefinitions, IngestHost, IngestStats } from './run/definitions.ts'
import { parseConfig } from './run/ingest-runner.ts'

const NO_STATS: IngestStats = { total: { count: 0, timeMs: 0, current: 0, failed: 0 }, pipelines: {} }

export class IngestService {
  readonly #store: MetadataStore
  readonly #host: IngestHost | undefined
  /** The folder of the geoip databases. */
  readonly databaseFolder: string | undefined
  #told: MetadataState | undefined

  constructor(store: MetadataStore, host: IngestHost | undefined, databaseFolder: string | undefined) {
    this.#store = store
    this.#host = host
    this.databaseFolder = databaseFolder
    store.onChange((state) => this.#tell(state))
    this.#tell(store.state)
  }

  async put(id: string, body: Uint8Array, ifVersion: number | undefined): Promise<void> {
    const config = parseBody(body)
    this.#check(id, config)
    await this.#store.update((state) => {
      const present = state.ingestPipelines.get(id)
      const stored = versioned(id, config, present === undefined ? undefined : parseConfig(present.config), ifVersion)
      const text = Buffer.from(encodeJson(stored)).toString()
      return present?.config === text ? [] : [{ section: 'ingestPipelines', name: id, value: { config: text } }]
    })
  }

  /** Pipeline definitions by id, sorted by id. Without `names`, all of them. */
  get(names: readonly string[] | undefined): { readonly id: string; readonly config: RawJson }[] {
    const all = this.#store.state.ingestPipelines
    const ids = names === undefined ? [...all.keys()] : matching(all.keys(), names)
    return ids.map((id) => ({ id, config: new RawJson(Buffer.from(all.get(id)!.config)) }))
  }

  async delete(pattern: string): Promise<void> {
    await this.#store.update((state) => {
      const ids = matching(state.ingestPipelines.keys(), [pattern])
      if (ids.length === 0 && pattern !== '*') throw resourceNotFound(`pipeline [${pattern}] is missing`)
      for (const id of ids) checkUnused(id, state)
      // A built-in pipeline outlives its deletion, and that of its replacement.
      const stored = ids.filter((id) => state.sections.ingestPipelines.has(id))
      return stored.map((name) => ({ section: 'ingestPipelines' as const, name, value: undefined }))
    })
  }

  async simulate(request: { id: string | undefined; isVerbose: boolean; body: Uint8Array }): Promise<RawJson> {
    if (this.#host === undefined) throw noIngestPipelines()
    return new RawJson(await this.#host.simulate(request))
  }

  async stats(): Promise<IngestStats> {
    if (this.#host === undefined || !usesPipelines(this.#store.state)) return NO_STATS
    return await this.#host.stats()
  }

  grokPatterns(ecs: 'disabled' | 'v1', isSorted: boolean): Record<string, string> {
    const entries = [...grokPatterns(ecs)]
    if (isSorted) entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(entries)
  }

  /** Throws for an invalid pipeline. */
  #check(id: string, config: Config): void {
    const around = { nowMs: Date.now, pipeline: () => undefined, databaseFolder: this.databaseFolder }
    withScripts(clusterScripts(this.#store, ''), () => compilePipeline(id, config, around))
  }

  /** Sends every change to the host that runs pipelines, before later requests reach it. */
  #tell(state: MetadataState): void {
    const told = this.#told
    this.#told = state
    if (this.#host === undefined) return
    const { sections } = state
    const isSame =
      told?.sections.ingestPipelines === sections.ingestPipelines &&
      told.sections.storedScripts === sections.storedScripts &&
      told.sections.clusterSettings === sections.clusterSettings &&
      told.sections.indices === sections.indices &&
      told.sections.indexTemplates === sections.indexTemplates &&
      told.sections.componentTemplates === sections.componentTemplates &&
      told.sections.legacyTemplates === sections.legacyTemplates
    if (isSame) return
    const isUsed = usesPipelines(state)
    const onlyIndices =
      told !== undefined &&
      told.sections.ingestPipelines === sections.ingestPipelines &&
      told.sections.storedScripts === sections.storedScripts &&
      told.sections.clusterSettings === sections.clusterSettings
    if (onlyIndices && usesPipelines(told) === isUsed) return
    if (told === undefined && !isUsed && state.hasBuiltIns) return
    void this.#host.define(this.#definitions(state, isUsed)).catch(() => {})
  }

  #definitions({ sections, hasBuiltIns }: MetadataState, isUsed: boolean): IngestDefinitions {
    return {
      pipelines: Object.fromEntries([...sections.ingestPipelines].map(([id, { config }]) => [id, config])),
      scripts: Object.fromEntries(sections.storedScripts),
      scriptSettings: scriptSettings(this.#store),
      databaseFolder: this.databaseFolder,
      isUsed,
      hasBuiltIns,
    }
  }
}

const SETTINGS = ['index.default_pipeline', 'index.final_pipeline']

const used = new WeakMap<MetadataState, boolean>()

/** Whether a write can run a pipeline that its request does not name. */
function usesPipelines(state: MetadataState): boolean {
  let known = used.get(state)
  if (known === undefined) {
    known = findsPipelines(state)
    used.set(state, known)
  }
  return known
}

function findsPipelines({ sections }: MetadataState): boolean {
  if (sections.ingestPipelines.size > 0) return true
  const names = (settings: Readonly<Record<string, unknown>> | undefined) =>
    settings !== undefined && SETTINGS.some((name) => settings[name] !== undefined && settings[name] !== '_none')
  for (const { settings } of sections.indices.values()) if (names(settings)) return true
  for (const { template, composedOf } of sections.indexTemplates.values()) {
    if (names(template?.settings) || composedOf.some((part) => builtIn('componentTemplates').has(part))) return true
  }
  for (const { template } of sections.componentTemplates.values()) if (names(template.settings)) return true
  for (const { settings } of sections.legacyTemplates.values()) if (names(settings)) return true
  return false
}

function parseBody(body: Uint8Array): Config {
  try {
    const reader = new JsonReader().reset(Uint8Array.from(body))
    if (reader.next() !== START_OBJECT) throw illegalArgument('the body of a pipeline must be an object')
    const value = plainValue(reader, true)
    return value as Config
  } catch (error) {
    throw error instanceof JsonSyntaxError ? jsonSyntaxError(error) : error
  }
}

/** The definition to store. With `if_version` the version is incremented, unless the definition contains one. */
function versioned(id: string, config: Config, present: Config | undefined, required: number | undefined): Config {
  if (required === undefined) return config
  const conflict = `version conflict, required version [${required}] for pipeline [${id}]`
  if (present === undefined) throw illegalArgument(`${conflict} but no pipeline was found`)
  const current = present['version']
  if (current !== required) throw illegalArgument(`${conflict} but current version is [${current ?? null}]`)
  const version = config['version']
  if (version === undefined) return { ...config, version: required + 1 }
  if (version === required) {
    throw illegalArgument(`cannot update pipeline [${id}] with the same version [${required}]`)
  }
  return config
}

function matching(ids: Iterable<string>, names: readonly string[]): string[] {
  const all = [...ids]
  const found = new Set<string>()
  for (const name of names) {
    if (name.includes('*')) for (const id of all.filter(namePattern(name))) found.add(id)
    else if (all.includes(name)) found.add(name)
  }
  return [...found]
}

/** A pipeline that an index uses cannot be deleted. */
function checkUnused(id: string, state: MetadataState): void {
  for (const [setting, kind] of [
    ['index.default_pipeline', 'default'],
    ['index.final_pipeline', 'final'],
  ] as const) {
    const users = [...state.indices.values()].filter(({ settings }) => settings[setting] === id)
    if (users.length === 0) continue
    const shown = users
      .slice(0, 3)
      .map(({ name }) => name)
      .join(',')
    throw illegalArgument(
      `pipeline [${id}] cannot be deleted because it is the ${kind} pipeline for ${users.length} index(es) including [${shown}]`,
    )
  }
}
