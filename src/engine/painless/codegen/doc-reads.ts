/**
 * Reads of doc values and parameters with a constant name. Fields are bound to columns and parameters to values when an
 * instance is created. `doc['n'].value` on a field of known type compiles to a typed read of its column: no map, no
 * list, no boxed number.
 */
import type { Ir, Place } from '../analysis/ir.ts'
import type { DocValuesType } from '../contract.ts'
import { type Emitter, literal } from './generator-base.ts'

export interface TypedRead {
  code: string
  type: string
  /** The value as another primitive type; undefined if the reader cannot read it as that type. */
  as(type: string): string | undefined
}

const WHOLE = new Set<DocValuesType>(['byte', 'short', 'integer', 'long'])
const FRACTIONAL = new Set<DocValuesType>(['half_float', 'float', 'scaled_float', 'double'])

const isPerDocument = (e: Emitter) => e.context.variables.some((v) => v.name === 'doc' && v.type === 'java.util.Map')

/** The constant name in `variable['f']` or `variable.f`, for a variable of the context. */
function constantName(node: Ir, variable: string): string | undefined {
  if (node.op === 'cast') return constantName(node.child, variable)
  if (node.op !== 'mapItem') return undefined
  const { map, key } = node
  if (map.op !== 'local' || map.variable.context !== true || map.variable.name !== variable) return undefined
  const constant = key.op === 'cast' ? key.child : key
  return constant.op === 'constant' && typeof constant.value === 'string' ? constant.value : undefined
}

/** The position of an error for a field that cannot be read: the name in `doc['f']`, the dot in `doc.f`. */
const docFieldAt = (node: Extract<Place, { op: 'mapItem' }>) => (node.key.op === 'cast' ? node.key.at : node.at)

/** `doc['f']` with a constant name. The field is added to the traits of the script. */
export function docRead(e: Emitter, node: Extract<Place, { op: 'mapItem' }>): string | undefined {
  const field = constantName(node, 'doc')
  if (field === undefined || !isPerDocument(e)) return undefined
  e.observed.fields.add(field)
  if (e.types.field(field) === undefined) {
    e.needsDocument = true
    return `(p=${docFieldAt(node)},E.doc.field(${literal(field)}))`
  }
  const column = columnOf(e, field)
  e.objectColumns.add(column)
  return `(p=${docFieldAt(node)},c${column})`
}

/** `params.p`, which has the same value for all documents. `params._source` is excluded. */
export function paramRead(e: Emitter, node: Ir): TypedRead | undefined {
  const name = node.op === 'mapItem' ? constantName(node, 'params') : undefined
  if (name === undefined || name === '_source' || !isPerDocument(e)) return undefined
  e.observed.params.add(name)
  let number = e.boundParams.get(name)
  if (number === undefined) e.boundParams.set(name, (number = e.boundParams.size))
  return { code: `q${number}`, type: e.types.param(name) ?? 'def', as: () => undefined }
}

/** `doc['f'].value` of a field of known type. */
export function typedDocValue(e: Emitter, node: Ir): TypedRead | undefined {
  if (node.op === 'mapItem') return undefined
  if (node.op !== 'defField' && !(node.op === 'defCall' && node.args.length === 0)) return undefined
  const field = isPerDocument(e) ? constantName(node.target, 'doc') : undefined
  const type = field === undefined ? undefined : e.types.field(field)
  if (field === undefined || type === undefined) return undefined
  if (node.op === 'defField' ? node.name === 'value' : node.name === 'getValue')
    return typedValue(e, field, type, node.at)
  const isSize = node.op === 'defField' ? node.name === 'length' : node.name === 'size'
  const isEmpty = node.op === 'defField' ? node.name === 'empty' : node.name === 'isEmpty'
  if (!isSize && !isEmpty) return undefined
  const column = columnOf(e, field)
  e.objectColumns.add(column)
  const count = `c${column}.size_0()`
  return isSize
    ? { code: `(p=${node.at},${count})`, type: 'int', as: () => undefined }
    : {
        code: `(p=${node.at},${count}===0)`,
        type: 'boolean',
        as: (to) => (to === 'boolean' ? `(${count}===0)` : undefined),
      }
}

function typedValue(e: Emitter, field: string, type: DocValuesType, at: number): TypedRead | undefined {
  const isWhole = WHOLE.has(type)
  if (!isWhole && !FRACTIONAL.has(type) && type !== 'boolean') return undefined
  const column = columnOf(e, field)
  e.typedColumns.add(column)
  const read = (method: string) => (e.inBlock ? `c${column}.${method}In(i,p=${at})` : `c${column}.${method}(p=${at})`)
  if (type === 'boolean') {
    const code = `(${read('firstDouble')}!==0)`
    return { code, type: 'boolean', as: (to) => (to === 'boolean' ? code : undefined) }
  }
  return {
    code: read(isWhole ? 'firstLong' : 'firstDouble'),
    type: isWhole ? 'long' : 'double',
    as: (to) => (to === 'double' ? read('firstDouble') : undefined),
  }
}

/** The number of the column of a field. */
function columnOf(e: Emitter, field: string): number {
  e.observed.fields.add(field)
  let number = e.columns.get(field)
  if (number === undefined) {
    number = e.columns.size
    e.columns.set(field, number)
  }
  return number
}
