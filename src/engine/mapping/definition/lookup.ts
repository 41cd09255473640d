/** The members of a runtime field of type `lookup`. */
import { illegalArgument } from '../../../base/api-error.ts'
import { encodeJson } from '../../../base/json/json-writer.ts'
import { type FieldAndFormat, readFields } from '../../request/fields.ts'
import { RequestReader } from '../../request/request-reader.ts'

/** Checks the members of a definition of type `lookup`. */
export function checkLookup(name: string, definition: Readonly<Record<string, unknown>>): void {
  for (const member of ['target_index', 'input_field', 'target_field']) {
    const value = definition[member]
    if (value === undefined || value === null || value === '') {
      throw illegalArgument(`[${member}] parameter must be specified`)
    }
  }
  if (definition['input_field'] === name) {
    throw illegalArgument(`lookup field [${name}] can't use input from itself`)
  }
  if (fetchedFields(definition['fetch_fields']).length === 0) {
    throw illegalArgument('[fetch_fields] parameter must not be empty')
  }
}

/** The `fetch_fields` of a definition, which have the form of `fields`. */
function fetchedFields(value: unknown): readonly FieldAndFormat[] {
  if (value === undefined || value === null) return []
  const reader = new RequestReader(encodeJson(Array.isArray(value) ? value : [value]))
  reader.next()
  return readFields(reader)
}
