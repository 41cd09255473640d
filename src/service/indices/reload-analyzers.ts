/**
 * `_reload_search_analyzers`: reads the files of synonym filters with `updateable` again. Such filters are part of
 * search analyzers only, so that the documents of an index need not change.
 */
import { type IndexContext, putIndex, resolverOf } from '../catalog/index-context.ts'
import type { FlatSettings, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN_FORBID_CLOSED, type IndicesParameters, withParameters } from '../names/indices-options.ts'
import { listOf } from '../settings/flat-settings.ts'

const UPDATEABLE = /^index\.analysis\.filter\.(.+)\.updateable$/
const FILTERS_OF = /^index\.analysis\.analyzer\.(.+)\.filter$/

export async function reloadSearchAnalyzers(
  context: IndexContext,
  expressions: readonly string[],
  parameters: IndicesParameters,
  nodeId: string,
): Promise<JsonObject> {
  const { store, mappings, shards } = context
  const options = withParameters(EXPAND_OPEN_FORBID_CLOSED, parameters)
  const indices = resolverOf(context).indices(expressions, options)
  const details: JsonObject[] = []
  for (const { uuid, name, settings } of indices) {
    const analyzers = reloadable(settings)
    details.push({ index: name, reloaded_analyzers: analyzers, reloaded_node_ids: [nodeId] })
    if (analyzers.length === 0) continue
    let changed: IndexMetadata | undefined
    await store.update((state) => {
      const current = state.indexByUuid(uuid)
      if (current === undefined) return []
      changed = { ...current, settings: mappings.withFiles(current.settings) }
      mappings.of(changed)
      return [putIndex(changed)]
    })
    if (changed?.state === 'open') await shards.host.setSettings(uuid, changed.settings)
  }
  const total = indices.length
  return { _shards: { total, successful: total, failed: 0 }, reload_details: details }
}

/** The analyzers with a filter that can be read again. */
function reloadable(settings: FlatSettings): string[] {
  const filters = new Set<string>()
  for (const [setting, value] of Object.entries(settings)) {
    const filter = UPDATEABLE.exec(setting)?.[1]
    if (filter !== undefined && value === 'true') filters.add(filter)
  }
  if (filters.size === 0) return []
  return Object.entries(settings)
    .filter(([setting, value]) => FILTERS_OF.test(setting) && listOf(value).some((filter) => filters.has(filter)))
    .map(([setting]) => FILTERS_OF.exec(setting)![1]!)
    .sort()
}
