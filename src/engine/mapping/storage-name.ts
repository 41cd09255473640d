import type { FieldType } from './field-type.ts'

/** Under which name segments hold a field; not its own for what is made from another one, as a key of a flattened field. */
export function storageName(field: FieldType): string
export function storageName(field: FieldType | undefined): string | undefined
export function storageName(field: FieldType | undefined): string | undefined {
  return field?.schema?.name ?? field?.name
}
