/** Checks whether the values of a field can be read by document. */

import { type ApiError, illegalArgument } from '../../base/api-error.ts'
import { noFeatureValues } from '../../base/errors/mapping-errors.ts'
import { fielddataDisabled, fielddataNotSupported } from '../../base/errors/search-errors.ts'
import type { FieldType } from './field-type.ts'

/** Throws Elasticsearch's error for a field without doc values. */
export function checkDocValues(field: FieldType, index: { readonly name: string }): void {
  if (field.hasDocValues) return
  if (field.traits.family === 'features') throw noFeatureValues(field.type)
  if (field.shape === 'text') throw fielddataDisabled(field.name, index.name)
  if (field.shape === 'none' || field.shape === 'binary') throw fielddataNotSupported(field.name, field.type)
  throw illegalArgument(
    `Can't load fielddata on [${field.name}] because fielddata is unsupported on fields of type [${field.type}]. Use doc ` +
      'values instead.',
  )
}

/** Terms, points and times of day have only one format. */
export const customFormat = (name: string, type: string): ApiError =>
  illegalArgument(`Field [${name}] of type [${type}] does not support custom formats`)
