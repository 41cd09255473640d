/** `_disk_usage`: the bytes of segment files by field and structure, from the directories of the files. */

import { formatByteSize } from '../../base/byte-size.ts'
import { newMembers } from '../../base/json/members.ts'
import type { SectionEntry } from '../../engine/segment/segment-file.ts'
import type { SegmentReader } from '../../engine/segment/segment-reader-api.ts'
import { type IndexContext, resolverOf } from '../catalog/index-context.ts'
import { holdIfOpen, unlessDeleted } from '../catalog/open-indices.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { EXPAND_OPEN_FORBID_CLOSED, type IndicesParameters, withParameters } from '../names/indices-options.ts'

const STRUCTURES = [
  'inverted_index',
  'stored_fields',
  'doc_values',
  'points',
  'norms',
  'term_vectors',
  'knn_vectors',
] as const
type Structure = (typeof STRUCTURES)[number]
type Usage = Record<Structure, number>

/** The structure that a section of a field belongs to, by the start of its name. */
const FIELD_SECTIONS: readonly (readonly [RegExp, Structure])[] = [
  [/^(t\.|p:|q:)/, 'inverted_index'],
  [/^n[.:]/, 'norms'],
  [/^c\./, 'doc_values'],
  [/^[og]\./, 'points'],
]

/** Sections that belong to a metadata field. */
const OWN_SECTIONS: Readonly<Record<string, readonly [field: string, Structure]>> = {
  'i.bytes': ['_id', 'stored_fields'],
  'i.ends': ['_id', 'stored_fields'],
  'i.hash': ['_id', 'inverted_index'],
  'i.seq': ['_seq_no', 'doc_values'],
  'i.version': ['_version', 'doc_values'],
  'i.term': ['_primary_term', 'doc_values'],
  'i.routing': ['_routing', 'stored_fields'],
  'i.roots': ['_nested_path', 'doc_values'],
  nested: ['_nested_path', 'doc_values'],
  's.data': ['_source', 'stored_fields'],
  's.ends': ['_source', 'stored_fields'],
  's.blocks': ['_source', 'stored_fields'],
}

export async function diskUsage(
  context: IndexContext,
  expressions: readonly string[],
  parameters: IndicesParameters,
  flush: boolean,
): Promise<JsonObject> {
  const options = withParameters({ ...EXPAND_OPEN_FORBID_CLOSED, allowNoIndices: false }, parameters)
  const indices = resolverOf(context).indices(expressions, options)
  const shown: JsonObject = newMembers()
  let shards = 0
  for (const index of indices) {
    const usage = await unlessDeleted(context, index, () => usageOf(context, index, flush))
    if (usage === undefined) continue
    shown[index.name] = usage
    shards += index.shardCount
  }
  return { _shards: { total: shards, successful: shards, failed: 0 }, ...shown }
}

async function usageOf(context: IndexContext, index: IndexMetadata, flush: boolean): Promise<JsonObject> {
  const { shards } = context
  const fields = new Map<string, Usage>()
  let storeBytes = 0
  for (const key of shards.usableKeys(index)) {
    await shards.wake([key])
    if (flush) await shards.host.flush(key, true)
    const held = holdIfOpen(context, index, key)
    if (held === undefined) continue
    try {
      for (const { reader } of held.view.segments) {
        for (const [name, , bytes] of sectionsOf(reader)) {
          storeBytes += bytes
          const place = OWN_SECTIONS[name] ?? fieldSection(name)
          if (place === undefined) continue
          const [field, structure] = place
          const usage = fields.get(field) ?? noUsage()
          usage[structure] += bytes
          fields.set(field, usage)
        }
      }
    } finally {
      held.release()
    }
  }
  const total = noUsage()
  for (const usage of fields.values()) for (const structure of STRUCTURES) total[structure] += usage[structure]
  const names = [...fields.keys()].sort()
  return {
    ...size('store_size', storeBytes),
    all_fields: printUsage(total),
    fields: Object.fromEntries(names.map((name) => [name, printUsage(fields.get(name)!)])),
  }
}

/** The sections of the file that a segment is read from. */
function sectionsOf(reader: SegmentReader): readonly SectionEntry[] {
  return (reader as SegmentReader & { readonly directory: { readonly sections: readonly SectionEntry[] } }).directory
    .sections
}

function fieldSection(name: string): readonly [string, Structure] | undefined {
  const structure = FIELD_SECTIONS.find(([pattern]) => pattern.test(name))?.[1]
  return structure === undefined ? undefined : [name.slice(name.indexOf(':') + 1), structure]
}

const noUsage = (): Usage => Object.fromEntries(STRUCTURES.map((name) => [name, 0])) as Usage

/** Both forms are always shown. */
const size = (name: string, bytes: number): JsonObject => ({
  [name]: formatByteSize(bytes),
  [`${name}_in_bytes`]: bytes,
})

function printUsage(usage: Usage): JsonObject {
  const { inverted_index: inverted, ...others } = usage
  const total = STRUCTURES.reduce((sum, structure) => sum + usage[structure], 0)
  return Object.assign(
    size('total', total),
    { inverted_index: size('total', inverted) },
    ...Object.entries(others).map(([structure, bytes]) => size(structure, bytes)),
  ) as JsonObject
}
