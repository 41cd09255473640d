/**
 * The fields on which the output of a script depends, if their values have few combinations. Each combination has a
 * number: documents with the same number get the same emitted values.
 */
import { ApiError } from '../../base/api-error.ts'
import {
  type CompiledScript,
  type DocValuesType,
  exceededLimit,
  type ScriptTraits,
  SMALL_DATE_PARTS,
  type SmallDatePart,
} from '../painless/index.ts'
import { docValuesType, type ScriptFields } from '../scripts/doc-access.ts'
import { newOrdinalBlock, newValueBlock } from '../segment/doc-values/doc-values-block.ts'
import type { NumericDocValues, SegmentReader, SortedSetDocValues } from '../segment/segment-reader-api.ts'
import type { CollectedKind } from './value-collector.ts'

/** The largest number of combinations. */
const COMBINATIONS_MAX = 1 << 20

/** The columns that alone determine what a script emits, if there are few combinations of their values. */
export function decidingColumns(
  { traits }: CompiledScript,
  fields: ScriptFields,
  reader: SegmentReader,
  kind: CollectedKind,
): DecidingColumns | undefined {
  const names = decidingFields(traits)
  if (names === undefined) return undefined
  const columns: DecidingColumn[] = []
  let hasTerms = kind === 'term'
  for (const name of names) {
    const field = fields.field(name)
    const type = docValuesType(fields, name)
    if (field === undefined || type === undefined || !field.hasDocValues) return undefined
    const stored = field.schema?.name ?? field.name
    const isTerm = type === 'keyword'
    if (!isTerm && !WHOLE_TYPES.has(type)) return undefined
    hasTerms ||= isTerm
    const column = readColumn(reader, stored, isTerm, type === 'date' ? traits.dateParts.get(name) : undefined)
    if (column === undefined) return undefined
    columns.push(column)
  }
  // Arithmetic on numbers is faster than a memo.
  return hasTerms ? decidingTable(columns, reader.docCount) : undefined
}

/**
 * Undefined if the column cannot be used or fails, for example because runtime fields read each other in a cycle. The script
 * reads the field itself then, so that the failure has a position in the script.
 */
function readColumn(
  reader: SegmentReader,
  name: string,
  isTerm: boolean,
  dateParts: readonly string[] | undefined,
): DecidingColumn | undefined {
  try {
    if (isTerm) return termColumn(reader.sortedSetDocValues(name), reader.docCount)
    const column = reader.numericDocValues(name)
    return dateParts === undefined ? numberColumn(column) : datePartsColumn(column, dateParts)
  } catch (error) {
    if (!(error instanceof ApiError) || exceededLimit(error)) throw error
    return undefined
  }
}

const WHOLE_TYPES: ReadonlySet<DocValuesType> = new Set(['byte', 'short', 'integer', 'long', 'boolean', 'date'])

/** The only fields on which the output of a script depends; undefined if it depends on anything else. */
function decidingFields({ fields, deterministic, readsUnknownFields, readsSource }: ScriptTraits) {
  return deterministic && !readsUnknownFields && !readsSource && fields.length > 0 ? fields : undefined
}

/** A field with at most one value per document. */
interface DecidingColumn {
  /** How many different values there are, including none. */
  readonly count: number
  /** Adds `factor` times the number of each document's value to `into`. Documents without a value have the number 0. */
  addNumbers(docs: Int32Array, count: number, factor: number, into: Int32Array): void
}

interface MayFail {
  readonly multiValued: boolean
  readonly unfailing?: unknown
}

const isUsable = (column: MayFail): boolean =>
  !column.multiValued && (column.unfailing === undefined || column.unfailing === column)

function termColumn(column: SortedSetDocValues | undefined, docCount: number): DecidingColumn | undefined {
  if (column === undefined || !isUsable(column)) return undefined
  const block = newOrdinalBlock()
  const isDense = column.docsWithValue === docCount
  return {
    count: column.termCount + 1,
    addNumbers(docs, count, factor, into) {
      column.readBlock(docs, count, block)
      if (isDense) addOrdinals(block.ordinals, count, factor, into)
      else addFirstOrdinals(block.offsets, block.ordinals, count, factor, into)
    },
  }
}

