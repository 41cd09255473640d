/**
 * The name by which sorts and aggregations ask a segment for the terms of a text as a column (`fielddata: true`). Documents
 * have no such field, and no field of a mapping can have such a name.
 */
const PREFIX = '\u0000fielddata:'

export const fielddataName = (field: string) => `${PREFIX}${field}`

/** The text behind such a name; undefined for names of fields. */
export function fielddataField(name: string): string | undefined {
  return name.startsWith(PREFIX) ? name.slice(PREFIX.length) : undefined
}
