/**
 * Vectors and memory by field: dictionaries of completion fields and, as `fielddata`, doc values built from texts and global
 * ordinals.
 */
import { ordinalBytes } from '../../engine/aggregations/values/global-ordinals.ts'
import type { FieldType } from '../../engine/mapping/field-type.ts'
import type { Mapping } from '../../engine/mapping/mapping-api.ts'
import type { ShardView } from '../../engine/segment/segment-reader-api.ts'
import type { IndexContext } from '../catalog/index-context.ts'
import { exists, holdIfOpen } from '../catalog/open-indices.ts'
import type { IndexMetadata, JsonObject } from '../metadata/metadata.ts'
import { isObject } from '../settings/flat-settings.ts'

export interface FieldSizes {
  /** The number of vectors that are searched, by field. The others are bytes. */
  readonly vectors: Map<string, number>
  readonly completion: Map<string, number>
  readonly fielddata: Map<string, number>
}

export const noFieldSizes = (): FieldSizes => ({ vectors: new Map(), completion: new Map(), fielddata: new Map() })

/** Adds the sizes of the fields of an index, as far as its shards are open. */
export function addFieldSizes(context: IndexContext, index: IndexMetadata, sizes: FieldSizes): void {
  const { mappings, shards } = context
  if (index.state !== 'open' || !exists(context, index)) return
  // Most indices have no such field, and their mappings need not be parsed for this.
  const fields = mentions(index.mapping) ? fieldsOf(mappings.of(index)) : []
  const completion = fields.filter(({ traits }) => traits.family === 'completion')
  const vectors = fields.filter(({ traits, indexed }) => traits.family === 'vector' && indexed)
  const texts = fields.filter(({ asDocValues }) => asDocValues !== undefined)
  for (const key of shards.usableKeys(index)) {
    if (shards.host.isSleeping?.(key) === true) continue
    const held = holdIfOpen(context, index, key)
    if (held === undefined) continue
    try {
      for (const { name } of vectors) add(sizes.vectors, name, valueCount(held.view, name))
      for (const { name } of completion) add(sizes.completion, name, dictionaryBytes(held.view, name))
      for (const field of texts) add(sizes.fielddata, field.name, docValueBytes(held.view, field))
      for (const [name, bytes] of ordinalBytes(held.view)) add(sizes.fielddata, name, bytes)
    } finally {
      held.release()
    }
  }
}

const fieldsOf = (mapping: Mapping) => [...mapping.fieldNames()].map((name) => mapping.field(name)!)

function add(sizes: Map<string, number>, name: string, bytes: number): void {
  if (bytes > 0) sizes.set(name, (sizes.get(name) ?? 0) + bytes)
}

/** Whether a field in the definition is a vector or a completion, or has fielddata. */
function mentions(definition: JsonObject): boolean {
  return Object.entries(definition).some(
    ([name, value]) =>
      (name === 'type' && (value === 'completion' || value === 'dense_vector')) ||
      (name === 'fielddata' && value === true) ||
      (isObject(value) && mentions(value)),
  )
}

const valueCount = (view: ShardView, field: string) =>
  view.segments.reduce((sum, { reader }) => sum + (reader.binaryDocValues(field)?.valueCount ?? 0), 0)

const ENTRY_BYTES = 8

/** The dictionary of a completion field and its entries. */
function dictionaryBytes(view: ShardView, field: string): number {
  let entries = 0
  for (const { reader } of view.segments) {
    const terms = reader.terms(field)
    if (terms !== undefined) entries += terms.termCount + terms.sumDocFreq
    const docValues = reader.sortedSetDocValues(field) ?? reader.binaryDocValues(field)
    if (docValues !== undefined) entries += docValues.valueCount
  }
  return entries * ENTRY_BYTES
}

function docValueBytes(view: ShardView, field: FieldType): number {
  const name = field.schema?.name ?? field.name
  return view.segments.reduce((sum, { reader }) => sum + (reader.fielddataBytes?.(name) ?? 0), 0)
}
