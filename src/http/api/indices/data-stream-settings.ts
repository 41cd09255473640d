/** `_data_stream/{name}/_settings`: settings of data streams, which new backing indices get, and some old ones too. */
import { illegalArgument } from '../../../base/api-error.ts'
import { nextSettings } from '../../../service/data-streams/next-settings.ts'
import type { DataStream, FlatSettings, JsonObject } from '../../../service/metadata/metadata.ts'
import type { SandpiperNode } from '../../../service/sandpiper-node.ts'
import {
  flattenSettings,
  printSettings,
  type SettingsUpdate,
  withIndexPrefix,
} from '../../../service/settings/flat-settings.ts'
import { checkEachSetting } from '../../../service/settings/update-settings.ts'
import type { Routes } from '../../router.ts'
import { indicesParameters } from '../indices-parameters.ts'
import { acceptTimeouts, listParameter } from './indices.ts'

/** Applied to existing backing indices, too. */
const FOR_ALL_INDICES = ['index.lifecycle.name', 'index.lifecycle.prefer_ilm']
const FOR_NEW_INDICES = ['index.number_of_shards']

export function dataStreamSettingsRoutes(routes: Routes, node: SandpiperNode): void {
  routes.add('GET', '/_data_stream/{name}/_settings', (request) => {
    const names = listParameter(request, 'name')
    const parameters = indicesParameters(request)
    request.query.accept('master_timeout')
    const flat = request.query.boolean('flat_settings', false)
    return () => {
      const streams = node.dataStreams.find(names, parameters)
      return { status: 200, body: { data_streams: streams.map((stream) => printed(node, stream, flat)) } }
    }
  })

  routes.add('PUT', '/_data_stream/{name}/_settings', (request) => {
    const names = listParameter(request, 'name')
    const dryRun = request.query.boolean('dry_run', false)
    acceptTimeouts(request)
    const update = withIndexPrefix(flattenSettings(request.requireJson()))
    if (Object.keys(update).length === 0) throw illegalArgument('No settings given in the request')
    return async () => {
      const streams = node.dataStreams.find(names, {})
      const results: JsonObject[] = []
      for (const { name } of streams) results.push(await updated(node, name, update, dryRun))
      return { status: 200, body: { data_streams: results } }
    }
  })
}

function printed(node: SandpiperNode, stream: DataStream, flat: boolean): JsonObject {
  return {
    name: stream.name,
    settings: printSettings(stream.settings ?? {}, flat),
    effective_settings: printSettings(nextSettings(node.state, stream), flat),
  }
}

/** The result of one stream; its problems do not stop the others. */
async function updated(
  node: SandpiperNode,
  name: string,
  update: SettingsUpdate,
  dryRun: boolean,
): Promise<JsonObject> {
  const refused = Object.keys(update).filter((setting) => ![...FOR_ALL_INDICES, ...FOR_NEW_INDICES].includes(setting))
  const problem = refused.length > 0 ? cannotSet(refused) : invalidValue(update)
  if (problem !== undefined) {
    const nothing = { applied_to_data_stream_only: [], applied_to_data_stream_and_backing_indices: [] }
    return {
      name,
      applied_to_data_stream: false,
      error: problem,
      settings: {},
      effective_settings: {},
      index_settings_results: nothing,
    }
  }
  const forIndices = Object.keys(update).filter((setting) => FOR_ALL_INDICES.includes(setting))
  if (!dryRun) {
    await node.dataStreams.change([name], {}, (stream) => withUpdate(stream, update))
    const changed = node.state.dataStream(name)
    if (forIndices.length > 0 && changed !== undefined) {
      const { indices } = changed
      // A setting that the stream no longer has is that of the template, in existing indices too.
      const effective = nextSettings(node.state, changed)
      const values = Object.fromEntries(forIndices.map((setting) => [setting, effective[setting] ?? null]))
      await node.indexSettings.put(indices, values, {}, { preserveExisting: false, reopen: false })
    }
  }
  const stream = node.state.dataStream(name)!
  return {
    ...printed(node, dryRun ? withUpdate(stream, update) : stream, false),
    applied_to_data_stream: true,
    index_settings_results: {
      applied_to_data_stream_only: Object.keys(update).filter((setting) => FOR_NEW_INDICES.includes(setting)),
      applied_to_data_stream_and_backing_indices: forIndices,
    },
  }
}

/** A setting that is set to null is again that of the template. */
function withUpdate(stream: DataStream, update: SettingsUpdate): DataStream {
  const merged = { ...stream.settings, ...update }
  const settings = Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as FlatSettings
  const { settings: _before, ...rest } = stream
  return Object.keys(settings).length === 0 ? rest : { ...rest, settings }
}

function invalidValue(update: SettingsUpdate): string | undefined {
  try {
    checkEachSetting(Object.fromEntries(Object.entries(update).filter(([, value]) => value !== null)) as FlatSettings)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

const cannotSet = (names: readonly string[]) =>
  `Cannot set the following settings on a data stream: [${names.join(', ')}]`
