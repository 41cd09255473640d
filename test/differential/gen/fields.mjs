// Choosing fields and values of a world.

import { fieldValue, INTEGER_TYPES, NUMBER_TYPES } from '../lib/values.mjs'

/** Fields that live at one nesting level (null: the root document). */
export function fieldsAt(world, scope, test = () => true) {
  return world.fields.filter((f) => f.nested === scope && test(f))
}

export function pickField(rng, world, scope, test) {
  const found = fieldsAt(world, scope, test)
  return found.length > 0 ? rng.pick(found) : null
}

export const ofType =
  (...types) =>
  (field) =>
    types.includes(field.type)
export const isNumeric = (field) => NUMBER_TYPES.includes(field.type)
export const isInteger = (field) => INTEGER_TYPES.includes(field.type)
export const isDate = (field) => field.type === 'date' || field.type === 'date_nanos'
export const sortable = (field) => field.sortable
/** Numeric, with values that can be summed without losing everything to rounding. */
export const summable = (field) => isNumeric(field) && field.sortable && !field.extreme
export const both =
  (...tests) =>
  (field) =>
    tests.every((test) => test(field))

/** A value for a query on the field: usually one a document may hold. */
export function queryValue(rng, field) {
  if (field.samples?.length > 0 && rng.chance(0.75)) return rng.pick(field.samples)
  if (isDate(field)) return dateLiteral(rng, field)
  if (field.type === 'boolean') return rng.chance(0.5)
  if (field.type === 'keyword' && field.path === 'uid') return `d${rng.int(0, 60)}`
  return fieldValue(rng, field)
}

/** A date in a form the field's own format accepts. */
export function dateLiteral(rng, field) {
  for (let attempt = 0; attempt < 4; attempt++) {
    const value = fieldValue(rng, { type: 'date', format: field.format })
    if (field.type === 'date' || String(value) >= '1970') return value
  }
  return '2024-05-05'
}
