/**
 * Columns that segments make from what they hold, and the names by which sorts and aggregations ask for them: the terms of a
 * text (`fielddata: true`), and the values of one key of a flattened field. Documents have no such fields, and no field of a
 * mapping can have such a name.
 */
export type DerivedColumn =
  | { readonly kind: 'fielddata'; readonly field: string }
  | { readonly kind: 'keyed'; readonly field: string; readonly key: string }

const MARK = '\u0000'

export const fielddataName = (field: string) => `${MARK}fielddata${MARK}${field}`
export const keyedName = (field: string, key: string) => `${MARK}keyed${MARK}${field}${MARK}${key}`

/** What such a name stands for; undefined for names of fields. */
export function derivedColumn(name: string): DerivedColumn | undefined {
  if (!name.startsWith(MARK)) return undefined
  const [, kind, field = '', key = ''] = name.split(MARK)
  return kind === 'keyed' ? { kind, field, key } : { kind: 'fielddata', field }
}
