/** Which queries a field supports, by its type and by what the index stores. */
import { illegalArgument } from '../../../base/api-error.ts'
import type { FieldType } from '../../mapping/field-type.ts'

/** Fields that every index has; each is a type of its own. */
export const METADATA_FIELDS: ReadonlySet<string> = new Set([
  '_id',
  '_index',
  '_source',
  '_routing',
  '_field_names',
  '_ignored',
  '_seq_no',
  '_version',
  '_doc_count',
  '_tier',
  '_nested_path',
])

/** Metadata fields that are indexed like keywords. */
const METADATA_WORDS: ReadonlySet<string> = new Set(['_routing', '_ignored', '_nested_path'])

/** Metadata fields without pattern and fuzzy queries. */
export const isWordlessMetadata = (field: string): boolean => METADATA_FIELDS.has(field) && !METADATA_WORDS.has(field)

const WITHOUT_TEXT: ReadonlySet<string> = new Set([
  'geo_point',
  'binary',
  'lookup',
  '_source',
  '_version',
  '_doc_count',
])

export function checkSearchable(field: FieldType): void {
  if (field.shape === 'text') checkIndexed(field)
  if (field.indexed || field.hasDocValues) return
  if (field.isLookup === true)
    throw illegalArgument(`Cannot search on field [${field.name}] since it is a lookup field.`)
  throw illegalArgument(`Cannot search on field [${field.name}] since it is not indexed nor has doc values.`)
}

/** The type of a field in error messages. */
export const kindOf = ({
  type,
  isRuntime,
}: {
  readonly type: string
  readonly isRuntime?: boolean | undefined
}): string => (isRuntime === true ? `a runtime field of type [${type}]` : `of type [${type}]`)

/** Text and range fields can be searched only through the index. */
export function checkIndexed(field: FieldType): void {
  if (!field.indexed) throw illegalArgument(`Cannot search on field [${field.name}] since it is not indexed.`)
}

/** Checks that text can be searched in a field; `clause` is the query's name. */
export function checkTakesText(
  {
    name,
    type,
    isRuntime,
    shape,
  }: { readonly name: string; readonly type: string; readonly isRuntime?: boolean; readonly shape?: string },
  clause: string,
): void {
  if (WITHOUT_TEXT.has(type)) {
    if (isRuntime === true && shape === 'geo' && clause !== 'match_phrase_prefix') {
      throw illegalArgument(
        `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${name}]`,
      )
    }
    throw illegalArgument(`Field [${name}] of type [${type}] does not support ${clause} queries`)
  }
}
