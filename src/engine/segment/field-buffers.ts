/**
 * The values of one field while documents are buffered, in the order they came. Nothing is sorted here: a token costs a
 * table lookup and a push, and the order of terms and values is made once, when the segment is written.
 */
import { immenseToken, TERM_BYTES_MAX } from '../../base/errors/term-errors.ts'
import type { FieldSchema, TokenSink } from '../document/field-schema.ts'
import { ByteList, DoubleList, IntList } from './growable.ts'
import { TermTable } from './term-table.ts'

/** Terms of a text or keyword field. Tokens of one document form a group. */
export class TermFieldBuffer implements TokenSink {
  readonly schema: FieldSchema
  readonly table = new TermTable()
  /** Term of each token. */
  readonly tokens = new IntList(64)
  /** Position of each token, when the field has positions. */
  readonly positions: IntList | undefined
  /** Document of each group, and where its tokens begin. */
  readonly groupDocs = new IntList(64)
  readonly groupStarts = new IntList(64)
  /** Tokens that count for the document's length (those at a place of their own). */
  readonly groupLengths = new IntList(64)
  #position = -1
  #length = 0

  constructor(schema: FieldSchema) {
    this.schema = schema
    this.positions = schema.inverted === 'positions' ? new IntList(64) : undefined
  }

  get memoryBytes(): number {
    return (
      this.table.memoryBytes +
      this.tokens.memoryBytes +
      (this.positions?.memoryBytes ?? 0) +
      this.groupDocs.memoryBytes * 3
    )
  }

  addTerm(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#openGroup(doc)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(++this.#position)
    this.groupLengths.array[this.groupLengths.length - 1] = ++this.#length
  }

  addText(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.#openGroup(doc)
    this.schema.analyzer!.analyze(bytes, start, end, this)
    this.#position += this.schema.positionGap
    this.groupLengths.array[this.groupLengths.length - 1] = this.#length
  }

  token(bytes: Uint8Array, start: number, end: number, positionIncrement: number): void {
    this.#position += positionIncrement
    if (positionIncrement > 0) this.#length++
    if (end - start > TERM_BYTES_MAX) throw immenseToken(this.schema.name, bytes, start, end)
    this.tokens.push(this.table.intern(bytes, start, end))
    this.positions?.push(this.#position)
  }

  endOfValue(positionIncrement: number): void {
    this.#position += positionIncrement
  }

  #openGroup(doc: number): void {
    const groups = this.groupDocs
    if (groups.length > 0 && groups.array[groups.length - 1] === doc) return
    groups.push(doc)
    this.groupStarts.push(this.tokens.length)
    this.groupLengths.push(0)
    this.#position = -1
    this.#length = 0
  }
}

/** Numbers; exact 64-bit integers from the first one that needs it. */
export class NumberFieldBuffer {
  readonly schema: FieldSchema
  readonly docs = new IntList(64)
  readonly values = new DoubleList(64)
  /** Exact values, from the moment one does not fit a double. */
  bigValues: BigInt64Array | undefined

  constructor(schema: FieldSchema) {
    this.schema = schema
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes + this.values.memoryBytes + (this.bigValues?.byteLength ?? 0)
  }

  add(doc: number, value: number): void {
    if (this.bigValues !== undefined) {
      this.addLong(doc, BigInt(value))
      return
    }
    this.docs.push(doc)
    this.values.push(value)
  }

  addLong(doc: number, value: bigint): void {
    const at = this.values.length
    if (this.bigValues === undefined) {
      this.bigValues = new BigInt64Array(Math.max(64, this.values.array.length))
      for (let i = 0; i < at; i++) this.bigValues[i] = BigInt(this.values.array[i]!)
    } else if (at === this.bigValues.length) {
      const grown = new BigInt64Array(at * 2)
      grown.set(this.bigValues)
      this.bigValues = grown
    }
    this.bigValues[at] = value
    this.docs.push(doc)
    this.values.push(Number(value))
  }
}

export class GeoFieldBuffer {
  readonly schema: FieldSchema
  readonly docs = new IntList(64)
  readonly latitudes = new IntList(64)
  readonly longitudes = new IntList(64)

  constructor(schema: FieldSchema) {
    this.schema = schema
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes * 3
  }

  add(doc: number, latitude: number, longitude: number): void {
    this.docs.push(doc)
    this.latitudes.push(latitude)
    this.longitudes.push(longitude)
  }
}

export class BinaryFieldBuffer {
  readonly schema: FieldSchema
  readonly docs = new IntList(16)
  readonly ends = new IntList(16)
  readonly pool = new ByteList(256)

  constructor(schema: FieldSchema) {
    this.schema = schema
  }

  get memoryBytes(): number {
    return this.docs.memoryBytes * 2 + this.pool.memoryBytes
  }

  add(doc: number, bytes: Uint8Array, start: number, end: number): void {
    this.docs.push(doc)
    this.pool.append(bytes, start, end)
    this.ends.push(this.pool.length)
  }
}

export type FieldBuffer = TermFieldBuffer | NumberFieldBuffer | GeoFieldBuffer | BinaryFieldBuffer
