/**
 * How large a segment would be in Lucene's files.
 *
 * Merges join segments in an order that depends on their sizes, and the order decides the numbers of documents: what `_doc` sorts by,
 * which of two equal hits comes first. Clients see both, so segments are compared by the bytes they would take there.
 */
import type { FieldInfo } from '../segment/segment-file.ts'
import type { StoredSegment } from '../segment/segment-reader.ts'

export function luceneBytes(segment: StoredSegment): number {
  return segment.fileBytes
}

/** A document that dies after its segment was written is marked in a new column; with it, all fields are described anew. */
export function luceneUpdateBytes(segment: StoredSegment): number {
  const marks = 400 + segment.docCount / 4
  return marks + fieldDescriptionBytes(segment)
}

/** Of the identity and of what describes it. */
const OWN_FIELDS_BYTES = 488
const FIELD_BYTES = 19
const POSTINGS_BYTES = 76
const COLUMN_BYTES = 73

function fieldDescriptionBytes({ directory }: StoredSegment): number {
  let bytes = OWN_FIELDS_BYTES
  for (const [name, info] of Object.entries(directory.fields)) bytes += name.length + describedBytes(info)
  return bytes
}

function describedBytes({ terms, column }: FieldInfo): number {
  return FIELD_BYTES + (terms?.inverted === true ? POSTINGS_BYTES : 0) + (column === undefined ? 0 : COLUMN_BYTES)
}
