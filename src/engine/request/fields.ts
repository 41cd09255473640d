/** Parses the field lists of hits: `stored_fields`, `docvalue_fields` and `fields`. */

import { illegalArgument } from '../../base/api-error.ts'
import { requiredMember } from '../../base/errors/query-errors.ts'
import { NULL, START_ARRAY, STRING } from '../../base/json/json-reader.ts'
import { ACCEPTS_BOOLEAN, ACCEPTS_STRING, type RequestReader } from './request-reader.ts'

export function readStoredFields(reader: RequestReader): readonly string[] | 'none' {
  if (reader.token !== STRING && reader.token !== START_ARRAY) {
    throw reader.parsingError(
      `Expected [VALUE_STRING] or [START_ARRAY] in [stored_fields] but found [${reader.tokenName}]`,
    )
  }
  const names: string[] = []
  reader.each(() => names.push(reader.text()))
  return checkStoredFields(names)
}

/** Names, or `{field, format, include_unmapped}`. */
export function readFields(reader: RequestReader): FieldAndFormat[] {
  const fields: FieldAndFormat[] = []
  reader.each(() => {
    if (reader.isValue) fields.push({ field: reader.text(), format: undefined, includeUnmapped: false })
    else fields.push(readFieldAndFormat(reader))
  })
  return fields
}

function readFieldAndFormat(reader: RequestReader): FieldAndFormat {
  let field: string | undefined
  let format: string | undefined
  let includeUnmapped = false
  reader.parseObject('fetch_field_and_format', {
    field: {
      accepts: ACCEPTS_STRING,
      parse: () => {
        field = reader.text()
      },
    },
    format: {
      accepts: [...ACCEPTS_STRING, NULL],
      parse: () => {
        format = reader.textOrNull() ?? undefined
      },
    },
    include_unmapped: {
      accepts: ACCEPTS_BOOLEAN,
      parse: () => {
        includeUnmapped = reader.boolean()
      },
    },
  })
  if (field === undefined) throw requiredMember('field')
  return { field, format, includeUnmapped }
}

export function checkStoredFields(names: readonly string[]): readonly string[] | 'none' {
  if (!names.includes('_none_')) return names
  if (names.length > 1) throw illegalArgument('cannot combine _none_ with other fields')
  return 'none'
}

export interface FieldAndFormat {
  readonly field: string
  readonly format: string | undefined
  readonly includeUnmapped: boolean
}
