/** The fields a shard holds something of, metadata fields included: what `_field_caps` calls not empty. */
import type { ShardView } from '../segment/segment-reader-api.ts'

const FIELD_NAMES = '_field_names'
/** Every document has these. */
const OF_EVERY_DOCUMENT = ['_id', '_seq_no', '_source', '_version']

export function addPresentFields(view: ShardView, present: Set<string>): void {
  for (const { reader } of view.segments) {
    for (const name of reader.fieldNames) present.add(name)
    for (const name of OF_EVERY_DOCUMENT) present.add(name)
    if (reader.nested !== undefined) present.add('_nested_path')
    // Fields without doc values and norms are known by the list of names that documents keep of them.
    const names = reader.terms(FIELD_NAMES)
    for (let i = 0; i < (names?.termCount ?? 0); i++) present.add(Buffer.from(names!.term(i)).toString())
  }
}
