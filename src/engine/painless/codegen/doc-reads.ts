/**
 * Reads of doc values and parameters with a constant name. Fields are bound to columns and parameters to values when an
 * instance is created. `doc['n'].value` on a field of known type compiles to a typed read of its column: no map, no
 * list, no boxed number.
 */
import type { Ir, Place } from '../analysis/ir.ts'
import { STRING } from '../analysis/types.ts'
import type { DocValuesType } from '../contract.ts'
import { type DatePart, datePart } from './date-reads.ts'
import type { ExactLong } from './exact-longs.ts'
import { type Emitter, literal } from './generator-base.ts'

export interface TypedRead {
  code: string
  type: string
  /** The value as another primitive type; undefined if the reader cannot read it as that type. */
  as(type: string): string | undefined
  /** Block code: the value as a JavaScript number, if all values of the field are exact as numbers. */
  exact?: ExactLong | undefined
}

const WHOLE = new Set<DocValuesType>(['byte', 'short', 'integer', 'long'])
const FRACTIONAL = new Set<DocValuesType>(['half_float', 'float', 'scaled_float', 'double'])
/** Types whose values block code reads from arrays. */
const IN_BLOCKS = new Set<DocValuesType>([...WHOLE, ...FRACTIONAL, 'boolean', 'date', 'keyword'])
const BITS: Partial<Record<DocValuesType, number>> = { byte: 7, short: 15, integer: 31 }
const EXACT_BITS = 52

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
  if (!e.inBlock) observeDate(e, field, e.partReads.get(node))
  if (e.types.field(field) === undefined) {
    e.needsDocument = true
    return `(p=${docFieldAt(node)},E.doc.field(${literal(field)}))`
  }
  const column = columnOf(e, field)
  e.objectColumns.add(column)
  return `(p=${docFieldAt(node)},c${column})`
}

/** `params.p`, which has the same value for all documents. `params._source` is excluded. */
export function paramRead(e: Emitter, node: Ir): (TypedRead & { readonly number: number }) | undefined {
  const name = node.op === 'mapItem' ? constantName(node, 'params') : undefined
  if (name === undefined || name === '_source' || !isPerDocument(e)) return undefined
  e.observed.params.add(name)
  let number = e.boundParams.get(name)
  if (number === undefined) e.boundParams.set(name, (number = e.boundParams.size))
  return { number, code: `(p=${node.at},q${number})`, type: e.types.param(name) ?? 'def', as: () => undefined }
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
  const count = countCode(e, field, type)
  return isSize
    ? {
        code: `(p=${node.at},${count})`,
        type: 'int',
        as: () => undefined,
        exact: { code: `(p=${node.at},${count})`, low: 0, high: 2 ** 31 - 1 },
      }
    : {
        code: `(p=${node.at},${count}===0)`,
        type: 'boolean',
        as: (to) => (to === 'boolean' ? `(${count}===0)` : undefined),
      }
}

/** The number of values of the current document. */
function countCode(e: Emitter, field: string, type: DocValuesType): string {
  const column = columnOf(e, field)
  if (e.inBlock && IN_BLOCKS.has(type)) {
    e.typedColumns.add(column)
    return isDense(e, field) ? '1' : `z${column}[i]`
  }
  e.objectColumns.add(column)
  return `c${column}.size_0()`
}

