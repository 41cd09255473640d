/**
 * Builds and validates the metadata of a new index from a request and the matching templates. Nothing is stored;
 * simulating and validating a template use the same steps.
 */

import { randomBytes } from 'node:crypto'
import { illegalArgument } from '../../base/api-error.ts'
import { renamedDefaultAnalyzer } from '../../base/errors/analysis-errors.ts'
import { copyMembers, newMembers } from '../../base/json/members.ts'
import { routingShardCount } from '../../base/murmur3.ts'
import type { IndexMapping } from '../../engine/mapping/mapping.ts'
import type { IndexMappings } from '../catalog/index-mappings.ts'
import { checkAliasFilterOf } from '../definitions/alias-filter.ts'
import type { IndexDefinition } from '../definitions/create-index-request.ts'
import type { AliasMetadata, FlatSettings, IndexMetadata, JsonObject, SettingValue } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import { resolveDateMath } from '../names/date-math-name.ts'
import { checkAliasName, nameProblem } from '../names/name-rules.ts'
import { checkCounts, checkNewIndexSettings, integerSetting, replicaCount } from '../settings/update-settings.ts'
import type { Composed } from '../templates/compose-template.ts'
import { mergeMappings } from '../templates/merge-mappings.ts'
import { checkIndexSort, checkSortSettings } from './index-sort.ts'
import { checkPartitionedMapping, partitionSize } from './partitioned-index.ts'

/** The value of `index.version.created`: clients and tools compare it with Elasticsearch's versions. */
export const INDEX_VERSION = '8537000'
export const INDEX_VERSION_TEXT = '8.19.9-8.19.21'

export interface NewIndex {
  readonly index: IndexMetadata
  readonly mapping: IndexMapping
}

export interface BuildOptions {
  readonly name: string
  /** The requested name; differs from `name` if it contained date math. */
  readonly providedName: string
  readonly nowMs: number
  readonly request: IndexDefinition
  readonly templates: Composed | undefined
  /** Settings and mappings of data streams, with the lowest precedence. */
  readonly base: IndexDefinition | undefined
}

export function buildIndex(options: BuildOptions, state: MetadataState, mappings: IndexMappings): NewIndex {
  const { name, request, templates, base, nowMs } = options
  const given: Record<string, SettingValue> = { ...base?.settings, ...templates?.settings, ...request.settings }
  // The value of the request wins, also if it is null.
  const unset = [...new Set([...(templates?.unset ?? []), ...(request.unset ?? [])])].filter(
    (name) => request.settings[name] === undefined,
  )
  for (const name of unset) delete given[name]
  checkNewIndexSettings(given, unset)
  checkCounts(unset)
  const layers = [base?.mappings, templates?.mappings, request.mappings].filter((layer) => layer !== undefined)
  const joined: JsonObject = layers.length === 1 ? layers[0]! : mergeMappings(layers)
  if (asksForSyntheticSource(given, joined)) given[SOURCE_MODE] = 'STORED'
  const complete = mappings.withFiles(completeSettings(given, options))
  const shardCount = integerSetting(complete, 'index.number_of_shards')
  const routingShards = routingShardsOf(complete, shardCount)
  // The number of routing shards is stored with the metadata of the index and not among its settings.
  const { 'index.number_of_routing_shards': _, ...settings } = complete

  checkSortSettings(settings)
  const analysis = mappings.newAnalysis(settings)
  if (analysis.defines('default_index')) throw renamedDefaultAnalyzer(name)
  const mapping = mappings.parse(settings, joined, analysis)
  checkIndexSort(settings, mapping)
  const routingPartition = partitionSize(settings, routingShards, name)
  if (layers.some((layer) => Object.keys(layer).length > 0)) checkPartitionedMapping(name, routingPartition, mapping)

  const unsetSettings = unset.filter((name) => complete[name] === undefined)
  const aliases = resolveAliases({ ...templates?.aliases, ...request.aliases }, name, state, nowMs)
  const index: IndexMetadata = {
    name,
    uuid: settings['index.uuid'] as string,
    state: 'open',
    settings,
    ...(unsetSettings.length === 0 ? {} : { unsetSettings }),
    mapping: mapping.toJson(),
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    aliases,
    creationDate: nowMs,
    shardCount,
    routingShards,
    ...(routingPartition === 1 ? {} : { routingPartition }),
    hasSyncedLengths: true,
  }
  for (const [alias, definition] of Object.entries(aliases)) {
    if (definition.filter !== undefined) mappings.remember(index, mapping)
    checkAliasFilterOf(index, alias, definition, mappings, nowMs)
  }
  return { index, mapping }
}

const SOURCE_MODE = 'index.mapping.source.mode'

/** Synthetic sources need a licence. Without one, Elasticsearch stores the source instead, and the settings say so. */
function asksForSyntheticSource(given: FlatSettings, mapping: JsonObject): boolean {
  const source = mapping['_source'] as { mode?: unknown } | null | undefined
  const mode = given[SOURCE_MODE] ?? (typeof source === 'object' ? source?.mode : undefined)
  return String(mode).toLowerCase() === 'synthetic'
}

const TIER = 'index.routing.allocation.include._tier_preference'

function completeSettings(given: FlatSettings, { name, providedName, nowMs }: BuildOptions): FlatSettings {
  const settings = copyMembers<SettingValue>(given)
  settings['index.number_of_shards'] ??= '1'
  settings['index.number_of_replicas'] = replicaCount(settings)
  settings[TIER] ??= 'data_content'
  settings['index.creation_date'] = String(nowMs)
  settings['index.uuid'] = newUuid()
  settings['index.provided_name'] = providedName === '' ? name : providedName
  settings['index.version.created'] = INDEX_VERSION
  return { ...settings }
}

function routingShardsOf(settings: FlatSettings, shards: number): number {
  const given = settings['index.number_of_routing_shards']
  if (given === undefined) return routingShardCount(shards)
  const count = Number(given)
  if (count < shards) {
    throw illegalArgument(`index.number_of_routing_shards [${count}] must be >= index.number_of_shards [${shards}]`)
  }
  if (count % shards !== 0)
    throw illegalArgument(`the number of source shards [${shards}] must be a factor of [${count}]`)
  return count
}

/** 16 random bytes as 22 characters that are safe in paths and URLs. */
export function newUuid(): string {
  return randomBytes(16).toString('base64url')
}

function resolveAliases(
  aliases: Readonly<Record<string, AliasMetadata>>,
  indexName: string,
  state: MetadataState,
  nowMs: number,
): Record<string, AliasMetadata> {
  const out: Record<string, AliasMetadata> = newMembers()
  for (const [given, alias] of Object.entries(aliases)) {
    const name = resolveDateMath(given, nowMs)
    if (name === indexName && nameProblem(name) === undefined) {
      throw illegalArgument(`alias name [${name}] self-conflicts with index name`)
    }
    checkAliasName(name, state)
    out[name] = alias
  }
  return { ...out }
}
