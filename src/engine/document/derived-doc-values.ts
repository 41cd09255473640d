/**
 * Names of derived doc values, which segments compute from other data: the terms of a text field (`fielddata: true`),
 * the values of one key of a flattened field, the term that all documents have, and the values of a runtime field. Documents have no such fields, and no
 * mapped field can have such a name.
 */
export type DerivedDocValues =
  | { readonly kind: 'fielddata'; readonly field: string }
  | { readonly kind: 'keyed'; readonly field: string; readonly key: string }
  /** `key` is the term in base64. */
  | { readonly kind: 'constant'; readonly field: string; readonly key: string }
  | { readonly kind: 'runtime'; readonly field: string; readonly key: string }

const MARK = '\u0000'

export const fielddataName = (field: string) => `${MARK}fielddata${MARK}${field}`
export const keyedName = (field: string, key: string) => `${MARK}keyed${MARK}${field}${MARK}${key}`
export const constantName = (field: string, term: string) =>
  `${MARK}constant${MARK}${field}${MARK}${Buffer.from(term).toString('base64')}`
/** `definition` distinguishes runtime fields with the same name: equal definitions have equal values. */
export const runtimeName = (field: string, definition: string) => `${MARK}runtime${MARK}${field}${MARK}${definition}`

/** The derived doc values that a name denotes; undefined for the names of fields. */
export function derivedDocValues(name: string): DerivedDocValues | undefined {
  if (!name.startsWith(MARK)) return undefined
  const [, kind, field = '', key = ''] = name.split(MARK)
  if (kind === 'keyed' || kind === 'constant' || kind === 'runtime') return { kind, field, key }
  return { kind: 'fielddata', field }
}

/** A text in which the internal names of runtime fields are replaced by their user-visible names. */
export function withShownNames(text: string): string {
  return text.includes(MARK) ? text.replace(RUNTIME_NAME, '$1') : text
}

const RUNTIME_NAME = /\u0000runtime\u0000([^\u0000]*)\u0000[A-Za-z0-9+/]*=*/g