// Functions of their own, because the members of an object are compiled for all kinds of columns.
function addOrdinals(ordinals: Int32Array, count: number, factor: number, into: Int32Array): void {
  for (let i = 0; i < count; i++) into[i] = into[i]! + factor * (ordinals[i]! + 1)
}

function addFirstOrdinals(
  offsets: Int32Array,
  ordinals: Int32Array,
  count: number,
  factor: number,
  into: Int32Array,
): void {
  for (let i = 0; i < count; i++) {
    if (offsets[i] !== offsets[i + 1]) into[i] = into[i]! + factor * (ordinals[offsets[i]!]! + 1)
  }
}

/** A column of whole numbers in a small range. */
function numberColumn(column: NumericDocValues | undefined): DecidingColumn | undefined {
  if (column === undefined || !isUsable(column) || !column.exact) return undefined
  const { min, max } = column
  if (!(max - min < COMBINATIONS_MAX)) return undefined
  const block = newValueBlock()
  return {
    count: max - min + 2,
    addNumbers(docs, count, factor, into) {
      const isRange = docs[count - 1]! - docs[0]! === count - 1
      const dense = isRange ? column.denseNumbers?.(docs[0]!, count, block.values) : undefined
      if (dense !== undefined) addDistances(dense, min, count, factor, into)
      else {
        column.readBlock(docs, count, block)
        addFirstDistances(block.offsets, block.values, min, count, factor, into)
      }
    },
  }
}

function addDistances(values: Float64Array, min: number, count: number, factor: number, into: Int32Array): void {
  for (let i = 0; i < count; i++) into[i] = into[i]! + factor * (values[i]! - min + 1)
}

function addFirstDistances(
  offsets: Int32Array,
  values: Float64Array,
  min: number,
  count: number,
  factor: number,
  into: Int32Array,
): void {
  for (let i = 0; i < count; i++) {
    if (offsets[i] !== offsets[i + 1]) into[i] = into[i]! + factor * (values[offsets[i]!]! - min + 1)
  }
}

/** A date of which the script reads parts with few values only. */
function datePartsColumn(column: NumericDocValues | undefined, names: readonly string[]): DecidingColumn | undefined {
  if (column === undefined || !isUsable(column) || !column.exact) return undefined
  const parts: SmallDatePart[] = []
  let combinations = 1
  for (const name of names) {
    const part = SMALL_DATE_PARTS.get(name)
    if (part === undefined) return undefined
    parts.push(part)
    combinations *= part.count
  }
  const block = newValueBlock()
  return {
    count: combinations + 1,
    addNumbers(docs, count, factor, into) {
      column.readBlock(docs, count, block)
      const { offsets, values } = block
      for (let i = 0; i < count; i++) {
        if (offsets[i] === offsets[i + 1]) continue
        const ms = values[offsets[i]!]!
        let number = 0
        for (let p = 0; p < parts.length; p++) number = number * parts[p]!.count + parts[p]!.of(ms)
        into[i] = into[i]! + factor * (number + 1)
      }
    },
  }
}

/** Numbers the combinations of several columns. */
export class DecidingColumns {
  readonly combinations: number
  readonly #columns: readonly DecidingColumn[]
  #numbers = new Int32Array(0)

  constructor(columns: readonly DecidingColumn[], combinations: number) {
    this.#columns = columns
    this.combinations = combinations
  }

  /** The number of the combination of each document. The array is valid until the next call. */
  numbersOf(docs: Int32Array, count: number): Int32Array {
    if (this.#numbers.length < count) this.#numbers = new Int32Array(count)
    const numbers = this.#numbers
    numbers.fill(0, 0, count)
    let factor = 1
    for (const column of this.#columns) {
      column.addNumbers(docs, count, factor, numbers)
      factor *= column.count
    }
    return numbers
  }
}

/** Undefined if the combinations are not much fewer than the documents. */
function decidingTable(columns: readonly DecidingColumn[], docCount: number): DecidingColumns | undefined {
  const combinations = columns.reduce((product, { count }) => product * count, 1)
  const most = Math.min(COMBINATIONS_MAX, docCount / 2)
  return combinations < most ? new DecidingColumns(columns, combinations) : undefined
}