function typedValue(e: Emitter, field: string, type: DocValuesType, at: number): TypedRead | undefined {
  if (e.inBlock) return IN_BLOCKS.has(type) ? valueInBlock(e, field, type, at) : undefined
  const isWhole = WHOLE.has(type)
  if (!isWhole && !FRACTIONAL.has(type) && type !== 'boolean') return undefined
  const column = columnOf(e, field)
  e.typedColumns.add(column)
  const read = (method: string) => `c${column}.${method}(p=${at})`
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

/** A value of the document at place `i` of the block. A date is read by its parts only. */
function valueInBlock(e: Emitter, field: string, type: DocValuesType, at: number): TypedRead | undefined {
  if (type === 'date') return undefined
  const column = columnOf(e, field)
  e.typedColumns.add(column)
  const read = (value: string) => present(e, field, column, at, value)
  const number = read(`w${column}[i]`)
  if (type === 'keyword') return { code: read(`y${column}.textAt(i)`), type: STRING, as: () => undefined }
  if (type === 'boolean') {
    const code = `(${number}!==0)`
    return { code, type: 'boolean', as: (to) => (to === 'boolean' ? code : undefined) }
  }
  if (!WHOLE.has(type)) return { code: number, type: 'double', as: () => undefined }
  const bits = BITS[type] ?? e.types.bits?.(field) ?? Number.POSITIVE_INFINITY
  const high = 2 ** bits
  return {
    get code() {
      e.longColumns.add(column)
      return read(`l${column}[i]`)
    },
    type: 'long',
    as: (to) => (to === 'double' ? number : undefined),
    exact: bits <= EXACT_BITS ? { code: number, low: -high, high } : undefined,
  }
}

function observeDate(e: Emitter, field: string, part: string | undefined): void {
  const { dateParts, wholeDates } = e.observed
  if (part === undefined) {
    wholeDates.add(field)
    return
  }
  const parts = dateParts.get(field)
  if (parts === undefined) dateParts.set(field, new Set([part]))
  else parts.add(part)
}

/** In `doc['d'].value` of a date field the read `doc['d']`. */
function dateRead(e: Emitter, date: Ir): Ir | undefined {
  const isRead = date.op === 'defField' ? date.name === 'value' : date.op === 'defCall' && date.name === 'getValue'
  if (!isRead || (date.op === 'defCall' && date.args.length > 0)) return undefined
  const read = (date as Extract<Ir, { op: 'defField' }>).target
  const field = constantName(read, 'doc')
  return field !== undefined && e.types.field(field) === 'date' ? read : undefined
}

/** Code for one document reads the whole date. This records that it needs a part only. */
export function noticeDatePart(e: Emitter, node: Ir): void {
  if (e.inBlock || !isPerDocument(e)) return
  let read: Ir | undefined
  const part = datePart(node, (date) => {
    read = dateRead(e, date)
    return read && ''
  })
  while (read?.op === 'cast') read = read.child
  if (part !== undefined && read !== undefined) e.partReads.set(read, part.name)
}

/** A part of the date `doc['d'].value` in block code. */
export function datePartOf(e: Emitter, node: Ir): DatePart | undefined {
  if (!e.inBlock || !isPerDocument(e)) return undefined
  return datePart(node, (date) => {
    const read = dateRead(e, date)
    const field = read && constantName(read, 'doc')
    if (field === undefined) return undefined
    const column = columnOf(e, field)
    e.typedColumns.add(column)
    return present(e, field, column, date.at, `w${column}[i]`)
  })
}

interface DenseColumn<T> {
  readonly column: number
  readonly type: T
}

/** The column of `doc['f'].value` if every document has one number. */
export function denseValueColumn(e: Emitter, node: Ir): DenseColumn<'long' | 'double'> | undefined {
  const isValue = node.op === 'defField' ? node.name === 'value' : node.op === 'defCall' && node.name === 'getValue'
  const read = isValue ? typedDocValue(e, node) : undefined
  if (read?.type !== 'long' && read?.type !== 'double') return undefined
  return denseColumn(e, (node as Extract<Ir, { op: 'defField' }>).target, read.type)
}

/** Of a field of which every document has one value: 1 for `doc['f'].size()`, false for `doc['f'].empty`. */
export function denseCount(e: Emitter, node: Ir): 1 | false | undefined {
  if (node.op !== 'defField' && node.op !== 'defCall') return undefined
  const read = typedDocValue(e, node)
  if (read === undefined || node.name === 'value' || node.name === 'getValue') return undefined
  if (denseColumn(e, node.target, read.type) === undefined) return undefined
  return read.type === 'boolean' ? false : 1
}

/** The column of a date of which a node reads a part, if every document has one date. */
export function densePartColumn(e: Emitter, node: Ir): (DenseColumn<'int' | 'long'> & { name: string }) | undefined {
  let read: Ir | undefined
  const part = datePart(node, (date) => {
    read = dateRead(e, date)
    return read && ''
  })
  if (part === undefined || part.type === 'def' || read === undefined) return undefined
  const found = denseColumn(e, read, part.type)
  return found && { ...found, name: part.name }
}

function denseColumn<T>(e: Emitter, read: Ir, type: T): DenseColumn<T> | undefined {
  const field = constantName(read, 'doc')
  if (field === undefined || !isPerDocument(e) || !isDense(e, field)) return undefined
  return { column: columnOf(e, field), type }
}

const isDense = (e: Emitter, field: string): boolean => e.types.dense?.(field) === true

/** The value of a document that must have one. */
function present(e: Emitter, field: string, column: number, at: number, value: string): string {
  return isDense(e, field) ? `(p=${at},${value})` : `(p=${at},z${column}[i]===0?R.missingValue():${value})`
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
