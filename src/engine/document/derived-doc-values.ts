/**
 * Doc values that segments make from what they hold, and the names by which sorts and aggregations ask for them: the terms of a
 * text (`fielddata: true`), the values of one key of a flattened field, and the values of a runtime field. Documents have no such
 * fields, and no field of a mapping can have such a name.
 */
export type DerivedDocValues =
  | { readonly kind: 'fielddata'; readonly field: string }
  | { readonly kind: 'keyed'; readonly field: string; readonly key: string }
  | { readonly kind: 'runtime'; readonly field: string; readonly key: string }

const MARK = '\u0000'

export const fielddataName = (field: string) => `${MARK}fielddata${MARK}${field}`
export const keyedName = (field: string, key: string) => `${MARK}keyed${MARK}${field}${MARK}${key}`
/** `definition` tells apart runtime fields of one name: two of the same definition have the same values. */
export const runtimeName = (field: string, definition: string) => `${MARK}runtime${MARK}${field}${MARK}${definition}`

/** The derived doc values that a name refers to; undefined for names of fields. */
export function derivedDocValues(name: string): DerivedDocValues | undefined {
  if (!name.startsWith(MARK)) return undefined
  const [, kind, field = '', key = ''] = name.split(MARK)
  if (kind === 'keyed' || kind === 'runtime') return { kind, field, key }
  return { kind: 'fielddata', field }
}

/** A text with the names of runtime fields as people know them. */
export function withShownNames(text: string): string {
  return text.includes(MARK) ? text.replace(RUNTIME_NAME, '$1') : text
}

const RUNTIME_NAME = /\u0000runtime\u0000([^\u0000]*)\u0000[A-Za-z0-9+/]*=*/g
