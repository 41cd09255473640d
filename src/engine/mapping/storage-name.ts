import type { FieldType } from './field-type.ts'

/** The name under which segments store a field; it differs for derived fields, such as a key of a flattened field. */
export function storageName(field: FieldType): string
export function storageName(field: FieldType | undefined): string | undefined
export function storageName(field: FieldType | undefined): string | undefined {
  return field?.schema?.name ?? field?.name
}
