/** `POST _data_stream/_migrate`: makes a data stream of an alias and its indices. */
import { illegalArgument } from '../../base/api-error.ts'
import { ACKNOWLEDGED, type IndexContext, putIndex } from '../catalog/index-context.ts'
import { STREAM_BASE } from '../definitions/data-stream-rules.ts'
import { parseStreamLifecycle } from '../definitions/stream-lifecycle.ts'
import type { DataStream, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { Alias, MetadataState } from '../metadata/metadata-state.ts'
import { compose, matchingTemplate } from '../templates/compose-template.ts'
import { mergeMappings } from '../templates/merge-mappings.ts'

export async function migrateAlias(context: IndexContext, name: string): Promise<JsonObject> {
  const { store, shards } = context
  let changed: IndexMetadata[] = []
  await store.update((state) => {
    const alias = checkedAlias(state, name)
    const match = matchingTemplate(state, name, false)
    if (match?.template.dataStream === undefined) {
      throw illegalArgument(`no matching index template found for data stream [${name}]`)
    }
    const write = alias.writeIndex!
    const older = alias.indices.filter((index) => index !== write).sort((a, b) => (a.name < b.name ? -1 : 1))
    changed = [...older, write].map((index) => asBackingIndex(context, index, name))
    const { lifecycle } = compose(state, match.template)
    const stream: DataStream = {
      name,
      indices: changed.map((index) => index.name),
      generation: changed.length,
      ...match.template.dataStream,
      ...(match.template.meta === undefined ? {} : { meta: match.template.meta }),
      ...(lifecycle === undefined ? {} : { lifecycle: parseStreamLifecycle(lifecycle) }),
    }
    return [...changed.map(putIndex), { section: 'dataStreams', name, value: stream }]
  })
  for (const { uuid, mapping, mappingVersion, settings, state } of changed) {
    if (state !== 'open') continue
    await shards.host.setMapping(uuid, mapping, mappingVersion)
    await shards.host.setSettings(uuid, settings)
  }
  return ACKNOWLEDGED
}

function checkedAlias(state: MetadataState, name: string): Alias {
  const alias = state.alias(name)
  if (alias === undefined || alias.streams.length > 0) throw illegalArgument(`alias [${name}] does not exist`)
  if (alias.writeIndex === undefined) throw illegalArgument(`alias [${name}] must specify a write index`)
  for (const index of alias.indices) {
    const { filter, indexRouting, searchRouting } = index.aliases[name]!
    if (filter !== undefined || indexRouting !== undefined || searchRouting !== undefined) {
      throw illegalArgument(`alias [${name}] may not have custom filtering or routing`)
    }
    const others = Object.keys(index.aliases).filter((other) => other !== name)
    if (others.length > 0) {
      throw illegalArgument(
        `other aliases referencing indices [${index.name}] must be removed before migrating to a data stream`,
      )
    }
  }
  return alias
}

/** Backing indices are hidden, and their documents have a time. */
function asBackingIndex(context: IndexContext, index: IndexMetadata, alias: string): IndexMetadata {
  const time = context.mappings.of(index).field('@timestamp')
  if (time === undefined) throw illegalArgument('data stream timestamp field [@timestamp] does not exist')
  if (time.traits.family !== 'date') {
    throw illegalArgument(
      `data stream timestamp field [@timestamp] is of type [${time.type}], but [date,date_nanos] is expected`,
    )
  }
  const { [alias]: _migrated, ...aliases } = index.aliases
  const settings = { ...index.settings, 'index.hidden': 'true' }
  const { _data_stream_timestamp: marker } = STREAM_BASE.mappings
  const joined = mergeMappings([index.mapping, { _data_stream_timestamp: marker }])
  const mapping = context.mappings.parse(settings, joined).toJson()
  return {
    ...index,
    settings,
    mapping,
    mappingVersion: index.mappingVersion + 1,
    settingsVersion: index.settingsVersion + 1,
    aliases,
    aliasesVersion: index.aliasesVersion + 1,
  }
}
