/** `.fnm`: names and types of the fields. Every segment also has those of the identity fields. */
import type { FieldInfo } from '../../segment/segment-file.ts'
import type { StoredSegment } from '../../segment/segment-reader.ts'
import type { IndexShape, MappedField } from './lucene-size.ts'

const IDENTITY_BYTES = 422
const NESTED_PATH_BYTES = 106
const DELETE_MARKS_BYTES = 206
const ROOTS_DOC_VALUES_BYTES = 112
const FIELD_BYTES = 18
/** The formats of postings and doc values are written for each field. */
const POSTINGS_BYTES = 76
const DOC_VALUES_BYTES = 73
const POINTS_BYTES = 2

export function fieldDescriptionBytes(segment: StoredSegment, shape: IndexShape, hasDeleteMarks: boolean): number {
  const { directory } = segment
  let bytes = IDENTITY_BYTES
  if (segment.nested !== undefined) bytes += NESTED_PATH_BYTES
  if (shape.isSorted) bytes += ROOTS_DOC_VALUES_BYTES
  if (hasDeleteMarks) bytes += DELETE_MARKS_BYTES
  for (const [name, info] of Object.entries(directory.fields)) {
    bytes += FIELD_BYTES + Buffer.byteLength(name) + structureBytes(info, shape.fieldOf(name))
  }
  return bytes
}

function structureBytes({ terms, column, ordered }: FieldInfo, field: MappedField | undefined): number {
  const hasTerms = terms?.inverted === true
  const byTerms = field?.traits.family === 'boolean' ? ordered !== undefined : hasTerms && field?.traits.family !== 'ip'
  const byPoints =
    !byTerms && (hasTerms || ordered !== undefined || (column?.kind === 'geo' && field?.indexed !== false))
  return (byTerms ? POSTINGS_BYTES : 0) + (byPoints ? POINTS_BYTES : 0) + (column === undefined ? 0 : DOC_VALUES_BYTES)
}
