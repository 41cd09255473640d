/**
 * Reads of doc values with a constant field name. `doc['n'].value` on a field whose type is known compiles to a typed read of its
 * column: no map, no list, no boxed number.
 */
import type { Ir, Place } from '../analysis/ir.ts'
import type { DocValuesType } from '../contract.ts'
import { type Emitter, literal } from './generator-base.ts'

export interface TypedRead {
  code: string
  type: string
  /** The value as another primitive type, where the reader has it directly. */
  as(type: string): string | undefined
}

const WHOLE = new Set<DocValuesType>(['byte', 'short', 'integer', 'long'])
const FRACTIONAL = new Set<DocValuesType>(['half_float', 'float', 'scaled_float', 'double'])

/** The field name in `doc['f']` or `doc.f`. */
function docField(node: Ir): string | undefined {
  if (node.op === 'cast') return docField(node.child)
  if (node.op !== 'mapItem') return undefined
  const { map, key } = node
  if (map.op !== 'local' || map.variable.context !== true || map.variable.name !== 'doc') return undefined
  const constant = key.op === 'cast' ? key.child : key
  return constant.op === 'constant' && typeof constant.value === 'string' ? constant.value : undefined
}

/** An error of a field that cannot be read belongs to the name in `doc['f']`, and to the dot in `doc.f`. */
const docFieldAt = (node: Extract<Place, { op: 'mapItem' }>) => (node.key.op === 'cast' ? node.key.at : node.at)

/** `doc['f']`: the field is known, so callers can be told which fields the script reads. */
export function docRead(e: Emitter, node: Extract<Place, { op: 'mapItem' }>): string | undefined {
  const field = docField(node)
  if (field === undefined || !e.context.variables.some((v) => v.name === 'doc' && v.type === 'java.util.Map'))
    return undefined
  e.observed.fields.add(field)
  return `(p=${docFieldAt(node)},E.doc.field(${literal(field)}))`
}

/** `doc['f'].value` of a field of known type. */
export function typedDocValue(e: Emitter, node: Ir): TypedRead | undefined {
  if (node.op !== 'defField' || node.name !== 'value') return undefined
  const field = docField(node.target)
  const type = field === undefined ? undefined : e.fieldType(field)
  if (field === undefined || type === undefined) return undefined
  const column = columnOf(e, field)
  const read = (method: string) => `${column}.${method}(p=${node.at})`
  if (WHOLE.has(type))
    return {
      code: read('firstLong'),
      type: 'long',
      as: (to) => (to === 'double' ? read('firstDouble') : undefined),
    }
  if (FRACTIONAL.has(type))
    return {
      code: read('firstDouble'),
      type: 'double',
      as: (to) => (to === 'double' ? read('firstDouble') : undefined),
    }
  return undefined
}

/** The name of the column object of a field. Columns are bound when an instance is made. */
export function columnOf(e: Emitter, field: string): string {
  e.observed.fields.add(field)
  let number = e.columns.get(field)
  if (number === undefined) {
    number = e.columns.size
    e.columns.set(field, number)
  }
  return `c${number}`
}
