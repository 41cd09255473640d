/** The members of a runtime field of type `lookup`. */

import { illegalArgument } from '../../../base/api-error.ts'
import { mapperParsing } from '../../../base/errors/mapping-errors.ts'
import { copyMembers } from '../../../base/json/members.ts'
import { hashedText } from '../../values/java-text.ts'
import { castToList, castToMap, castToString } from './parameter.ts'

/** A field of the documents that are found, as the mapping prints it. */
interface FetchedField {
  readonly field: string
  readonly format?: string
}

const TEXTS = ['target_index', 'input_field', 'target_field']

/** The members of a definition in the form in which they are kept. */
export function lookupMembers(
  name: string,
  definition: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const kept = copyMembers<unknown>(definition)
  if ('fetch_fields' in definition) kept['fetch_fields'] = castToList(definition['fetch_fields']).map(fetchedField)
  for (const member of TEXTS) {
    const text = definition[member] === undefined ? '' : hashedText(definition[member])
    if (text === '') throw illegalArgument(`[${member}] parameter must be specified`)
    kept[member] = text
  }
  if (kept['input_field'] === name) throw illegalArgument(`lookup field [${name}] can't use input from itself`)
  const fields = kept['fetch_fields'] as readonly FetchedField[] | undefined
  if (fields === undefined || fields.length === 0) throw mapperParsing('[fetch_fields] parameter must not be empty')
  return { ...kept }
}

function fetchedField(value: unknown): FetchedField {
  if (typeof value === 'string') return { field: value }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw mapperParsing(`unexpected value [${hashedText(value)}] for [fetch_fields] parameter`)
  }
  const { field, format } = castToMap(value)
  if (field === undefined || field === null) {
    throw mapperParsing('[field] parameter of [fetch_fields] must be provided')
  }
  if (format === undefined || format === null) return { field: castToString(field) }
  return { field: castToString(field), format: castToString(format) }
}
