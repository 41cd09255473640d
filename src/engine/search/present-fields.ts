/** The fields with values in a shard, including metadata fields, for `_field_caps`. */
import type { ShardView } from '../segment/segment-reader-api.ts'

const FIELD_NAMES = '_field_names'
/** Every document has these. */
const OF_EVERY_DOCUMENT = ['_id', '_seq_no', '_source', '_version']

export function addPresentFields(view: ShardView, present: Set<string>): void {
  for (const { reader } of view.segments) {
    for (const name of reader.fieldNames) present.add(name)
    for (const name of OF_EVERY_DOCUMENT) present.add(name)
    if (reader.nested !== undefined) present.add('_nested_path')
    if (reader.hasRoutings === true) present.add('_routing')
    // A field without doc values and norms is listed in `_field_names` of its documents.
    const names = reader.terms(FIELD_NAMES)
    for (let i = 0; i < (names?.termCount ?? 0); i++) present.add(Buffer.from(names!.term(i)).toString())
  }
}
