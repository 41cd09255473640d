/** Mappings of existing indices: shows them and single fields, and changes them for several indices atomically. */

import { illegalArgument, parseFailure } from '../../base/api-error.ts'
import { indexNotFound } from '../../base/errors/index-errors.ts'
import { newMembers } from '../../base/json/members.ts'
import { namePattern } from '../../base/name-pattern.ts'
import type { IndexMapping } from '../../engine/mapping/mapping.ts'
import type { MappingJson } from '../../engine/mapping/mapping-api.ts'
import { checkBlocks } from '../catalog/blocks.ts'
import { ACKNOWLEDGED, type IndexContext, putIndex, resolverOf } from '../catalog/index-context.ts'
import type { Change, IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import type { MetadataState } from '../metadata/metadata-state.ts'
import {
  CHANGE_METADATA,
  EXPAND_OPEN,
  type IndicesParameters,
  withoutSelectors,
  withParameters,
} from '../names/indices-options.ts'
import { isObject } from '../settings/flat-settings.ts'
import { checkPartitionedMapping } from './partitioned-index.ts'

export class MappingService {
  readonly #context: IndexContext

  constructor(context: IndexContext) {
    this.#context = context
  }

  get(expressions: readonly string[], parameters: IndicesParameters): JsonObject {
    const indices = this.#resolve(expressions, parameters)
    return Object.fromEntries(indices.map((index) => [index.name, { mappings: index.mapping }]))
  }

  /** `GET _mapping/field`: every field whose full path matches, with its own definition. */
  getFields(
    expressions: readonly string[],
    fields: readonly string[],
    parameters: IndicesParameters,
    includeDefaults: boolean,
  ): JsonObject {
    const out: JsonObject = newMembers()
    for (const index of this.#resolve(expressions, parameters)) {
      if (index.state === 'close') continue
      const mapping = this.#context.mappings.of(index)
      const names = [...mapping.fieldMappingNames()]
      const found: JsonObject = newMembers()
      for (const pattern of fields) {
        for (const name of names.filter(namePattern(pattern))) {
          const json = mapping.fieldMappingJson(name, includeDefaults)
          if (json !== undefined) found[name] = { full_name: name, mapping: json }
        }
      }
      out[index.name] = { mappings: found }
    }
    return { ...out }
  }

  async put(
    expressions: readonly string[],
    body: unknown,
    parameters: IndicesParameters,
    options: { writeIndexOnly: boolean },
  ): Promise<JsonObject> {
    if (body === undefined) throw parseFailure('request body is required')
    // A body that is not an object defines no fields and is accepted.
    const update = isObject(body) ? body : {}
    if (Object.keys(update).length === 1 && update['_doc'] !== undefined) {
      throw illegalArgument('Types cannot be provided in put mapping requests')
    }
    const changed: { index: IndexMetadata; mapping: IndexMapping }[] = []
    const { store, mappings, shards } = this.#context
    await store.update((state) => {
      const resolver = resolverOf(this.#context, state)
      let indices = resolver.indices(expressions, withoutSelectors(withParameters(CHANGE_METADATA, parameters)))
      if (options.writeIndexOnly) indices = indices.filter((index) => isWriteIndex(index, state))
      checkBlocks(indices, 'metadataWrite')
      const changes: Change[] = []
      for (const index of indices) {
        const mapping = mappings.of(index).merge(update)
        checkPartitionedMapping(index.name, index.routingPartition, mapping)
        const next = withMapping(index, mapping)
        if (next === index) continue
        mappings.remember(next, mapping)
        changed.push({ index: next, mapping })
        changes.push(putIndex(next))
      }
      return changes
    })
    await Promise.all(
      changed
        .filter(({ index }) => index.state === 'open')
        .map(({ index }) => shards.host.setMapping(index.uuid, index.mapping, index.mappingVersion)),
    )
    return ACKNOWLEDGED
  }

  /** A document has fields that the mapping lacks. */
  async dynamicUpdate(indexUuid: string, update: MappingJson): Promise<{ mapping: MappingJson; version: number }> {
    const { store, mappings } = this.#context
    let result: IndexMetadata | undefined
    await store.update((state) => {
      const index = state.indexByUuid(indexUuid)
      // The index was deleted while the document was being written.
      if (index === undefined) throw indexNotFound(indexUuid)
      const mapping = mappings.of(index).merge(update)
      checkPartitionedMapping(index.name, index.routingPartition, mapping)
      result = withMapping(index, mapping)
      if (result === index) return []
      mappings.remember(result, mapping)
      return [putIndex(result)]
    })
    return { mapping: result!.mapping, version: result!.mappingVersion }
  }

  #resolve(expressions: readonly string[], parameters: IndicesParameters): IndexMetadata[] {
    const indices = resolverOf(this.#context).indices(expressions, withParameters(EXPAND_OPEN, parameters))
    checkBlocks(indices, 'metadataRead')
    return indices
  }
}

/**
 * Returns the same index if the mapping adds nothing, so that no version, log record or message to the shards is
 * created.
 */
function withMapping(index: IndexMetadata, mapping: IndexMapping): IndexMetadata {
  const json = mapping.toJson()
  if (JSON.stringify(json, longs) === JSON.stringify(index.mapping, longs)) return index
  return { ...index, mapping: json, mappingVersion: index.mappingVersion + 1 }
}

const longs = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)

function isWriteIndex(index: IndexMetadata, state: MetadataState): boolean {
  const stream = state.streamOf(index.name)
  if (stream !== undefined) return state.isWrittenByStream(index.name)
  const aliases = Object.keys(index.aliases)
  return aliases.length === 0 || aliases.some((name) => state.alias(name)?.writeIndex?.uuid === index.uuid)
}
